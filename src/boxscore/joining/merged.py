"""Classes that the ground truth states to be part of another, counted as it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.joining.align import Aligned


def with_merged_classes(aligned: Aligned) -> Aligned:
    """Both sides with rows of merged classes as rows of those that they are merged into."""
    merged = aligned.truth.classes.merged
    if merged is None:
        return aligned
    label = np.array([*merged, -1], np.int32)
    return replace(
        aligned,
        truth=replace(aligned.truth, label=label[aligned.truth.label]),
        detections=replace(aligned.detections, label=label[aligned.detections.label]),
    )
