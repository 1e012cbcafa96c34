"""From results to a figure: the view, the fonts that it needs, a sheet, the drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.report.figures import module
from boxscore.report.figures.fonts import Fonts, fonts_for, texts_of
from boxscore.report.figures.sheet import Sheet
from boxscore.report.figures.still import hold_still
from boxscore.report.figures.style import STYLE, styled

OWN = "…→0"  # what figures write themselves
LIMITS = {"width": (2.0, 40.0), "height": (0.5, 40.0)}  # inches


class Made(NamedTuple):
    """A figure, its main axes, and the fonts that it was written with."""

    figure: Figure
    axes: Axes
    fonts: Fonts


def made(kind: str, view: Any, width: float | None = None, height: float | None = None) -> Made:
    """A figure of its own for a view, in the size that suits it unless told otherwise."""
    drawing = module(kind, "figures")
    wide, high = _size(drawing, view, width, height)
    fonts = fonts_for([OWN, *texts_of(view)])
    with styled(fonts.families):
        figure = Figure(figsize=(wide, high))
        return Made(figure, drawing.draw(Sheet(figure, fonts), view), fonts)


def made_in_turn(
    kind: str, views: Iterable[Any], width: float | None = None, height: float | None = None
) -> Iterator[Made]:
    """A figure for each of many views of one frame, all in the same figure: what the next is for must wait.

    Most of the time of a small figure goes into its axes and into measuring their texts; that is done once here.
    """
    drawing = module(kind, "figures")
    for fonts, some in groupby(views, lambda view: fonts_for([OWN, *texts_of(view)])):
        figure: Figure | None = None
        for view in some:
            with styled(fonts.families):
                if figure is None:
                    figure = Figure(figsize=_size(drawing, view, width, height))
                    FigureCanvasAgg(figure)  # keeps what it has measured from one picture to the next
                    sheet = Sheet(figure, fonts)
                    ax = drawing.frame(sheet)
                    hold_still(ax)
                    own = set(ax.get_children())
                drawing.fill(sheet, ax, view)
            yield Made(figure, ax, fonts)
            for artist in set(ax.get_children()) - own:
                artist.remove()


def _size(drawing: Any, view: Any, width: float | None, height: float | None) -> tuple[float, float]:
    """The size in inches: as asked for, else as the view needs it."""
    for (name, (low, high)), value in zip(LIMITS.items(), (width, height), strict=True):
        if value is not None and not low <= value <= high:
            raise UsageError(f"{name} {value:g}; expected {low:g} to {high:g} inches")
    wide, needed = drawing.size(view, width)
    return wide, height or needed


def shown(
    kind: str, results: Sequence[Result], ax: Axes | None, width: float | None, height: float | None,
    within: tuple[float, float] = (math.inf, math.inf), **options: Any,
) -> Axes:  # fmt: skip
    """Axes for a notebook or a script: in a new figure of pyplot (of so many pixels), or in the place of given axes."""
    view = module(kind, "views").view(results, **options)
    drawing = module(kind, "figures")
    fonts = fonts_for([OWN, *texts_of(view)])
    if ax is None:
        from matplotlib import pyplot

        # Made outside of the style: the first figure sets pyplot up to show figures in a notebook, which must last.
        size = _size(drawing, view, width, height)
        dpi = min(STYLE["figure.dpi"], *(most / side for most, side in zip(within, size, strict=True)))
        fresh = pyplot.figure(figsize=size, dpi=dpi, facecolor="white", layout="none")
        with styled(fonts.families):
            axes: Axes = drawing.draw(Sheet(fresh, fonts), view)
        return axes
    with styled(fonts.families):
        figure = ax.get_figure(root=True)
        assert isinstance(figure, Figure)
        place = ax.get_position(original=True).bounds
        ax.set_axis_off()  # keeps its place in the user's figure; what is drawn stands inside of it
        inside: Axes = drawing.draw(Sheet(figure, fonts, place), view)
    return inside
