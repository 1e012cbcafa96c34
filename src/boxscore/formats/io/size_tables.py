"""Tables of image sizes: JSON or CSV, by name of the image."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from boxscore.errors import InputError
from boxscore.formats.io.delimited import lines_of
from boxscore.formats.io.json_text import json_of
from boxscore.formats.io.source import Source, open_source

_EXPECTED = 'a table of image sizes: {"name": [width, height], …}, a list of images as of COCO, or name,width,height'
_COLUMNS = {
    "name": ("file_name", "filename", "name", "image", "image_id", "imageid", "key", "file", "path"),
    "width": ("width", "w", "image_width", "imagewidth"),
    "height": ("height", "h", "image_height", "imageheight"),
}
Size = tuple[float, float]  # width, height


def read_sizes(path: str | os.PathLike[str], split: str | None = None) -> dict[str, Size]:
    """A table of image sizes; where it has a table for each split, their names stand before those of the images."""
    source = open_source(path)
    if source.first_character() not in ("{", "["):
        return _of_rows(source)
    values = json_of(source, _EXPECTED)
    if isinstance(values, dict) and isinstance(values.get("images"), list):
        values = values["images"]
    rows = list(_of_list(source, values) if isinstance(values, list) else _of_object(source, values, split))
    return _table(source, rows)


Row = tuple[str, str, Any, Any]  # place, name, width, height


def _of_list(source: Source, values: Sequence[Any]) -> Iterable[Row]:
    for i, value in enumerate(values):
        place = f"{source.name}: [{i}]"
        entry = value if isinstance(value, dict) else {}
        name = next((entry[key] for key in _COLUMNS["name"] if isinstance(entry.get(key), str)), None)
        if name is None:
            raise InputError(place, "no file_name", _EXPECTED)
        yield place, name, entry.get("width"), entry.get("height")


def _of_object(source: Source, values: Mapping[str, Any], split: str | None) -> Iterable[Row]:
    parts: list[tuple[str, Mapping[str, Any]]] = [
        (name, table) for name, table in values.items() if isinstance(table, dict) and "width" not in table
    ]
    if not parts:
        parts, split = [("", values)], None
    if split is not None and split not in dict(parts):
        raise InputError(source.name, f"no sizes for the split '{split}'", f"one of {', '.join(dict(parts))}")
    for name, table in parts:
        if split in (None, name):
            start = f"{name}/" if name and split is None else ""
            for key, size in table.items():
                place = f"{source.name}: {start}{key}"
                if isinstance(size, dict):
                    yield place, start + key, size.get("width"), size.get("height")
                elif isinstance(size, list) and len(size) == 2:
                    yield place, start + key, size[0], size[1]
                else:
                    raise InputError(place, f"{size!r}"[:60], "[width, height]")


def _of_rows(source: Source) -> dict[str, Size]:
    lines = lines_of(source)
    first = next((line for line in lines if line.strip()), "")
    delimiter = next((d for d in ("\t", ";", ",") if d in first), ",")
    rows = [(f"{source.name}:{n}", row) for n, row in enumerate(csv.reader(lines, delimiter=delimiter), 1) if any(row)]
    if not rows:
        raise InputError(source.name, "no image sizes", _EXPECTED)
    heads = [word.strip().lower() for word in rows[0][1]]
    places = [next((heads.index(n) for n in names if n in heads), -1) for names in _COLUMNS.values()]
    if places[1] < 0 and places[2] < 0:
        places = [0, 1, 2]
    else:
        rows = rows[1:]
    if min(places) < 0:
        raise InputError(f"{source.name}:1", f"the columns {', '.join(heads)}", "name, width and height")
    for place, row in rows:
        if len(row) <= max(places):
            raise InputError(place, f"{len(row)} value{'s' * (len(row) != 1)}", "name,width,height")
    return _table(source, [(place, *(row[p].strip() for p in places)) for place, row in rows])


def _table(source: Source, rows: Iterable[tuple[Any, ...]]) -> dict[str, Size]:
    table: dict[str, Size] = {}
    for place, name, width, height in rows:
        sides = _side(width), _side(height)
        if sides[0] is None or sides[1] is None:
            raise InputError(place, f"the size {width!r} x {height!r}", "width and height in pixels, both above 0")
        if table.setdefault(name, (sides[0], sides[1])) != (sides[0], sides[1]):
            raise InputError(place, f"another size for '{name}' than before", "each image once")
    return table


def _side(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or (isinstance(value, str) and "_" in value):
        return None
    try:
        side = float(value)
    except (ValueError, OverflowError):
        return None
    return side if 0 < side < float("inf") else None
