"""Many classes are drawn in turn in one figure: each must look as if it had been drawn alone."""

from __future__ import annotations

import io

import matplotlib
import numpy as np
import pytest
from PIL import Image

from boxscore.report.figures.everything import files
from boxscore.report.figures.making import made, made_in_turn
from boxscore.report.figures.saving import as_bytes
from boxscore.report.views.pr import view as pr_view
from figures import scenes

NAMES = ("person", "猫", "car", "собака", "a class with a name that nobody would ever print in full", "")


def _views(interpolation):
    (result,) = scenes.results(NAMES)
    return [pr_view([result], label=name, interpolation=interpolation) for name in NAMES if name]


@pytest.mark.parametrize("interpolation", ["11", "all", "raw"])
def test_pixels_are_those_of_a_figure_of_its_own(interpolation):
    views = _views(interpolation)
    for view, drawn in zip(views, made_in_turn("pr", views), strict=True):
        for dpi in (60, 90):
            alone, turn = (as_bytes(figure, "png", dpi) for figure in (made("pr", view).figure, drawn.figure))
            first, second = (np.asarray(Image.open(io.BytesIO(content))).astype(int) for content in (alone, turn))
            assert np.abs(first - second).max() <= 3  # of 255: edges of letters are rounded twice, nothing is moved


def test_drawings_without_pixels_have_the_same_texts():
    views = _views(None)
    for view, drawn in zip(views, made_in_turn("pr", views), strict=True):
        alone, turn = (as_bytes(figure, "svg").decode() for figure in (made("pr", view).figure, drawn.figure))
        for part in ("<path", "<use", "<!--"):
            assert turn.count(part) == alone.count(part)


def test_settings_come_back_when_all_files_are_made():
    (result,) = scenes.results(NAMES)
    before = dict(matplotlib.rcParams)
    names = [name for name, _ in files([result], dpi=40)]
    assert len(names) == len(set(names)) == len(NAMES) + 3
    next(iter(files([result], dpi=40)))  # and where only some of them are
    assert dict(matplotlib.rcParams) == before
