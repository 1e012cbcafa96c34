"""A format of another package: JSON with lists of [image, class, x, y, width, height] and perhaps a score."""

from __future__ import annotations

from typing import Any

from boxscore.formats.io.collected import Collected
from boxscore.formats.io.json_values import load_value
from boxscore.formats.io.table_rows import as_json, rows_by_image
from boxscore.formats.io.written_boxes import with_sides
from boxscore.formats.record import BOTH, FILE, JSON, SIDES, Format, Sign

FORMATS = (
    Format(
        name="tiny", title="Tiny", looks="tiny (a JSON file with `tiny`)", home=__name__, kind=JSON, per=FILE,
        truth=":read_truth", detections=":read_detections", write_truth=":write", write_detections=":write",
        boxes=SIDES, signs=(Sign(("tiny",), BOTH),), lacks="`tiny`", keeps=("extensions", "folders", "last_bits"),
    ),
)  # fmt: skip


def read_truth(source: Any, how: Any) -> Any:
    return _read(source, scored=False).truth(source.name, "tiny", how.of("truth")), []


def read_detections(source: Any, how: Any, truth: Any = None) -> Any:
    return _read(source, scored=True).detections(source.name, "tiny", how.of("detections")), []


def _read(source: Any, scored: bool) -> Collected:
    made = Collected()
    for row in load_value(source, "a tiny file")["tiny"].items():
        key, name, *numbers = row.items()
        image = made.key[key.text()] if key.text() in made.key else made.add_image(key.text())
        x, y, width, height, *score = (number.number() for number in numbers)
        made.add(image, name.text(), [x, y, x + width, y + height], width * height)
        made.score += score[:1] if scored else []
    return made


def write(table: Any, how: Any) -> Any:
    boxes, score = with_sides(table.corners, table.box_area).tolist(), getattr(table, "score", None)
    yield "", as_json({"tiny": [
        [table.images.key[i], table.classes.name[table.label[row]], *boxes[row]]
        + ([] if score is None else [float(score[row])])
        for i, rows in enumerate(rows_by_image(table)) for row in rows
    ]})  # fmt: skip
