"""Boxes that are normalized coordinates, as pixels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.whole_pixels import in_whole_pixels
from boxscore.tables.box_forms import scaled
from boxscore.tables.common_images import same_images
from boxscore.tables.model import Bools, Detections, Floats, Images, Table, Truth
from boxscore.tables.shapes import Shape, Shapes

# What each number of a shape is a share of, in turn: nothing (0), the width (1), the height (2).
_SHARES = {
    Shape.POLYGON: (1, 2), Shape.RLE: (0,), Shape.QUAD: (1, 2), Shape.KEYPOINTS: (1, 2, 0), Shape.POLYLINE: (1, 2),
    Shape.POINTS: (1, 2), Shape.CIRCLE: (1, 2, 1), Shape.ELLIPSE: (1, 2, 1, 2, 0), Shape.ORIENTED: (1, 2, 1, 2, 0),
}  # fmt: skip
_HOW = "--images FOLDER, --sizes FILE or --image-size WIDTH,HEIGHT (images=, sizes=, image_size= in Python)"


def in_pixels(table: Table, sizes: Floats) -> Table:
    """A relative table in pixels; `sizes` are width and height of each of its images, (n, 2).

    Rows on images without a size (nan) stay as they are.
    """
    if not table.relative:
        return table
    by_row = np.append(sizes, [[np.nan, np.nan]], axis=0)[table.image]
    by_row = np.where(np.isnan(by_row), 1.0, by_row)
    corners = scaled(table.corners, by_row)
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    shapes = None if table.shapes is None else _shapes_in_pixels(table.shapes, by_row)
    ends = None if table.end_boxes is None else table.end_boxes * np.tile(by_row, 4)
    return replace(table, corners=corners, box_area=area, shapes=shapes, end_boxes=ends, relative=False)


def _shapes_in_pixels(shapes: Shapes, sizes: Floats) -> Shapes:
    part = np.repeat(np.arange(len(shapes.kind)), np.diff(shapes.value))
    row = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))[part]
    turn = np.arange(len(shapes.values)) - shapes.value[part]
    share = np.zeros(len(shapes.values), np.int64)
    for kind, pattern in _SHARES.items():
        these = shapes.kind[part] == int(kind)
        share[these] = np.array(pattern)[turn[these] % len(pattern)]
    factors = np.append(np.ones((len(sizes), 1)), sizes, axis=1)
    return replace(shapes, values=shapes.values * factors[row, share])


def sized(table: Table, how: ReadOptions) -> tuple[Table, list[Finding]]:
    """A table with the sizes that are stated, and then in pixels."""
    if not how.states_sizes:
        return table, []
    from boxscore.formats.io.image_sizes import known_sizes, with_sizes  # needed where sizes are

    known, findings = with_sizes(table, how)
    if not known.relative:
        return known, findings
    sizes = known_sizes(known.images)
    _demand(known, sizes, _used(known))
    made = _in_pixels(known, sizes, how)
    return made[0], findings + made[1]


def _in_pixels(table: Table, sizes: Floats, how: ReadOptions) -> tuple[Table, list[Finding]]:
    """A relative table in pixels, whole ones where they were so before somebody divided them."""
    made = in_pixels(table, sizes)
    by_row = np.append(sizes, [[np.nan, np.nan]], axis=0)[table.image]
    corners, area, findings = in_whole_pixels(made.corners, by_row, table.source, how.relative_boxes)
    return made if corners is made.corners else replace(made, corners=corners, box_area=area), findings


def in_one_unit(truth: Truth, detections: Detections, how: ReadOptions) -> tuple[Truth, Detections, list[Finding]]:
    """Both sides in pixels where one is; normalized coordinates stay if both sides have them."""
    if truth.relative and detections.relative:
        return _both_in_pixels(truth, detections, how)
    if truth.relative == detections.relative:
        return truth, detections, []
    if truth.relative:
        sizes = _or_else(truth.images, detections.images)
        if np.isnan(sizes[_used(truth)]).any() and (shares := _in_shares(detections)) is not None:
            return truth, shares, []
        _demand(truth, sizes, _used(truth), "The detections are in pixels.")
        truth, made = _in_pixels(truth, sizes, how)
        return truth, detections, made
    sizes, used = _or_else(detections.images, truth.images), _used(detections)
    strange = used & (same_images(truth.images, detections.images) < 0)
    if how.states_sizes and np.isnan(sizes[used]).any():
        from boxscore.formats.io.image_sizes import known_sizes, with_sizes

        sizes = np.where(np.isnan(sizes), known_sizes(with_sizes(detections, how)[0].images), sizes)
    _demand(detections, sizes, used & ~strange, "The ground truth is in pixels.")
    lost = np.flatnonzero(strange & np.isnan(sizes[:, 0]))
    findings = []
    if len(lost):
        rows = int(np.isin(detections.image, lost).sum())
        findings.append(
            finding("SIZ004", rows, first_few((detections.images.key[i] for i in lost.tolist()), len(lost)))
        )
        detections = replace(detections, unscaled=rows)
    detections, more = _in_pixels(detections, sizes, how)
    return truth, detections, [*findings, *more]


def _both_in_pixels(truth: Truth, detections: Detections, how: ReadOptions) -> tuple[Truth, Detections, list[Finding]]:
    """Two relative tables in pixels where every size is known, else as they are."""
    sizes = _or_else(truth.images, detections.images), _or_else(detections.images, truth.images)
    used = _used(truth), _used(detections)
    if any(np.isnan(size[some]).any() for size, some in zip(sizes, used, strict=True)):
        return truth, detections, []
    truth, noted = _in_pixels(truth, sizes[0], how)
    detections, more = _in_pixels(detections, sizes[1], how)
    return truth, detections, [*noted, *more]


def _in_shares(detections: Detections) -> Detections | None:
    """Detections in pixels as shares of their images; None where a size is unknown, or shapes are in pixels, too."""
    from boxscore.formats.io.image_sizes import known_sizes

    by_row = np.append(known_sizes(detections.images), [[np.nan, np.nan]], axis=0)[detections.image]
    drawn = detections.shapes is not None and bool((detections.shapes.kind != int(Shape.RLE)).any())
    if drawn or detections.end_boxes is not None or bool(np.isnan(by_row[detections.image >= 0]).any()):
        return None
    corners = detections.corners / np.tile(np.where(np.isnan(by_row), 1.0, by_row), 2)
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    return replace(detections, corners=corners, box_area=area, relative=True)


def _used(table: Truth | Detections) -> Bools:
    """Which images have boxes."""
    used = np.zeros(len(table.images) + 1, np.bool_)
    used[table.image] = True
    return used[:-1]


def _or_else(ours: Images, theirs: Images) -> Floats:
    """The sizes of images, from the other side where they are known only there; names are the same by now."""
    from boxscore.formats.io.image_sizes import known_sizes

    other = np.append(known_sizes(theirs), [[np.nan, np.nan]], axis=0)[same_images(theirs, ours)]
    sizes = known_sizes(ours)
    return np.where(np.isnan(sizes), other, sizes)


def _demand(table: Truth | Detections, sizes: Floats, used: Bools, hint: str = "") -> None:
    """Raises where the size of an image is needed and not known."""
    missing = np.flatnonzero(used & np.isnan(sizes[:, 0]))
    if len(missing):
        some = first_few((table.images.key[i] for i in missing.tolist()), len(missing))
        which = f"sizes of {len(missing):,} images are" if len(missing) > 1 else "size of one image is"
        found = f"boxes in normalized coordinates, but the {which} unknown ({some})"
        raise InputError(table.source, found, _HOW, hint)
