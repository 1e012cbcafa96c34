"""Precision, recall and F1 against the score threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import DASHES, HIGHLIGHT, INK, INK_2, TRUE, of_set
from boxscore.report.figures import labels
from boxscore.report.figures.labels import Label
from boxscore.report.figures.sheet import Margins, Sheet, empty, foot_room, head_room, unit
from boxscore.report.figures.style import ONE
from boxscore.report.views.score import ScoreCurve, ScoreView

LEFT = 20.0
RATES = (("precision", INK_2, DASHES[1], 1.0), ("recall", INK_2, DASHES[2], 1.2), ("f1", TRUE, DASHES[0], 1.6))


def size(view: ScoreView, width: float | None) -> tuple[float, float]:
    """The size in inches."""
    wide = width or ONE
    return wide, min(0.72 * wide, 3.3)


def draw(sheet: Sheet, view: ScoreView) -> Axes:
    """The three rates of one set, or the F1 of several; the best F1 of each is marked."""
    alone = len(view.curves) == 1
    height = sheet.height - foot_room() - head_room()
    low, high = _range(view)
    made = labels.column(sheet, _rates(view.curves[0]) if alone else _sets(view), "" if alone else "best F1", height)
    ax = sheet.axes(Margins(LEFT, made.room, foot_room(), head_room()))
    unit(sheet, ax, "score threshold")
    if (low, high) != (0.0, 1.0):
        ax.set_xlim(low, high)
        ax.set_xticks(ticks := np.linspace(low, high, 4), [f"{t:.3g}" for t in ticks])
    best = view.curves[0]
    suffix = (
        "" if not alone or math.isnan(best.best_score) else f", best F1 {best.best_f1:.3f} at {best.best_score:.3g}"
    )
    name = "precision, recall, F1" if alone else "F1"
    sheet.heading(ax, view.title, name, LEFT, made.room, suffix)
    for k, curve in enumerate(view.curves):
        if curve.reason:
            continue
        x = np.concatenate([[low], curve.score, [high]])  # below the lowest score nothing changes, above is nothing
        for rate, colour, dash, width in RATES if alone else (("f1", *of_set(k), 1.4),):
            values = getattr(curve, rate)
            above = math.nan if rate == "precision" or curve.score[-1] >= high else 0.0
            y = np.concatenate([values[:1], values, [above]])
            ax.plot(x, y, color=colour, ls=(0, dash) if dash else "-", lw=width, drawstyle="steps-pre", zorder=3,
                    label=rate if alone else curve.name)  # fmt: skip
        mark: Any = {"mfc": HIGHLIGHT, "mec": INK} if alone else {"mfc": of_set(k)[0], "mec": "white"}
        ax.plot([curve.best_score], [curve.best_f1], "o", ms=5, mew=0.8, zorder=6, clip_on=False, **mark)
        if alone:
            ax.axvline(curve.best_score, color=INK, lw=0.7, zorder=2)
    if all(curve.reason for curve in view.curves):
        empty(sheet, ax, view.curves[0].reason)
    labels.write(sheet, ax, made)
    return ax


def _range(view: ScoreView) -> tuple[float, float]:
    """Scores from 0 to 1; as far as they go where they go further."""
    scores = [curve.score for curve in view.curves if len(curve.score)]
    if not scores:
        return 0.0, 1.0
    low, high = min(float(s[0]) for s in scores), max(float(s[-1]) for s in scores)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return low, high if high > low else low + 1


def _rates(curve: ScoreCurve) -> list[Label]:
    """The rates by their names; they end where the scores do, precision above the highest score nowhere."""
    inside = bool(curve.reason) or curve.score[-1] < 0.98
    made = []
    for rate, colour, dash, width in RATES:
        last = math.nan if curve.reason else float(getattr(curve, rate)[-1]) / 1.02
        end = 0.0 if inside and not curve.reason and rate != "precision" else last
        leader = not inside or rate != "precision"
        made.append(Label("F1" if rate == "f1" else rate, "", end, colour, dash, width, leader=leader))
    return made


def _sets(view: ScoreView) -> list[Label]:
    made = []
    for k, curve in enumerate(view.curves):
        value = "n/a" if math.isnan(curve.best_f1) else f"{curve.best_f1:.3f}"
        end = math.nan if curve.reason else 0.0 if curve.score[-1] < 0.98 else float(curve.f1[-1]) / 1.02
        made.append(Label(curve.name, value, end, *of_set(k)))
    return made
