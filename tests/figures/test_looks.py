"""What makes figures legible: names that differ, marks that differ, panels, one order of classes."""

from __future__ import annotations

import numpy as np
import pytest

from boxscore.report.figures import module
from boxscore.report.figures.making import made
from figures import scenes
from figures.test_no_text_meets_another import LONG


def drawn(kind, results, width=3.5):
    view = module(kind, "views").view(list(results))
    return view, made(kind, view, width)


@pytest.mark.parametrize("kind", ["pr", "classes", "confusion"])
@pytest.mark.parametrize("width", [3.5, 7.0])
def test_names_that_are_cut_still_differ(kind, width):
    """Beside the mean, too, whose name begins otherwise."""
    _, figure = drawn(kind, scenes.results(LONG, 2)[:1], width)
    ticks = [] if kind == "pr" else figure.axes.get_yticklabels()
    names = [t.get_text() for t in [*figure.axes.texts, *ticks] if t.get_text().startswith("a class")]
    assert len(names) >= 6
    assert len(set(names)) == len(names)


def test_a_class_without_detections_stands_with_those_of_ap_0():
    _, figure = drawn("pr", [scenes.some_without_objects()])
    height = {t.get_text(): t.get_position()[1] for t in figure.axes.texts}
    assert height["dog"] < height["mean"] < height["cat"]


def test_sets_have_a_mark_each():
    _, figure = drawn("recall-iou", scenes.results(scenes.words(20), 6))
    assert len({line.get_marker() for line in figure.axes.get_lines()} - {"None"}) == 6  # and leaders


def test_more_than_two_sets_have_a_panel_of_sizes_each():
    view, figure = drawn("sizes", scenes.results(scenes.words(20), 6))
    panels = figure.figure.axes
    assert len(panels) == 6
    for k, ax in enumerate(panels):
        truth, found = (patch.get_data() for patch in ax.patches if hasattr(patch, "get_data"))
        np.testing.assert_array_equal(truth.values, view.objects / view.objects.sum())
        np.testing.assert_array_equal(found.values, view.detections[k] / view.detections[k].sum())
        assert (ax.get_xlim(), ax.get_ylim()) == (panels[0].get_xlim(), panels[0].get_ylim())
        assert {view.sets[k], f"{view.detections[k].sum():,}"} & {t.get_text() for t in ax.texts}


def test_matrices_of_several_sets_have_one_order_of_classes():
    view, _ = drawn("confusion", scenes.results(scenes.words(20), 3))
    assert len({matrix.classes for matrix in view.matrices}) == 1
    for matrix, result in zip(view.matrices, scenes.results(scenes.words(20), 3), strict=True):
        counts = result.at(matrix.score).confusion
        order = [*(counts.classes.index(name) for name in matrix.classes), len(counts.classes)]
        np.testing.assert_array_equal(matrix.counts, counts.counts[np.ix_(order, order)])


def test_what_is_wrong_stays_inside_its_cell():
    _, figure = drawn("confusion", scenes.results(scenes.words(20), 1), 7.0)
    for squares in figure.axes.collections:
        assert all(np.ptp(path.vertices, axis=0).max() <= 1 + 1e-9 for path in squares.get_paths())
