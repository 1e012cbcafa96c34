"""Boxes per class, ground truth and detections."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.figures import bars, skyline
from boxscore.report.figures.bars import Rows
from boxscore.report.figures.sheet import Sheet
from boxscore.report.figures.style import ONE, TWO
from boxscore.report.views.counts import CountsView


def size(view: CountsView, width: float | None) -> tuple[float, float]:
    """The size in inches: as high as the rows are."""
    n = len(view.names)
    wide = width or (ONE if n <= 30 else TWO)
    series = _series(view)
    return wide, min(0.72 * wide, 2.8) if n > bars.FEW else max(bars.height(wide, n, series), 0.8)


def draw(sheet: Sheet, view: CountsView) -> Axes:
    """Bars for the objects, marks for the detections of each set; by powers of ten where counts are far apart."""
    n = len(view.names)
    values = np.vstack([view.objects[None], view.detections]).astype(np.float64)
    most = float(values.max(initial=1.0))
    log = n > 1 and most > 50 * max(float(np.median(view.objects)) if n else 1.0, 1.0)
    shown = np.where(values > 0, values, np.nan) if log else values
    ticks = _powers(most) if log else _linear(most)
    limit = ticks[-1] if log else max(ticks[-1], most * 1.02)
    totals = [f"{int(v):,}" for v in values.sum(axis=1)]
    rows = Rows(view.names, shown, _series(view), True, limit, ticks, _written, log)
    title = f"{n:,} class{'' if n == 1 else 'es'}"
    if n > bars.FEW:
        return skyline.draw(sheet, f"Boxes per class, {title}", ", boxes", rows, totals)
    return bars.draw(sheet, f"Boxes per class, {title}", f", {totals[0]} objects", rows)


def _series(view: CountsView) -> tuple[str, ...]:
    return ("ground truth", *(view.sets if len(view.sets) > 1 else ("detections",)))


def _written(value: float) -> str:
    return "0" if math.isnan(value) else f"{int(value):,}"


def _powers(most: float) -> tuple[float, ...]:
    return tuple(10.0**k for k in range(math.ceil(math.log10(max(most, 10))) + 1))


def _linear(most: float) -> tuple[float, ...]:
    step = 10 ** math.floor(math.log10(max(most, 1)))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if most / s <= 5 and s >= min(step, 1))
    return tuple(step * k for k in range(int(most / step) + 1)) if step >= 1 else (0.0, 1.0)
