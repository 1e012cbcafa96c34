"""CreateML JSON: a list of images, each with annotations whose x and y are centres in pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boxscore.formats.record import BOTH, FILE, JSON, LIKELY, Boxes, Format, Sign
from boxscore.formats.words import SCORES
from boxscore.tables.model import Detections, Truth

if TYPE_CHECKING:  # the record is loaded to recognise any file; the rest where this format is read or written
    from boxscore.diagnostics.findings import Finding
    from boxscore.formats.io.collected import Collected
    from boxscore.formats.io.json_values import Value
    from boxscore.formats.io.options import ReadOptions
    from boxscore.formats.io.source import Source
    from boxscore.formats.io.table_rows import Table
    from boxscore.formats.io.writing import Made, Writing

FORMATS = (
    Format(
        name="createml", title="CreateML", looks="createml (a JSON file with coordinates of centres by image)",
        home=__name__, listed=210, kind=JSON, per=FILE, truth=":read_truth", detections=":read_detections",
        write_truth=":write", write_detections=":write",
        boxes=Boxes("cxcywh", "absolute", "centre, width, height in pixels"),
        signs=(
            Sign(("[].annotations[].coordinates", "[].annotations[].confidence"), BOTH),
            Sign(("[].annotations[].coordinates",)),
            Sign(("[].annotation[].coordinates",)),
            Sign(("[].image", "[].annotations"), BOTH, LIKELY),
        ),
        lacks="a list of images with `annotations` and their `coordinates`",
        keeps=("empty_images", "extensions", "folders", "last_bits"),
    ),
)  # fmt: skip
_EXPECTED = "CreateML JSON: a list with `image` and `annotations` for every image"
_IMAGE = ("image", "imagefilename", "imageURL")
_OBJECTS = ("annotations", "annotation")
_SCORE = SCORES[::-1]  # what it writes comes first
_COORDINATES = ("x", "y", "width", "height")


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects; images without annotations have none."""
    how = how.of("truth")
    return _read(source, how, scored=False).truth(source.name, "createml", how), []


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: annotations with a `confidence`."""
    how = how.of("detections")
    return _read(source, how, scored=True).detections(source.name, "createml", how), []


def _read(source: Source, how: ReadOptions, scored: bool) -> Collected:
    from boxscore.formats.io.collected import Collected
    from boxscore.formats.io.json_values import load_value

    made = Collected()
    for entry in load_value(source, _EXPECTED).items():
        key = _first(entry, _IMAGE).text().replace("\\", "/")
        if key in made.key:
            raise entry.wrong(f"the image '{key}' again", "each image once, with all of its annotations")
        image = made.add_image(key)
        for one in _first(entry, _OBJECTS).items():
            with how.invalid:
                x, y, width, height = one["coordinates"].numbers(*_COORDINATES)
                name, score = one["label"].text(), [_first(one, _SCORE).number()] if scored else []
                corners = [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
                made.add(image, name, corners, width * height, where=one)
                made.score += score
    return made


def _first(value: Value, keys: tuple[str, ...]) -> Value:
    """What stands under the first of several keys that is there."""
    return value[next((key for key in keys if value.has(key)), keys[0])]


def write(table: Table, how: Writing) -> Made:
    """All images; detections with a `confidence`."""
    from boxscore.formats.io.table_rows import as_json, rows_by_image

    entries = [
        {"image": table.images.key[i], "annotations": [_annotation(table, row) for row in rows]}
        for i, rows in enumerate(rows_by_image(table))
    ]
    yield "", as_json(entries)


def _annotation(table: Table, row: int) -> dict[str, Any]:
    from boxscore.formats.io.table_rows import whole

    x0, y0, x1, y1 = table.corners[row].tolist()
    box = (x0 / 2 + x1 / 2, y0 / 2 + y1 / 2, x1 - x0, y1 - y0)
    coordinates = {name: whole(value) for name, value in zip(_COORDINATES, box, strict=True)}
    score = {_SCORE[0]: float(table.score[row])} if isinstance(table, Detections) else {}
    return {"label": table.classes.name[table.label[row]], "coordinates": coordinates, **score}
