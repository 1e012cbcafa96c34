"""boxscore: object detection metrics that can be trusted.

>>> import boxscore as bs
>>> truth = [{"boxes": [[10, 10, 20, 20]], "labels": ["cat"]}]
>>> found = [{"boxes": [[11, 10, 20, 20]], "labels": ["cat"], "scores": [0.9]}]
>>> bs.evaluate(truth, found, box="xyxy", protocol="voc2012")["mAP"]
1.0
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers know the name; `typing` itself takes milliseconds to import
if TYPE_CHECKING:
    from typing import Any

    from boxscore import protocols
    from boxscore.analysis.contents import contents
    from boxscore.analysis.explain import Explanation, explain
    from boxscore.checkup import doctor
    from boxscore.diagnostics.diagnoses import Checkup
    from boxscore.errors import BoxscoreError, InputError, UsageError
    from boxscore.evaluation.ledger import Ledger
    from boxscore.evaluation.match import Matching, match
    from boxscore.evaluation.result import Result
    from boxscore.evaluation.run import evaluate, evaluate_many
    from boxscore.evaluation.tally import Tally
    from boxscore.formats.io.writing import write
    from boxscore.joining.align import align
    from boxscore.joining.read import Reading, ReadOptions, read_detections, read_truth
    from boxscore.protocols import Area, Protocol
    from boxscore.report import plot
    from boxscore.report.stored import load, load_many
    from boxscore.tables.model import Classes, Detections, Flag, ImageLabels, Images, Mark, Truth, concatenate, select
else:
    # Where each public name is. It is imported when it is asked for, so that nobody waits for what he does not use.
    _PLACES = {
        "Area": "protocols",
        "BoxscoreError": "errors",
        "Checkup": "diagnostics.diagnoses",
        "Classes": "tables.model",
        "Detections": "tables.model",
        "Explanation": "analysis.explain",
        "Flag": "tables.model",
        "ImageLabels": "tables.model",
        "Images": "tables.model",
        "InputError": "errors",
        "Ledger": "evaluation.ledger",
        "Mark": "tables.model",
        "Matching": "evaluation.match",
        "Protocol": "protocols",
        "ReadOptions": "joining.read",
        "Reading": "joining.read",
        "Result": "evaluation.result",
        "Tally": "evaluation.tally",
        "Truth": "tables.model",
        "UsageError": "errors",
        "align": "joining.align",
        "concatenate": "tables.model",
        "contents": "analysis.contents",
        "doctor": "checkup",
        "evaluate": "evaluation.run",
        "evaluate_many": "evaluation.run",
        "explain": "analysis.explain",
        "load": "report.stored",
        "load_many": "report.stored",
        "match": "evaluation.match",
        "plot": "report.plot",
        "protocols": "protocols",
        "read_detections": "joining.read",
        "read_truth": "joining.read",
        "select": "tables.model",
        "write": "formats.io.writing",
    }

    def __getattr__(name: str) -> Any:
        """A public name, imported when it is first asked for."""
        import importlib

        if name not in _PLACES:
            raise AttributeError(f"module 'boxscore' has no attribute '{name}'")
        module = importlib.import_module(f"boxscore.{_PLACES[name]}")
        globals()[name] = value = getattr(module, name, module)  # some names are modules
        return value

    def __dir__() -> list[str]:
        return [*__all__, "__version__"]


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
    "ReadOptions",
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
    "load",
    "load_many",
    "match",
    "plot",
    "protocols",
    "read_detections",
    "read_truth",
    "select",
    "write",
]
