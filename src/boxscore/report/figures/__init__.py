"""Figures: how views are drawn. Everything here needs matplotlib; the views do not."""

from __future__ import annotations

import importlib
from typing import Any

from boxscore.errors import UnknownName, UsageError

KINDS = {
    "pr": "precision against recall: a class, all classes, several detection sets",
    "score": "precision, recall and F1 against the score threshold",
    "recall-iou": "recall against the IoU threshold",
    "classes": "AP of each class",
    "confusion": "confusion matrix",
    "counts": "boxes per class, ground truth and detections",
    "sizes": "box sizes, ground truth and detections",
    "ranking": "detections of a class by falling score with running counts",
    "timeline": "when the objects of videos exist, when they are found, with which delay",
}
MISSING = 'figures need matplotlib, which is not installed; install it with: pip install "boxscore[plot]"'


def need_matplotlib() -> None:
    """Says what to install where matplotlib is missing, and what its own settings keep it from."""
    try:
        importlib.import_module("matplotlib")
    except ImportError:
        raise UsageError(MISSING) from None
    except ValueError as error:  # MPLBACKEND, which it reads when it is imported
        raise UsageError(f"matplotlib refuses MPLBACKEND ({error}); unset it, or set one of these") from None


def module(kind: str, part: str) -> Any:
    """The module that draws a kind of figure (part "figures"), or that computes what it shows (part "views")."""
    if kind not in KINDS:
        raise UnknownName("figure", kind, KINDS)
    return importlib.import_module(f"boxscore.report.{part}.{kind.replace('-', '_')}")
