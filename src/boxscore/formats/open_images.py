"""Open Images: boxes, image labels and predictions as CSV, with a label map and a hierarchy of classes beside them.

Coordinates are relative to the image size and are kept so, exactly: a ratio of areas needs no size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.findings import finding
from boxscore.formats.hierarchy import parents_within, read_hierarchy
from boxscore.formats.label_map import read_label_map
from boxscore.formats.open_images_csv import Boxes, Labels, Names, read_boxes, read_header, read_labels, read_strings
from boxscore.formats.reading import Reading
from boxscore.formats.source import Source, open_source
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, Floats, ImageLabels, Images, Indices, Truth


def read_truth(source: Source, how: Reading) -> tuple[Truth, list[Finding]]:
    """Objects, and with `image_labels` what is known of whole images; images are those that either file names."""
    names = Names({}, {})
    boxes = read_boxes(source, read_header(source), names, scored=False)
    said = None if how.image_labels is None else read_labels(open_source(how.image_labels), names)
    hierarchy = None if how.hierarchy is None else read_hierarchy(how.hierarchy)
    listed = _listed(how)
    parts: list[Boxes | Labels] = [boxes] if said is None else [boxes, said]
    if listed is None:
        ordered = tuple(sorted({*names.label, *(hierarchy or ())}))
        listed = Classes(ordered, ordered)
    findings = []
    if hierarchy is not None:
        listed = Classes(listed.name, listed.id, parents=parents_within(listed.name, hierarchy))
        strange = [name for name in names.label if name not in hierarchy]
        if strange:
            findings.append(finding("CLS003", len(strange), first_few(strange, len(strange))))
    place = _places(names, listed, parts, how)
    n = len(boxes.image)
    labels = None if said is None else ImageLabels(said.image, place[said.label], said.mark)
    return Truth(
        Images(list(names.image)), listed, boxes.image, place[boxes.label], boxes.corners, _areas(boxes.corners),
        boxes.position, source.name, "open-images", relative=True, area=np.full(n, np.nan), flags=boxes.flags,
        labels=labels,
    ), findings  # fmt: skip


def read_detections(source: Source, how: Reading, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Predictions, one a row or all of an image in a `PredictionString`."""
    names, header = Names({}, {}), read_header(source)
    strings = header.find("PredictionString") is not None
    boxes = read_strings(source, header, names) if strings else read_boxes(source, header, names, scored=True)
    classes = _listed(how)
    if classes is None:
        ordered = tuple(sorted(names.label))
        classes = Classes(ordered, ordered)
    if truth is not None and (classes.name, classes.id) == (truth.classes.name, truth.classes.id):
        classes = truth.classes
    place = _places(names, classes, [boxes], how)
    return Detections(
        Images(list(names.image)), classes, boxes.image, place[boxes.label], boxes.corners, _areas(boxes.corners),
        boxes.position, source.name, "open-images", relative=True, score=boxes.score,
    ), []  # fmt: skip


def _areas(corners: Floats) -> Floats:
    return (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])


def _listed(how: Reading) -> Classes | None:
    """The classes that the user lists."""
    if how.label_map is not None:
        return read_label_map(how.label_map)
    return None if how.classes is None else Classes(how.classes, how.classes)


def _places(names: Names, classes: Classes, parts: Sequence[Boxes | Labels], how: Reading) -> Indices:
    """The place among the classes of each label that the files name; one that is not listed is an error.

    TensorFlow's evaluator stops there, too: to drop such rows would raise or lower numbers in silence.
    """
    known = {name: k for k, name in enumerate(classes.name)}
    place = np.array([known.get(name, -1) for name in names.label], np.int32)
    for part in parts:
        missing = place[part.label] < 0
        if missing.any():
            row = int(missing.argmax())
            label = list(names.label)[part.label[row]]
            count = len(set(part.label[missing].tolist()))
            source = "classes" if how.label_map is None else how.label_map
            found = f"label '{label}', which {source} does not list ({count:,} such label{'s' * (count != 1)} in all)"
            raise InputError(part.place(row), found, f"one of the {len(known):,} listed labels")
    return place
