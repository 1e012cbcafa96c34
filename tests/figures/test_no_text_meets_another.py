"""Every kind of figure, for few and many classes and sets: no text meets another, none leaves the figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import boxscore as bs
from boxscore.report.figures import KINDS, module
from boxscore.report.figures.making import made
from figures import scenes

LONG = tuple(f"a class with a name that nobody would ever print in full, number {k} of them" for k in range(9))
SCRIPTS = ("猫", "собака", "σκύλος", "قطة", "कुत्ता", "แมว", "$x_1^2$", "a_b", "tab\tline\nbreak", "🐈", "Straße", "")

OF_IMAGES = [kind for kind in KINDS if kind != "timeline"]  # which takes videos


def long(*values: object) -> list[Any]:
    """Values for `make test-long` alone."""
    return [pytest.param(value, marks=pytest.mark.long) for value in values]


SOME = {
    "no detections": scenes.nothing_found,
    "one object": scenes.one_object,
    "no objects": scenes.no_objects,
    "undefined classes": scenes.some_without_objects,
}


def texts(figure: Any) -> list[tuple[str, Any]]:
    """What is written, and the pixels that it covers."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    return [
        (text.get_text(), text.get_window_extent(renderer))
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and _axes_visible(text)
    ]


def _axes_visible(text: Any) -> bool:
    """Texts of axes that are switched off are not drawn, but for those that were written into them."""
    ax = text.axes
    return ax is None or ax.axison or text in ax.texts


def check(figure: Any) -> None:
    width, height = figure.get_size_inches() * figure.dpi
    written = texts(figure)
    assert written
    for text, box in written:
        assert box.x0 > -1, f"{text!r} leaves the figure on the left"
        assert box.x1 < width + 1, f"{text!r} leaves the figure on the right"
        assert box.y0 > -1, f"{text!r} leaves the figure below"
        assert box.y1 < height + 1, f"{text!r} leaves the figure above"
    corners = np.array([box.extents for _, box in written])
    first, second = np.triu_indices(len(written), 1)
    low = np.maximum(corners[first, :2], corners[second, :2])
    wide, high = (np.minimum(corners[first, 2:], corners[second, 2:]) - low).T
    # A line of text is as high as the tallest letters of its font: about a tenth of it may be shared.
    least = np.minimum(*(corners[k, 3] - corners[k, 1] for k in (first, second)))
    met = np.flatnonzero((wide > 0.5) & (high > 0.12 * least))
    assert not len(met), [f"{written[first[k]][0]!r} meets {written[second[k]][0]!r}" for k in met[:5]]


def drawn(kind: str, results: Any, width: float | None, **options: Any) -> Any:
    return made(kind, module(kind, "views").view(list(results), **options), width).figure


@pytest.mark.parametrize("width", [3.5, 7.0])
@pytest.mark.parametrize("sets", [1, 6])
@pytest.mark.parametrize("classes", [1, *long(20, 80), 500])
@pytest.mark.parametrize("kind", OF_IMAGES)
def test_few_and_many_classes(kind: str, classes: int, sets: int, width: float) -> None:
    check(drawn(kind, scenes.results(scenes.words(classes), 6)[:sets], width))


@pytest.mark.parametrize("width", [2.0, 3.5])
@pytest.mark.parametrize("names", [LONG, SCRIPTS], ids=["long", "scripts"])
@pytest.mark.parametrize("kind", OF_IMAGES)
def test_names_of_every_kind(kind: str, names: tuple[str, ...], width: float) -> None:
    for sets in (1, 2):
        check(drawn(kind, scenes.results(names, 2)[:sets], width))


@pytest.mark.parametrize("protocol", ["coco", *long("voc2007", "toolkit-voc")])
@pytest.mark.parametrize("scene", ["no detections", "one object", "no objects"])
@pytest.mark.parametrize("kind", OF_IMAGES)
def test_little_or_nothing_to_see(kind: str, scene: str, protocol: str) -> None:
    result: bs.Result = SOME[scene](protocol)  # type: ignore[operator]
    check(drawn(kind, [result], 3.5))
    check(drawn(kind, [result, result], 3.5))


@pytest.mark.parametrize("kind", OF_IMAGES)
def test_classes_without_objects(kind: str) -> None:
    check(drawn(kind, [scenes.some_without_objects()], None))


@pytest.mark.parametrize("interpolation", ["11", "101", "all", "raw"])
def test_every_interpolation(interpolation: str) -> None:
    some = scenes.results(scenes.words(20), 2)
    check(drawn("pr", some[:1], 3.5, label="person", interpolation=interpolation))
    check(drawn("pr", some[:1], 3.5, interpolation=interpolation))
    check(drawn("pr", some, 3.5, label="person", interpolation=interpolation))
