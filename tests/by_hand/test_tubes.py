"""Tube AP by hand: who chooses whom decides the number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.tables.model import Classes, Detections, Images, Truth

FRAMES = Images([f"v#{i}" for i in range(4)], video=["v"] * 4, frame=np.arange(4))


def boxes(tubes: list[dict[int, list[float]]]) -> dict[str, Any]:
    """Columns of tubes, each a box x0 y0 x1 y1 by frame."""
    rows = [(track, frame, box) for track, tube in enumerate(tubes) for frame, box in tube.items()]
    corners = np.array([box for _, _, box in rows], np.float64).reshape(-1, 4)
    return {
        "image": np.array([frame for _, frame, _ in rows], np.int32),
        "label": np.zeros(len(rows), np.int32),
        "corners": corners,
        "box_area": (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]),
        "position": np.arange(len(rows)),
        "track": np.array([track for track, _, _ in rows]),
    }


def tables(objects: Any, found: Any, scores: list[float]) -> tuple[Truth, Detections]:
    classes, truth, others = Classes(("cat",), (1,)), boxes(objects), boxes(found)
    n = len(truth["image"])
    return (
        Truth(FRAMES, classes, **truth, area=np.full(n, np.nan), flags=np.zeros(n, np.uint16)),
        Detections(FRAMES, classes, **others, score=np.array(scores)[others["track"]]),
    )


def strip(low: float, high: float, frames: range = range(4)) -> dict[int, list[float]]:
    """The same box, one pixel high, in some frames."""
    return {frame: [low, 0, high, 1] for frame in frames}


def test_overlap_adds_up_over_frames_and_gaps() -> None:
    # The object is 10 wide in frames 0 to 3, the tube in frames 2 and 3 alone: 20 of 40.
    truth, found = tables([strip(0, 10)], [strip(0, 10, range(2, 4))], [0.5])
    assert bs.evaluate(truth, found, protocol="stt-ap[iou=0.5]")["mSTT-AP"] == 1.0
    assert bs.evaluate(truth, found, protocol="stt-ap[iou=0.51]")["mSTT-AP"] == 0.0


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        # A |----------|            0-10      P (0.9) |---------|   1-10: 0.9 of A, 8/11 of B, so best for both
        # B   |---------|           2-11      Q (0.5)  |----------  2-12: 8/12 of A, 0.9 of B
        ("stt-ap", 1.0),
        ("stt-ap-toolkit", 1.0),
        ("stt-ap-ranked", 1.0),
        ("stt-ap-ranked-any", 1.0),
    ],
)
def test_who_is_best_for_one_object_each(protocol: str, expected: float) -> None:
    truth, found = tables([strip(0, 10), strip(2, 11)], [strip(1, 10), strip(2, 12)], [0.9, 0.5])
    assert bs.evaluate(truth, found, protocol=protocol)["mSTT-AP"] == expected


def test_a_tube_that_is_best_for_two_counts_once() -> None:
    # A 0-10, B 2-12. P 1-11 overlaps both by 9/11. Q 0-7 overlaps A by 7/10, B by 5/12.
    # The paper: both choose P, which counts once; Q finds nothing: hit, miss of two objects, AP 1/2.
    truth, found = tables([strip(0, 10), strip(2, 12)], [strip(1, 11), strip(0, 7)], [0.9, 0.5])
    assert bs.evaluate(truth, found, protocol="stt-ap")["mSTT-AP"] == 0.5
    # P 2-11 overlaps B by 9/10, A by 8/11: as before it is best for both, takes B, and A stays unfound by the paper;
    # one to one by overlap, A then takes Q.
    truth, found = tables([strip(0, 10), strip(2, 12)], [strip(2, 11), strip(0, 7)], [0.9, 0.5])
    assert bs.evaluate(truth, found, protocol="stt-ap")["mSTT-AP"] == 0.5
    assert bs.evaluate(truth, found, protocol="stt-ap-toolkit")["mSTT-AP"] == 1.0


def test_confidence_against_overlap() -> None:
    # One object 0-10; P (0.9) 0-6 overlaps by 0.6, Q (0.5) 0-8 by 0.8: by overlap the sure one is false, AP 1/2.
    truth, found = tables([strip(0, 10)], [strip(0, 6), strip(0, 8)], [0.9, 0.5])
    values = {
        p: bs.evaluate(truth, found, protocol=p)["mSTT-AP"] for p in ("stt-ap", "stt-ap-toolkit", "stt-ap-ranked")
    }
    assert values == {"stt-ap": 0.5, "stt-ap-toolkit": 0.5, "stt-ap-ranked": 1.0}
