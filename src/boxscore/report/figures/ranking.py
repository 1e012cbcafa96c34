"""The detections of a class by falling score: tables as in the papers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from boxscore.report.colours import FALSE, INK, INK_2, INK_3, LINE, TRUE
from boxscore.report.figures.sheet import EDGE, LINE_HEIGHT, PAD, Margins, Sheet
from boxscore.report.figures.style import ONE, SMALL, TEXT, TWO
from boxscore.report.views.ranking import RankingTable, RankingView
from boxscore.report.words import number

ROW = LINE_HEIGHT * SMALL + 0.5
LEAST = 108.0  # points that a table takes at least
FULL = 230.0  # points from which on it has all columns
GAP = 7.0


class Cells(NamedTuple):
    """A column of a table: heading, texts, whether they are names (on the left)."""

    heading: str
    texts: list[str]
    names: bool = False


def _across(view: RankingView, width: float) -> int:
    return min(len(view.tables), max(1, int((72 * width - 2 * EDGE) / (LEAST + 2 * GAP))))


def _rows(view: RankingView) -> int:
    return max((len(t.score) for t in view.tables), default=0)


def size(view: RankingView, width: float | None) -> tuple[float, float]:
    """The size in inches: as high as the rows are."""
    wide = width or (ONE if len(view.tables) == 1 else TWO)
    down = math.ceil(len(view.tables) / _across(view, wide))
    each = (max(_rows(view), 1) + 2 + (len(view.tables) > 1)) * ROW + PAD
    return wide, (LINE_HEIGHT * TEXT + PAD + down * each + 2 * EDGE) / 72


def draw(sheet: Sheet, view: RankingView) -> Axes:
    """A table for each set, side by side as far as the width goes."""
    across = _across(view, (sheet.width + 2 * EDGE) / 72)
    down = math.ceil(len(view.tables) / across)
    top = LINE_HEIGHT * TEXT + PAD
    body = 1 - top / sheet.height
    main: Axes | None = None
    for k, table in enumerate(view.tables):
        within = ((k % across) / across, body * (1 - (k // across + 1) / down), 1 / across, body / down)
        ax = sheet.axes(Margins(0, 0 if (k + 1) % across == 0 else 2 * GAP, PAD, 0), within)
        ax.set_axis_off()
        _table(sheet, ax, view, table, len(view.tables) > 1)
        main = main or ax
    assert main is not None
    value = f", {view.number} {number(view.tables[0].ap)}" if len(view.tables) == 1 else ""
    shown = sheet.fitted(view.title, sheet.width - sheet.measured(value, TEXT, bold=True), TEXT, bold=True)
    sheet.write(main, 0, 1, shown + value, dy=PAD, fontsize=TEXT, fontweight="bold", va="bottom")
    return main


def _columns(table: RankingTable, width: float) -> list[Cells]:
    whole = all(float(v).is_integer() for v in table.true_positives.tolist())
    cells = [
        Cells("", [f"{k}" for k in range(1, len(table.score) + 1)]),
        Cells("score", [f"{v:.3g}" if abs(v) >= 10 else f"{v:.2f}" for v in table.score.tolist()]),
        Cells("", ["TP" if v else "FP" for v in table.true.tolist()], names=True),
        Cells("P", [f"{v:.3f}" for v in table.precision.tolist()]),
        Cells("R", ["n/a" if math.isnan(v) else f"{v:.3f}" for v in table.recall.tolist()]),
    ]
    if width < FULL:
        return cells
    cells[3:3] = [
        Cells("TPs", [f"{v:,.0f}" if whole else f"{v:,.4g}" for v in table.true_positives.tolist()]),
        Cells("FPs", [f"{v:,}" for v in table.false_positives.tolist()]),
    ]
    cells[-2:] = [cells[-2]._replace(heading="precision"), cells[-1]._replace(heading="recall")]
    return [cells[0], Cells("image", list(table.image), names=True), *cells[1:]]


def _table(sheet: Sheet, ax: Axes, view: RankingView, table: RankingTable, named: bool) -> None:
    width = sheet.size(ax)[0]
    cells = _columns(table, width)
    widths = [max(sheet.widest(c.texts), sheet.measured(c.heading)) for c in cells]
    spare = width - sum(widths) - GAP * (len(cells) - 1)
    if spare < 0 and cells[1].heading == "image":
        widths[1] = max(widths[1] + spare, 20.0)
    y = 0.0
    if named:
        value = f"  {view.number} {number(table.ap)}"
        y -= ROW
        name = sheet.fitted(table.name, width - sheet.measured(value, SMALL, bold=True), SMALL, bold=True)
        sheet.write(ax, 0, 1, name + value, dy=y + ROW / 2, va="center", fontweight="bold")
    y -= ROW
    lefts = [sum(widths[:k]) + GAP * k for k in range(len(cells))]
    for cell, x, wide in zip(cells, lefts, widths, strict=True):
        place: dict[str, Any] = {"dx": x, "ha": "left"} if cell.names else {"dx": x + wide, "ha": "right"}
        if cell.heading:
            sheet.write(ax, 0, 1, cell.heading, dy=y + ROW / 2, va="center", color=INK_2, **place)
    line = 1 + y / sheet.size(ax)[1]
    sheet.stroke(ax, [0, min(1, (lefts[-1] + widths[-1]) / width)], [line, line], color=LINE, lw=0.6)
    for k in range(len(table.score)):
        y -= ROW
        for c, (cell, x, wide) in enumerate(zip(cells, lefts, widths, strict=True)):
            text = sheet.fitted(cell.texts[k], wide)
            place = {"dx": x, "ha": "left"} if cell.names else {"dx": x + wide, "ha": "right"}
            verdict = text in ("TP", "FP") and cell.heading == "" and cell.names
            colour = (TRUE if text == "TP" else FALSE) if verdict else INK_3 if c == 0 else INK
            weight = "bold" if verdict and text == "TP" else "normal"
            sheet.write(ax, 0, 1, text, dy=y + ROW / 2, va="center", color=colour, fontweight=weight, **place)
    left = f"and {table.left:,} more" if table.left else "" if len(table.score) else "no detections"
    if left:
        sheet.write(ax, 0, 1, left, dy=y - ROW / 2, va="center", color=INK_2)
