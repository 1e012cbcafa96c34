"""Open Images: boxes, masks, image labels and predictions as CSV, with a list and a hierarchy of classes beside them.

Coordinates are normalized and are kept so where no size is known: a ratio of areas needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.csv_table import one_csv, read_header
from boxscore.formats.io.delimited import Place
from boxscore.formats.io.files import Files
from boxscore.formats.io.hierarchy import parents_within, read_hierarchy
from boxscore.formats.io.label_map import read_label_map
from boxscore.formats.io.mask_pictures import Pictures
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.rle import box_of
from boxscore.formats.io.source import Source, open_source
from boxscore.formats.open_images.csv import Boxes, Labels, Names, fit, read_boxes, read_labels, read_strings
from boxscore.formats.open_images.joined import Added, with_masks
from boxscore.formats.open_images.masks import Mask, packed_masks, pictured_masks
from boxscore.tables.box_forms import scaled, to_corners
from boxscore.tables.model import Classes, Detections, Floats, ImageLabels, Images, Indices, Ints, Truth
from boxscore.tables.shapes import Shape, Shapes, ShapesMaker

_WANTED = "ImageID, LabelName and XMin"


@dataclass(frozen=True, eq=False)
class _Placed:
    """Boxes in the unit in which the table has them."""

    corners: Floats
    area: Floats
    relative: bool
    shapes: Shapes | None
    width: Floats | None
    height: Floats | None
    findings: list[Finding]


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects, and with `image_labels` what is known of whole images; images are those that either file names."""
    how, names = how.of("truth"), Names({}, {})
    source = one_csv(files, how.split, lambda header: fit(header, how.shapes), _WANTED)
    boxes, added = read_boxes(source, read_header(source), names, False, how), Added()
    if how.masks is not None and how.shapes:
        boxes, added = with_masks(boxes, names, how)
    boxes, placed = _placed(files, source, boxes, len(names.image), how)
    said = None if how.image_labels is None else read_labels(open_source(how.image_labels), names, how.threads)
    hierarchy = None if how.hierarchy is None else read_hierarchy(how.hierarchy)
    listed = _listed(how)
    parts: list[Boxes | Labels] = [boxes] if said is None else [boxes, said]
    if listed is None:
        ordered = tuple(sorted({*names.label, *(hierarchy or ())}))
        listed = Classes(ordered, ordered)
    findings = placed.findings
    place = places(names, listed, parts, how)
    if hierarchy is not None:
        known = [str(key) if key in hierarchy else name for name, key in zip(listed.name, listed.id, strict=True)]
        listed = replace(listed, parents=parents_within(known, hierarchy))
        strange = [known[k] for k in dict.fromkeys(place.tolist()) if known[k] not in hierarchy]
        if strange:
            findings.append(finding("CLS003", len(strange), first_few(strange, len(strange))))
    n = len(boxes.image)
    labels = None if said is None else ImageLabels(said.image, place[said.label], said.mark)
    return Truth(
        _images(names, placed), listed, boxes.image, place[boxes.label], placed.corners, placed.area,
        boxes.position, source.name, "open-images", relative=placed.relative, shapes=placed.shapes,
        area=np.full(n, np.nan), flags=boxes.flags, labels=labels, added=added,
    ), findings  # fmt: skip


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Predictions, one a row or all of an image in a `PredictionString`."""
    how, names = how.of("detections"), Names({}, {})
    source = one_csv(files, how.split, lambda header: fit(header, how.shapes), _WANTED)
    header = read_header(source)
    if header.find("PredictionString") is not None:
        boxes = read_strings(source, header, names)
    else:
        boxes = read_boxes(source, header, names, True, how)
    boxes, placed = _placed(files, source, boxes, len(names.image), how)
    classes = _listed(how)
    if classes is None:
        ordered = tuple(sorted(names.label))
        classes = Classes(ordered, ordered)
    if truth is not None and (classes.name, classes.id) == (truth.classes.name, truth.classes.id):
        classes = truth.classes
    place = places(names, classes, [boxes], how)
    return Detections(
        _images(names, placed), classes, boxes.image, place[boxes.label], placed.corners, placed.area,
        boxes.position, source.name, "open-images", relative=placed.relative, shapes=placed.shapes, score=boxes.score,
    ), placed.findings  # fmt: skip


def _images(names: Names, placed: _Placed) -> Images:
    """The images; those that only a file of labels names have no size."""
    keys = list(names.image)
    sides = (placed.width, placed.height)
    width, height = (None if s is None else np.append(s, np.full(len(keys) - len(s), np.nan)) for s in sides)
    return Images(keys, None, width, height)


def _placed(files: Files, source: Source, boxes: Boxes, n_images: int, how: ReadOptions) -> tuple[Boxes, _Placed]:
    """Boxes in pixels where sizes are known or they are stated to be, else relative; with the shapes of their masks.

    Rows whose mask cannot be used may be left out.
    """
    width, height = boxes.width, boxes.height
    if how.image_size is not None and width is None:
        width, height = (np.full(n_images, side, np.float64) for side in how.image_size)
    sizes = np.full((len(boxes.image), 2), np.nan)
    if width is not None and height is not None:
        sizes = np.stack([width[boxes.image], height[boxes.image]], axis=1)
    kept, given, shapes = _shapes(files, boxes, sizes, how)
    if len(kept) < len(boxes.image):
        boxes, sizes = boxes.take(kept), sizes[kept]
    corners = boxes.corners if given is None else given
    assert corners is not None
    relative, findings = given is None, list[Finding]()
    if relative and not may_be_relative(corners):
        if how.coords != "absolute":
            raise not_relative(source, corners)
        relative = False
    elif relative and how.coords == "absolute":
        detail = f"{source.name} is Open Images, and no number in it is above 2: coords=absolute was not used for it"
        findings.append(finding("BOX004", 1, detail))
    if relative and width is not None and bool((sizes > 0).all()):
        corners, relative = scaled(corners, sizes), False
    return boxes, _Placed(
        *to_corners(corners, "xyxy", in_place=True, threads=how.threads), relative, shapes, width, height, findings
    )


def _shapes(files: Files, boxes: Boxes, sizes: Floats, how: ReadOptions) -> tuple[Ints, Floats | None, Shapes | None]:
    """The rows whose masks can be used, the boxes around masks where a file has none, and, if wanted, the masks."""
    n, made, hulls, kept = len(boxes.image), ShapesMaker(), list[tuple[float, ...]](), list[int]()
    if boxes.mask is None:
        return np.arange(n), None, None
    place = boxes.mask_place or boxes.place
    if boxes.packed:
        masks = packed_masks(boxes.mask, sizes, place)
    else:
        needed = "masks" in how.needs
        masks = pictured_masks(boxes.mask, sizes, place, boxes.pictures or Pictures(files), needed)
    for row in range(n):
        with how.invalid:
            mask = masks(row)
            if boxes.corners is None:
                hulls.append(_hull(mask, len(boxes.score) > 0, boxes.place, row))
            if mask is not None and how.shapes:
                made.add(len(kept), Shape.RLE, [mask[0], mask[1], *mask[2]])
            kept.append(row)
    given = np.array(hulls, np.float64).reshape(-1, 4) if boxes.corners is None else None
    return np.array(kept, np.int64), given, made.shapes(len(kept))


def may_be_relative(corners: Floats) -> bool:
    """Whether the numbers can be normalized coordinates; boxes may leave their image, but not by far."""
    return not len(corners) or bool(corners.min() >= -1 and corners.max() <= 2)


def not_relative(source: Source, corners: Floats) -> InputError:
    n, swapped = len(corners), int((corners[:, 2] < corners[:, 0]).sum())
    largest = float(corners.flat[np.abs(corners).argmax()])
    found = f"boxes that are not normalized: numbers up to {largest:g}"
    found += f", and XMax below XMin in {swapped:,} of {n:,} rows" if swapped else ""
    expected = "numbers between 0 and 1, or --coords absolute (coords= in Python) for boxes in pixels"
    hint = (
        "The columns may hold x1, y1, x2, y2 in this order under the names XMin, XMax, YMin, YMax." if swapped else ""
    )
    return InputError(source.name, found, expected, hint)


def _listed(how: ReadOptions) -> Classes | None:
    """The classes that the user lists."""
    if how.label_map is not None:
        return read_label_map(how.label_map)
    return None if how.classes is None else Classes(how.classes, how.classes)


def places(names: Names, classes: Classes, parts: Sequence[Boxes | Labels], how: ReadOptions) -> Indices:
    """The place among the classes of each label that the files name; one that is not listed is an error.

    TensorFlow's evaluator stops there, too: to drop such rows would raise or lower numbers in silence.
    """
    known = {key: k for k, key in enumerate(classes.id) if isinstance(key, str)}  # codes such as /m/01g317
    known |= {name: k for k, name in enumerate(classes.name)}
    place = np.array([known.get(name, -1) for name in names.label], np.int32)
    for part in parts:
        missing = place[part.label] < 0
        if missing.any():
            row = int(missing.argmax())
            label = list(names.label)[part.label[row]]
            count = len(set(part.label[missing].tolist()))
            source = "classes" if how.label_map is None else how.label_map
            found = f"label '{label}', which {source} does not list ({count:,} such label{'s' * (count != 1)} in all)"
            raise InputError(part.place(row), found, f"one of the {len(classes):,} listed labels")
    return place


def _hull(mask: Mask | None, scored: bool, place: Place, row: int) -> tuple[float, float, float, float]:
    """The corners around a mask, in pixels; those of a predicted mask without pixels are zeros."""
    x, y, width, depth = (0.0,) * 4 if mask is None else box_of(mask[2], mask[0])
    if mask is None or not (width or scored):
        raise InputError(place(row), "an empty Mask, and no box", "a mask with something inside")
    return x, y, x + width, y + depth
