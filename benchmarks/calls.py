"""How each evaluator is called, from files and from memory, to the COCO numbers.

Each goes its fastest documented way. The packages have no types, and only one of them is imported in a process; hence
`Any` and the imports by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import inputs

NAMES = ("AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl")

Thresholds = tuple[float, ...] | None  # None: COCO's ten


@dataclass(frozen=True)
class Numbers:
    """What every run must give; undefined is nan."""

    summary: list[float]  # twelve for boxes and masks, ten for keypoints
    per_class: list[float]  # AP, by ascending category id


def numbers(summary: Iterable[float], of_classes: Iterable[float]) -> Numbers:
    """The peers write -1 for undefined."""
    return Numbers(
        *([float("nan") if value == -1 else float(value) for value in values] for values in (summary, of_classes))
    )


def per_class(precision: NDArray[np.float64]) -> list[float]:
    """AP of each class from pycocotools' array (thresholds, recalls, classes, areas, caps).

    Class by class, because a mean over several axes at once adds up in another order and differs in the last bit.
    """
    of_class = (precision[:, :, k, 0, -1] for k in range(precision.shape[2]))
    return [float(np.mean(p[p > -1])) if (p > -1).any() else float("nan") for p in of_class]


def like_pycocotools(evaluation: Any, thresholds: Thresholds, length: int = 12) -> Numbers:
    """The three calls that pycocotools and its lookalikes share; the summary has so many numbers."""
    if thresholds is not None:
        evaluation.params.iouThrs = np.array(thresholds)
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    return numbers(list(evaluation.stats)[:length], per_class(evaluation.eval["precision"]))


def pycocotools_files(truth: Path, detections: Path, thresholds: Thresholds) -> Numbers:
    """COCO, loadRes, COCOeval."""
    coco = import_module("pycocotools.coco").COCO(str(truth))
    found = coco.loadRes(str(detections))
    return like_pycocotools(import_module("pycocotools.cocoeval").COCOeval(coco, found, "bbox"), thresholds)


def pycocotools_arrays(ready: inputs.Records, thresholds: Thresholds) -> Numbers:
    """The same with ready dictionaries."""
    coco = import_module("pycocotools.coco").COCO()
    coco.dataset = ready.truth
    coco.createIndex()
    found = coco.loadRes(ready.detections)
    return like_pycocotools(import_module("pycocotools.cocoeval").COCOeval(coco, found, "bbox"), thresholds)


def faster_files(truth: Path, detections: Path, thresholds: Thresholds) -> Numbers:
    """COCO, loadRes, COCOeval_faster."""
    package = import_module("faster_coco_eval")
    coco = package.COCO(str(truth))
    return like_pycocotools(package.COCOeval_faster(coco, coco.loadRes(str(detections)), "bbox"), thresholds)


def faster_arrays(ready: inputs.Records, thresholds: Thresholds) -> Numbers:
    """The same with ready dictionaries."""
    package = import_module("faster_coco_eval")
    coco = package.COCO(ready.truth)
    return like_pycocotools(package.COCOeval_faster(coco, coco.loadRes(ready.detections), "bbox"), thresholds)


def ultrafast_files(truth: Path, detections: Path, thresholds: Thresholds) -> Numbers:
    """COCO, loadRes, COCOeval."""
    package = import_module("ultrafast_pycocotools")
    coco = package.COCO(str(truth))
    return like_pycocotools(package.COCOeval(coco, coco.loadRes(str(detections)), "bbox"), thresholds)


def ultrafast_arrays(ready: inputs.RecordsAndMatrix, thresholds: Thresholds) -> Numbers:
    """The same; only detections may come as an array."""
    package = import_module("ultrafast_pycocotools")
    coco = package.COCO(ready.truth)
    return like_pycocotools(package.COCOeval(coco, coco.loadRes(ready.detections), "bbox"), thresholds)


def hotcoco_files(truth: Path, detections: Path, thresholds: Thresholds) -> Numbers:
    """COCO, load_res, COCOeval."""
    coco = import_module("hotcoco").COCO(str(truth))
    return _hotcoco(coco, str(detections), thresholds)


def hotcoco_arrays(ready: inputs.Columns, thresholds: Thresholds) -> Numbers:
    """COCO.from_arrays and load_res of an array."""
    coco = import_module("hotcoco").COCO.from_arrays(
        ready.images,
        ready.categories,
        ready.image_id,
        ready.category_id,
        ready.box,
        ids=ready.id,
        area=ready.area,
        iscrowd=ready.crowd,
    )
    return _hotcoco(coco, ready.detections, thresholds)


def _hotcoco(coco: Any, detections: Any, thresholds: Thresholds) -> Numbers:
    evaluation = import_module("hotcoco").COCOeval(coco, coco.load_res(detections), "bbox")
    if thresholds is not None:
        evaluation.params.iou_thrs = list(thresholds)
    evaluation.run()
    # Its own table of classes is faster than its array of precisions, and leaves undefined classes out.
    table = evaluation.get_results(per_class=True)
    names = [category["name"] for _, category in sorted(coco.cats.items())]
    return numbers(list(evaluation.stats)[:12], [table.get(f"AP/{name}", -1) for name in names])


def vernier_files(truth: Path, detections: Path, thresholds: Thresholds) -> Numbers:
    """The bytes of both files."""
    return _vernier(truth.read_bytes(), detections.read_bytes(), thresholds)


def vernier_arrays(ready: inputs.Columns, thresholds: Thresholds) -> Numbers:
    """CocoDataset.from_arrays and a matrix of detections."""
    images = {"id": ready.image_ids, "width": ready.width, "height": ready.height}
    objects = {
        "id": ready.id,
        "image_id": ready.image_id,
        "category_id": ready.category_id,
        "bbox": ready.box,
        "area": ready.area,
        "iscrowd": ready.crowd,
    }
    dataset = import_module("vernier.instance").CocoDataset.from_arrays(images, objects, ready.categories)
    return _vernier(dataset, ready.detections, thresholds)


def _vernier(truth: Any, detections: Any, thresholds: Thresholds) -> Numbers:
    # What Evaluator.evaluate(tables=("per_class",)) calls; that way would need polars to read its table.
    grid = import_module("vernier.instance").evaluate_bbox_grid(
        truth,
        detections,
        parity_mode="strict",
        max_dets_per_image=100,
        use_cats=True,
        iou_thresholds=None if thresholds is None else list(thresholds),
        num_threads=os.cpu_count(),
    )
    accumulated = grid.accumulate([1, 10, 100])
    # Its summary knows COCO's ten thresholds only.
    twelve = accumulated.summarize([1, 10, 100]).stats if thresholds is None else [float("nan")] * 12
    return numbers(twelve, per_class(accumulated.precision))


def boxscore_files(truth: Path, detections: Path, thresholds: Thresholds) -> Numbers:
    """Two paths."""
    package = import_module("boxscore")
    return _boxscore(package.evaluate(str(truth), str(detections), protocol=_protocol(package, thresholds)))


def boxscore_arrays(ready: inputs.Tables, thresholds: Thresholds) -> Numbers:
    """Two tables of columns."""
    package = import_module("boxscore")
    return _boxscore(
        package.evaluate(
            ready.truth,
            ready.detections,
            box="xywh",
            protocol=_protocol(package, thresholds),
            classes=ready.classes,
        )
    )


def _boxscore(result: Any) -> Numbers:
    return numbers([result.metrics[name] for name in NAMES], [row.metrics["AP"] for row in result.per_class])


def _protocol(package: Any, thresholds: Thresholds) -> Any:
    return "coco" if thresholds is None else replace(package.protocols.get("coco"), iou=thresholds)
