"""Names of curves at the right edge, as near to their ends as they can be without touching each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import INK, INK_2
from boxscore.report.figures.sheet import LINE_HEIGHT, PAD, Sheet
from boxscore.report.figures.style import SMALL
from boxscore.tables.model import Floats

LEADER, SWATCH, GAP, MARK = 8.0, 15.0, 4.0, 3.4  # points
LINE = LINE_HEIGHT * SMALL + 0.6
MOST = 0.46  # share of the width that names may take


class Label(NamedTuple):
    """The name of a curve, its number, where it ends (a share of the height; nan for nowhere), how it is drawn.

    Without a leader, it stands beside its end all the same; without a colour, nothing is drawn of it.
    """

    name: str
    number: str
    end: float
    colour: str
    dash: tuple[float, ...]
    width: float = 1.6
    mark: str = ""
    leader: bool = True


class Column(NamedTuple):
    """Labels as they will be written, the heading over their numbers, and the room that they need."""

    labels: tuple[Label, ...]
    heading: str
    names: float  # how wide the names are
    numbers: float  # and the numbers
    room: float
    left: int  # curves that no room is left for


def column(sheet: Sheet, labels: Sequence[Label], heading: str, height: float) -> Column:
    """As many labels as axes of a height have room for, with names that leave enough width for the curves."""
    most = max(int((height - LINE) / LINE), 1)
    shown = list(labels[:most]) if len(labels) <= most else [*labels[: max(most - 1, 1)]]
    numbers = max(sheet.widest([label.number for label in shown], SMALL), sheet.measured(heading))
    fixed = LEADER + SWATCH + 2 * GAP + numbers + PAD
    wide = min(sheet.widest([label.name for label in shown], SMALL), max(MOST * sheet.width - fixed, 24.0))
    names = sheet.all_fitted([label.name for label in shown], wide)
    cut = tuple(label._replace(name=name) for label, name in zip(shown, names, strict=True))
    return Column(cut, heading, wide, numbers, fixed + wide, len(labels) - len(shown))


def write(sheet: Sheet, ax: Axes, made: Column) -> None:
    """Writes the column beside axes: a leader from the end of each curve, a piece of its line, its name, its number."""
    _, height = sheet.size(ax)
    shown = list(made.labels[::-1])
    if not all(math.isnan(label.end) for label in shown):
        shown.sort(key=lambda label: _value(label.number))  # curves that end together stand by number
    ends = together([label.end for label in shown], LINE / 2 / height)
    rest = 1 if made.left else 0
    low, high = LINE / 2 / height, 1 + 2 / height
    order = np.linspace(1.5, 2, max(len(ends), 1))  # those that end nowhere stand above, in their order
    wanted = np.array([*(o if math.isnan(e) else e for e, o in zip(ends, order, strict=False)), *([-1.0] * rest)])
    places = spread(wanted, LINE / height, low, high - LINE / height)
    names = LEADER + SWATCH + GAP
    numbers = names + made.names + GAP + made.numbers
    top = float(places.max()) if len(places) else 1 - LINE / height
    if made.heading:
        sheet.write(ax, 1, top + LINE / height, made.heading, dx=numbers, color=INK_2, ha="right", va="center")
    for label, y in zip(shown, places.tolist(), strict=False):
        lead = LEADER / sheet.size(ax)[0]
        if label.leader and not math.isnan(label.end):
            sheet.stroke(ax, [1, 1 + lead], [label.end, y], color=label.colour, lw=0.6)
        if label.colour:
            dash = (0, label.dash) if label.dash else "-"
            piece = SWATCH / sheet.size(ax)[0]
            sheet.stroke(ax, [1 + lead, 1 + lead + piece], [y, y], color=label.colour, lw=label.width, ls=dash)
            if label.mark:
                sheet.stroke(ax, [1 + lead + piece / 2], [y], color=label.colour, marker=label.mark, ms=MARK)
        sheet.write(ax, 1, y, label.name, dx=names, va="center")
        sheet.write(ax, 1, y, label.number, dx=numbers, ha="right", va="center", color=INK)
    if rest:
        sheet.write(ax, 1, float(places[-1]), f"and {made.left:,} more", dx=names, va="center", color=INK_2)


def _value(number: str) -> float:
    """A number as it was written; one that was not comes first."""
    try:
        return float(number.replace(",", ""))
    except ValueError:
        return -math.inf


def together(ends: Sequence[float], gap: float) -> list[float]:
    """Ends with those that are hardly apart as one, so that other things decide their order.

    >>> together([0.02, 0.5, 0.0, math.nan, 0.03], 0.05)
    [0.0, 0.5, 0.0, nan, 0.0]
    """
    made = [*ends]
    start = -math.inf
    for k in sorted((k for k, end in enumerate(ends) if not math.isnan(end)), key=lambda k: ends[k]):
        start = start if ends[k] - start <= gap else ends[k]
        made[k] = start
    return made


def spread(wanted: Floats, gap: float, low: float, high: float) -> Floats:
    """Places at least a gap apart, in the same order, as near to those wanted as that allows (least squares).

    >>> spread(np.array([0.5, 0.5, 0.9]), 0.1, 0.0, 1.0).round(2).tolist()
    [0.45, 0.55, 0.9]
    """
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(wanted))
    blocks: list[tuple[float, int]] = []  # mean and length: neighbours that violate the order are averaged
    for value in (wanted[order] - steps).tolist():
        mean, n = value, 1
        while blocks and blocks[-1][0] > mean:
            before, m = blocks.pop()
            mean, n = (before * m + mean * n) / (m + n), m + n
        blocks.append((mean, n))
    flat = np.array([mean for mean, n in blocks for _ in range(n)])
    limit = max(high - steps[-1], low) if len(wanted) else low
    places = np.empty(len(wanted))
    places[order] = np.clip(flat, low, limit) + steps
    return places
