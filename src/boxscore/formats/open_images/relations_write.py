"""Open Images' visual relationships, written: two boxes and the relation between them a row, all normalized."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.formats.io.csv_write import csv_text, names_of, quoted, written_rows
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.open_images.relations import LABELS
from boxscore.formats.open_images.write import shares
from boxscore.tables.model import Detections, Ints, Truth

_SIDES = tuple(f"{name}{end}" for end in (1, 2) for name in ("XMin", "XMax", "YMin", "YMax"))


def write_truth(truth: Truth, how: Writing) -> Made:
    """Relations; images without any have no place in the file."""
    rows = written_rows(truth)
    images, relations = names_of(truth, rows)
    yield "", csv_text(("ImageID", *LABELS[:2], *_SIDES, LABELS[2]), images, *_ends(truth, rows), relations)


def write_detections(detections: Detections, how: Writing) -> Made:
    """Predicted relations."""
    rows = written_rows(detections)
    images, relations = names_of(detections, rows)
    score = [*map(repr, detections.score[rows].tolist())]
    columns = (images, *_ends(detections, rows), relations, score)
    yield "", csv_text(("ImageID", *LABELS[:2], *_SIDES, LABELS[2], "Score"), *columns)


def _ends(table: Truth | Detections, rows: Ints) -> list[list[str]]:
    """LabelName1, LabelName2 and the sides of both boxes, as texts that give the same numbers back."""
    if table.end_boxes is None or table.end_labels is None or table.end_classes is None:
        if len(table):
            raise InputError(table.source, "single boxes", "relations of two boxes, for open-images-vrd")
        return [[] for _ in range(2 + len(_SIDES))]
    names = [quoted(name) for name in table.end_classes.name]
    labels = [[names[k] for k in table.end_labels[rows, end].tolist()] for end in (0, 1)]
    boxes = [shares(table, rows, table.end_boxes[rows, 4 * end : 4 * end + 4]) for end in (0, 1)]
    return [*labels, *([*map(repr, box[:, k].tolist())] for box in boxes for k in (0, 2, 1, 3))]
