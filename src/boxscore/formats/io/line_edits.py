"""Corrected rows in the lines that they were read from: class, score and box change, all else stays as written."""

from __future__ import annotations

import re

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.correction import Correction, Edited, path_in, sibling
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_lines import text
from boxscore.formats.io.number_rows import Lines
from boxscore.formats.words import as_number

_WORD = re.compile(r"[^\s,;]+")
_MARK = b"\xef\xbb\xbf"
_ROUNDING = 1e-12  # by which numbers that were scaled to pixels and back differ: they stay as they are written
_DIFFICULT = " difficult"


def edited_lines(folder: Files, lines: Lines, change: Correction) -> Edited:
    """The files whose lines change."""
    rows, after = lines.rows, change.after
    texts = _new_texts(lines, change)
    targets = _targets(folder, lines, change)
    gone = {*change.removed.tolist()}
    files = {int(rows.file[s]) for s in (*texts, *targets, *gone)}
    of_file: dict[int, list[int]] = {}
    for s in np.flatnonzero(np.isin(rows.file, [*files])).tolist():
        of_file.setdefault(int(rows.file[s]), []).append(s)
    renamed = _renamed(lines, of_file, targets, gone)
    made, moved = dict[str, list[str]](), dict[str, list[str]]()
    marks = dict[str, bytes]()
    for f in sorted(files):
        path = lines.paths[f]
        content = folder.bytes(path)
        marks[path] = _MARK if content.startswith(_MARK) else b""
        own = content.decode("utf-8-sig").splitlines(keepends=True)
        for s in of_file[f]:
            at = int(rows.line[s]) - 1
            own[at] = "" if s in gone else _edited(own[at], lines, s, *texts[s]) if s in texts else own[at]
            target = targets.get(s)
            if target is not None and f not in renamed and s not in gone:
                moved.setdefault(target, []).append(own[at].rstrip("\r\n") + "\n")
                own[at] = ""
        made[renamed.get(f, path)] = own
        if f in renamed:
            marks[renamed[f]] = marks[path]
    for path, added in moved.items():
        if path not in made:
            content = folder.bytes(path) if path in lines.paths else b""
            made[path] = content.decode("utf-8-sig").splitlines(keepends=True)
        before = made[path]
        made[path] = [*before, *(["\n"] if before and before[-1] and not before[-1].endswith("\n") else []), *added]
    bytes_of = {path: marks.get(path, b"") + "".join(own).encode() for path, own in made.items()}
    left = {lines.paths[f] for f in renamed} - {*bytes_of}
    boxes = sum(bool(len(values) < rows.first[s + 1] - rows.first[s]) for s, (_, values) in texts.items())
    notes = (f"{boxes:,} polygon{'s' * (boxes != 1)} became boxes",) if boxes else ()
    assert len(after) <= len(rows)
    return Edited(frozenset(left), bytes_of, (*change.notes, *notes))


def _new_texts(lines: Lines, change: Correction) -> dict[int, tuple[str | None, list[float]]]:
    """For each source row that is written otherwise its class, None for the same, and all of its numbers."""
    rows, after = lines.rows, change.after
    boxes = change.boxes(lines.form, lines.relative) if change.box.any() else None
    made: dict[int, tuple[str | None, list[float]]] = {}
    for r in np.flatnonzero((change.box | change.score | change.label) & ~change.lost).tolist():
        s = int(after.position[r])
        values = rows.numbers[rows.first[s] : rows.first[s + 1]].tolist()
        if change.score[r] and lines.score is not None:
            values[int(lines.score[s])] = float(after.score[r])  # type: ignore[union-attr]
        if change.box[r]:
            assert boxes is not None
            first, size = int(lines.box[s]), int(lines.size[s])
            values[first : first + (4 if lines.posed else size)] = boxes[r].tolist()
        word = None
        if change.label[r] and (word := lines.word(change.class_name(r))) is None:
            found = f"the class '{change.class_name(r)}', which its files have no number or word for"
            raise InputError(after.source, found, "a class that they list")
        made[s] = word, values
    return made


def _targets(folder: Files, lines: Lines, change: Correction) -> dict[int, str]:
    """For each source row that is of another image now the path of that image's file."""
    moved = np.flatnonzero(change.image & ~change.lost)
    if not len(moved):
        return {}
    places = change.before.places or ()
    path_of = {int(i): path_in(folder, place) for i, place in zip(change.image_of, places, strict=False) if i >= 0}
    known = {*lines.paths}
    made: dict[int, str] = {}
    for r in moved.tolist():
        s, image = int(change.after.position[r]), int(change.after.image[r])
        own = lines.paths[lines.rows.file[s]]
        path = path_of.get(image, "")
        made[s] = path if path in known else sibling(own, change.after.images.key[image])
    return made


def _renamed(lines: Lines, of_file: dict[int, list[int]], targets: dict[int, str], gone: set[int]) -> dict[int, str]:
    """Files all of whose rows are of one other image, which no other file has rows of: the files get its name."""
    wanted = {f: {targets.get(s, lines.paths[f]) for s in own if s not in gone} for f, own in of_file.items()}
    single = {f: next(iter(paths)) for f, paths in wanted.items() if len(paths) == 1}
    users: dict[str, int] = {}
    for paths in wanted.values():
        for path in paths:
            users[path] = users.get(path, 0) + 1
    return {f: path for f, path in single.items() if path != lines.paths[f] and users[path] == 1}


def _edited(line: str, lines: Lines, s: int, word: str | None, values: list[float]) -> str:
    """A line with another class or other numbers; what is not written in a way that is easy to change is put anew."""
    rows = lines.rows
    before = rows.numbers[rows.first[s] : rows.first[s + 1]].tolist()
    body = line.rstrip("\r\n")
    words = list(_WORD.finditer(body))
    start = next((k for k in range(len(words) - len(before), 0, -1) if _are(words[k : k + len(before)], before)), 0)
    if not start or len(values) != len(before):
        name = word if word is not None else rows.names[rows.name[s]]
        return f"{name} {text(values)}{_DIFFICULT if rows.marked[s] else ''}{line[len(body) :]}"
    edits = [
        (at.start(), at.end(), text([new]))
        for at, old, new in zip(words[start:], before, values, strict=False)
        if abs(new - old) > _ROUNDING * max(1.0, abs(old))
    ]
    if word is not None:
        edits.insert(0, (words[0].start(), words[start - 1].end(), word))
    for begin, end, new in reversed(edits):
        body = body[:begin] + new + body[end:]
    return body + line[len(line.rstrip("\r\n")) :]


def _are(words: list[re.Match[str]], values: list[float]) -> bool:
    return [as_number(word[0]) for word in words] == values
