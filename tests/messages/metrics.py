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


def relative() -> bs.Result:
    """Boxes that are said to be shares of images whose sizes nobody knows."""
    return bs.evaluate(*(replace(table, relative=True) for table in (truth()[0], results(RESULTS)[0])))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "phrases are the boxes around subject and object, and single boxes have neither",
        lambda: small()["phraseAP"],
    ),
    (
        "the boxes are needed, but a stored result keeps only the verdicts; evaluate again",
        lambda: pickle.loads(pickle.dumps(small()))["oLRP"],
    ),
    (
        "pairs are matched by overlap, so every score threshold would need a matching of its own",
        lambda: small(greedy_by="overlap")["F1max"],
    ),
    (
        "metric 'AR.Hosang[iou=0.5]': AR.Hosang does not use iou (its keys are area, max, class, frequency, score)",
        lambda: small()["AR.Hosang[iou=0.5]"],
    ),
    ("metric 5; expected its name as text, such as 'AP50'", lambda: bs.evaluate([], [], metrics=[5])),
    (
        "Result.at: unknown argument 'iuo'; did you mean 'iou'? (known: score, iou, area, max_detections)",
        lambda: small().at(0.5, iuo=0.5),
    ),
    (
        "tie bounds of AR[max=100] are not defined; expected one of AP, mAP, medianAP",
        lambda: small().tie_bounds("AR100"),
    ),
    ("metric 'AP50[iou=0.75]': AP50 is AP[iou=0.5], so iou=0.75 does not fit", lambda: small()["AP50[iou=0.75]"]),
    (
        "score 1.5: the detections have scores between 0.9 and 0.9; expected a score from 0 to 1",
        lambda: bs.evaluate(truth()[0], results(RESULTS)[0], score=1.5),
    ),
    ("image sizes unknown: give --images, --sizes or --image-size", lambda: relative()["AP[area=small]"]),
]
