"""CVAT XML 1.1 for video: frames, tracks and what stands between keyframes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.cvat.video import read_detections as video_detections_of
from boxscore.formats.cvat.video import read_truth as video_of
from boxscore.joining.read import Reading
from boxscore.tables.model import Detections, Flag, Truth
from boxscore.tables.shapes import Shape
from small_cvat import LABELS, at, task, track, xml
from table_scenes import said


def test_frames_and_tracks():
    one = track(at(1, 0), at(2, 1, 'keyframe="0" occluded="1"'), at(3, 2, 'outside="1"'), key=4, more='source="file"')
    truth, findings = video_of(xml(one, track(at(2, 5), label="cat", key=9), meta=task()), Reading())
    assert findings == []
    assert truth.images.key == [f"frame_00000{k}" for k in range(5)]
    assert truth.images.frame.tolist() == [0, 1, 2, 3, 4]
    assert set(truth.images.video) == {"v.mp4"}
    assert (set(truth.images.width), set(truth.images.height)) == ({20}, {10})
    assert (truth.image.tolist(), truth.track.tolist(), truth.label.tolist()) == ([1, 2, 2], [4, 4, 9], [1, 1, 0])
    assert truth.flags.tolist() == [0, Flag.OCCLUDED | Flag.GENERATED, 0]
    assert truth.rejected == (("outside", 1),)
    assert said(truth) == [(0, "source", "file"), (1, "source", "file")]


def test_frames_that_only_boxes_tell_of():
    truth, _ = video_of(xml(track(at(1, 0), at(2, 1, 'outside="1"')), meta=""), Reading())
    assert (truth.images.frame.tolist(), truth.images.video) == ([1], [""])
    assert np.isnan(truth.images.width).all()


def test_interpolation_between_keyframes():
    turned = [at(10, 0, 'rotation="350"'), at(16, 0, 'rotation="20"')]
    source = xml(
        track(at(10, 0, 'keyframe="1" occluded="1"', '<attribute name="c">r</attribute>'), at(19, 9, 'outside="1"')),
        track(*turned, key=1),
        track('<points frame="10" points="1,2"/>', '<points frame="16" points="3,4;5,6"/>', key=2),
        track('<polygon frame="10" points="0,0;2,0;2,2"/>', '<polygon frame="16" points="2,2;4,4;8,8"/>', key=3),
        track(at(10, 0), at(13, 1, 'outside="1"'), at(19, 3), key=4),
        meta=task(10, 19, "step=3"),
    )
    truth, findings = video_of(source, Reading(shapes=True))
    assert [(f.code, f.count) for f in findings] == [("TRK001", 4), ("TRK002", 1)]
    assert truth.added == (("interpolated between keyframes", 4),)
    new = (truth.flags & Flag.GENERATED) != 0
    frames = truth.images.frame[truth.image]
    assert list(zip(truth.track[new], frames[new], strict=True)) == [(0, 13), (0, 16), (1, 13), (3, 13)]
    assert truth.corners[new].tolist()[:2] == [[3, 2, 7, 6], [6, 2, 10, 6]]
    assert (truth.flags[new] & Flag.OCCLUDED != 0).tolist() == [True, True, False, False]
    rows = np.flatnonzero(new)
    assert [text for row, *text in said(truth) if row in rows] == [["c", "r"]] * 2
    assert truth.shapes.of(rows[2])[0][1][-1] == pytest.approx(math.radians(5), abs=1e-12)  # the shorter way round
    assert truth.shapes.of(rows[3]) == [(Shape.POLYGON, [1, 1, 3, 2, 5, 5])]
    result = bs.evaluate(truth, truth_as_detections(truth), protocol="coco")
    assert result.ledger.objects.read == len(truth) - 4 + 2


def truth_as_detections(truth: Truth) -> Detections:
    return Detections(
        truth.images, truth.classes, truth.image, truth.label, truth.corners, truth.box_area, truth.position,
        score=np.ones(len(truth)),
    )  # fmt: skip


def test_exports_with_all_frames_are_left_as_they_are():
    source = xml(track(at(0, 0), at(3, 3)), track(at(0, 0), at(1, 1, 'keyframe="0"'), key=1), meta=task())
    truth, findings = video_of(source, Reading())
    assert (len(truth), findings) == (4, [])


def test_videos_of_a_project():
    tasks = "".join(
        f"<task><id>{k}</id><name>{name}</name><subset>{subset}</subset><start_frame>0</start_frame>"
        f"<stop_frame>1</stop_frame></task>"
        for k, (name, subset) in enumerate([("x", "train"), ("y", "val"), ("y", "val")])
    )
    meta = f"<project><tasks>{tasks}</tasks>{LABELS}</project>"
    source = xml(track(at(0, 0), more='task_id="1"'), track(at(1, 0), more='task_id="2"'), meta=meta)
    truth, _ = video_of(source, Reading())
    assert truth.images.key == [f"{v}/frame_00000{k}" for v in ("x", "y/1", "y/2") for k in (0, 1)]
    assert truth.image.tolist() == [2, 5]
    assert video_of(source, Reading(split="train"))[0].images.key == ["frame_000000", "frame_000001"]
    assert len(video_of(source, Reading(split="val"))[0]) == 2


def test_detections_in_video():
    inner = '<attribute name="score">0.25</attribute>'
    found, findings = video_detections_of(xml(track(at(0, 0, "", inner), at(3, 3, "", inner)), meta=task()), Reading())
    assert (found.score.tolist(), found.track.tolist(), findings) == ([0.25, 0.25], [0, 0], [])
