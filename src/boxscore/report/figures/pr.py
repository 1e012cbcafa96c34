"""Precision against recall."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from boxscore.report.colours import INK, INK_2, INK_3, TRUE, of_set
from boxscore.report.figures import labels
from boxscore.report.figures.labels import Label
from boxscore.report.figures.sheet import LINE_HEIGHT, PAD, Margins, Sheet, empty, foot_room, head_room, unit
from boxscore.report.figures.style import ONE, SMALL
from boxscore.report.views.pr import PrCurve, PrView
from boxscore.report.words import number
from boxscore.tables.model import Floats

FEW = 6  # curves that have a colour each
NAMED = 8  # areas under the envelope that have a name each
LEFT = 20.0  # room for 0.2 and the like


def size(view: PrView, width: float | None) -> tuple[float, float]:
    """The size in inches."""
    wide = width or ONE
    return wide, min(0.72 * wide, 3.3)


def draw(sheet: Sheet, view: PrView) -> Axes:
    """One class with its interpolation, or curves with their names."""
    if view.kind != "class":
        return _several(sheet, view)
    ax = frame(sheet)
    fill(sheet, ax, view)
    return ax


def frame(sheet: Sheet) -> Axes:
    """Axes for one class: the same for each."""
    ax = sheet.axes(Margins(LEFT, PAD + 4, foot_room(), head_room()))
    unit(sheet, ax)
    return ax


def fill(sheet: Sheet, ax: Axes, view: PrView) -> None:
    """What one class has of its own."""
    (curve,) = view.curves
    value = f"AP {number(curve.ap)}"
    sheet.heading(ax, view.title, "precision", LEFT, PAD, f", {value}")
    (about,) = view.notes
    if sheet.measured("precision") + sheet.measured(about) + 3 * PAD < sheet.size(ax)[0]:
        sheet.write(ax, 1, 1, about, dy=PAD, color=INK_2, ha="right", va="bottom")
    if curve.reason:
        empty(sheet, ax, f"{curve.reason}: {value}")
        return
    raw = view.interpolation == "raw"
    colour, wide = (TRUE, 1.2) if raw else (INK_3, 0.8)
    dots = "o" if len(curve.recall) <= 60 else ""
    ax.plot(curve.recall, curve.precision, color=colour, lw=wide, marker=dots, ms=2.2, mew=0, zorder=3, clip_on=False,
            gid="raw")  # fmt: skip
    if not raw:
        _interpolated(sheet, ax, curve, view.interpolation)


def _interpolated(sheet: Sheet, ax: Axes, curve: PrCurve, interpolation: str) -> None:
    """The precision that counts, and the area that is AP."""
    level, height = curve.level, curve.level_precision
    if interpolation == "all":
        x, y = steps(level, height)
        ax.plot(x, y, color=TRUE, lw=1.2, ls=(0, (4, 1.2)), zorder=4, clip_on=False, gid="interpolated")
        areas = curve.areas
        for k, (start, end, top) in enumerate(areas):
            shade = 0.13 if k % 2 == 0 or len(areas) > NAMED else 0.24  # neighbours are told apart
            ax.fill_between([start, end], [top, top], color=TRUE, alpha=shade, lw=0, zorder=1)
        if len(areas) <= NAMED:
            _name_areas(sheet, ax, areas)
        return
    few = len(level) <= 21
    if few:  # each level counts the same
        ax.bar(level, height, width=0.86 / (len(level) - 1), color=TRUE, alpha=0.13, zorder=1)
    else:
        ax.fill_between(level, height, step="mid", color=TRUE, alpha=0.13, lw=0, zorder=1)
    ax.plot(level, height, "o", ms=4 if few else 1.5, color=TRUE, mec="white" if few else TRUE, mew=0.6 if few else 0,
            ls="", zorder=5, clip_on=False, gid="interpolated")  # fmt: skip


def _name_areas(sheet: Sheet, ax: Axes, areas: list[tuple[float, float, float]]) -> None:
    """A1, A2 … as in the papers: inside where there is room, else left out."""
    width, height = sheet.size(ax)
    for k, (start, end, top) in enumerate(areas, 1):
        name = f"A{k}"
        if (end - start) * width > sheet.measured(name) + 1 and top / 1.02 * height > 2 * LINE_HEIGHT * SMALL:
            sheet.write(ax, (start + end) / 2, 0, name, dy=LINE_HEIGHT * SMALL, color=TRUE, ha="center", va="center",
                        fontweight="bold")  # fmt: skip


def steps(level: Floats, height: Floats) -> tuple[Floats, Floats]:
    """The corners of an envelope: from recall 0 to where it ends, and down to 0."""
    x = np.concatenate([[0.0], np.repeat(level, 2)])
    y = np.concatenate([np.repeat(height, 2), [0.0]])
    return x, y


def _several(sheet: Sheet, view: PrView) -> Axes:
    many = view.kind == "classes" and len(view.curves) > FEW
    height = sheet.height - foot_room() - head_room()
    made = labels.column(sheet, _labels(view, many), view.number, height)
    ax = sheet.axes(Margins(LEFT, made.room, foot_room(), head_room()))
    unit(sheet, ax)
    sheet.heading(ax, ", ".join([view.title, *view.notes]), "precision", LEFT, made.room - PAD)
    if many:
        for curve in view.curves:
            x, y = _line(curve, view)
            ax.plot(x, y, color=INK_3, lw=0.5, alpha=max(0.05, min(0.6, 20 / len(view.curves))), zorder=2)
    for k, curve in _coloured(view, many):
        colour, dash = of_set(k)
        x, y = _line(curve, view)
        few = len(x) <= 21 and view.interpolation not in ("all", "raw")
        ax.plot(x, y, color=colour, ls=(0, dash) if dash else "-", lw=1.2, zorder=4, marker="o" if few else "", ms=2.5,
                label=curve.name)  # fmt: skip
    if view.mean is not None and view.mean.level.size:
        ax.plot(view.mean.level, view.mean.level_precision, color=INK, lw=2, zorder=5, label="mean")
    if all(curve.reason for curve in view.curves):
        reasons = dict.fromkeys(curve.reason for curve in view.curves)
        empty(sheet, ax, " or ".join(reasons) or "no objects")
    labels.write(sheet, ax, made)
    return ax


def _coloured(view: PrView, many: bool) -> list[tuple[int, PrCurve]]:
    """The curves with a colour each: all, or the best and the worst of many."""
    if not many:
        return list(enumerate(view.curves))
    half = FEW // 2
    return list(enumerate((*view.curves[:half], *view.curves[-half:])))


def _labels(view: PrView, many: bool) -> list[Label]:
    made = []
    if view.mean is not None:
        made.append(_label(view.mean, view, INK, (), 2.2)._replace(name="mean"))
    for k, curve in _coloured(view, many):
        made.append(_label(curve, view, *of_set(k)))
    return made


def _label(curve: PrCurve, view: PrView, colour: str, dash: tuple[float, ...], width: float = 1.6) -> Label:
    """A curve that there is nothing of stands where those of AP 0 do; where there is none at all, names stand above."""
    end = _end(curve, view)
    if math.isnan(end) and not all(other.reason for other in view.curves):
        return Label(curve.name, _value(curve.ap), 0.0, "", (), width, leader=False)
    return Label(curve.name, _value(curve.ap), end, colour, dash, width)


def _value(ap: float) -> str:
    return "n/a" if math.isnan(ap) else f"{ap:.3f}"


def _line(curve: PrCurve, view: PrView) -> tuple[Floats, Floats]:
    """What is drawn of a curve among others."""
    if not curve.recall.size:  # a mean, or nothing
        return curve.level, curve.level_precision
    if view.interpolation == "raw":
        return curve.recall, curve.precision
    return steps(curve.level, curve.level_precision) if view.interpolation == "all" else (
        curve.level, curve.level_precision)  # fmt: skip


def _end(curve: PrCurve, view: PrView) -> float:
    """Where a curve leaves the axes, as a share of their height."""
    x, y = _line(curve, view)
    if not len(x):
        return math.nan
    return float(y[-1]) / 1.02 if x[-1] > 0.98 else 0.0


__all__ = ["draw", "fill", "frame", "size", "steps"]
