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
from boxscore.errors import BoxscoreError, InputError, UsageError
from boxscore.evaluation.ledger import Ledger
from boxscore.evaluation.match import Matching, match
from boxscore.evaluation.result import Result
from boxscore.evaluation.run import evaluate, evaluate_many
from boxscore.evaluation.tally import Tally
from boxscore.joining.align import align
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.protocols import Area, Protocol
from boxscore.tables.model import Classes, Detections, Flag, ImageLabels, Images, Mark, Truth, concatenate, select

if _typing.TYPE_CHECKING:
    from boxscore.analysis.contents import contents
    from boxscore.analysis.explain import Explanation, explain
    from boxscore.checkup import doctor
    from boxscore.diagnostics.diagnoses import Checkup
    from boxscore.formats.io.writing import write
    from boxscore.report import plot

__version__ = "0.1.0"


def __getattr__(name: str) -> _typing.Any:
    """What few programs need is imported when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'boxscore' has no attribute '{name}'")
    module = _importlib.import_module(f"boxscore.{_LATER[name]}")
    return getattr(module, name, module)  # `plot` is a module


_LATER = {
    "Checkup": "diagnostics.diagnoses",
    "Explanation": "analysis.explain",
    "doctor": "checkup",
    "contents": "analysis.contents",
    "explain": "analysis.explain",
    "plot": "report.plot",
    "write": "formats.io.writing",
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
