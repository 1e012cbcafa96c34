"""Confusion matrices: numbers in the cells of few classes, squares by count for many, the rest gathered."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba

from boxscore.report.colours import FALSE, INK, INK_2, INK_3, LINE, MISSED, TRUE, ink_on
from boxscore.report.figures.sheet import EDGE, LINE_HEIGHT, PAD, Margins, Sheet, head_room
from boxscore.report.figures.style import ONE, SMALL, TINY, TWO
from boxscore.report.views.confusion import ConfusionView, Matrix, title
from boxscore.report.words import width as cells
from boxscore.tables.model import Floats

FEW = 12  # classes whose cells are written out
NAMES = 0.27  # share of the width that names may take on either side
SHORT = 60.0  # points that they may take where classes are many
APART = 1.3  # cells that the background takes: its own and the gap before it
SIDES = ("background", "missed")
POP, LEAST = 7.0, 3  # points of a cell; cases that a full square stands for at least
PAIRS = 3  # confusions that are named below a large matrix


class Frame(NamedTuple):
    """How large things are, in points."""

    cell: float
    letters: float
    names: float  # room for names on the left, and below


def _grid(view: ConfusionView, width: float) -> tuple[int, int]:
    n = len(view.matrices)
    across = min(n, max(1, int(width / 2.3)))
    return across, math.ceil(n / across)


def _most(width: float) -> int:
    """How many classes have room for their names."""
    return max(int((width - _room(width, FEW + 1) - 2 * PAD) / (1.08 * TINY) - APART), 3)


def _room(width: float, n: int) -> float:
    """How much room names may take."""
    return NAMES * width if n <= FEW else min(NAMES * width, SHORT)


def _frame(view: ConfusionView, width: float) -> Frame:
    n = max(len(m.classes) for m in view.matrices)
    longest = max(max((cells(name) for m in view.matrices for name in m.classes), default=0), len(SIDES[0]))
    most = _room(width, n)
    letters = min(SMALL, max(TINY, (width - most) / (n + APART) / 1.08))
    names = min(most, 0.56 * letters * longest + 2 * PAD)
    return Frame(min((width - names - PAD) / (n + APART), 44.0), letters, names)


def size(view: ConfusionView, width: float | None) -> tuple[float, float]:
    """The size in inches: as wide as the names of the classes allow, and as high as that makes it."""
    n = max(len(m.classes) for m in view.matrices)
    wide = width or (ONE if n <= FEW and len(view.matrices) == 1 else TWO)
    across, down = _grid(view, wide)
    each = (72 * wide - 2 * EDGE) / across - (PAD if across > 1 else 0)
    cut = view.sized(_most(each))
    frame = _frame(cut, each)
    cells = max(len(m.classes) for m in cut.matrices) + APART
    return wide, (down * (frame.cell * cells + frame.names + head_room() + _foot(cut) + PAD) + EDGE) / 72


def _foot(view: ConfusionView) -> float:
    many = any(len(m.classes) > FEW for m in view.matrices)
    return PAIRS * LINE_HEIGHT * SMALL + PAD if many and any(m.largest for m in view.matrices) else 0.0


def draw(sheet: Sheet, view: ConfusionView) -> Axes:
    """A matrix for each set."""
    across, down = _grid(view, (sheet.width + 2 * EDGE) / 72)
    each = sheet.width / across - (PAD if across > 1 else 0)
    view = view.sized(_most(each))
    frame = _frame(view, each)
    made = []
    for k, matrix in enumerate(view.matrices):
        within = ((k % across) / across, 1 - (k // across + 1) / down, 1 / across, 1 / down)
        made.append(_panel(sheet, view, matrix, frame, within))
    return made[0]


def _panel(
    sheet: Sheet, view: ConfusionView, matrix: Matrix, frame: Frame, within: tuple[float, float, float, float]
) -> Axes:
    n = len(matrix.classes)
    side = frame.cell * (n + APART)
    right = within[2] * sheet.width - frame.names - side
    bottom = within[3] * sheet.height - head_room() - side
    ax = sheet.axes(Margins(frame.names, max(right, 0), max(bottom, 0), head_room()), within)
    ax.set(xlim=(-0.5, n - 0.5 + APART), ylim=(n - 0.5 + APART, -0.5))
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    places = [*range(n), n + APART - 1]
    room = frame.names - PAD - 2
    shown = [sheet.fonts.written(name) for name in sheet.all_fitted(matrix.classes, room, frame.letters)]
    sides = [sheet.fitted(side, room, frame.letters) for side in SIDES]
    ax.set_yticks(places, [*shown, sides[0]], fontsize=frame.letters, color=INK)
    ax.set_xticks(places, [*shown, sides[1]], fontsize=frame.letters, color=INK, rotation=90)
    ax.tick_params(length=0, pad=2)
    several = len(view.matrices) > 1
    heading = matrix.name if several else "Confusion matrix"
    about = f"{title(matrix, view.iou)}, annotated (rows) taken for (columns)"
    spare = max(right, 0) - (PAD if several else EDGE)
    if sheet.measured(about) > side + spare:
        about = title(matrix, view.iou)
    sheet.heading(ax, heading, about, frame.names, spare)
    draw_cells = _few if n <= FEW and frame.cell > 12 else _many
    draw_cells(sheet, ax, matrix, places, frame)
    if _foot(view):
        _pairs(sheet, ax, matrix, frame.names, sheet.widest([*shown, SIDES[1]], frame.letters))
    return ax


def _pairs(sheet: Sheet, ax: Axes, matrix: Matrix, left: float, below: float) -> None:
    """The most frequent confusions in words."""
    width = sheet.size(ax)[0] + left
    for k, pair in enumerate(matrix.largest[:PAIRS]):
        end = f"  {pair.cases:,}"
        text = sheet.fitted(f"{pair.true} → {pair.predicted}", width - sheet.measured(end)) + end
        y = -below - 2 * PAD - (k + 0.5) * LINE_HEIGHT * SMALL
        sheet.write(ax, 0, 0, text, dx=-left, dy=y, va="center", color=INK_2)


def _squares(ax: Axes, x: Floats, y: Floats, side: Floats, colours: Any, zorder: float = 2) -> None:
    half = side[:, None, None] / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])[None]
    corners = np.stack([x, y], axis=1)[:, None, :] + half
    ax.add_collection(PolyCollection(corners, facecolors=colours, edgecolors="none", zorder=zorder), autolim=False)


def _colour(i: int, j: int, n: int) -> str:
    return TRUE if i == j else MISSED if j == n else INK_3 if i == n else FALSE


def _few(sheet: Sheet, ax: Axes, matrix: Matrix, places: list[float], frame: Frame) -> None:
    """Every cell with its count; the darker, the larger its share of the row."""
    n, counts = len(matrix.classes), matrix.counts
    total = np.maximum(counts.sum(axis=1), 1)
    total[n] = max(int(counts[n].sum()), 1)
    size = frame.letters
    widest = sheet.widest([f"{v:,}" for v in counts.ravel().tolist()], size)
    size = max(min(size, size * (frame.cell - 2) / widest), 3.5)
    for i in range(n + 1):
        for j in range(n + 1):
            if i == j == n:
                continue
            count, share = int(counts[i, j]), counts[i, j] / total[i]
            alpha = 0.08 + 0.42 * share if i == j else 0.85 * share**0.7 * (0.6 if i == n else 1) if count else 0.0
            face = to_rgba(_colour(i, j, n), float(alpha))
            _squares(ax, np.array([places[j]]), np.array([places[i]]), np.array([0.96]), [face])
            ax.text(places[j], places[i], f"{count:,}" if count else "·", ha="center", va="center", fontsize=size,
                    color=ink_on(_colour(i, j, n), float(alpha)) if count else INK_3)  # fmt: skip


def _many(sheet: Sheet, ax: Axes, matrix: Matrix, places: list[float], frame: Frame) -> None:
    """Squares whose area is the count; the diagonal is a quiet ramp."""
    n, counts = len(matrix.classes), matrix.counts
    at = np.array(places)
    for k in range(0, n + 1, 10):
        ax.plot([k - 0.5] * 2, [-0.5, n - 0.5], color=LINE, lw=0.5, zorder=0)
        ax.plot([-0.5, n - 0.5], [k - 0.5] * 2, color=LINE, lw=0.5, zorder=0)
    share = np.diag(counts)[:n] / np.maximum(counts[:n].sum(axis=1), 1)
    some = np.flatnonzero(share > 0)
    _squares(ax, at[some], at[some], np.ones(len(some)), [to_rgba(TRUE, 0.08 + 0.4 * float(s)) for s in share[some]])
    wrong = counts.copy()
    np.fill_diagonal(wrong, 0)
    border = np.zeros_like(wrong, np.bool_)
    border[n], border[:, n] = True, True
    inner = 1.35 if frame.cell < POP else 0.96  # where cells are tiny, what is wrong may cover what is right
    for part, most in ((~border, inner), (border, 0.96)):
        i, j = np.nonzero(wrong * part)
        if len(i):
            side = np.maximum(np.sqrt(wrong[i, j] / max(wrong[i, j].max(), LEAST)) * most, 0.3)
            _squares(
                ax,
                at[j],
                at[i],
                side,
                [to_rgba(_colour(a, b, n), 0.85) for a, b in zip(i.tolist(), j.tolist(), strict=True)],
                3,
            )
