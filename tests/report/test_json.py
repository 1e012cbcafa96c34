"""JSON: the schema that scripts rely on, and the way back."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import boxscore as bs
from boxscore import Area, InputError, Protocol, Result, UsageError
from boxscore.protocols import variant
from boxscore.report.json import SCHEMA, as_dict, document, dumps, from_dict, from_document

Make = Callable[..., Result]
RESULT = ["protocol", "signature", "signature_full", "truth", "detections", "metrics", "reasons", "classes",
          "operating_point", "requirements", "ledger", "findings", "notes"]  # fmt: skip


def test_keys_and_their_order(result: Make) -> None:
    data = json.loads(dumps([result()]))
    assert list(data) == ["schema", "version", "results"]
    assert (data["schema"], data["version"]) == ("boxscore/result/1", bs.__version__)
    (entry,) = data["results"]
    assert list(entry) == RESULT
    assert list(entry["truth"]) == ["path", "format"]
    assert list(entry["detections"]) == ["path", "format", "name"]
    assert " ".join(entry["metrics"]) == "AP AP50 AP75 APs APm APl AR1 AR10 AR100 ARs ARm ARl"
    assert list(entry["classes"][0]) == ["name", "id", "objects", "detections", "metrics"]
    assert list(entry["classes"][0]["metrics"]) == ["AP", "AP50", "AP75", "AR100", "P", "R", "F1"]
    assert entry["operating_point"] == {"score": 0.9, "iou": 0.5, "rule": "best F1"}
    assert list(entry["ledger"]) == ["images", "objects", "detections", "tied"]
    assert entry["notes"] == []


def test_findings(result: Make) -> None:
    none = bs.evaluate([{"boxes": [[0, 0, 9, 9]], "labels": [0]}], [], box="xyxy")
    (found,) = document([none])["results"][0]["findings"]
    assert list(found.items())[:3] == [("code", "DET001"), ("severity", "warning"), ("count", 0)]
    assert list(found)[3:] == ["text"]


def test_undefined_is_null_with_a_reason(result: Make) -> None:
    (entry,) = json.loads(dumps([result()]))["results"]
    assert entry["metrics"]["APs"] is None
    assert entry["reasons"] == {"APs": "no small objects", "ARs": "no small objects"}
    assert set(entry["classes"][1]["metrics"].values()) == {None}
    assert "NaN" not in dumps([result()])


def test_rates_of_classes_are_those_at_the_operating_point(result: Make) -> None:
    r = result()
    (entry,) = document([r])["results"]
    point = r.at(entry["operating_point"]["score"])
    for c in entry["classes"]:
        rates = [c["metrics"][name] for name in ("P", "R", "F1")]
        assert rates == [None if math.isnan(v) else v for v in point.per_class[c["name"]][3:]]


def test_an_operating_point_that_is_not_there_has_a_reason() -> None:
    none = bs.evaluate([{"boxes": [[0, 0, 9, 9]], "labels": ["cat"]}], [], box="xyxy")
    (entry,) = document([none])["results"]
    assert entry["operating_point"] == {"score": None, "iou": 0.5, "rule": "best F1", "reason": "no detections"}
    assert [entry["classes"][0]["metrics"][name] for name in ("P", "R", "F1")] == [None, 0.0, 0.0]
    assert as_dict(from_dict(as_dict(none))) == as_dict(none)


def test_documents_without_an_operating_point_can_be_read(result: Make) -> None:
    old = as_dict(result())
    del old["results"][0]["operating_point"]
    for c in old["results"][0]["classes"]:
        for name in ("P", "R", "F1"):
            del c["metrics"][name]
    back = from_dict(old)
    assert back.point is None
    assert as_dict(back) == old
    assert "Classes  objects  detections    AP50      AP    AP75   AR100\n" in repr(back)


def test_without_numbers_nothing_that_is_shown_is_lost(result: Make) -> None:
    r = result()
    assert dumps([r.without_numbers()]) == dumps([r])
    assert repr(r.without_numbers()) == repr(r)


def test_doubles_are_exact(result: Make) -> None:
    r = result()
    (entry,) = json.loads(dumps([r]))["results"]
    assert entry["metrics"]["AP"] == r["AP"]
    assert f'"AP": {r["AP"]!r},' in dumps([r])


def test_the_same_input_gives_the_same_bytes(result: Make) -> None:
    assert dumps([result(), result("voc2012")]) == dumps([result(), result("voc2012")])


def _custom() -> list[Any]:
    coco = bs.protocols.get("coco")
    return [
        *bs.protocols.names(),
        variant(coco, iou="0.3", max_detections="1,300", areas="tiny:0-256,rest:256-"),
        variant(bs.protocols.get("voc2007"), ignored_last="yes", precision_epsilon="1e-9"),
        Protocol("mine", iou=(1 / 3, 0.1 + 0.2), areas=(Area("x", 1e-7, 1e300), Area("y-z", -5.5, 3))),
    ]


@pytest.mark.parametrize("protocol", _custom(), ids=lambda p: getattr(p, "name", p))
def test_there_and_back(result: Make, protocol: Any) -> None:
    r = result(protocol, metrics=["TP[score=0.5]"])
    back = from_dict(json.loads(json.dumps(as_dict(r))))
    assert as_dict(back) == as_dict(r)
    assert dumps([back]) == dumps([r])
    assert back.protocol == r.protocol
    assert back.protocol.signature() == r.protocol.signature()
    assert (back.ledger, back.truth, back.detections, back.version) == (r.ledger, r.truth, r.detections, r.version)
    assert repr(back.per_class[1].metrics) == repr(r.per_class[1].metrics)  # nan included
    assert repr(back) == repr(r)
    assert Result.from_dict(r.to_dict()).to_dict() == r.to_dict()


def test_a_result_from_a_file_keeps_stored_numbers_only(result: Make) -> None:
    back = from_dict(as_dict(result()))
    assert back["AP50"] == result()["AP50"]
    with pytest.raises(UsageError, match="holds only its stored numbers"):
        back.at(0.5)
    assert as_dict(pickle.loads(pickle.dumps(back))) == as_dict(back)


def test_registered_protocols_come_back_whole(result: Make) -> None:
    assert from_dict(as_dict(result())).protocol.deviations == bs.protocols.get("coco").deviations


def test_several_results_in_one_document(result: Make) -> None:
    results = [result("coco"), result("voc2012")]
    assert [r.protocol.name for r in from_document(document(results))] == ["coco", "voc2012"]
    with pytest.raises(InputError, match="2 results in one document; expected one"):
        from_dict(document(results))


def test_versions_do_not_mix(result: Make) -> None:
    with pytest.raises(UsageError, match="results of 2 versions of boxscore cannot go into one document"):
        dumps([result(), replace(result(), version="0")])


def _broken(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def broken(data: dict[str, Any]) -> dict[str, Any]:
        change(data["results"][0])
        return data

    return broken


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: {}, f"schema None; expected '{SCHEMA}'"),
        (lambda d: [], f"schema None; expected '{SCHEMA}'"),
        (lambda d: {**d, "schema": "boxscore/result/9"}, "schema 'boxscore/result/9'; expected"),
        (lambda d: {"schema": SCHEMA, "version": "0"}, "a document without 'results'; expected all keys of"),
        (_broken(lambda e: e.pop("ledger")), "a document without 'ledger'; expected all keys of"),
        (_broken(lambda e: e.update(metrics=None)), "a document that does not follow its schema "),
        (_broken(lambda e: e["ledger"]["objects"].update(read=99)), "a document that does not follow its schema (obj"),
        (_broken(lambda e: e.update(signature_full="x:1")), "signature_full: signature of 'coco': 'x:1' is not a rule"),
        (_broken(lambda e: e.update(signature_full="iou:a")), "signature_full: signature of 'coco': iou:a; expected"),
        (_broken(lambda e: e.update(signature_full="iou:0.5")), "signature_full: signature of 'coco': does not state"),
    ],
)  # fmt: skip
def test_what_is_no_document_is_refused(result: Make, change: Callable[..., Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        from_dict(change(as_dict(result())))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("name", ["", "a,b", "a:b", "a|b", "a]b"])
def test_names_of_areas_that_a_signature_could_not_carry(name: str) -> None:
    with pytest.raises(UsageError, match=r"expected names without any of , : \| = \[ \]"):
        Protocol("mine", areas=(Area(name, 0, 1),))
