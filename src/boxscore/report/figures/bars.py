"""Rows of bars or marks, one for each class: one column for few classes, several for many, a skyline for very many."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import INK, INK_2, LINE, PAPER, TRUE, mark_of_set, of_set
from boxscore.report.figures.sheet import EDGE, LINE_HEIGHT, PAD, Margins, Sheet, foot_room, head_room
from boxscore.report.figures.style import SMALL, TEXT
from boxscore.report.words import width as cells
from boxscore.tables.model import Floats

ROW = LINE_HEIGHT * SMALL + 0.5  # points of each class
WIDE = 118.0  # points that a column takes at least
FEW = 120  # classes that are drawn one by one
NAMES = 0.42  # share of a column that names may take


class Rows(NamedTuple):
    """Classes and their values: bars for the first set (or what `filled` is for), marks for the others."""

    names: tuple[str, ...]
    values: Floats  # (series, classes)
    series: tuple[str, ...]  # how the series are called, where there are several
    bars: bool  # whether the first series is drawn as bars
    limit: float  # the end of the axis
    ticks: tuple[float, ...]
    written: Callable[[float], str]  # how a value is written at the end of the row; of the first series
    log: bool = False


def columns(width: float, n: int) -> int:
    """How many columns stand side by side in a width of points."""
    if n <= 30:
        return 1
    return max(1, min(math.ceil(n / 20), int(width / WIDE)))


def height(width: float, n: int, series: Sequence[str] = ()) -> float:
    """How high rows of so many classes are, in inches."""
    rows = math.ceil(n / columns(72 * width, n))
    legend = ROW * _legend_lines(72 * width - 2 * EDGE, series) if len(series) > 1 else 0
    return (max(rows, 1) * ROW + head_room(False) + foot_room(False) + legend + 4) / 72


def draw(sheet: Sheet, title: str, number: str, rows: Rows) -> Axes:
    """All classes, row by row."""
    n, cols = len(rows.names), columns(sheet.width, len(rows.names))
    each = math.ceil(n / cols) if n else 1
    legend = rows.series if len(rows.series) > 1 else ()
    top = head_room(False) + (ROW * _legend_lines(sheet.width, legend) if legend else 0)
    main: Axes | None = None
    for c in range(cols):
        part = slice(c * each, (c + 1) * each)
        shown = Rows(rows.names[part], rows.values[:, part], *rows[2:])
        ax = _column(sheet, shown, each, top, (c / cols, 0, 1 / cols, 1))
        main = main or ax
    assert main is not None
    left = main.get_position(original=True).x0 * sheet.figure.get_size_inches()[0] * 72 - sheet.left
    room = sheet.width - left - sheet.size(main)[0]
    if legend:
        _legend(sheet, main, legend, rows.bars, left)
    _title(sheet, main, title, number, top, left, room)
    return main


def _title(sheet: Sheet, ax: Axes, title: str, number: str, top: float, left: float, room: float) -> None:
    width = sheet.size(ax)[0] + left + room - sheet.measured(number, TEXT, bold=True)
    sheet.write(ax, 0, 1, sheet.fitted(title, width, TEXT, bold=True) + number, dx=-left,
                dy=top - PAD - LINE_HEIGHT * TEXT, fontsize=TEXT, fontweight="bold", va="bottom")  # fmt: skip


def _column(sheet: Sheet, rows: Rows, each: int, top: float, within: tuple[float, float, float, float]) -> Axes:
    wide = within[2] * sheet.width
    apart = 2 * PAD if within[0] + within[2] < 0.99 else 0.0  # the next column begins
    numbers = [rows.written(v) for v in rows.values[0].tolist()] if len(rows.values) == 1 or rows.bars else []
    right = sheet.widest(numbers) + 2 * PAD if numbers else PAD + 4
    room = min(sheet.widest(rows.names), NAMES * wide)
    bottom = foot_room(False)
    gap = PAD / 2 if len(rows.values) == 1 else PAD  # marks at 0 reach out of the axes
    ax = sheet.axes(Margins(room + PAD / 2 + gap, right + apart, bottom, top), within)
    if each and sheet.size(ax)[1] / each > 1.6 * ROW:  # a few bars are not blown up
        spare = sheet.size(ax)[1] - 1.6 * ROW * each
        box = ax.get_position(original=True)
        share = spare / (72 * sheet.figure.get_size_inches()[1])
        ax.set_position((box.x0, box.y0 + share, box.width, box.height - share))
    ys: Floats = np.arange(len(rows.names), dtype=np.float64)
    ax.set(ylim=(each - 0.4, -0.6), xlim=(rows.ticks[0] if rows.log else 0, rows.limit))
    if rows.log:
        ax.set_xscale("log")
        ax.minorticks_off()
    ticks = _ticks(sheet, rows, sheet.size(ax)[0])
    ax.set_xticks(ticks, [f"{t:,.10g}" for t in ticks])
    names = [sheet.fonts.written(name) for name in sheet.all_fitted(rows.names, room)]
    size = min(SMALL, SMALL * sheet.size(ax)[1] / each / (LINE_HEIGHT * SMALL))
    ax.set_yticks(ys, names, fontsize=size, color=INK)
    ax.tick_params(axis="y", pad=gap)
    ax.grid(axis="y", visible=False)
    ax.grid(axis="x", visible=True)
    _series(ax, rows, ys)
    for y, text in zip(ys.tolist(), numbers, strict=False):
        place = 1 - (y + 0.6) / (each + 0.2)
        sheet.write(
            ax, 1, place, text, dx=right - EDGE_PAD, va="center_baseline", ha="right", color=INK_2, fontsize=size
        )
    return ax


EDGE_PAD = 1.0


def _series(ax: Axes, rows: Rows, ys: Floats) -> None:
    low = rows.ticks[0] if rows.log else 0
    if not rows.bars and len(ys):
        some = np.where(np.isnan(rows.values), low, rows.values)  # lead the eye from a name to its last mark
        ax.hlines(ys, low, some.max(axis=0), color=LINE, lw=0.6, zorder=1)
    for k, values in enumerate(rows.values):
        if k == 0 and rows.bars:
            alone = len(rows.values) == 1
            length = np.nan_to_num(values - low)
            ax.barh(ys, length, left=low, height=0.66, color=TRUE if alone else INK_2, alpha=0.28, label=rows.series[0])
            ax.plot(values, ys, "|", ms=6, mew=1.4, color=TRUE if alone else INK, ls="", zorder=3)
            continue
        j = k - rows.bars
        mark, colour = mark_of_set(j), of_set(j)[0]
        ax.plot(values, ys, mark, ms=3.4, mew=0.4, mec=PAPER, color=colour, ls="", zorder=4 + k, clip_on=False,
                label=rows.series[k])  # fmt: skip


def _ticks(sheet: Sheet, rows: Rows, width: float) -> tuple[float, ...]:
    """As many ticks as there is room for."""
    ticks = rows.ticks
    while len(ticks) > 2 and sum(sheet.measured(f"{t:,.10g}") + 6 for t in ticks) > width:
        ticks = ticks[::2] if len(ticks) % 2 else ticks[:-1:2]
    return ticks


def _flow(width: float, names: Sequence[str]) -> list[tuple[float, float, int]]:
    """Where each name of a legend begins, how much room it has, and in which line; names fill lines of so many points.

    By cells, as figures are sized before fonts are known.
    """
    made, x, line = list[tuple[float, float, int]](), 0.0, 0
    for name in names:
        wide = min(0.58 * SMALL * cells(name) + 24, width)
        if made and x + wide > width:
            x, line = 0.0, line + 1
        made.append((x, wide, line))
        x += wide
    return made


def _legend_lines(width: float, names: Sequence[str]) -> int:
    return _flow(width, names)[-1][2] + 1


def _legend(sheet: Sheet, ax: Axes, names: Sequence[str], bars: bool, left: float) -> None:
    places = _flow(sheet.width, names)
    for k, (name, (x, room, line)) in enumerate(zip(names, places, strict=True)):
        y = PAD + (places[-1][2] - line) * ROW + ROW / 2
        j = k - bars
        colour, mark = (INK_2, "s") if j < 0 else (of_set(j)[0], mark_of_set(j))
        at = sheet.beside(ax, x - left + 4, y)
        ax.plot([0], [1], mark, ms=4, color=colour, ls="", clip_on=False, transform=at)
        sheet.write(ax, 0, 1, sheet.fitted(name, room - 14), dx=x - left + 11, dy=y, va="center")
