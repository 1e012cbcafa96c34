"""`boxscore.plot` and `Result.plot`: axes for notebooks and scripts."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import boxscore as bs
from boxscore.report.colours import of_set
from boxscore.report.figures import KINDS, saving
from boxscore.report.figures.making import made
from boxscore.report.figures.plots import FUNCTIONS, Plots
from boxscore.report.views import pr
from figures import scenes


@pytest.fixture(autouse=True)
def _windowless(monkeypatch):
    plt.switch_backend("agg")
    yield
    plt.close("all")


def test_every_kind_has_a_function_and_a_method():
    names = [kind.replace("-", "_") for kind in KINDS]
    assert list(FUNCTIONS) == names
    assert sorted(bs.plot.__all__) == sorted(names)
    for name in names:
        taken = inspect.signature(FUNCTIONS[name]).parameters
        assert ("label" in taken) == ("label" in inspect.signature(getattr(Plots, name)).parameters)
        text = inspect.getdoc(getattr(Plots, name)) or ""
        for option in set(taken) - {"results", "label"}:
            assert f"`{option}`" in text


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "timeline"])
def test_axes_come_back_in_a_figure_of_pyplot(name):
    some = list(scenes.results(scenes.words(5), 2))
    assert not plt.get_fignums()
    ax = getattr(some[0].plot, name)(width=4)
    assert isinstance(ax, plt.Axes)
    assert plt.get_fignums() == [ax.figure.number]  # which a notebook shows by itself
    assert ax.figure.get_figwidth() == 4
    several = getattr(bs.plot, name)(some)
    assert several.figure is not ax.figure


def test_what_the_first_figure_sets_up_lasts(monkeypatch):
    """A notebook's backend makes pyplot interactive when the first figure is made; else only that one would show."""
    make = plt.figure

    def first(*arguments, **options):
        mpl.rcParams["interactive"] = True
        return make(*arguments, **options)

    monkeypatch.setattr(plt, "figure", first)
    monkeypatch.setitem(mpl.rcParams, "interactive", False)
    scenes.one_object().plot.pr()
    assert mpl.rcParams["interactive"]


def test_given_axes_are_drawn_into():
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3))
    (result,) = scenes.results(scenes.words(1))
    inside = result.plot.pr(ax=right)
    assert inside.figure is figure
    place, given = inside.get_position(), right.get_position()
    assert given.x0 <= place.x0 < place.x1 <= given.x1
    assert given.y0 <= place.y0 < place.y1 <= given.y1
    assert left.axison


def test_the_users_settings_stay_and_do_not_matter():
    (result,) = scenes.results(scenes.words(3))
    plain = saving.as_bytes(made("pr", pr.view([result])).figure, "png", 72)
    with mpl.rc_context({"font.size": 30, "text.usetex": True, "axes.grid": False, "savefig.bbox": "tight"}):
        assert saving.as_bytes(made("pr", pr.view([result])).figure, "png", 72) == plain
        assert mpl.rcParams["font.size"] == 30


@pytest.mark.parametrize("form", saving.ENDINGS)
def test_the_same_numbers_give_the_same_bytes(form):
    (result,) = scenes.results(scenes.words(3))
    first, second = (saving.as_bytes(made("classes", _classes(result)).figure, form, 100) for _ in range(2))
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])


def _classes(result):
    from boxscore.report.views.classes import view

    return view([result])


def test_a_pickled_result_draws_what_needs_no_boxes():
    (result,) = scenes.results(scenes.words(3))
    again = pickle.loads(pickle.dumps(result))
    assert again.plot.pr() is not None
    with pytest.raises(bs.UsageError, match="the boxes are needed, but a stored result keeps only the verdicts"):
        again.plot.confusion()


def test_importing_boxscore_does_not_import_matplotlib():
    code = "import sys, boxscore; boxscore.plot, boxscore.Result.plot; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_two_of_many_sets_look_alike():
    assert len({of_set(k) for k in range(36)}) == 36


def test_lines_of_neighbours_differ_in_grey():
    """Beside the dash, by which they are told apart, the first three differ in lightness."""

    def grey(k):
        red, green, blue = (int(of_set(k)[0][i : i + 2], 16) for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    assert np.ptp([grey(k) for k in range(6)]) > 60
