"""Corrected rows in the CSV file that they were read from: only their own fields change, whatever else it holds."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

from boxscore.formats.io.correction import Correction, Edited, path_in
from boxscore.formats.io.csv_table import one_csv
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_lines import text
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.tf_csv.columns import FORMS, Roles, find_roles, fits
from boxscore.formats.tf_csv.read import form_of, is_relative
from boxscore.tables.model import Floats, Truth

_NUMBER = re.compile(r"[^\s,;\[\]()]+")
_MARK = "\ufeff"


def edited(files: Files, how: ReadOptions, side: str, change: Correction, truth: Truth | None = None) -> Edited:
    """The file with a correction in its rows."""
    how = how.of(side)
    source = one_csv(files, how.split, fits, "columns for an image and a box")
    roles = find_roles(source)
    content = source.bytes().decode("utf-8")
    mark = _MARK if content.startswith(_MARK) else ""
    records = _records(content.removeprefix(mark), roles.header.delimiter)
    rows = [k for k, (_, fields) in enumerate(records) if any(fields)][roles.header.lines :]
    values = _values(roles, [records[rows[s]][1] for s in change.before.position.tolist()])
    boxes = change.boxes(form_of(roles, how), is_relative(roles, values, how))
    made = [line for line, _ in records]
    words = _words(roles, [records[k][1] for k in rows], how, truth)
    after = change.after
    for r in np.flatnonzero(change.changed & ~change.lost).tolist():
        k = rows[int(after.position[r])]
        new = dict[int, str]()
        if change.box[r]:
            new |= _box(roles, records[k][1], boxes[r].tolist())
        if change.score[r]:
            new[roles.at["score"]] = text([float(after.score[r])])  # type: ignore[union-attr]
        if change.label[r] and "class" in roles.at:
            new[roles.at["class"]] = words.get(change.class_name(r), change.class_name(r))
        if change.image[r]:
            new[roles.at["image"]] = after.images.key[after.image[r]]
        made[k] = _edited(*records[k], roles.header.delimiter, new)
    for s in change.removed.tolist():
        made[rows[s]] = ""
    path = "" if files.is_file else path_in(files, source.name)
    return Edited(frozenset(), {path: (mark + "".join(made)).encode()}, change.notes)


def _records(content: str, delimiter: str) -> list[tuple[str, list[str]]]:
    """The rows of a file, each with its text, which may go over several lines."""
    lines = list(io.StringIO(content, newline=""))
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    made, before = list[tuple[str, list[str]]](), 0
    for fields in reader:
        made.append(("".join(lines[before : reader.line_num]), fields))
        before = reader.line_num
    return made


def _values(roles: Roles, rows: Sequence[Sequence[str]]) -> Floats:
    """The four numbers of each row."""
    if not roles.form:
        at = roles.at["bbox"]
        return np.array([[float(word) for word in _NUMBER.findall(row[at])] for row in rows]).reshape(-1, 4)
    places = roles.places(*FORMS[roles.form])
    return np.array([[float(row[at].replace(",", ".")) for at in places] for row in rows]).reshape(-1, 4)


def _box(roles: Roles, fields: Sequence[str], box: list[float]) -> dict[int, str]:
    if roles.form:
        return dict(zip(roles.places(*FORMS[roles.form]), (text([v]) for v in box), strict=True))
    at, numbers = roles.at["bbox"], iter(box)
    return {at: _NUMBER.sub(lambda _: text([next(numbers)]), fields[at])}


def _words(roles: Roles, rows: Sequence[Sequence[str]], how: ReadOptions, truth: Truth | None) -> dict[str, str]:
    """How classes are written: by number where all of them are."""
    if "class" not in roles.at or not all(row[roles.at["class"]].strip().isdecimal() for row in rows):
        return {}
    if how.classes is not None:
        return {name: str(k) for k, name in enumerate(how.classes)}
    return {} if truth is None else {n: str(k) for n, k in zip(truth.classes.name, truth.classes.id, strict=True)}


def _edited(line: str, fields: list[str], delimiter: str, new: dict[int, str]) -> str:
    """A row with some other fields; the others stay as they are written, where no quotes are in the way."""
    body = line.rstrip("\r\n")
    if '"' not in body and not any(delimiter in value or '"' in value for value in new.values()):
        written = body.split(delimiter)
        return delimiter.join(new.get(k, value) for k, value in enumerate(written)) + line[len(body) :]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow([new.get(k, v) for k, v in enumerate(fields)])
    return out.getvalue() + line[len(body) :]
