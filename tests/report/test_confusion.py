"""Confusion matrices and thresholds as people see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import boxscore as bs
from boxscore import Result
from boxscore.report.confusion import as_html, as_markdown, as_text

Make = Callable[..., Result]

SMALL = """\
Confusion   cat  dog  horse  background
cat           1    0      0           1
dog           0    0      0           0
horse         0    0      0           0
background    1    0      1           0
A row for each true class, a column for each predicted one
2 objects = 1 found + 0 taken for another class + 1 missed
3 detections = 1 true + 0 of another class + 2 on background
"""
LARGE = """\
Confusions              cases  of true  of predicted
class 3 taken for dog       2   0.6667        1.0000
class 2 taken for \\x1b      1   0.3333        1.0000
All confusions between 15 classes; all cells: .counts
6 objects = 1 found + 3 taken for another class + 2 missed
5 detections = 1 true + 3 of another class + 1 on background
"""
THRESHOLDS = """\
Threshold    score  precision  recall      F1  TP  FP  FN
all classes    0.9     1.0000  0.5000  0.6667   1   0   1
cat            0.9     1.0000  0.5000  0.6667   1   0   1
dog            n/a                                        (no detections)
horse          n/a                                        (no objects)
rule       the highest F1; at iou=0.5, area=all, max=100
signature  coco#SIGNED
"""


def test_few_classes_as_a_matrix(result: Make) -> None:
    matrix = result().at(0).confusion
    assert as_text(matrix) == repr(matrix) == SMALL
    assert "| cat | 1 | 0 | 0 | 1 |" in as_markdown(matrix)
    assert matrix._repr_html_() == as_html(matrix)
    assert "<td>cat</td><td>1</td>" in as_html(matrix)


def test_names_cannot_break_it(result: Make) -> None:
    matrix = result(names=("a\nb", "<i>", "x|y" * 30)).at(0).confusion
    assert "a\\nb" in as_text(matrix)
    assert "&lt;i&gt;" in as_html(matrix)
    assert max(map(len, as_text(matrix, 80).splitlines())) <= 80


def _many() -> Result:
    names = [f"class {k}" for k in range(13)] + ["dog", "\x1b"]
    truth: dict[str, Any] = {"image": [0] * 6, "labels": [3, 3, 3, 2, 2, 2], "images": [0]}
    truth["boxes"] = [[40 * i, 0, 10, 10] for i in range(6)]
    found: dict[str, Any] = {"image": [0] * 5, "labels": [13, 13, 3, 14, 0], "scores": [0.9, 0.8, 0.7, 0.6, 0.5]}
    found["boxes"] = [[0, 0, 10, 10], [40, 0, 10, 10], [80, 0, 10, 10], [120, 0, 10, 10], [900, 0, 10, 10]]
    return bs.evaluate(truth, found, box="xywh", classes=names, protocol="voc2012")


def test_many_classes_as_their_largest_confusions() -> None:
    assert as_text(_many().at(0).confusion) == LARGE


def test_very_many_confusions_are_cut() -> None:
    n = 40
    truth = {"image": [0] * n, "labels": list(range(n)), "boxes": [[40 * i, 0, 10, 10] for i in range(n)]}
    found = {**truth, "labels": [(k + 1) % n for k in range(n)], "scores": np.linspace(1, 0.1, n)}
    text = as_text(bs.evaluate(truth, found, box="xywh", classes=list(map(str, range(n)))).at(0).confusion)
    assert text.count(" taken for ") == 21  # and once in the sums
    assert "The 20 largest of 40 confusions between 40 classes; all cells: .counts" in text


def test_thresholds(result: Make) -> None:
    made = result().threshold(f1="max", per_class=True)
    expected = THRESHOLDS.replace("SIGNED", result().protocol.digest())
    assert repr(made) == expected


def test_the_table_of_classes_says_why_it_has_no_threshold(result: Make) -> None:
    none = bs.evaluate([{"boxes": [[0, 0, 9, 9]], "labels": ["cat"]}], [], box="xyxy", protocol="voc2012")
    assert (
        "cat            1           0  n/a  0.0000  0.0000  0.0000\nP, R, F1 without a threshold: no detections\n"
        in (repr(none))
    )
    by_overlap = bs.protocols.variant(bs.protocols.get("voc2012"), greedy_by="overlap")
    assert "P, R, F1 without a threshold: pairs are matched by overlap, so every score threshold" in repr(
        result(by_overlap)
    )


def test_all_forms_say_where_the_rates_are_taken(result: Make) -> None:
    from boxscore.report.html import as_html as result_html
    from boxscore.report.markdown import as_markdown as result_markdown

    assert "P, R, F1 at score \\>= 0.9, the best F1 over all classes at IoU 0.5" in result_markdown([result()])
    assert "P, R, F1 at score &gt;= 0.9, the best F1 over all classes at IoU 0.5" in result_html([result()])
    assert "best F1" not in result_markdown([result(), result("voc2012")])


def test_pandas_has_the_rates(result: Make) -> None:
    import pytest

    pytest.importorskip("pandas")
    frame = result().to_pandas()
    assert list(frame.columns)[-3:] == ["P", "R", "F1"]
    assert frame["R"][0] == 0.5
