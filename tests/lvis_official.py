"""The package `lvis` over what is in memory."""

from __future__ import annotations

import logging
import warnings
from typing import Any

import numpy as np


def official(values: dict[str, float]) -> dict[str, float]:
    return {name: -1.0 if np.isnan(value) else value for name, value in values.items()}


def run(lvis: Any, truth: dict[str, Any], results: list[dict[str, Any]], kind: str = "bbox") -> Any:
    """Evaluates as lvis does, in memory."""
    objects = object.__new__(lvis.LVIS)  # its constructor reads a file
    objects.logger, objects.dataset = logging.getLogger("lvis.lvis"), truth
    objects._create_index()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # logger.warn
        evaluation = lvis.LVISEval(objects, results, kind)
    evaluation.run()
    return evaluation
