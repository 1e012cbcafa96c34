"""Metrics that this protocol, or what is left of a result, cannot give."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import boxscore as bs
from boxscore import protocols
from small_coco import RESULTS, results, truth


def small(**fields: Any) -> bs.Result:
    rules = replace(protocols.get("coco"), **fields)
    return bs.evaluate(truth()[0], results(RESULTS)[0], protocol=rules)


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "it needs the boxes, of which this result keeps only the verdicts",
        lambda: pickle.loads(pickle.dumps(small()))["oLRP"],
    ),
    (
        "pairs are made by overlap here, so that each score would have to be matched anew",
        lambda: small(greedy_by="overlap")["F1max"],
    ),
    (
        "it averages over all overlaps from 0.5 to 1 rather than take one threshold",
        lambda: small()["AR.Hosang[iou=0.5]"],
    ),
]
