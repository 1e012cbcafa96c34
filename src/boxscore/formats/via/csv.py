"""VIA (VGG Image Annotator) CSV: a row per region, with its shape and its attributes as JSON."""

from __future__ import annotations

from typing import NamedTuple

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.csv_table import read_header
from boxscore.formats.io.delimited import Rows
from boxscore.formats.io.json_once import loads
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.via.regions import VIA_3, Region, add_regions, size_in
from boxscore.tables.model import Detections, Truth

COLUMNS = (
    "filename", "file_size", "file_attributes", "region_count", "region_id", "region_shape_attributes",
    "region_attributes",
)  # fmt: skip
_EXPECTED = ", ".join(COLUMNS)


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects; an image without regions has a row with an empty shape."""
    how = how.of("truth")
    return _read(source, how, scored=False).truth(source.name, "via-csv", how), []


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: regions with an attribute `score` or `confidence`."""
    how = how.of("detections")
    return _read(source, how, scored=True).detections(source.name, "via-csv", how), []


def _read(source: Source, how: ReadOptions, scored: bool) -> Collected:
    header = read_header(source)
    if header.names[0].startswith("#") and header.names[0].lstrip("# ").casefold() != "filename":
        raise InputError(f"{source.name}:1", VIA_3, _EXPECTED, "Save the annotations with VIA 2, or as COCO.")
    at = {name: header.find(name, f"#{name}") for name in COLUMNS}
    for name in ("filename", "region_shape_attributes", "region_attributes"):
        if at[name] is None:
            header.need(name, expected=_EXPECTED)
    rows, made, regions, sizes, n = Rows(source, header.delimiter, 1, how.invalid), Collected(), list[Region](), [""], 0
    for _, columns in rows.blocks(len(header.names), f"as many values as columns ({len(header.names)})"):
        for values in zip(*columns, strict=True):
            fields = {name: "" if place is None else values[place] for name, place in at.items()}
            file, key = _Place(rows, n), fields["filename"].strip().replace("\\", "/")
            n += 1
            if not key:
                raise InputError(str(file), "an empty filename", "the name of an image")
            if key not in made.key:
                made.add_image(key, *size_in(_json(file, "file_attributes", fields["file_attributes"])))
                sizes.append(fields["file_size"])
            elif sizes[made.key[key] + 1] != fields["file_size"]:
                found = f"the file name '{key}' again, with another file_size"
                raise InputError(str(file), found, "a file name of its own for every image")
            with how.invalid:
                shape = _json(file, "region_shape_attributes", fields["region_shape_attributes"])
                if shape.object():
                    attributes = _json(file, "region_attributes", fields["region_attributes"])
                    attributes.object()
                    regions.append(Region(made.key[key], shape, attributes))
    add_regions(made, source.name, regions, how, scored)
    return made


class _Place(NamedTuple):
    """File and line of a row, looked up when a message needs it."""

    rows: Rows
    row: int

    def __str__(self) -> str:
        return self.rows.place(self.row)


class _Column(NamedTuple):
    """A field of a row, likewise."""

    file: _Place
    name: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


def _json(file: _Place, column: str, text: str) -> Value:
    """The object that a field holds; an empty field is an empty one."""
    try:
        value = loads(text or "{}", _Column(file, column))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: {column}", f"invalid JSON ({error})", "an object in JSON") from None
    return Value(file, value, key=column)
