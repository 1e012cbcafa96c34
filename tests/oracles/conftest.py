"""pycocotools, run quietly and in memory, and the comparison with it."""

from __future__ import annotations

import contextlib
import io
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from boxscore import Result
from boxscore.evaluation.curves import Curves, Slice, curves

collect_ignore = ["record_ultralytics.py"]  # it needs the package that it records

TWELVE = ("AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl")


def as_official(values: dict[str, float]) -> dict[str, float]:
    """Numbers with -1 where they are undefined, as pycocotools has them."""
    return {name: -1.0 if np.isnan(value) else value for name, value in values.items()}


@dataclass(frozen=True)
class Official:
    """What pycocotools says: -1 where a number does not exist."""

    stats: dict[str, float]
    classes: dict[int | str, dict[str, float]]  # by category id
    precision: np.ndarray  # (thresholds, levels, classes, areas, caps)
    recall: np.ndarray  # (thresholds, classes, areas, caps)
    scores: np.ndarray

    def check(self, result: Result, ids: dict[str, Any] | None = None) -> None:
        """The twelve numbers and those of each class are equal, difference 0; `ids` where classes lost theirs."""
        assert as_official(result.metrics) == self.stats
        assert {ids[c.name] if ids else c.id: as_official(c.metrics) for c in result.per_class} == self.classes

    def check_arrays(self, result: Result) -> None:
        """Precision, recall and score at every threshold, level, class, size range and cap are equal."""
        for name, made in official_arrays(result).items():
            np.testing.assert_array_equal(made, getattr(self, name), err_msg=name)


def official_arrays(result: Result) -> dict[str, np.ndarray]:
    """The arrays of a result in the order and with the -1 of pycocotools."""
    n_areas, caps = len(result.protocol.areas), result.protocol.max_detections
    parts = [Slice(a, cap) for a in range(n_areas) for cap in caps]
    drawn: Curves = curves(result.tally, parts, scores=True, threads=1)
    assert drawn.precision is not None
    assert drawn.level_score is not None
    absent = drawn.objects == 0  # (slices, classes)

    def arranged(values: np.ndarray) -> np.ndarray:
        gone = absent.reshape(len(absent), *(1,) * (values.ndim - 2), -1)
        by_slice = np.where(gone, -1.0, values).reshape(n_areas, len(caps), *values.shape[1:])
        return np.moveaxis(by_slice, (0, 1), (-2, -1))

    recall = drawn.true_positives / np.maximum(drawn.objects, 1)[:, None, :]
    return {
        "precision": arranged(drawn.precision),
        "scores": arranged(drawn.level_score),
        "recall": arranged(recall),
    }


def run(truth: dict[str, Any], results: list[dict[str, Any]], kind: str = "bbox", **parameters: Any) -> Official:
    """Evaluates as pycocotools does, which writes into what it is given; `kind` and `parameters` are its own."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        objects = COCO()
        objects.dataset = truth
        objects.createIndex()
        evaluation = COCOeval(objects, objects.loadRes(results), kind)
        for name, value in parameters.items():
            setattr(evaluation.params, name, value)
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
            key.item(): {
                "AP": mean(precision[:, :, k, 0, -1]),
                "AP50": mean(precision[0, :, k, 0, -1]),
                "AP75": mean(precision[min(5, len(precision) - 1), :, k, 0, -1]),
                "AR100": mean(recall[:, k, 0, -1]),
            }
            for k, key in enumerate(evaluation.params.catIds)
        },
        precision,
        recall,
        evaluation.eval["scores"],
    )


@pytest.fixture(scope="session")
def pycocotools() -> Callable[..., Official]:
    """Evaluates a truth dictionary and a results list as pycocotools does, with any of its parameters."""
    return run


@pytest.fixture(scope="session")
def arrays_of() -> Callable[[Result], dict[str, np.ndarray]]:
    """The arrays of a result as pycocotools arranges them."""
    return official_arrays


@pytest.fixture(scope="module")
def lvis() -> Any:
    """The package without its drawing part, which needs OpenCV, and with an alias that NumPy no longer has."""
    drawing = ModuleType("lvis.vis")
    drawing.LVISVis = None  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "lvis.vis", drawing)
        package = pytest.importorskip("lvis")
        patch.setattr(np, "float", float, raising=False)
        logging.getLogger("lvis").setLevel(logging.ERROR)
        yield package
