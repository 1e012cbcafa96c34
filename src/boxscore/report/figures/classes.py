"""AP of each class."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.figures import bars, skyline
from boxscore.report.figures.bars import Rows
from boxscore.report.figures.sheet import Sheet
from boxscore.report.figures.style import ONE, TWO
from boxscore.report.views.classes import ClassesView


def size(view: ClassesView, width: float | None) -> tuple[float, float]:
    """The size in inches: as high as the rows are."""
    n = len(view.names)
    wide = width or (ONE if n <= 30 else TWO)
    return wide, min(0.72 * wide, 2.8) if n > bars.FEW else max(bars.height(wide, n, view.sets), 0.7)


def draw(sheet: Sheet, view: ClassesView) -> Axes:
    """Bars for one set, marks for several, a skyline for very many classes."""
    n = len(view.names)
    alone = len(view.sets) == 1
    ticks = (0, 0.5, 1) if n <= bars.FEW else (0, 0.2, 0.4, 0.6, 0.8, 1)
    rows = Rows(view.names, view.values, view.sets, alone, 1.0, ticks, _written)
    undefined = int(np.isnan(view.values).all(axis=0).sum())
    title = f"{view.number} of {n:,} class{'' if n == 1 else 'es'}" + (f" ({undefined:,} n/a)" if undefined else "")
    mean = f", mean {_written(view.means[0])}" if alone else ""
    if n > bars.FEW:
        return skyline.draw(sheet, title, mean or f", {view.number}", rows, [_written(m) for m in view.means])
    return bars.draw(sheet, title, mean, rows)


def _written(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.3f}"
