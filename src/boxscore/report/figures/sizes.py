"""Box sizes, ground truth and detections."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from boxscore.model import Floats, Ints
from boxscore.report.colours import BAND, INK_2, of_set
from boxscore.report.figures import labels
from boxscore.report.figures.labels import Label
from boxscore.report.figures.sheet import LINE_HEIGHT, PAD, Margins, Sheet, empty, foot_room, head_room
from boxscore.report.figures.style import ONE, SMALL
from boxscore.report.views.sizes import SizesView

LEFT = 24.0
LINES = 2 * LINE_HEIGHT * SMALL  # of the names of size ranges


def size(view: SizesView, width: float | None) -> tuple[float, float]:
    """The size in inches."""
    wide = width or ONE
    return wide, min(0.66 * wide, 3.0)


def draw(sheet: Sheet, view: SizesView) -> Axes:
    """Shares of the boxes by size: the ground truth filled, each detection set as a line."""
    above = LINES + PAD if view.ranges else 0
    made = labels.column(sheet, _labels(view), "boxes", sheet.height - foot_room() - head_room() - above)
    ax = sheet.axes(Margins(LEFT, made.room, foot_room(), head_room()))
    edges = np.log2(view.edges)
    ax.set_xlim(float(edges[0]), float(edges[-1]))
    shares = [_shares(view.objects), *map(_shares, view.detections)]
    top = max([float(s.max(initial=0)) for s in shares] + [0.01])
    ax.set_ylim(0, top * 1.04 * _stretched(sheet, ax, above))
    if view.objects.sum():
        ax.stairs(shares[0], edges, fill=True, color=INK_2, alpha=0.45, lw=0, label="ground truth")
    for k, share in enumerate(shares[1:]):
        colour, dash = of_set(k)
        if share.sum():
            ax.stairs(share, edges, color=colour, ls=(0, dash) if dash else "-", lw=1.2, label=view.sets[k])
    _ticks(sheet, ax, view, top)
    if view.ranges:
        _ranges(sheet, ax, view)
    flat = f", {view.unmeasured:,} degenerate not shown" if view.unmeasured else ""
    sheet.heading(ax, f"Box sizes{flat}", "share of boxes", LEFT, made.room)
    if not view.objects.sum() and not view.detections.sum():
        empty(sheet, ax, "no boxes")
    labels.write(sheet, ax, made)
    return ax


def _shares(counts: Ints) -> Floats:
    return counts / max(int(counts.sum()), 1)


def _stretched(sheet: Sheet, ax: Axes, above: float) -> float:
    """How much higher the axis is, so that the names of size ranges have their place above all bars."""
    height = sheet.size(ax)[1]
    return height / max(height - above, height / 3)


def _ticks(sheet: Sheet, ax: Axes, view: SizesView, top: float) -> None:
    low, high = (math.log2(view.edges[0]), math.log2(view.edges[-1]))
    ticks = list(range(math.ceil(low), math.floor(high) + 1))
    shown: list[float] = [*ticks[:: max(1, math.ceil(len(ticks) * 26 / sheet.size(ax)[0]))]] or [low, high]
    ax.set_xticks(shown, [f"{2.0**t:,.3g}" if t % 1 else f"{2.0**t:,.4g}" for t in shown])
    name = f"square root of the area, {view.unit}"
    ax.set_xlabel(name if sheet.measured(name) < sheet.size(ax)[0] + LEFT else sheet.fitted(f"side, {view.unit}", 80))
    free = sheet.size(ax)[1] * top / ax.get_ylim()[1]  # below the names of size ranges
    most = min(5.0, max(free / (LINE_HEIGHT * SMALL) - 1, 1.0))
    step = next(s for s in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top / s <= most)
    marks = [k * step for k in range(int(top / step + 1e-9) + 1)]
    ax.set_yticks(marks, [f"{100 * m:.3g} %" for m in marks])


def _ranges(sheet: Sheet, ax: Axes, view: SizesView) -> None:
    """The size ranges of the protocol: bands, and in each its name and how many objects it has."""
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
        text = f"{name}\n{count:,}"
        wide = sheet.widest([name, f"{count:,}"])
        if wide + 2 < room and middle * width - wide / 2 >= end:
            sheet.write(ax, middle, 1, text, dy=-2, ha="center", va="top", color=INK_2, linespacing=1.15)
            end = middle * width + wide / 2 + 2


def _labels(view: SizesView) -> list[Label]:
    made = [Label("ground truth", f"{int(view.objects.sum()):,}", math.nan, INK_2, (), 4.0)]
    for k, (name, counts) in enumerate(zip(view.sets, view.detections, strict=True)):
        made.append(Label(name, f"{int(counts.sum()):,}", math.nan, *of_set(k)))
    return made
