"""A result that an earlier version pickled: it loads and says the same, or the reason why not is told."""

from __future__ import annotations

import json
import pickle
import pickletools
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore import pickled
from golden.fixtures.coco import results, truth

STORED = Path(__file__).with_name("result.pickle")
EXPECTED = Path(__file__).with_name("result.json")
FURTHER = ("AP[iou=0.5,area=small]", "F1[score=0.5]", "AP[class=dog]")  # these need the verdicts


def made() -> bs.Result:
    return bs.evaluate(truth(), results(), protocol="coco", metrics=["F1max", "oLRP"], threads=1)


def said(result: bs.Result) -> dict[str, Any]:
    """What a result says, with what only its verdicts can tell; not the signature, which new fields change."""
    (whole,) = result.to_dict()["results"]
    values = {key: value for key, value in whole.items() if not key.startswith("signature")}
    point = result.at(0.5)
    counts = [point.true_positives, point.false_positives, point.false_negatives]
    return {**values, "further": {name: result[name] for name in FURTHER}, "counts at 0.5": counts}


def test_an_earlier_result_loads_and_says_the_same(updating: bool) -> None:
    """Written once per form of pickles: an update leaves it alone. JSON may have gained keys."""
    if updating and not STORED.exists():
        STORED.write_bytes(pickle.dumps(made(), protocol=4))
        EXPECTED.write_text(json.dumps(said(made()), indent=1) + "\n")
    assert STORED.stat().st_size < 20_000
    now, then = said(pickle.loads(STORED.read_bytes())), json.loads(EXPECTED.read_text())
    assert {key: now[key] for key in then} == then


def test_an_earlier_result_has_the_numbers_of_today() -> None:
    now, then = said(made()), json.loads(EXPECTED.read_text())
    for key in ("metrics", "reasons", "classes", "further", "counts at 0.5"):
        assert now[key] == then[key]


def names(content: bytes) -> Iterator[str]:
    """The modules and functions that a pickle names."""
    texts: list[str] = []
    for op, argument, _ in pickletools.genops(content):
        if op.name in ("SHORT_BINUNICODE", "BINUNICODE"):
            texts.append(str(argument))
        elif op.name == "STACK_GLOBAL":
            yield ".".join(texts[-2:])
        assert op.name != "GLOBAL"


@pytest.mark.parametrize("result", [made(), made().without_numbers(), made().with_tie_bounds()])
def test_a_pickle_names_one_function_of_the_package(result: bs.Result) -> None:
    ours = {name for name in names(pickle.dumps(result, protocol=4)) if name.startswith("boxscore")}
    assert ours == {"boxscore.pickled.restored"}
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()


def test_every_record_has_a_place() -> None:
    for name, place in pickled.PLACES.items():
        assert getattr(import_module(f"boxscore.{place}"), name).__name__ == name


HINT = "\n  Load it with boxscore 0.0.9 and store its to_dict(), which Result.from_dict reads."
START = f"a result pickled by boxscore 0.0.9 cannot be loaded by boxscore {bs.__version__}: "


@pytest.mark.parametrize(
    ("form", "value", "why"),
    [
        (2, None, "its form is 2; expected 1"),
        (1, [{"": "Verdict"}], "it holds the record 'Verdict', which is unknown here"),
        (1, {"a": {"": "Area", "name": "x", "depth": 1}}, "its Area has the field 'depth', which is unknown here"),
        (1, ({"": "Side", "path": "x"},), "its Side lacks the field 'format'"),
    ],
)
def test_a_result_that_does_not_fit_says_why(form: int, value: Any, why: str) -> None:
    with pytest.raises(bs.UsageError) as caught:
        pickled.restored(form, "0.0.9", value)
    assert str(caught.value) == f"{START}{why}{HINT}"


def test_a_field_that_is_not_stored_gets_its_default() -> None:
    assert pickled.restored(1, "0.0.9", {"": "Protocol", "name": "x"}) == bs.Protocol(name="x")
    assert np.array_equal(pickled.restored(1, "0.0.9", {"a": np.arange(3)})["a"], [0, 1, 2])
