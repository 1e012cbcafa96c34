"""The overlap of tubes: what two tracks share over all frames, over what either covers (STT-IoU)."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.overlaps.record import Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.model import Detections, Floats, Ints, Truth, thread_count
from boxscore.tables.tubes import Tubes

WITHOUT = "Evaluate frame by frame instead (--protocol coco), or pass files whose boxes have track ids."


def tubes(table: Truth | Detections) -> Tubes:
    """The tubes of a table that has some."""
    assert table.tubes is not None  # `Overlap.columns` was asked before
    return table.tubes


def volumes(table: Truth | Detections, _: parts.Overlap) -> Floats:
    """The areas of the boxes of each track, added up."""
    return tubes(table).volume


def measure(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """What pairs share, added up over the frames that both have."""
    own, other, shared = tubes(detections), tubes(truth), np.empty(len(detection))
    _core.tube_intersections(
        own.begin, own.end, own.frame, own.corners, other.begin, other.end, other.frame, other.corners,
        detection, object_, shared, threads=thread_count(threads),
    )  # fmt: skip
    return Measured(shared)


TUBE = Overlap("tube", measure, volumes, needs=("tubes",), tracks=True, called="tube IoU", instead=WITHOUT)
