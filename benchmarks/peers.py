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
from calls import Numbers, Thresholds
from workloads import Scene


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
    ),
    Peer(
        "hotcoco",
        ("hotcoco",),
        "COCO, load_res, COCOeval.run; memory: COCO.from_arrays",
        "truth columns (a dictionary per image), detections (m, 7)",
        calls.hotcoco_files,
        inputs.columns,
        calls.hotcoco_arrays,
    ),
    Peer(
        "ultrafast-pycocotools",
        ("ultrafast_pycocotools",),
        "COCO, loadRes, COCOeval",
        "truth dictionaries, detections (m, 7)",
        calls.ultrafast_files,
        inputs.records_and_matrix,
        calls.ultrafast_arrays,
    ),
    Peer(
        "vernier",
        ("vernier.instance",),
        "evaluate_bbox_grid, strict, all cores; memory: CocoDataset.from_arrays",
        "truth columns, detections (m, 7)",
        calls.vernier_files,
        inputs.columns,
        calls.vernier_arrays,
    ),
    Peer(
        "faster-coco-eval",
        ("faster_coco_eval",),
        "COCO, loadRes, COCOeval_faster",
        _RECORDS,
        calls.faster_files,
        inputs.records,
        calls.faster_arrays,
    ),
    Peer(
        "pycocotools",
        ("pycocotools.coco", "pycocotools.cocoeval"),
        "COCO, loadRes, COCOeval",
        _RECORDS,
        calls.pycocotools_files,
        inputs.records,
        calls.pycocotools_arrays,
    ),
)


def by_name(name: str) -> Peer:
    """The record of one evaluator."""
    return {peer.name: peer for peer in PEERS}[name]
