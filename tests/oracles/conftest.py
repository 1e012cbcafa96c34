"""pycocotools, run quietly and in memory."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

TWELVE = ("AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl")


@dataclass(frozen=True)
class Official:
    """What pycocotools says: -1 where a number does not exist."""

    stats: dict[str, float]
    classes: dict[int, dict[str, float]]  # by category id
    precision: np.ndarray  # (thresholds, levels, classes, areas, caps)
    recall: np.ndarray  # (thresholds, classes, areas, caps)
    scores: np.ndarray


def run(truth: dict[str, Any], results: list[dict[str, Any]], *, use_categories: bool = True) -> Official:
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        objects = COCO()
        objects.dataset = copy.deepcopy(truth)  # it writes into what it is given
        objects.createIndex()
        evaluation = COCOeval(objects, objects.loadRes(copy.deepcopy(results)), "bbox")
        evaluation.params.useCats = int(use_categories)
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    precision, recall = evaluation.eval["precision"], evaluation.eval["recall"]

    def mean(cells: np.ndarray) -> float:
        present = cells[cells > -1]
        return float(np.mean(present)) if present.size else -1.0

    return Official(
        dict(zip(TWELVE, map(float, evaluation.stats), strict=True)),
        {
            int(key): {
                "AP": mean(precision[:, :, k, 0, 2]),
                "AP50": mean(precision[0, :, k, 0, 2]),
                "AP75": mean(precision[5, :, k, 0, 2]),
                "AR100": mean(recall[:, k, 0, 2]),
            }
            for k, key in enumerate(evaluation.params.catIds)
        },
        precision,
        recall,
        evaluation.eval["scores"],
    )


@pytest.fixture(scope="session")
def pycocotools() -> Callable[..., Official]:
    """Evaluates a truth dictionary and a results list as pycocotools does."""
    return run
