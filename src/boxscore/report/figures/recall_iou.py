"""Recall against the IoU threshold."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import mark_of_set, of_set
from boxscore.report.figures import labels
from boxscore.report.figures.labels import Label
from boxscore.report.figures.sheet import Margins, Sheet, empty, foot_room, head_room, unit
from boxscore.report.figures.style import ONE
from boxscore.report.views.recall_iou import RecallView

LEFT = 20.0


def size(view: RecallView, width: float | None) -> tuple[float, float]:
    """The size in inches."""
    wide = width or ONE
    return wide, min(0.72 * wide, 3.3)


def draw(sheet: Sheet, view: RecallView) -> Axes:
    """A curve for each set, named where it ends, with its mean beside it."""
    made = labels.column(sheet, _labels(view), "AR", sheet.height - foot_room() - head_room())
    ax = sheet.axes(Margins(LEFT, made.room, foot_room(), head_room()))
    unit(sheet, ax, "IoU threshold")
    low, high = float(view.iou[0]), float(view.iou[-1])
    ax.set_xlim(low, high)
    every = max(1, math.ceil(len(view.iou) / (sheet.size(ax)[0] // 28 + 1)))
    ax.set_xticks(ticks := view.iou[::every], [f"{t:.3g}" for t in ticks])
    sheet.heading(ax, view.title, "recall", LEFT, made.room)
    for k, curve in enumerate(view.curves):
        colour, dash = of_set(k)
        if not np.isnan(curve.recall).all():
            ax.plot(view.iou, curve.recall, color=colour, ls=(0, dash) if dash else "-", marker=mark_of_set(k),
                    ms=labels.MARK, mew=0, lw=1.3, clip_on=False, zorder=3, label=curve.name)  # fmt: skip
    if view.reason:
        empty(sheet, ax, view.reason)
    labels.write(sheet, ax, made)
    return ax


def _labels(view: RecallView) -> list[Label]:
    made = []
    for k, curve in enumerate(view.curves):
        last = float(curve.recall[-1])
        value = "n/a" if math.isnan(curve.average) else f"{curve.average:.3f}"
        made.append(Label(curve.name, value, last / 1.02, *of_set(k), mark=mark_of_set(k)))
    return made
