"""Variants of `coco` equal pycocotools with the same parameters: other thresholds, levels, caps and size ranges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import Area, evaluate, protocols
from boxscore.testing import Scene, scenes
from effort import examples

EDGES = (0.0, 100.0, 400.0, 1024.0, 2000.0, 9216.0, 1e10)
thresholds = st.lists(st.sampled_from([k / 20 for k in range(1, 21)]), min_size=1, max_size=20, unique=True)
caps = st.lists(st.integers(1, 12), min_size=3, max_size=3, unique=True).map(sorted)
ranges = st.lists(st.tuples(st.sampled_from(EDGES), st.sampled_from(EDGES)).map(sorted), min_size=3, max_size=3)


@settings(max_examples=examples(200))
@given(
    scene=scenes(min_detections=1, crowded=False), iou=thresholds, cap=caps, sizes=ranges,
    levels=st.sampled_from([2, 11, 51, 101]),
)  # fmt: skip
def test_any_parameters(
    pycocotools: Any, scene: Scene, iou: list[float], cap: list[int], sizes: list[list[float]], levels: int
) -> None:
    """Thresholds in any order, 1 among them (it is lowered a little); ranges that overlap or hold nothing."""
    official = pycocotools(
        scene.truth(), scene.results(),
        iouThrs=np.array(iou), maxDets=cap, recThrs=np.linspace(0, 1, levels),
        areaRng=[[0, 1e10], *sizes], areaRngLbl=["all", "small", "medium", "large"],
    )  # fmt: skip
    protocol = replace(
        protocols.get("coco"), iou=tuple(iou), max_detections=tuple(cap), recall_levels=levels,
        areas=(Area("all", 0.0, 1e10), *(Area(f"range {i}", *size) for i, size in enumerate(sizes))),
    )  # fmt: skip
    result = evaluate(*scene.columns(), box="xywh", classes=scene.names, protocol=protocol, threads=1)
    official.check_arrays(result)
