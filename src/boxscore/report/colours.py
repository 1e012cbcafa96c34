"""The colours of data, one record for figures and pages: told apart in every kind of colour vision, and in grey.

Measured on white: contrast at least 3 : 1, CIEDE2000 within a group at least 18 (normal, protan, deutan, tritan).
Nothing is told by colour alone: every colour has a line of its own, too.
"""

from __future__ import annotations

INK, INK_2, INK_3 = "#16181b", "#54585e", "#6b7077"  # names and numbers, captions, ticks
LINE, EDGE, PAPER = "#e3e3df", "#8a8f95", "#ffffff"
TRUE, FALSE, MISSED = "#2f63e0", "#c0390b", "#5a2148"
HIGHLIGHT = "#ffd84d"  # what obeys a score threshold
SETS = ("#3c57d5", "#956200", "#004931", "#522c57", "#ee6979", "#08a0b5")
DASHES: tuple[tuple[float, ...], ...] = (  # strokes and gaps in line widths; none for a solid line
    (), (5, 1.5), (1, 1), (5, 1.5, 1, 1.5), (8, 2), (3, 1, 1, 1, 1, 1),
)  # fmt: skip


def of_set(k: int) -> tuple[str, tuple[float, ...]]:
    """The colour and the line of a detection set by its number; no two of the first 36 are alike."""
    return SETS[k % len(SETS)], DASHES[(k + k // len(SETS)) % len(DASHES)]
