"""The table of a paper: models or classes as rows, the best in bold, in every form."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from boxscore import Result
from boxscore.evaluation.result import Side
from boxscore.metrics import BETTER, HIGHER, NEITHER, NOT_SHARES, REGISTRY
from boxscore.report.forms import TABLES, page_written
from boxscore.report.paper_table import Numerals, class_columns, model_table
from boxscore.report.table import Page

Make = Callable[..., Result]
FULL = Numerals()


def model(result: Result, name: str, **metrics: float) -> Result:
    """A result of a model of that name, with other numbers."""
    side = Side(f"{name}.json", "coco-results", name)
    return replace(result, detections=side, metrics={**result.metrics, **metrics}, reasons={}, numbers=None)


@pytest.fixture
def three(result: Make) -> list[Result]:
    """Three models by hand: the second has the best AP, the last two read alike in AP50."""
    rows = (("a_1", 0.31, 0.5), ("b", 0.42, 0.6001), ("c", math.nan, 0.5999))
    return [model(result(), name, AP=ap, AP50=ap50) for name, ap, ap50 in rows]


def test_models_are_rows_and_metrics_are_columns(three: list[Result]) -> None:
    table = model_table(three, ["AP", "AP50"], Numerals.of(True))
    assert table.heads == (("AP", "AP50"),)
    assert [(row.label, row.cells) for row in table.rows] == [
        ("a_1", ("31.0", "50.0")),
        ("b", ("42.0", "60.0")),
        ("c", ("n/a", "60.0")),
    ]


def test_what_reads_as_the_best_is_in_bold(three: list[Result]) -> None:
    assert model_table(three, ["AP", "AP50"], Numerals.of(True)).strong == {(1, 0), (1, 1), (2, 1)}
    assert model_table(three, ["AP", "AP50"], FULL).strong == {(1, 0), (1, 1)}


def test_nothing_is_best_where_there_is_no_choice(three: list[Result]) -> None:
    assert not model_table(three[:1], ["AP"], FULL).strong
    assert not model_table([three[0], model(three[0], "d")], ["AP"], FULL).strong


@pytest.mark.parametrize(("metric", "best"), [("FP", 0), ("oLRP", 0), ("recall", 1), ("F1max.score", None)])
def test_errors_are_best_where_they_are_lowest(result: Make, metric: str, best: int | None) -> None:
    two = [model(result(), "a", **{metric: 0.25}), model(result(), "b", **{metric: 0.75})]
    assert model_table(two, [metric], FULL).strong == (set() if best is None else {(best, 0)})


def test_every_metric_says_what_is_better() -> None:
    assert BETTER.keys() == REGISTRY.keys()
    lower = {name for name, better in BETTER.items() if better not in (HIGHER, NEITHER)}
    assert lower == {
        "FP", "FN", "LRP", "oLRP", "oLRP.Loc", "oLRP.FP", "oLRP.FN", "LAMR", "LAMR.CrowdHuman", "LocError",
        "ClassError", "medianRank", "AD",
    }  # fmt: skip
    assert {name for name, better in BETTER.items() if better == NEITHER} == {
        n for n in REGISTRY if n.endswith(".score")
    }
    assert {"TP", "FP", "FN", "medianRank", "AD"} <= NOT_SHARES


def test_counts_and_scores_are_not_in_percent(result: Make) -> None:
    one = model(result(), "a", **{"TP": 12, "F1max.score": 0.5, "AP": 0.5})
    assert model_table([one], ["TP", "F1max.score", "AP"], Numerals.of(True)).rows[0].cells == ("12", "0.5000", "50.0")


def test_all_digits_in_percent_are_those_of_the_number() -> None:
    for value in (0.07, 0.1 + 0.2, 1 / 3, 1.0, 0.0, 5e-324):
        assert Decimal(Numerals(True).text(value)) == 100 * Decimal(repr(value))


def test_classes_are_rows(result: Make) -> None:
    made = class_columns([result()], [], FULL)
    assert made.heads == (("AP", "AP50", "AP75", "AR100"),)
    assert [row.label for row in made.rows] == ["cat", "dog", "horse", "all classes"]
    r = result()
    assert made.rows[0].cells[:2] == (repr(r.per_class[0].metrics["AP"]), repr(r.per_class[0].metrics["AP50"]))
    assert made.rows[-1].cells[0] == repr(r["AP"])
    assert not made.strong


def test_protocols_are_columns_of_classes(result: Make) -> None:
    names = ("voc2007[iou=0.5]", "voc2012[iou=0.5]", "voc2012[iou=0.75]")
    results = [result(name) for name in names]
    made = class_columns(results, [], FULL)
    assert made.heads == (("voc2007 iou=0.5", "voc2012 iou=0.5", "voc2012 iou=0.75"), ("AP", "AP", "AP"))
    assert made.rows[-1].cells == tuple(repr(r["mAP"]) for r in results)
    assert not made.strong, "no rule is better than another"


def test_any_metric_by_class(result: Make) -> None:
    r = result()
    made = class_columns([r], ["AP[iou=0.75]", "recall"], FULL)
    assert made.rows[0].cells == (repr(r["AP[iou=0.75,class=cat]"]), repr(r["recall[class=cat]"]))
    assert made.rows[-1].cells == (repr(r["AP[iou=0.75]"]), repr(r["recall"]))


def test_the_best_model_of_a_class_is_in_bold(result: Make) -> None:
    r = result()
    worse = replace(
        model(r, "worse"), per_class=tuple(replace(c, metrics={**c.metrics, "AP": 0.0}) for c in r.per_class)
    )
    assert (0, 0) in class_columns([model(r, "better"), worse], [], FULL).strong
    assert (0, 1) not in class_columns([model(r, "better"), worse], [], FULL).strong


def test_every_form_has_every_number(three: list[Result]) -> None:
    table = model_table(three, ["AP", "AP50"], FULL)
    for form in TABLES:
        text = page_written(Page((), table), form).replace("\\_", "_")
        for row in table.rows:
            assert row.label in text
            assert all(cell in text or cell == "n/a" for cell in row.cells), form
    rows = list(csv.reader(io.StringIO(page_written(Page((), table), "csv"))))
    assert rows == [["model", "AP", "AP50"], ["a_1", "0.31", "0.5"], ["b", "0.42", "0.6001"], ["c", "", "0.5999"]]


def test_the_best_is_bold_in_every_form_that_can(three: list[Result]) -> None:
    page = Page((), model_table(three, ["AP"], Numerals.of(True)))
    assert "| b | **42.0** |" in page_written(page, "md")
    assert "<td>b</td><td><strong>42.0</strong></td>" in page_written(page, "html")
    assert r"b & \textbf{42.0} \\" in page_written(page, "latex")
    from boxscore.report.text import page_rich

    painted = page_rich(page)
    assert [painted.plain[s.start : s.end].strip() for s in painted.spans if s.style == "bold"] == ["model", "42.0"]


def test_latex_is_balanced_and_escaped(result: Make) -> None:
    names = ("a&b", "50%_{x}", "\\~^<|>$#")
    for form in (
        class_columns([result(names=names)], [], FULL),
        class_columns([result("voc2012", names)] * 2, [], FULL),
    ):
        text = page_written(Page((), form), "latex")
        lines = text[text.index("\\begin") :].splitlines()
        assert r"a\&b" in text
        assert r"50\%\_\{x\}" in text
        assert r"\textbackslash{}\textasciitilde{}\textasciicircum{}\textless{}\textbar{}\textgreater{}\$\#" in text
        columns = 1 + len(form.heads[0])
        body = [line for line in lines if line.endswith(r"\\")]
        assert all(len(re.findall(r"(?<!\\)&", line)) == columns - 1 for line in body[-len(form.rows) :])
        assert lines[0] == rf"\begin{{tabular}}{{l{'r' * (columns - 1)}}}"
        assert text.count("\\begin") == text.count("\\end") == 1


def test_signatures_stand_beside_the_numbers(three: list[Result]) -> None:
    for form in ("table", "md", "html", "latex"):
        made = page_written(Page((), model_table(three, ["AP"], FULL)), form)
        assert three[0].protocol.signature() in made.replace("\\#", "#")
