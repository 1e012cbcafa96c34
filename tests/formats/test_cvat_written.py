"""CVAT XML 1.1, written: what comes back, and what becomes something else."""

from __future__ import annotations

import gzip
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.cvat.read import read_detections as detections_of
from boxscore.formats.cvat.read import read_truth as truth_of
from boxscore.formats.cvat.video import read_detections as video_detections_of
from boxscore.formats.cvat.video import read_truth as video_of
from boxscore.joining.read import Reading, read_truth
from boxscore.tables.model import Detections, Flag, Images, Mark, Truth
from boxscore.tables.shapes import Shape, ShapesMaker
from small_cvat import BOX, at, image, rows_of, task, track, written, xml
from table_scenes import attributes, named_rows, said, said_of_images, tables

ALL = [flag for flag in Flag if flag != Flag.OUTSIDE]


@given(st.data())
def test_images_come_back(data):
    truth = data.draw(tables(Truth, ALL, marks=[Mark.POSITIVE]))
    truth = replace(truth, attributes=data.draw(attributes(len(truth))))
    back, findings = truth_of(written(truth, "cvat"), Reading())
    assert findings == []
    assert back.images.key == truth.images.key
    assert back.classes.name == truth.classes.name
    assert named_rows(back) == named_rows(truth)
    assert back.flags.tolist() == truth.flags.tolist()
    assert (back.images.width.tolist(), back.images.height.tolist()) == (
        truth.images.width.tolist(), truth.images.height.tolist(),
    )  # fmt: skip
    assert said(back) == said(truth)
    assert said_of_images(back) == said_of_images(truth)


@given(tables(Detections))
def test_detections_come_back(found):
    back, _ = detections_of(written(found, "cvat"), Reading())
    assert (named_rows(back), back.score.tolist()) == (named_rows(found), found.score.tolist())


@given(tables(Detections, sizes=False))
def test_detections_come_back_as_tracks(found):
    back, _ = video_detections_of(written(found, "cvat-video"), Reading())
    assert len(back.images) == len(found.images)
    assert sorted(
        [k, *box, s] for k, box, s in zip(back.image, back.corners.tolist(), back.score, strict=True)
    ) == sorted([k, *box, s] for k, box, s in zip(found.image, found.corners.tolist(), found.score, strict=True))


@st.composite
def videos(draw):
    """A table whose images are frames of one or two videos, some rows of which are in tracks."""
    truth = draw(tables(Truth, ALL))
    n, start, step = len(truth.images), draw(st.integers(0, 5)), draw(st.integers(1, 4))
    split = draw(st.integers(0, n))
    video = ["v 1"] * split + ["w"] * (n - split)
    frame = np.array([start + step * (k if k < split else k - split) for k in range(n)], np.int64)
    size = [np.full(n, float(draw(st.integers(1, 99)))) for _ in range(2)]
    several = len({*video}) > 1
    keys = [f"{name}/frame_{k:06d}" if several else f"frame_{k:06d}" for name, k in zip(video, frame, strict=True)]
    track = np.array(draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth))), np.int64)
    said = draw(attributes(len(truth)))
    return replace(truth, images=Images(keys, None, *size, video, frame), track=track, attributes=said)


@given(videos())
def test_videos_come_back(truth):
    back, findings = video_of(written(truth, "cvat-video"), Reading())
    assert findings == []  # nothing is interpolated, since every gap begins with a shape that is outside
    assert back.images.key == truth.images.key
    assert back.images.frame.tolist() == truth.images.frame.tolist()
    assert back.images.video == truth.images.video
    assert back.images.width.tolist() == truth.images.width.tolist()
    assert back.classes.name == truth.classes.name
    assert rows_of(back) == rows_of(truth)


SHAPES = [
    (Shape.POLYGON, [1, 2, 5.5, 3, 0, 9], [0, 2, 5.5, 9]),
    (Shape.POLYLINE, [1, 2, 5, 3], [1, 2, 5, 3]),
    (Shape.POINTS, [1, 2], [1, 2, 1, 2]),
    (Shape.ELLIPSE, [5, 4, 3, 2, 0.0], [2, 2, 8, 6]),
    (Shape.ORIENTED, [5, 4, 6, 2, math.pi / 2], [4, 1, 6, 7]),
    (Shape.RLE, [10, 20, 43, 1, 8, 1, 9, 1, 137], [4, 2, 7, 4]),
    (Shape.RLE, [10, 20, 43, 1, 8, 1, 9, 1, 137], [0, 0, 20, 10]),  # a box with room
    (Shape.RLE, [10, 20, 0, 200], [0, 0, 20, 10]),
    (Shape.KEYPOINTS, [3, 4, 1, 5, 1, 2, 0, 0, 0], [3, 1, 5, 4]),
]


def with_shape(box: list[float], *shapes: tuple[Shape, list[float]]) -> Truth:
    made_of = ShapesMaker()
    for kind, values in shapes:
        made_of.add(0, kind, [float(value) for value in values])
    truth, _ = video_of(xml(track(at(0, 0)), meta=task(0, 0)), Reading())
    return replace(truth, corners=np.array([box], np.float64), shapes=made_of.shapes(1))


@pytest.mark.parametrize(("kind", "values", "box"), SHAPES)
@pytest.mark.parametrize(("form", "read"), [("cvat", truth_of), ("cvat-video", video_of)])
def test_shapes_come_back(form, read, kind, values, box):
    back, _ = read(written(with_shape(box, (kind, values)), form), Reading(shapes=True))
    assert (back.shapes.of(0), back.corners.tolist()) == ([(kind, values)], [box])


@pytest.mark.parametrize(
    ("kind", "values", "box", "into"),
    [
        (Shape.CIRCLE, [5, 4, 2], [3, 2, 7, 6], (Shape.ELLIPSE, [5, 4, 2, 2, 0])),
        (Shape.QUAD, [0, 0, 4, 0, 4, 2, 0, 2], [0, 0, 4, 2], (Shape.POLYGON, [0, 0, 4, 0, 4, 2, 0, 2])),
        (Shape.POLYGON, [1, 2, 5.5, 3, 0, 9], [0, 2, 5.5, 9.5], None),  # the box is what counts
        (Shape.ORIENTED, [5, 4, 6, 2, math.pi / 2], [4, 1, 6, 7.5], None),
        (Shape.RLE, [10, 20, 43, 1, 8, 1, 9, 1, 137], [5, 2, 7, 4], None),
        (Shape.RLE, [10, 20, 43, 1, 8, 1, 9, 1, 137], [4.5, 2, 7, 4], None),
        (Shape.RLE, [10, 21, 43, 1, 8, 1, 9, 1, 147], [4, 2, 7, 4], None),
        (Shape.KEYPOINTS, [3, 4, 1, 5, 1, 2], [3, 1, 5, 5], None),
    ],
)
def test_shapes_that_become_others(kind, values, box, into):
    back, _ = truth_of(written(with_shape(box, (kind, values)), "cvat"), Reading(shapes=True))
    assert back.corners.tolist() == [box]
    assert back.shapes is None if into is None else back.shapes.of(0) == [into]


def test_an_object_in_pieces_is_written_as_its_box():
    truth = with_shape([0, 0, 9, 9], (Shape.POLYGON, [0, 0, 4, 0, 4, 4]), (Shape.POLYGON, [5, 5, 9, 5, 9, 9]))
    back, _ = truth_of(written(truth, "cvat"), Reading(shapes=True))
    assert (back.corners.tolist(), back.shapes) == ([[0, 0, 9, 9]], None)


def test_rows_without_a_track_get_one():
    truth, _ = video_of(xml(track(at(0, 0), at(1, 1), key=5), meta=task()), Reading())
    back, _ = video_of(written(replace(truth, track=np.array([-1, 5])), "cvat-video"), Reading())
    assert sorted(back.track.tolist()) == [5, 6]
    back, _ = video_of(written(replace(truth, track=None), "cvat-video"), Reading())
    assert back.track.tolist() == [0, 1]


def test_frames_without_a_step_are_written_if_all_have_boxes():
    truth, _ = video_of(xml(track(at(0, 0), at(1, 1), at(5, 1, 'keyframe="0"')), meta=""), Reading())
    assert video_of(written(truth, "cvat-video"), Reading())[0].images.frame.tolist() == [0, 1, 5]


def test_a_split_is_written(tmp_path):
    truth, _ = truth_of(xml(image(BOX)), Reading())
    from boxscore.formats.io.writing import Writing, write

    write(truth, tmp_path / "a.xml", "cvat", Writing(split="val"))
    assert len(read_truth(tmp_path / "a.xml", Reading(truth_format="cvat", split="val"))[0]) == 1
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress((tmp_path / "a.xml").read_bytes()))
    assert len(read_truth(tmp_path / "a.xml.gz", Reading(truth_format="cvat"))[0]) == 1
