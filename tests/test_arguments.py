"""Unknown names and wrong types of arguments: an error of ours that says what is expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import boxscore as bs

TRUTH = [{"boxes": [[0, 0, 10, 10]], "labels": ["cat"]}]
FOUND = [{"boxes": [[0, 0, 10, 9]], "labels": ["cat"], "scores": [0.9]}]
COCO = bs.protocols.get("coco")


@pytest.fixture(scope="module")
def result() -> bs.Result:
    return bs.evaluate(TRUTH, FOUND, box="xyxy")


OF_RESULTS: list[tuple[str, Callable[[Any], Any]]] = [
    ("Result.curve: label=1; expected the name of a class as text", lambda r: r.curve(1)),
    ("Result.curve: label=None; expected the name of a class as text", lambda r: r.curve(None)),
    ("Result.curve: iou='half'; expected a number", lambda r: r.curve("cat", iou="half")),
    ("Result.curve: area=5; expected text", lambda r: r.curve("cat", area=5)),
    ("Result.curve: max_detections=1.5; expected a whole number", lambda r: r.curve("cat", max_detections=1.5)),
    ("Result: text=5; expected the name of a metric as text, such as 'AP50'", lambda r: r[5]),
    ("Result: text=('AP', 'AP50'); expected the name of a metric as text, such as 'AP50'", lambda r: r["AP", "AP50"]),
    (
        "Result.tie_bounds: text=None; expected the name of a metric as text, such as 'AP50'",
        lambda r: r.tie_bounds(None),
    ),
    ("Result.at: score='high'; expected a number", lambda r: r.at("high")),
    ("Result.at: score=True; expected a number", lambda r: r.at(True)),
    (
        "Result.at: unknown argument 'iuo'; did you mean 'iou'? (known: score, iou, area, max_detections)",
        lambda r: r.at(0.5, iuo=0.5),
    ),
    ("Result.threshold: iou=[0.5]; expected a number", lambda r: r.threshold(recall=0.5, iou=[0.5])),
    (
        "Result.threshold: unknown argument 'precison'; did you mean 'precision'? (known: precision, recall, f1, "
        "cost, fp_per_image, per_class, iou, area, max_detections)",
        lambda r: r.threshold(precison=0.5),
    ),
    ("precision='x'; expected a number", lambda r: r.threshold(precision="x")),
]


@pytest.mark.parametrize(("text", "ask"), OF_RESULTS, ids=[text[:40] for text, _ in OF_RESULTS])
def test_results(result: bs.Result, text: str, ask: Callable[[Any], Any]) -> None:
    with pytest.raises(bs.UsageError) as caught:
        ask(result)
    assert str(caught.value) == text


NAME = "the name of a protocol or a Protocol"
CALLS: list[tuple[str, Callable[[], Any]]] = [
    (f"evaluate: protocol=['coco']; expected {NAME}", lambda: bs.evaluate(TRUTH, FOUND, protocol=["coco"])),
    (f"evaluate: protocol=None; expected {NAME}", lambda: bs.evaluate(TRUTH, FOUND, protocol=None)),
    ("evaluate: metrics='AP'; expected a list of names", lambda: bs.evaluate(TRUTH, FOUND, metrics="AP")),
    (
        "metric 5; expected its name as text, such as 'AP50'",
        lambda: bs.evaluate(TRUTH, FOUND, box="xyxy", metrics=[5]),
    ),
    ("evaluate: threads=1.5; expected a whole number", lambda: bs.evaluate(TRUTH, FOUND, threads=1.5)),
    ("evaluate_many: protocols='coco'; expected a list of protocols", lambda: bs.evaluate_many(TRUTH, FOUND, "coco")),
    (
        "evaluate_many: protocols=a value of type Protocol; expected a list of protocols",
        lambda: bs.evaluate_many(TRUTH, FOUND, COCO),
    ),
    (f"get: name=5; expected {NAME}", lambda: bs.evaluate_many(TRUTH, FOUND, [5])),
    ("expand: name=5; expected text", lambda: bs.protocols.expand(5)),
    ("deviation: code=5; expected text", lambda: bs.protocols.deviation(5)),
    ("variant: protocol='coco'; expected a Protocol", lambda: bs.protocols.variant("coco", iou="0.3")),
    ("read_truth: how='xyxy'; expected ReadOptions", lambda: bs.read_truth(TRUTH, "xyxy")),
    ("read_detections: how={'box': 'xyxy'}; expected ReadOptions", lambda: bs.read_detections(FOUND, {"box": "xyxy"})),
    (
        "read_detections: truth=5; expected a table of objects (Truth)",
        lambda: bs.read_detections(FOUND, bs.ReadOptions(), 5),
    ),
    ("ReadOptions: split=5; expected text", lambda: bs.ReadOptions(split=5)),
    ("ReadOptions: threads='two'; expected a whole number", lambda: bs.ReadOptions(threads="two")),
    ("align: truth=5; expected a table of objects (Truth)", lambda: bs.align(5, 6)),
    ("match: truth=5; expected a Truth", lambda: bs.match(5, 6, COCO)),
    ("select: table=5; expected a table (Truth or Detections)", lambda: bs.select(5, [0])),
    ("concatenate: tables=5; expected a list of tables", lambda: bs.concatenate(5)),
    ("contents: table=5; expected a table (Truth or Detections)", lambda: bs.contents(5)),
    ("write: table=5; expected a table (Truth or Detections)", lambda: bs.write(5, "x.json", "coco")),
    (f"explain: to=5; expected {NAME}", lambda: bs.explain(TRUTH, FOUND, to=5)),
    ("doctor: threads='all'; expected a whole number", lambda: bs.doctor(TRUTH, threads="all")),
]


@pytest.mark.parametrize(("text", "call"), CALLS, ids=[text[:40] for text, _ in CALLS])
def test_functions(text: str, call: Callable[[], Any]) -> None:
    with pytest.raises(bs.UsageError) as caught:
        call()
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("evaluate", lambda **k: bs.evaluate(TRUTH, FOUND, **k)),
        ("evaluate_many", lambda **k: bs.evaluate_many(TRUTH, FOUND, ["coco"], **k)),
        ("read_truth", lambda **k: bs.read_truth(TRUTH, **k)),
        ("read_detections", lambda **k: bs.read_detections(FOUND, **k)),
        ("explain", lambda **k: bs.explain(TRUTH, FOUND, **k)),
        ("doctor", lambda **k: bs.doctor(TRUTH, **k)),
        ("ReadOptions", lambda **k: bs.ReadOptions(**k)),
    ],
)
def test_a_misspelt_keyword(name: str, call: Callable[..., Any]) -> None:
    with pytest.raises(bs.UsageError, match=f"^{name}: unknown argument 'bxo'; did you mean 'box'\\?"):
        call(bxo="xyxy")


def test_a_misspelt_rule() -> None:
    for call in (lambda **k: bs.Protocol("mine", **k), lambda **k: replace(COCO, **k)):
        with pytest.raises(bs.UsageError, match=r"^Protocol: unknown argument 'iuo'; did you mean 'iou'\?"):
            call(iuo=(0.5,))


def test_readers_take_keywords() -> None:
    truth, _ = bs.read_truth(TRUTH, box="xyxy")
    found, _ = bs.read_detections(FOUND, bs.ReadOptions(box="xywh"), truth, box="xyxy")
    assert found.corners.tolist() == [[0, 0, 10, 9]]


def test_values_of_any_number_type_have_one_signature() -> None:
    plain = replace(COCO, iou=(0.5, 1.0), max_detections=(1, 10), recall_levels=11)
    other = replace(
        COCO, iou=np.array([0.5, 1]), max_detections=[np.int64(1), np.int64(10)], recall_levels=np.int32(11)
    )
    assert other == plain
    assert other.signature_full() == plain.signature_full()


@pytest.mark.parametrize("protocol", bs.protocols.names())
def test_a_truth_without_classes(protocol: str) -> None:
    result = bs.evaluate({"images": [{"id": 1}], "annotations": [], "categories": []}, [], protocol=protocol)
    assert all(np.isnan(value) for value in result.metrics.values())
    assert result.per_class == ()
    str(result)


LARGEST = 2**63 - 1


@pytest.mark.parametrize("others", [[], [5], [-LARGEST], ["q.jpg"]])
def test_the_largest_image_id(others: list[Any]) -> None:
    truth = {
        "images": [{"id": LARGEST}],
        "annotations": [{"id": 1, "image_id": LARGEST, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81}],
        "categories": [{"id": 1, "name": "a"}],
    }
    found = [{"image_id": i, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5} for i in [LARGEST, *others]]
    for protocol in ("coco-fixed", "voc2012", "tf-voc"):
        headline = next(iter(bs.evaluate(truth, found, protocol=protocol).metrics.values()))
        assert headline == 1.0
