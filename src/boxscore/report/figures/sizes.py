"""Box sizes, ground truth and detections."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import BAND, INK_2, of_set
from boxscore.report.figures import labels
from boxscore.report.figures.labels import Label
from boxscore.report.figures.sheet import EDGE, LINE_HEIGHT, PAD, Margins, Sheet, empty, foot_room, head_room
from boxscore.report.figures.style import ONE, SMALL, TEXT, TWO
from boxscore.report.views.sizes import SizesView
from boxscore.tables.model import Floats, Ints

LEFT = 24.0
FEW = 2  # sets whose lines are told apart in one pair of axes
PANEL = 74.0  # points that a panel is high
OCTAVES = 3  # doublings of the side that the axis shows at least
LINES = 2 * LINE_HEIGHT * SMALL  # of the names of size ranges


def size(view: SizesView, width: float | None) -> tuple[float, float]:
    """The size in inches."""
    wide = width or (ONE if len(view.sets) <= FEW else TWO)
    if len(view.sets) > FEW:
        return wide, (head_room() + _down(view, wide) * PANEL + LINE_HEIGHT * SMALL + 6 + 2 * PAD) / 72
    return wide, min(0.66 * wide, 3.0)


def draw(sheet: Sheet, view: SizesView) -> Axes:
    """Shares of the boxes by size: the ground truth filled, one or two detection sets as lines, more in panels."""
    if len(view.sets) > FEW:
        return _panels(sheet, view)
    above = LINES + PAD if view.ranges else 0
    made = labels.column(sheet, _labels(view), "boxes", sheet.height - foot_room() - head_room() - above)
    left = _left(sheet)
    ax = sheet.axes(Margins(left, made.room, foot_room(), head_room()))
    _histograms(sheet, ax, view, range(len(view.sets)), above)
    name = f"square root of the area, {view.unit}"
    ax.set_xlabel(name if sheet.measured(name) < sheet.size(ax)[0] + left else sheet.fitted(f"side, {view.unit}", 80))
    if view.ranges:
        _ranges(sheet, ax, view)
    sheet.heading(ax, _title(view), "share of boxes", left, made.room)
    if not view.objects.sum() and not view.detections.sum():
        empty(sheet, ax, "no boxes")
    labels.write(sheet, ax, made)
    return ax


def _panels(sheet: Sheet, view: SizesView) -> Axes:
    """A panel for each of several sets, all with the ground truth and the same axes: lines over lines tell nothing."""
    across = _across((sheet.width + 2 * EDGE) / 72)
    down = math.ceil(len(view.sets) / across)
    foot, body = LINE_HEIGHT * SMALL + 6 + PAD, sheet.height - head_room()
    made: list[Axes] = []
    for k, name in enumerate(view.sets):
        high = (body - foot) / down / sheet.height  # the share that a panel has; ticks stand below the lowest ones
        within = (k % across / across, foot / sheet.height + (down - 1 - k // across) * high, 1 / across, high)
        ax = sheet.axes(Margins(_left(sheet), 2 * PAD, PAD, LINE_HEIGHT * SMALL + PAD), within)
        _histograms(sheet, ax, view, [k], LINES / 2 + PAD if view.ranges else 0)
        colour, dash = of_set(k)
        ax.tick_params(labelbottom=k + across >= len(view.sets), labelleft=k % across == 0)
        count = f"{int(view.detections[k].sum()):,}"
        piece = labels.SWATCH / sheet.size(ax)[0]
        y = 1 + (PAD / 2 + LINE_HEIGHT * SMALL / 2) / sheet.size(ax)[1]
        sheet.stroke(ax, [0, piece], [y, y], color=colour, lw=1.6, ls=(0, dash) if dash else "-")
        room = sheet.size(ax)[0] - sheet.measured(count) - labels.SWATCH - 2 * PAD
        sheet.write(ax, 0, y, sheet.fitted(name, room), dx=labels.SWATCH + PAD, va="center")
        sheet.write(ax, 1, y, count, color=INK_2, ha="right", va="center")
        if view.ranges:
            _ranges(sheet, ax, view, counts=False)
        made.append(ax)
    about = f"share of boxes by square root of the area in {view.unit}; grey: {int(view.objects.sum()):,} objects"
    if view.unit != "pixels":
        about = about.replace(" in of", " in shares of")
    top = LINE_HEIGHT * SMALL + PAD
    first, room = made[0], sheet.width
    sheet.write(first, 0, 1, sheet.fitted(about, room), dx=-LEFT, dy=top + PAD, color=INK_2, va="bottom")
    sheet.write(first, 0, 1, sheet.fitted(_title(view), room, TEXT, bold=True), dx=-LEFT,
                dy=top + PAD + LINE_HEIGHT * SMALL + 2, fontsize=TEXT, fontweight="bold", va="bottom")  # fmt: skip
    return first


def _across(width: float) -> int:
    return max(1, min(3, int(width / 1.6)))


def _down(view: SizesView, width: float) -> int:
    return math.ceil(len(view.sets) / _across(width))


def _title(view: SizesView) -> str:
    return "Box sizes" + (f", {view.unmeasured:,} degenerate not shown" if view.unmeasured else "")


def _histograms(sheet: Sheet, ax: Axes, view: SizesView, sets: Iterable[int], above: float) -> None:
    """The ground truth and some sets, with ticks; room above them for the names of size ranges."""
    edges = np.log2(view.edges)
    spare = max(0.0, OCTAVES - float(edges[-1] - edges[0])) / 2  # a few boxes of one size are not blown up
    ax.set_xlim(float(edges[0]) - spare, float(edges[-1]) + spare)
    shares = [_shares(view.objects), *map(_shares, view.detections)]
    top = max([float(s.max(initial=0)) for s in shares] + [0.01])
    ax.set_ylim(0, top * 1.04 * _stretched(sheet, ax, above))
    if view.objects.sum():
        ax.stairs(shares[0], edges, fill=True, color=INK_2, alpha=0.45, lw=0, label="ground truth")
    for k in sets:
        colour, dash = of_set(k)
        if view.detections[k].sum():
            ax.stairs(shares[1 + k], edges, color=colour, ls=(0, dash) if dash else "-", lw=1.2, label=view.sets[k])
    _ticks(sheet, ax, top)


def _shares(counts: Ints) -> Floats:
    return counts / max(int(counts.sum()), 1)


def _left(sheet: Sheet) -> float:
    """Room for the shares beside the axis, whatever font there is."""
    return max(LEFT, sheet.measured("100 %") + PAD)


def _stretched(sheet: Sheet, ax: Axes, above: float) -> float:
    """How much higher the axis is, so that the names of size ranges have their place above all bars."""
    height = sheet.size(ax)[1]
    return height / max(height - above, height / 3)


def _ticks(sheet: Sheet, ax: Axes, top: float) -> None:
    low, high = ax.get_xlim()
    ticks = list(range(math.ceil(low), math.floor(high) + 1))
    shown = ticks[:: max(1, math.ceil(len(ticks) * 26 / sheet.size(ax)[0]))]
    ax.set_xticks(shown, [f"{2.0**t:,.3g}" if t < 0 else f"{2.0**t:,.4g}" for t in shown])
    free = sheet.size(ax)[1] * top / ax.get_ylim()[1]  # below the names of size ranges
    most = min(5.0, max(free / (LINE_HEIGHT * SMALL) - 1, 1.0))
    step = next(s for s in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top / s <= most)
    marks = [k * step for k in range(int(top / step + 1e-9) + 1)]
    ax.set_yticks(marks, [f"{100 * m:.3g} %" for m in marks])


def _ranges(sheet: Sheet, ax: Axes, view: SizesView, counts: bool = True) -> None:
    """The size ranges of the protocol: bands, and in each its name, and how many objects it has."""
    low, high = ax.get_xlim()
    width = sheet.size(ax)[0]
    end = 0.0
    for k, (name, start, stop, count) in enumerate(view.ranges):
        x0 = max(low, math.log2(start)) if start > 0 else low
        x1 = min(high, math.log2(stop)) if 0 < stop < math.inf else high
        if x1 <= x0:
            continue
        if k % 2:
            ax.axvspan(x0, x1, color=BAND, zorder=-2)
        room = (x1 - x0) / (high - low) * width
        middle = ((x0 + x1) / 2 - low) / (high - low)
        lines = [name, f"{count:,}"] if counts else [name]
        text, wide = "\n".join(lines), sheet.widest(lines)
        if wide + 2 < room and middle * width - wide / 2 >= end:
            sheet.write(ax, middle, 1, text, dy=-2, ha="center", va="top", color=INK_2, linespacing=1.15)
            end = middle * width + wide / 2 + 2


def _labels(view: SizesView) -> list[Label]:
    made = [Label("ground truth", f"{int(view.objects.sum()):,}", math.nan, INK_2, (), 4.0)]
    for k, (name, counts) in enumerate(zip(view.sets, view.detections, strict=True)):
        made.append(Label(name, f"{int(counts.sum()):,}", math.nan, *of_set(k)))
    return made
