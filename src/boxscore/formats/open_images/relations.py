"""Open Images' visual relationships as CSV: two boxes and the relation between them a row, and predictions of such.

The classes of the table are the relations; those of subjects and objects, of which image labels speak too, are the
classes of its ends. An attribute (`is` wooden) repeats the subject's box as that of the object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.io.csv_table import Header, one_csv, read_columns, read_header
from boxscore.formats.io.delimited import Place
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_map import read_label_map
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source, open_source
from boxscore.formats.open_images.csv import CORNERS, SCORE, Labels, Names, read_labels
from boxscore.formats.open_images.read import may_be_relative, not_relative, places
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Floats, ImageLabels, Images, Indices, Ints, Truth

LABELS = ("LabelName1", "LabelName2", "RelationshipLabel")
BOXES = tuple(f"{name}{end}" for end in (1, 2) for name in CORNERS)
_WANTED = "ImageID, LabelName1 and XMin1"
_EXPECTED = f"ImageID, {', '.join(LABELS)}, {', '.join(BOXES)}"
_BOTH = "two boxes; of an attribute, that of the subject twice"


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a file."""

    place: Place
    position: Ints
    image: Indices
    ends: tuple[Labels, Labels]  # subjects and objects
    relation: list[str]
    boxes: Floats  # (n, 8)
    score: Floats


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Relations, and with `image_labels` which classes were looked for; images are those that either file names."""
    how, names = how.of("truth"), Names({}, {})
    source = one_csv(files, how.split, _fit, _WANTED)
    rows = _read(source, names, how, scored=False)
    said = None if how.image_labels is None else read_labels(open_source(how.image_labels), names, how.threads)
    ends = _ends(names, how)
    place = places(names, ends, [*rows.ends, *([] if said is None else [said])], how)
    n = len(rows.image)
    return Truth(
        _images(names), **_columns(rows, source, how, ends, place),
        area=np.full(n, np.nan), flags=np.zeros(n, np.uint16),
        labels=None if said is None else ImageLabels(said.image, place[said.label], said.mark),
    ), []  # fmt: skip


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Predicted relations, with a score each."""
    how, names = how.of("detections"), Names({}, {})
    source = one_csv(files, how.split, _fit, _WANTED)
    rows = _read(source, names, how, scored=True)
    ends = _ends(names, how)
    columns = _columns(rows, source, how, ends, places(names, ends, rows.ends, how))
    return Detections(_images(names), **columns, score=rows.score), []


def _fit(header: Header) -> int:
    return int(header.find("ImageID") is not None and header.find(LABELS[0]) is not None)


def _read(source: Source, names: Names, how: ReadOptions, scored: bool) -> _Rows:
    header = read_header(source)
    image, *labels = (header.need(name, expected=_EXPECTED) for name in ("ImageID", *LABELS))
    groups = [[header.need(name, expected=_EXPECTED) for name in BOXES]]
    if scored:
        hint = "Truth comes first, then detections; were they swapped?"
        groups.append([header.need(*SCORE, expected=f"{_EXPECTED}, Score", hint=hint)])
    columns = read_columns(source, header, groups, [image, *labels], how.threads, how.invalid)
    for name, texts in zip(("ImageID", *LABELS), columns.texts, strict=True):
        if (nameless := texts.rows_of("")) is not None:
            raise InputError(columns.place(int(nameless[0])), f"an empty {name}", f"a name as {name}")
    boxes, scores = columns.numbers[0], columns.numbers[1][:, 0] if scored else np.zeros(0)
    kept = _usable(boxes, scores, columns.place, how)
    if len(kept) < len(boxes):
        columns, boxes, scores = columns.take(kept), boxes[kept], scores[kept] if scored else scores
    images, *ends, relations = columns.texts
    image_of, nothing = images.within(names.image), np.zeros(len(boxes), np.uint8)
    first, second = (Labels(columns.place, image_of, texts.within(names.label), nothing) for texts in ends)
    relation = [relations.name[code] for code in relations.code.tolist()]
    return _Rows(columns.place, kept, image_of, (first, second), relation, boxes, scores.copy())


def _usable(boxes: Floats, scores: Floats, place: Place, how: ReadOptions) -> Ints:
    """The rows whose numbers are all there, and whose boxes end after they begin; others may be left out."""
    begin, end = (boxes.reshape(-1, 2, 2, 2)[:, :, k] for k in (0, 1))
    usable = (begin <= end).all(axis=(1, 2)) & (~np.isnan(scores) if len(scores) else True)
    for row in np.flatnonzero(~usable).tolist():
        with how.invalid:
            raise _fault(boxes[row], place(row))
    return np.flatnonzero(usable)


def _fault(boxes: Floats, where: str) -> InputError:
    missing = np.isnan(boxes).reshape(2, 4)
    for end, whose in enumerate(("subject", "object")):
        if missing[end].all():
            return InputError(
                where, f"no box of the {whose} ({', '.join(BOXES[4 * end : 4 * end + 4])} are empty)", _BOTH
            )
    for name, value in zip(BOXES, boxes.tolist(), strict=True):
        if np.isnan(value):
            return InputError(where, f"{name} is ''", "a finite number")
    for k in (0, 1, 4, 5):
        if boxes[k] > boxes[k + 2]:
            return InputError(
                where, f"{BOXES[k + 2]} {boxes[k + 2]:g} is below {BOXES[k]} {boxes[k]:g}", "the larger one as maximum"
            )
    return InputError(where, "the score is ''", "a finite number")


def _ends(names: Names, how: ReadOptions) -> Classes:
    """The classes of subjects and objects: those of a label map, else all that files name."""
    if how.label_map is not None:
        return read_label_map(how.label_map)
    ordered = tuple(sorted(names.label))
    return Classes(ordered, ordered)


def _relations(rows: _Rows, how: ReadOptions) -> tuple[Classes, Indices]:
    """The relations as classes: those that are listed, else all that the file names."""
    listed = tuple(sorted({*rows.relation})) if how.classes is None else tuple(how.classes)
    known = {name: k for k, name in enumerate(listed)}
    for row, name in enumerate(rows.relation):
        if name not in known:
            found = f"relation '{name}', which classes does not list"
            raise InputError(rows.place(row), found, f"one of the {len(known):,} listed relations")
    return Classes(listed, listed), np.array([known[name] for name in rows.relation], np.int32)


def _columns(rows: _Rows, source: Source, how: ReadOptions, ends: Classes, place: Indices) -> dict[str, Any]:
    """What both tables have, by name."""
    classes, label = _relations(rows, how)
    relative = how.coords != "absolute"
    if relative and not may_be_relative(rows.boxes):
        raise not_relative(source, rows.boxes.reshape(-1, 4))
    around = np.concatenate(
        [np.minimum(rows.boxes[:, :2], rows.boxes[:, 4:6]), np.maximum(rows.boxes[:, 2:4], rows.boxes[:, 6:8])], axis=1
    )
    corners, area = to_corners(around, "xyxy", in_place=True, threads=how.threads)
    return {
        "classes": classes, "image": rows.image, "label": label, "corners": corners, "box_area": area,
        "position": rows.position, "source": source.name, "format": "open-images-vrd", "relative": relative,
        "end_boxes": rows.boxes, "end_labels": np.stack([place[end.label] for end in rows.ends], axis=1),
        "end_classes": ends,
    }  # fmt: skip


def _images(names: Names) -> Images:
    """The images; the official code goes through them by name."""
    keys = list(names.image)
    rank = np.empty(len(keys), np.int64)
    rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return Images(keys, rank=rank)
