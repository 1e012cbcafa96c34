"""Numbers in figures are those of the result: in the views, and read back from the axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.demo import Example, examples
from boxscore.protocols import get, variant
from boxscore.report.figures import module
from boxscore.report.figures.making import made
from boxscore.report.views import confusion, pr, ranking, recall_iou, score, sizes
from boxscore.report.views.common import thinned
from figures import scenes

LAST_BITS = 1e-12  # areas are added up in another order here


def evaluated(example: Example, protocol: str, iou: str) -> bs.Result:
    return bs.evaluate(example.truth, example.detections, protocol=variant(get(protocol), iou=iou))


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def line(ax: Any, gid: str) -> Any:
    (found,) = [one for one in ax.lines if one.get_gid() == gid]
    return found


@pytest.fixture(scope="module")
def persons() -> Example:
    return examples()[1]


@pytest.fixture(scope="module")
def cats() -> Example:
    return examples()[0]


def test_the_raw_curve_of_the_24_detections(persons):
    result = evaluated(persons, "toolkit-voc", "0.3")
    ax = made("pr", pr.view([result], interpolation="raw")).axes
    drawn, curve = line(ax, "raw"), result.curve("person")
    assert len(curve.score) == 24
    np.testing.assert_array_equal(drawn.get_xdata(), curve.recall)
    np.testing.assert_array_equal(drawn.get_ydata(), curve.precision)


def test_its_eleven_points(persons):
    result = evaluated(persons, "toolkit-voc11", "0.3")
    ax = made("pr", pr.view([result])).axes
    drawn = line(ax, "interpolated")
    assert drawn.get_xdata().tolist() == np.linspace(0, 1, 11).tolist()
    expected = [1, 2 / 3, 3 / 7, 3 / 7, 3 / 7, 0, 0, 0, 0, 0, 0]  # figure of the source
    np.testing.assert_array_equal(drawn.get_ydata(), expected)
    assert f"person, AP {result['mAP']:.4f}" in texts(ax)
    assert round(100 * result["mAP"], 2) == 26.84


def test_its_four_areas_and_the_ap_in_the_title(persons):
    result = evaluated(persons, "toolkit-voc", "0.3")
    view = pr.view([result])
    (curve,) = view.curves
    by_hand = [(0, 1 / 15, 1.0), (1 / 15, 2 / 15, 2 / 3), (2 / 15, 6 / 15, 3 / 7), (6 / 15, 7 / 15, 7 / 23)]
    np.testing.assert_allclose(curve.areas, by_hand, rtol=LAST_BITS)
    assert math.fsum((end - start) * top for start, end, top in curve.areas) == pytest.approx(
        result["mAP"], abs=LAST_BITS
    )
    ax = made("pr", view).axes
    assert [text for text in texts(ax) if text.startswith("A") and len(text) == 2] == ["A1", "A2", "A3", "A4"]
    assert f"person, AP {result['mAP']:.4f}" in texts(ax)
    assert len(ax.collections) == 4  # shaded


@pytest.mark.parametrize(("iou", "published"), [("0.5", ("88.64", "89.58")), ("0.75", ("49.24", "50.97"))])
def test_the_twelve_cats(cats, iou, published):
    result = evaluated(cats, "toolkit-voc", iou)
    for interpolation, percent in zip(("11", "all"), published, strict=True):
        view = pr.view([result], interpolation=interpolation)
        assert f"{100 * view.curves[0].ap:.2f}" == percent
        assert any(f"AP {view.curves[0].ap:.4f}" in text for text in texts(made("pr", view).axes))


def test_another_interpolation_is_another_protocol():
    (result,) = scenes.results(scenes.words(20))
    truth, (found,) = scenes.tables(scenes.words(20), 1)
    for interpolation, levels in (("11", 11), ("101", 101), ("all", 0)):
        other = bs.evaluate(truth, found, protocol=variant(get("coco"), recall_levels=str(levels)))
        view = pr.view([result], iou=0.75, interpolation=interpolation)
        assert view.mean is not None
        assert view.mean.ap == other["AP[iou=0.75]"]
        for curve in view.curves:
            assert curve.ap == other[f"AP[iou=0.75,class={curve.name}]"]


@pytest.mark.parametrize("protocol", ["coco", "voc2007", "voc2012", "toolkit-voc", "coco-fixed", "lvis-pool", "tf-voc"])
def test_interpolated_curves_have_their_ap_as_area(protocol):
    (result,) = scenes.results(scenes.words(20), 1, protocol)
    view = pr.view([result])
    for curve in view.curves:
        if view.interpolation == "all":
            area = math.fsum((end - start) * top for start, end, top in curve.areas)
        else:
            area = curve.level_precision.mean() if len(curve.level) else 0.0
        assert area == pytest.approx(curve.ap, abs=LAST_BITS), curve.name
    assert view.mean is not None
    iou = "" if len(result.protocol.iou) == 1 else f"[iou={view.iou}]"
    assert view.mean.ap == result[f"AP{iou}"]
    if view.interpolation != "all":
        assert view.mean.level_precision.mean() == pytest.approx(view.mean.ap, abs=LAST_BITS)


def test_names_of_curves_have_their_numbers():
    some = scenes.results(scenes.words(20), 6)
    ax = made("pr", pr.view(list(some)), 7.0).axes
    for result in some:
        assert f"{result['AP50']:.3f}" in texts(ax)


def test_scores_are_those_of_threshold_and_operating_point():
    (result,) = scenes.results(scenes.words(20))
    for label in (None, "person"):
        (curve,) = score.view([result], label).curves
        best = result.threshold(f1="max", per_class=True)
        expected = best.common if label is None else best.per_class[label]
        assert (curve.best_score, curve.best_f1) == (expected.score, expected.f1)
        for k in (0, len(curve.score) // 2, len(curve.score) - 1):
            point = result.at(float(curve.score[k]))
            counted = point if label is None else point.per_class[label]
            assert (curve.precision[k], curve.recall[k], curve.f1[k]) == (
                counted.precision, counted.recall, counted.f1,
            )  # fmt: skip
    ax = made("score", score.view([result])).axes
    drawn = {one.get_label(): one for one in ax.lines}["f1"]
    assert max(drawn.get_ydata()) == result.threshold(f1="max").common.f1


def test_recall_by_iou_has_the_average_recall():
    (result,) = scenes.results(scenes.words(20))
    view = recall_iou.view([result])
    assert view.curves[0].average == result["AR100"]
    assert view.curves[0].recall[5] == result["AR[iou=0.75]"]
    assert recall_iou.view([result], "person").curves[0].recall[0] == result["AR[iou=0.5,class=person]"]
    assert f"{result['AR100']:.3f}" in texts(made("recall-iou", view).axes)


def test_recall_by_iou_of_a_single_threshold_matches_at_more_of_them():
    truth, (found,) = scenes.tables(scenes.words(5), 1)
    single = bs.evaluate(truth, found, protocol="voc2012")
    several = bs.evaluate(truth, found, protocol=variant(get("voc2012"), iou="0.5:0.95:0.05"))
    view = recall_iou.view([single])
    assert view.curves[0].average == several["AR"]
    assert view.curves[0].recall[0] == single["AR"]


def test_bars_are_the_table_of_classes():
    some = scenes.results(scenes.words(20), 2)
    view = module("classes", "views").view(list(some))
    for row, result in zip(view.values, some, strict=True):
        table = {c.name: c.metrics["AP"] for c in result.per_class}
        np.testing.assert_array_equal(row, [table[name] for name in view.names])
    assert view.means == tuple(r["AP"] for r in some)
    ax = made("classes", module("classes", "views").view([some[0]])).axes
    np.testing.assert_array_equal([bar.get_width() for bar in ax.patches], view.values[0])
    counts = module("counts", "views").view(list(some))
    assert dict(zip(counts.names, counts.objects.tolist(), strict=True)) == {
        c.name: c.objects for c in some[0].per_class
    }
    ax = made("counts", module("counts", "views").view([some[0]])).axes
    np.testing.assert_array_equal([bar.get_width() for bar in ax.patches], counts.objects)


def test_confusion_is_that_of_the_operating_point():
    (result,) = scenes.results(scenes.words(5))
    (matrix,) = confusion.view([result]).matrices
    point = result.at(result.threshold(f1="max").score)
    np.testing.assert_array_equal(matrix.counts, point.confusion.counts)
    ax = made("confusion", confusion.view([result], score=0.7)).axes
    written = sorted(int(text.replace(",", "")) for text in texts(ax) if text.replace(",", "").isdigit())
    assert written == sorted(n for n in result.at(0.7).confusion.counts.ravel().tolist() if n)


@pytest.mark.parametrize("most", [3, 20, 79])
def test_gathering_classes_loses_nothing(most):
    (result,) = scenes.results(scenes.words(80))
    view = confusion.view([result])
    (whole,), (cut,) = view.matrices, view.sized(most).matrices
    assert len(cut.classes) == min(most, len(whole.classes))
    assert cut.counts.sum() == whole.counts.sum()
    assert cut.counts[:-1].sum() == whole.counts[:-1].sum()
    np.testing.assert_array_equal(cut.counts[: most - 1, : most - 1], whole.counts[: most - 1, : most - 1])


def test_sizes_count_every_box_once():
    some = scenes.results(scenes.words(5), 2)
    view = sizes.view(list(some))
    truth, found = scenes.tables(scenes.words(5), 2)
    assert view.objects.sum() == len(truth)
    assert view.detections.sum(axis=1).tolist() == [len(one) for one in found]
    assert [name for name, *_ in view.ranges] == ["small", "medium", "large"]
    assert [n for *_, n in view.ranges] == some[0].tally.to_find[:, 1:].sum(axis=0).tolist()
    inside = (view.edges[:-1] >= 32) & (view.edges[1:] <= 96)
    area = np.sqrt(truth.box_area)
    low, high = view.edges[:-1][inside][0], view.edges[1:][inside][-1]
    assert view.objects[inside].sum() == ((area >= low) & (area < high)).sum()


def test_the_ranking_is_the_table_of_the_paper(persons):
    result = evaluated(persons, "toolkit-voc", "0.3")
    (table,) = ranking.view([result]).tables
    curve = result.curve("person")
    assert len(table.score) == 24
    assert table.left == 0
    np.testing.assert_array_equal(table.precision, curve.precision)
    np.testing.assert_array_equal(table.true, np.diff(curve.true_positives, prepend=0) == 1)
    assert table.image[:3] == ("5", "7", "3")
    (short,) = ranking.view([result], rows=5).tables
    assert (len(short.image), short.left) == (5, 19)
    ax = made("ranking", ranking.view([result]), 7.0).axes
    assert texts(ax).count("TP") == 7
    assert texts(ax).count("FP") == 17


def test_lines_are_thinned_without_losing_their_shape():
    rng = np.random.default_rng(0)
    x = np.sort(rng.random(100_000))
    y = rng.random(100_000)
    keep = thinned(x, y)
    assert len(keep) < 10_000
    assert {0, 99_999, int(y.argmax()), int(y.argmin())} <= set(keep.tolist())
    assert thinned(x[:50], y[:50]).tolist() == list(range(50))


def test_undefined_numbers_are_not_drawn():
    result = scenes.some_without_objects()
    view = pr.view([result])
    assert view.notes == ("1 without objects",)
    assert [curve.name for curve in view.curves] == ["cat", "dog"]
    (cow,) = pr.view([result], "cow").curves
    assert math.isnan(cow.ap)
    assert cow.reason == "no objects"
    ax = made("pr", pr.view([result], "cow")).axes
    assert "no objects: AP n/a" in texts(ax)
    assert not [one for one in ax.lines if one.get_gid()]
    classes = module("classes", "views").view([result])
    assert classes.names[-1] == "cow"
    assert "n/a" in texts(made("classes", classes).axes)
