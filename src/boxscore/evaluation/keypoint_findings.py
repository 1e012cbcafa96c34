"""What a user should know of keypoints that are evaluated."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.tables.keypoints import labelled_counts
from boxscore.tables.model import Detections, Floats, Truth


def keypoint_findings(truth: Truth, detections: Detections) -> list[Finding]:
    """Counts that are missing or disagree, visibilities that are none, points that lie nowhere near the image."""
    if truth.keypoints is None or detections.keypoints is None:
        return []
    return [*_counts(truth), *_visibility(truth.keypoints), *_far(truth, "objects"), *_far(detections, "detections")]


def _counts(truth: Truth) -> list[Finding]:
    assert truth.keypoints is not None
    if truth.labelled is None:
        return []
    labelled, made = labelled_counts(truth.keypoints), []
    if missing := int(np.count_nonzero(truth.labelled < 0)):
        made.append(finding("KPT001", missing))
    wrong = (truth.labelled >= 0) & (truth.labelled != labelled)
    if wrong.any():
        ignored = int(np.count_nonzero(wrong & (truth.labelled == 0)))
        detail = f"; {ignored:,} of them say 0 and are ignored" if ignored else ""
        made.append(finding("KPT002", int(np.count_nonzero(wrong)), detail))
    return made


def _visibility(keypoints: Floats) -> list[Finding]:
    seen = keypoints[:, :, 2]
    odd = seen[~np.isnan(seen) & (seen != 0) & (seen != 1) & (seen != 2)]
    if not len(odd):
        return []
    values = np.unique(odd)
    return [finding("KPT003", len(odd), first_few((f"{value:g}" for value in values[:4].tolist()), len(values)))]


def _far(table: Truth | Detections, what: str) -> list[Finding]:
    """Labelled points of objects and all points of detections, on images whose size is known."""
    keypoints, width, height = table.keypoints, table.images.width, table.images.height
    if keypoints is None or width is None or height is None or table.relative or not keypoints.size:
        return []
    far = _core.count_far_points(keypoints, table.image, width, height, labelled_only=isinstance(table, Truth))
    return [finding("KPT004", far, what)] if far else []
