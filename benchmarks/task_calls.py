"""How each evaluator is called for masks and keypoints, from files and from dictionaries, to the COCO numbers.

Each goes its fastest documented way, as in `calls.py`; from memory all of them get what `json.load` gives.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from calls import NAMES, Numbers, like_pycocotools, numbers, per_class
from inputs import Records

IOU_TYPES = {"masks": "segm", "keypoints": "keypoints"}
PROTOCOLS = {"masks": "coco-segm", "keypoints": "coco-keypoints"}
SUMMARIES = {
    "masks": NAMES,
    "keypoints": ("AP", "AP50", "AP75", "APm", "APl", "AR", "AR50", "AR75", "ARm", "ARl"),
}
LIMITS = {"masks": [1, 10, 100], "keypoints": [20]}


def pycocotools_files(truth: Path, detections: Path, task: str) -> Numbers:
    """COCO, loadRes, COCOeval."""
    coco = import_module("pycocotools.coco").COCO(str(truth))
    return _like_pycocotools(import_module("pycocotools.cocoeval").COCOeval, coco, str(detections), task)


def pycocotools_records(ready: Records, task: str) -> Numbers:
    """The same with ready dictionaries."""
    coco = import_module("pycocotools.coco").COCO()
    coco.dataset = ready.truth
    coco.createIndex()
    return _like_pycocotools(import_module("pycocotools.cocoeval").COCOeval, coco, ready.detections, task)


def faster_files(truth: Path, detections: Path, task: str) -> Numbers:
    """COCO, loadRes, COCOeval_faster."""
    package = import_module("faster_coco_eval")
    return _like_pycocotools(package.COCOeval_faster, package.COCO(str(truth)), str(detections), task)


def faster_records(ready: Records, task: str) -> Numbers:
    """The same with ready dictionaries."""
    package = import_module("faster_coco_eval")
    return _like_pycocotools(package.COCOeval_faster, package.COCO(ready.truth), ready.detections, task)


def ultrafast_files(truth: Path, detections: Path, task: str) -> Numbers:
    """COCO, loadRes, COCOeval."""
    package = import_module("ultrafast_pycocotools")
    return _like_pycocotools(package.COCOeval, package.COCO(str(truth)), str(detections), task)


def ultrafast_records(ready: Records, task: str) -> Numbers:
    """The same with ready dictionaries."""
    package = import_module("ultrafast_pycocotools")
    return _like_pycocotools(package.COCOeval, package.COCO(ready.truth), ready.detections, task)


def _like_pycocotools(evaluator: Any, coco: Any, detections: Any, task: str) -> Numbers:
    return like_pycocotools(evaluator(coco, coco.loadRes(detections), IOU_TYPES[task]), None, len(SUMMARIES[task]))


def hotcoco_files(truth: Path, detections: Path, task: str) -> Numbers:
    """COCO, load_res, COCOeval."""
    return _hotcoco(import_module("hotcoco").COCO(str(truth)), str(detections), task)


def hotcoco_records(ready: Records, task: str) -> Numbers:
    """The same with ready dictionaries."""
    return _hotcoco(import_module("hotcoco").COCO(ready.truth), ready.detections, task)


def _hotcoco(coco: Any, detections: Any, task: str) -> Numbers:
    evaluation = import_module("hotcoco").COCOeval(coco, coco.load_res(detections), IOU_TYPES[task])
    evaluation.run()
    table = evaluation.get_results(per_class=True)
    names = [category["name"] for _, category in sorted(coco.cats.items())]
    summary = list(evaluation.stats)[: len(SUMMARIES[task])]
    return numbers(summary, [table.get(f"AP/{name}", -1) for name in names])


def vernier_files(truth: Path, detections: Path, task: str) -> Numbers:
    """The bytes of both files."""
    return _vernier(truth.read_bytes(), detections.read_bytes(), task)


def vernier_records(ready: tuple[bytes, Any], task: str) -> Numbers:
    """Truth has no form of dictionaries there: its bytes; results as dictionaries."""
    return _vernier(*ready, task)


def _vernier(truth: Any, detections: Any, task: str) -> Numbers:
    package, iou_type = import_module("vernier.instance"), IOU_TYPES[task]
    more: dict[str, Any] = {"sigmas": {}} if task == "keypoints" else {}
    grid = getattr(package, f"evaluate_{iou_type}_grid")(
        truth,
        detections,
        parity_mode="strict",
        max_dets_per_image=LIMITS[task][-1],
        use_cats=True,
        num_threads=os.cpu_count(),
        **more,
    )
    accumulated = grid.accumulate(LIMITS[task])
    summary = accumulated.summarize(LIMITS[task], plan="keypoints" if task == "keypoints" else "detection")
    return numbers(summary.stats, per_class(accumulated.precision))


def boxscore_files(truth: Path, detections: Path, task: str) -> Numbers:
    """Two paths."""
    return _boxscore(str(truth), str(detections), task)


def boxscore_records(ready: Records, task: str) -> Numbers:
    """Ready dictionaries."""
    return _boxscore(ready.truth, ready.detections, task)


def _boxscore(truth: Any, detections: Any, task: str) -> Numbers:
    result = import_module("boxscore").evaluate(truth, detections, protocol=PROTOCOLS[task])
    return numbers([result.metrics[name] for name in SUMMARIES[task]], [row.metrics["AP"] for row in result.per_class])
