"""boxscore: object detection metrics that can be trusted.

>>> import boxscore as bs
>>> truth = [{"boxes": [[10, 10, 20, 20]], "labels": ["cat"]}]
>>> found = [{"boxes": [[11, 10, 20, 20]], "labels": ["cat"], "scores": [0.9]}]
>>> bs.evaluate(truth, found, box="xyxy", protocol="voc2012")["mAP"]
1.0
"""

from __future__ import annotations

from boxscore import protocols
from boxscore.align import align
from boxscore.analysis.explain import Explanation, explain
from boxscore.errors import BoxscoreError, InputError, UsageError
from boxscore.evaluate import evaluate
from boxscore.formats import Reading, read_detections, read_truth
from boxscore.ledger import Ledger
from boxscore.match import Matching, match
from boxscore.model import Classes, Detections, Flag, Images, Truth, concatenate, select
from boxscore.protocols import Area, Protocol
from boxscore.result import Result
from boxscore.tally import Tally

__version__ = "0.1.0"

__all__ = [
    "Area",
    "BoxscoreError",
    "Classes",
    "Detections",
    "Explanation",
    "Flag",
    "Images",
    "InputError",
    "Ledger",
    "Matching",
    "Protocol",
    "Reading",
    "Result",
    "Tally",
    "Truth",
    "UsageError",
    "align",
    "concatenate",
    "evaluate",
    "explain",
    "match",
    "protocols",
    "read_detections",
    "read_truth",
    "select",
]
