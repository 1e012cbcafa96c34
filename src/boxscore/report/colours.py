"""The colours of data, one record for figures and pages: told apart in every kind of colour vision, and in grey.

Measured on white: contrast at least 3 : 1, CIEDE2000 within a group at least 18 (normal, protan, deutan, tritan).
Nothing is told by colour alone: every colour has a line of its own, too.
"""

from __future__ import annotations

INK, INK_2, INK_3 = "#16181b", "#54585e", "#6b7077"  # names and numbers, captions, ticks
LINE, EDGE, BAND, PAPER = "#e3e3df", "#8a8f95", "#f1f1ee", "#ffffff"
TRUE, FALSE, MISSED = "#2f63e0", "#c0390b", "#5a2148"
HIGHLIGHT = "#ffd84d"  # what obeys a score threshold
# On photographs, with a dark edge: what was missed is light there, as dark lines would not be seen.
ON_IMAGES = {"true": TRUE, "false": FALSE, "missed": HIGHLIGHT, "ignored": EDGE}
CLASSES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", PAPER)  # Okabe and Ito
BLACK = "#000000"  # edges on photographs
SETS = ("#3c57d5", "#956200", "#004931", "#522c57", "#ee6979", "#08a0b5")
MARKS = ("o", "s", "^", "D", "v", "P")  # of points, as matplotlib names them
DASHES: tuple[tuple[float, ...], ...] = (  # strokes and gaps in line widths; none for a solid line
    (), (5, 1.5), (1, 1), (5, 1.5, 1, 1.5), (8, 2), (3, 1, 1, 1, 1, 1),
)  # fmt: skip


def of_set(k: int) -> tuple[str, tuple[float, ...]]:
    """The colour and the line of a detection set by its number; no two of the first 36 are alike."""
    return SETS[k % len(SETS)], DASHES[(k + k // len(SETS)) % len(DASHES)]


def mark_of_set(k: int) -> str:
    """The mark of a detection set by its number."""
    return MARKS[k % len(MARKS)]


def ink_on(colour: str, opacity: float = 1.0) -> str:
    """Dark or white, whichever is read better on a colour over white.

    >>> ink_on(HIGHLIGHT), ink_on(MISSED), ink_on(MISSED, 0.4)
    ('#16181b', '#ffffff', '#16181b')
    """
    light = _luminance([255 + opacity * (int(colour[i : i + 2], 16) - 255) for i in (1, 3, 5)])
    dark = _luminance([int(INK[i : i + 2], 16) for i in (1, 3, 5)])
    return INK if (light + 0.05) / (dark + 0.05) > 1.05 / (light + 0.05) else PAPER


def _luminance(rgb: list[float] | list[int]) -> float:
    """Of the Web Content Accessibility Guidelines, by which contrast is measured."""
    red, green, blue = (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
