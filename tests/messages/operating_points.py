"""Operating points, confusion matrices and thresholds: what was asked for does not exist, or cannot be counted."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import pytest

import boxscore as bs
from boxscore.analysis.operating_point import OperatingPoint
from small_coco import RESULTS, TRUTH

RULES = "precision, recall, f1, cost, fp_per_image"
COSTS = "the costs of a false positive and a missed object, such as {'fp': 1, 'fn': 5}"


def result(protocol: str = "coco") -> bs.Result:
    return bs.evaluate(TRUTH, RESULTS, protocol=protocol)


def point() -> OperatingPoint:
    return result().at(0.5)


def counts_only() -> OperatingPoint:
    return OperatingPoint(0.5, 0.5, 1, 0, 0, 1.0, 1.0, 1.0)


def without_pandas(patch: pytest.MonkeyPatch) -> Any:
    patch.setitem(sys.modules, "pandas", None)
    return result().to_pandas()


CASES: list[tuple[str, Callable[..., Any]]] = [
    # operating points
    ("score=nan; expected a number", lambda: result().at(math.nan)),
    ("Result.at: score='0.5'; expected a number", lambda: result().at("0.5")),
    ("unknown verdict 'tp'; did you mean 'TP'? (known: TP, FP, ignored, FN, found)", lambda: point().rows("tp")),
    ("unknown class 'cot'; did you mean 'cat'? (known: cat)", lambda: point().rows("TP", "cot")),
    (
        "unknown image 'c.jpg': it is in neither the ground truth nor the detections",
        lambda: point().rows("TP", image="c.jpg"),
    ),
    (
        "unknown image 7: it is in neither the ground truth nor the detections",
        lambda: point().rows("TP", image=7),
    ),
    ("this operating point holds only counts; expected one made by Result.at", lambda: counts_only().rows("TP")),
    ("this operating point holds only counts; expected one made by Result.at", lambda: counts_only().confusion),
    (
        "this result holds only its stored numbers; anything else needs a new evaluation",
        lambda: bs.Result.from_dict(result().to_dict()).at(0.5),
    ),
    ("to_pandas() needs pandas; install it with: pip install pandas", without_pandas),
    # confusion matrices
    ("unknown side 'truth'; did you mean 'true'? (known: true, predicted)", lambda: point().confusion.rates("truth")),
    ("unknown class 'cot'; did you mean 'cat'? (known: cat)", lambda: point().confusion.rows("cot", None)),
    # thresholds
    (f"no requirement; expected one of {RULES}", lambda: result().threshold()),
    (
        f"precision and recall cannot be combined; expected one of {RULES}",
        lambda: result().threshold(precision=0.9, recall=0.9),
    ),
    ('f1=0.5; expected "max"', lambda: result().threshold(f1=0.5)),
    ("recall=90; expected a value from 0 to 1", lambda: result().threshold(recall=90)),
    ("fp_per_image=-1; expected 0 or more", lambda: result().threshold(fp_per_image=-1)),
    ("precision='high'; expected a number", lambda: result().threshold(precision="high")),
    ("precision=nan; expected a number", lambda: result().threshold(precision=math.nan)),
    (f"cost=5; expected {COSTS}", lambda: result().threshold(cost=5)),
    (f"cost={{'fp': 1}}; expected {COSTS}", lambda: result().threshold(cost={"fp": 1})),
    ("cost of fn=None; expected a number", lambda: result().threshold(cost={"fp": 1, "fn": None})),
    ("cost fp=-1, fn=5; expected costs of 0 or more", lambda: result().threshold(cost={"fp": -1, "fn": 5})),
    (
        "pairs are matched by overlap, so every score threshold would need a matching of its own",
        lambda: result("coco[greedy_by=overlap]").threshold(f1="max"),
    ),
    (
        "several detections may match one object, so verdicts alone do not tell how many objects are found",
        lambda: result("coco[claim=shared]").threshold(f1="max"),
    ),
]
