"""Very many classes: their values in falling order, and the names of those at both ends."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import INK, INK_2, TRUE, of_set
from boxscore.report.figures import labels
from boxscore.report.figures.bars import Rows
from boxscore.report.figures.labels import Label
from boxscore.report.figures.sheet import LINE_HEIGHT, PAD, Margins, Sheet, foot_room, head_room
from boxscore.report.figures.style import SMALL

ROW = LINE_HEIGHT * SMALL + 0.5


def draw(sheet: Sheet, title: str, number: str, rows: Rows, means: Sequence[str]) -> Axes:
    """One set: the skyline and names beside it. Several: a line for each, named with what it amounts to."""
    alone = len(rows.values) == 1
    left = sheet.widest([f"{t:,.10g}" for t in rows.ticks]) + PAD
    height = sheet.height - foot_room() - head_room(False)
    made = None if alone else labels.column(sheet, _labels(rows, means), number.strip(", "), height)
    right = min(0.36 * sheet.width, 120) if made is None else made.room
    ax = sheet.axes(Margins(left, right, foot_room(), head_room(False)))
    low = rows.ticks[0] if rows.log else 0
    for k, values in enumerate(rows.values):
        falling = np.sort(values[~np.isnan(values)])[::-1]
        x = np.arange(len(falling))
        colour, dash = (TRUE, ()) if alone else (INK, ()) if rows.bars and k == 0 else of_set(k - rows.bars)
        if alone and len(falling):
            ax.fill_between(x, falling, low, step="mid", color=TRUE, alpha=0.28, lw=0)
        ax.plot(x, falling, drawstyle="steps-mid", color=colour, ls=(0, dash) if dash else "-", lw=1.1)
    if rows.log:
        ax.set_yscale("log")
        ax.minorticks_off()
    ax.set(xlim=(0, max(len(rows.names), 1)), ylim=(low, rows.limit), xlabel="classes in falling order")
    ax.set_yticks(rows.ticks, [f"{t:,.10g}" for t in rows.ticks])
    _class_ticks(sheet, ax, len(rows.names))
    sheet.heading(ax, title, "", left, right, number if alone else "")
    if made is not None:
        labels.write(sheet, ax, made)
    else:
        _ends(sheet, ax, rows, right)
    return ax


def _class_ticks(sheet: Sheet, ax: Axes, n: int) -> None:
    room = max(2, int(sheet.size(ax)[0] / 34))
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**4, 10**5, 10**6) if n / s <= room)
    ticks = range(0, n + 1, step)
    ax.set_xticks(list(ticks), [f"{t:,}" for t in ticks])


def _labels(rows: Rows, means: Sequence[str]) -> list[Label]:
    made = []
    for k, (name, mean) in enumerate(zip(rows.series, means, strict=True)):
        colour, dash = (INK, ()) if rows.bars and k == 0 else of_set(k - rows.bars)
        made.append(Label(name, mean, math.nan, colour, dash))
    return made


def _ends(sheet: Sheet, ax: Axes, rows: Rows, right: float) -> None:
    """The names of the first and the last classes, with their values."""
    values = rows.values[0]
    defined = np.flatnonzero(~np.isnan(values))
    each = min(max(int((sheet.size(ax)[1] / ROW - 3) / 2), 1), max(len(defined) // 2, 1), 8)
    numbers = sheet.widest([rows.written(v) for v in values[defined].tolist()]) if len(defined) else 0
    y = 0.0
    for heading, part in (("highest", defined[:each]), ("lowest", defined[-each:])):
        y -= ROW
        sheet.write(ax, 1, 1, heading, dx=2 * PAD, dy=y + ROW / 2, color=INK_2, va="center")
        for k in part.tolist():
            y -= ROW
            name = sheet.fitted(rows.names[k], right - numbers - 4 * PAD)
            sheet.write(ax, 1, 1, rows.written(float(values[k])), dx=2 * PAD + numbers, dy=y + ROW / 2, ha="right",
                        va="center", color=INK_2)  # fmt: skip
            sheet.write(ax, 1, 1, name, dx=3 * PAD + numbers, dy=y + ROW / 2, va="center")
        y -= ROW / 2
