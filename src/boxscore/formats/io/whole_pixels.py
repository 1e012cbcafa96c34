"""Whole pixels out of normalized coordinates: where every corner is one but for the digits that were written."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.tables.model import Floats

WRITTEN = 1e-6  # of the image's side: what six decimals and single precision leave open
_FEW = 2  # boxes that tell it from chance: a corner is that near to a whole number once in a thousand times


def in_whole_pixels(
    corners: Floats, sizes: Floats, source: str, stated: str | None
) -> tuple[Floats, Floats, list[Finding]]:
    """Corners and areas of boxes that were relative: as stated, else as whole numbers if that is what they were.

    Rounded are the top left corner and the sides, as in the 2021 toolkit, halves to even numbers.
    """
    findings: list[Finding] = []
    if stated == "whole":
        corner = np.rint(corners[:, :2])
        corners = np.concatenate([corner, corner + np.rint(corners[:, 2:] - corners[:, :2])], axis=1)
    elif stated is None:
        corners, findings = restored(corners, sizes, source)
    return corners, (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]), findings


def restored(corners: Floats, sizes: Floats, source: str) -> tuple[Floats, list[Finding]]:
    """The corners as whole numbers if all are, within the digits of their shares; else as they are.

    `sizes` are width and height of the image, one row for all or one per box.

    >>> shares = np.array([[0.1, 0.2, 0.366667, 0.5], [0.033333, 0.05, 0.9, 0.95]])
    >>> restored(shares * [300, 200, 300, 200], np.array([[300.0, 200.0]]), "a.txt")[0]
    array([[ 30.,  40., 110., 100.],
           [ 10.,  10., 270., 190.]])
    """
    whole = np.rint(corners)
    if len(corners) < _FEW or not (np.abs(corners - whole) <= WRITTEN * np.tile(sizes, 2)).all():
        return corners, []
    if np.array_equal(whole, corners):
        return corners, []
    return whole, [finding("BOX007", len(corners), source)]
