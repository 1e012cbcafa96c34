"""One record per evaluator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import calls
import inputs
import task_calls
from calls import Numbers, Thresholds
from workloads import Files, Scene


@dataclass(frozen=True)
class Peer:
    """One evaluator and how it is run."""

    name: str  # as pip calls it
    modules: tuple[str, ...]  # imported before the clock starts
    way: str  # the interface it is run through
    form: str  # what it takes from memory
    files: Callable[[Path, Path, Thresholds], Numbers]
    prepare: Callable[[Scene], Any]  # builds that form, before the clock starts
    arrays: Callable[[Any, Thresholds], Numbers]
    task_files: Callable[[Path, Path, str], Numbers]  # masks or keypoints
    task_records: Callable[[Any, str], Numbers]
    parse: Callable[[Files], Any] = inputs.parsed  # makes those records, before the clock starts

    @property
    def installed(self) -> bool:
        """Whether this Python can find it."""
        return find_spec(self.modules[0].partition(".")[0]) is not None

    @property
    def version(self) -> str:
        """As its distribution says."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return "unknown"


_RECORDS = "lists of dictionaries"

PEERS = (
    Peer(
        "boxscore",
        ("boxscore.evaluation.run",),  # the package alone imports nothing
        "evaluate",
        "columns",
        calls.boxscore_files,
        inputs.tables,
        calls.boxscore_arrays,
        task_calls.boxscore_files,
        task_calls.boxscore_records,
    ),
    Peer(
        "hotcoco",
        ("hotcoco",),
        "COCO, load_res, COCOeval.run; memory: COCO.from_arrays",
        "truth columns (a dictionary per image), detections (m, 7)",
        calls.hotcoco_files,
        inputs.columns,
        calls.hotcoco_arrays,
        task_calls.hotcoco_files,
        task_calls.hotcoco_records,
    ),
    Peer(
        "ultrafast-pycocotools",
        ("ultrafast_pycocotools",),
        "COCO, loadRes, COCOeval",
        "truth dictionaries, detections (m, 7)",
        calls.ultrafast_files,
        inputs.records_and_matrix,
        calls.ultrafast_arrays,
        task_calls.ultrafast_files,
        task_calls.ultrafast_records,
    ),
    Peer(
        "vernier",
        ("vernier.instance",),
        "evaluate_bbox_grid, strict, all cores; memory: CocoDataset.from_arrays",
        "truth columns, detections (m, 7)",
        calls.vernier_files,
        inputs.columns,
        calls.vernier_arrays,
        task_calls.vernier_files,
        task_calls.vernier_records,
        inputs.text_and_parsed,
    ),
    Peer(
        "faster-coco-eval",
        ("faster_coco_eval",),
        "COCO, loadRes, COCOeval_faster",
        _RECORDS,
        calls.faster_files,
        inputs.records,
        calls.faster_arrays,
        task_calls.faster_files,
        task_calls.faster_records,
    ),
    Peer(
        "pycocotools",
        ("pycocotools.coco", "pycocotools.cocoeval"),
        "COCO, loadRes, COCOeval",
        _RECORDS,
        calls.pycocotools_files,
        inputs.records,
        calls.pycocotools_arrays,
        task_calls.pycocotools_files,
        task_calls.pycocotools_records,
    ),
)


def by_name(name: str) -> Peer:
    """The record of one evaluator."""
    return {peer.name: peer for peer in PEERS}[name]
