"""Lists of classes beside Open Images files: a label map (pbtxt), or the table of class descriptions (CSV)."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from os import PathLike

from boxscore.errors import InputError
from boxscore.formats.io.delimited import lines_of
from boxscore.formats.io.source import open_source
from boxscore.tables.model import Classes

_TOKEN = re.compile(
    r"""\#[^\n]* | (?P<brace>[{}]) | (?P<key>[A-Za-z_]\w*) \s* : (?!\s*\{)
      | (?P<value> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | [^\s{}:;,"'\#]+)""",
    re.VERBOSE,
)
Row = tuple[str, str, int | str]  # place, name, id
_EXPECTED = "item { name: '…' id: 1 } as in a label map, or lines such as /m/01g317,Person"


def read_label_map(path: str | PathLike[str]) -> Classes:
    """The classes of a label map by ascending id, or those of a table of descriptions in its order.

    In a label map a class is known by its `name`, which in Open Images is a code such as /m/01g317; `display_name` is
    only for people. A table of descriptions gives the code as id and the description as name, or the code where several
    classes share a description.
    """
    source = open_source(path)
    lines = lines_of(source)
    text = "\n".join(lines)
    classes = _items(source.name, text) if re.search(r"\bitem\s*:?\s*\{", text) else _descriptions(source.name, lines)
    for place, name, key in _repeated(classes):
        raise InputError(place, f"'{name}' (id {key}) has the name or the id of an earlier class", "different classes")
    ordered = sorted(classes, key=lambda row: row[2]) if isinstance(classes[0][2], int) else classes
    return Classes(tuple(name for _, name, _ in ordered), tuple(key for _, _, key in ordered))


def _repeated(classes: list[Row]) -> Iterator[Row]:
    names, ids = set[str](), set[int | str]()
    for row in classes:
        if row[1] in names or row[2] in ids:
            yield row
        names.add(row[1])
        ids.add(row[2])


def _items(source: str, text: str) -> list[Row]:
    """The items of a pbtxt; messages inside of an item (such as keypoints) are passed over."""
    made, item, key, depth, start = list[Row](), dict[str, str](), "", 0, 0
    for token in _TOKEN.finditer(text):
        if token["key"]:
            key = token["key"]
        elif token["value"]:
            if key and depth == 1:
                item[key] = _unquoted(token["value"])
            key = ""
        elif token["brace"] == "{":
            depth += 1
            if depth == 1:
                item, start = {}, token.start()
        elif token["brace"]:
            if depth == 1:
                made.append(_item(f"{source}:{text.count(chr(10), 0, start) + 1}", item))
            depth -= 1
    return made


def _item(place: str, item: dict[str, str]) -> Row:
    name, key = item.get("name") or item.get("display_name"), item.get("id", "")
    if name and re.fullmatch(r"-?\d{1,18}", key):
        return place, name, int(key)
    found = f"an item with name '{name}' and id '{key}'" if name else "an item without a name"
    raise InputError(place, found, "a name and a whole number as id")


def _unquoted(word: str) -> str:
    text = word[1:-1] if word[0] in "'\"" else word
    if "\\" not in text:
        return text
    # Protocol buffers write bytes beyond ASCII in octal.
    plain = text.encode("ascii", "backslashreplace").decode("unicode_escape")
    return plain.encode("latin-1", "replace").decode("utf-8", "replace")


def _descriptions(source: str, lines: list[str]) -> list[Row]:
    """Rows `/m/01g317,Person`; some releases begin with `LabelName,DisplayName`."""
    rows = [(f"{source}:{number}", row) for number, row in enumerate(csv.reader(lines), 1) if any(row)]
    if rows and rows[0][1][0] == "LabelName":
        rows = rows[1:]
    if not rows:
        raise InputError(source, "no classes", _EXPECTED)
    for place, row in rows:
        if len(row) not in (2, 3) or not row[0].strip():  # the third: a number, in a challenge
            raise InputError(place, f"'{','.join(row)[:60]}'", _EXPECTED)
    codes, names = ([row[k].strip() for _, row in rows] for k in (0, 1))
    often = Counter([*names, *set(codes)])
    named = (name if name and often[name] == 1 else code for code, name in zip(codes, names, strict=True))
    return [(place, name, code) for (place, _), name, code in zip(rows, named, codes, strict=True)]
