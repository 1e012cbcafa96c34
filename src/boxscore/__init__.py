"""boxscore: object detection metrics that can be trusted.

>>> import boxscore as bs
>>> truth = [{"boxes": [[10, 10, 20, 20]], "labels": ["cat"]}]
>>> found = [{"boxes": [[11, 10, 20, 20]], "labels": ["cat"], "scores": [0.9]}]
>>> bs.evaluate(truth, found, box="xyxy", protocol="voc2012")["mAP"]
1.0
"""

from __future__ import annotations

import importlib as _importlib
import typing as _typing

from boxscore import protocols
from boxscore.align import align
from boxscore.errors import BoxscoreError, InputError, UsageError
from boxscore.evaluate import evaluate, evaluate_many
from boxscore.formats import Reading, read_detections, read_truth
from boxscore.ledger import Ledger
from boxscore.match import Matching, match
from boxscore.model import Classes, Detections, Flag, ImageLabels, Images, Mark, Truth, concatenate, select
from boxscore.protocols import Area, Protocol
from boxscore.result import Result
from boxscore.tally import Tally

if _typing.TYPE_CHECKING:
    from boxscore import plot
    from boxscore.analysis.contents import contents
    from boxscore.analysis.explain import Explanation, explain
    from boxscore.checkup import doctor
    from boxscore.diagnosis import Checkup
    from boxscore.formats.writing import write

__version__ = "0.1.0"


def __getattr__(name: str) -> _typing.Any:
    """What few programs need is imported when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'boxscore' has no attribute '{name}'")
    module = _importlib.import_module(f"boxscore.{_LATER[name]}")
    return module if _LATER[name] == name else getattr(module, name)


_LATER = {
    "Checkup": "diagnosis",
    "Explanation": "analysis.explain",
    "doctor": "checkup",
    "contents": "analysis.contents",
    "explain": "analysis.explain",
    "plot": "plot",
    "write": "formats.writing",
}


__all__ = [
    "Area",
    "BoxscoreError",
    "Checkup",
    "Classes",
    "Detections",
    "Explanation",
    "Flag",
    "ImageLabels",
    "Images",
    "InputError",
    "Ledger",
    "Mark",
    "Matching",
    "Protocol",
    "Reading",
    "Result",
    "Tally",
    "Truth",
    "UsageError",
    "align",
    "concatenate",
    "contents",
    "doctor",
    "evaluate",
    "evaluate_many",
    "explain",
    "match",
    "plot",
    "protocols",
    "read_detections",
    "read_truth",
    "select",
    "write",
]
