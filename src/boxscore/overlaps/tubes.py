"""Overlaps of tubes: what two tracks share over all frames, over what either covers (STT-IoU), of boxes or masks."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.errors import InputError
from boxscore.overlaps.record import Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.masks import Sizes
from boxscore.tables.model import Detections, Floats, Ints, Truth, thread_count
from boxscore.tables.runs import Letters
from boxscore.tables.tubes import MaskTubes, Tubes

WITHOUT = "Evaluate frame by frame instead (--protocol coco), or pass files whose boxes have track ids."
WITHOUT_MASKS = "Evaluate the boxes of tracks instead (--set overlap=tube), or pass files with masks or polygons."


def tubes(table: Truth | Detections) -> Tubes:
    """The tubes of a table that has some."""
    assert table.tubes is not None  # `Overlap.columns` was asked before
    return table.tubes


def _boxes(table: Truth | Detections) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    own = tubes(table)
    return own.begin, own.end, own.frame, own.corners, own.area


def _masks(table: Truth | Detections) -> tuple[Ints, Ints, Ints, Letters, Ints, Ints, Sizes]:
    own, masks = tubes(table), pixels(table).masks
    return own.begin, own.end, own.frame, masks.runs.letters, masks.runs.begin, masks.runs.end, masks.size


def volumes(table: Truth | Detections, _: parts.Overlap) -> Floats:
    """The areas of the boxes of each track, added up."""
    return tubes(table).volume


def measure(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """What pairs share and what either covers, added up frame by frame."""
    shared, either = np.empty(len(detection)), np.empty(len(detection))
    both = *_boxes(detections), *_boxes(truth)
    _core.tube_intersections(*both, detection, object_, shared, either, thread_count(threads))
    return Measured(shared, np.where(shared > 0, shared / np.where(shared > 0, either, 1.0), 0.0))


def pixels(table: Truth | Detections) -> MaskTubes:
    """The masks of the tracks of a table; InputError where frames have none."""
    made = tubes(table).pixels
    if made is None:
        side = "truth" if isinstance(table, Truth) else "detections"
        raise InputError(table.source or side, "no masks", "masks, for overlap=tube-mask", WITHOUT_MASKS)
    if lost := int(made.masks.absent.sum()):
        side, all_ = "truth" if isinstance(table, Truth) else "detections", len(made.masks)
        actual = f"{lost:,} of {all_:,} boxes of tracks without a mask"
        raise InputError(table.source or side, actual, "masks, for overlap=tube-mask", WITHOUT_MASKS)
    return made


def pixel_volumes(table: Truth | Detections, _: parts.Overlap) -> Floats:
    """The pixels of the masks of each track, added up."""
    return pixels(table).volume


def pixel_boxes(table: Truth | Detections) -> Floats:
    """The smallest boxes around the pixels of tracks: boxes that a source states may be others."""
    return pixels(table).box


def measure_pixels(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """The pixels that pairs share, added up over the frames that both have."""
    shared = np.empty(len(detection))
    both = *_masks(detections), *_masks(truth)
    _core.mask_tube_intersections(*both, detection, object_, shared, thread_count(threads))
    return Measured(shared)


TUBE = Overlap("tube", measure, volumes, needs=("tubes",), tracks=True, called="tube IoU", instead=WITHOUT)
TUBE_MASK = Overlap(
    "tube-mask", measure_pixels, pixel_volumes, needs=("tubes",), bounds=pixel_boxes, of_frames=("masks",), tracks=True,
    called="tube IoU", instead=WITHOUT,
)  # fmt: skip
