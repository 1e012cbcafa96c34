"""CVAT XML 1.1: for images and for video, read, written, and real files."""

from __future__ import annotations

import gzip
import math
import tarfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore.formats import Reading, read_truth
from boxscore.formats.cvat import read_detections as detections_of
from boxscore.formats.cvat import read_truth as truth_of
from boxscore.formats.cvat_video import read_detections as video_detections_of
from boxscore.formats.cvat_video import read_truth as video_of
from boxscore.formats.mask_runs import mask_of, runs_of
from boxscore.formats.source import Source
from boxscore.formats.writing import made
from boxscore.model import Detections, Flag, Images, Mark, Truth
from boxscore.shapes import Shape, ShapesMaker
from table_scenes import attributes, named_rows, said, said_of_images, tables

ALL = [flag for flag in Flag if flag != Flag.OUTSIDE]
LABELS = "<labels><label><name>cat</name></label><label><name>dog</name></label></labels>"


def xml(*elements: str, meta: str = f"<task>{LABELS}</task>") -> Source:
    text = (
        f'<?xml version="1.0"?><annotations><version>1.1</version><meta>{meta}</meta>{"".join(elements)}</annotations>'
    )
    return Source("a.xml", None, text.encode())


def image(*shapes: str, name: str = "a.jpg", more: str = "") -> str:
    return f'<image id="0" name="{name}" width="20" height="10" {more}>{"".join(shapes)}</image>'


def shape_of(element: str, meta: str = f"<task>{LABELS}</task>") -> tuple[list[float], list[tuple[Shape, list[float]]]]:
    truth, _ = truth_of(xml(image(element), meta=meta), Reading(shapes=True))
    return truth.corners[0].tolist(), [] if truth.shapes is None else truth.shapes.of(0)


BOX = '<box label="dog" occluded="0" xtl="1.5" ytl="2" xbr="4.25" ybr="6" z_order="0"/>'


def test_images_and_boxes():
    truth, findings = truth_of(xml(image(BOX, BOX), image(name="x\\b.png")), Reading())
    assert findings == []
    assert truth.images.key == ["a.jpg", "x/b.png"]
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([20, 20], [10, 10])
    assert truth.images.id is None
    assert truth.classes == bs.Classes(("cat", "dog"), ("cat", "dog"))
    assert (truth.image.tolist(), truth.label.tolist()) == ([0, 0], [1, 1])
    assert truth.corners.tolist() == [[1.5, 2, 4.25, 6]] * 2
    assert truth.box_area.tolist() == [11, 11]
    assert np.isnan(truth.area).all()
    assert (truth.track, truth.attributes, truth.shapes, truth.labels, truth.rejected) == (None, None, None, None, ())


def test_what_elements_say_besides():
    one = (
        '<box label="dog" occluded="1" source="auto" group_id="7" z_order="2" xtl="1" ytl="2" xbr="3" ybr="4">'
        '<attribute name="truncated">yes</attribute><attribute name="difficult">false</attribute>'
        '<attribute name="colour">light &amp; red</attribute><attribute name="occluded">maybe</attribute></box>'
    )
    two = '<box label="owl" source="manual" group_id="0" xtl="1" ytl="2" xbr="3" ybr="4"/>'
    tags = '<tag label="cat"/><tag label="elk"/>'
    truth, _ = truth_of(xml(image(one, two, tags)), Reading())
    assert truth.flags.tolist() == [Flag.OCCLUDED | Flag.TRUNCATED, 0]
    assert said(truth) == sorted(
        [(0, "source", "auto"), (0, "z_order", "2"), (0, "group_id", "7"), (0, "colour", "light & red"),
         (0, "occluded", "maybe")]
    )  # fmt: skip
    assert truth.classes.name == ("cat", "dog", "elk", "owl")  # after those that the file lists
    assert said_of_images(truth) == [("a.jpg", "cat", Mark.POSITIVE), ("a.jpg", "elk", Mark.POSITIVE)]
    truth, findings = truth_of(xml(image(one, two, tags)), Reading(truth_classes=("dog", "cat")))
    assert (truth.classes.name, truth.label.tolist()) == (("dog", "cat"), [0, -1])
    assert said_of_images(truth) == [("a.jpg", "cat", Mark.POSITIVE)]
    assert [(f.code, f.count) for f in findings] == [("LBL001", 1)]


def test_a_shape_without_a_class_is_never_evaluated():
    truth, _ = truth_of(xml(image('<box label="" xtl="1" ytl="2" xbr="3" ybr="4"/>')), Reading())
    assert truth.label.tolist() == [-1]


@pytest.mark.parametrize(
    ("element", "box", "shape"),
    [
        ('<polygon label="dog" points="1,2;5.5,3;0,9"/>', [0, 2, 5.5, 9], (Shape.POLYGON, [1, 2, 5.5, 3, 0, 9])),
        ('<polyline label="dog" points="1,2;5,3"/>', [1, 2, 5, 3], (Shape.POLYLINE, [1, 2, 5, 3])),
        ('<points label="dog" points="1,2"/>', [1, 2, 1, 2], (Shape.POINTS, [1, 2])),
        ('<ellipse label="dog" cx="5" cy="4" rx="3" ry="2"/>', [2, 2, 8, 6], (Shape.ELLIPSE, [5, 4, 3, 2, 0])),
        (
            '<ellipse label="dog" cx="5" cy="4" rx="3" ry="2" rotation="90"/>', [3, 1, 7, 7],
            (Shape.ELLIPSE, [5, 4, 3, 2, math.pi / 2]),
        ),
        (
            '<box label="dog" xtl="2" ytl="3" xbr="8" ybr="5" rotation="90.00"/>', [4, 1, 6, 7],
            (Shape.ORIENTED, [5, 4, 6, 2, math.pi / 2]),
        ),
        ('<box label="dog" xtl="2" ytl="3" xbr="8" ybr="5" rotation="360"/>', [2, 3, 8, 5], None),
        (
            '<cuboid label="dog" xtl1="1" ytl1="2" xbl1="1" ybl1="8" xtr1="6" ytr1="2" xbr1="6" ybr1="8" '
            'xtl2="3" ytl2="1" xbl2="3" ybl2="7" xtr2="9" ytr2="1" xbr2="9" ybr2="7"/>', [1, 1, 9, 8], None,
        ),
        # rows  .##  and  #..  in a window at column 4, row 2 of an image of 20 x 10
        (
            '<mask label="dog" rle="1, 2, 0, 1, 2" left="4" top="2" width="3" height="2"/>', [4, 2, 7, 4],
            (Shape.RLE, [10, 20, 43, 1, 8, 1, 9, 1, 137]),
        ),
        (
            '<skeleton label="dog"><points label="b" occluded="1" points="3,4"/><points label="a" points="5,1"/>'
            '<points label="c" outside="1" points="9,9"/></skeleton>', [3, 1, 5, 4],
            (Shape.KEYPOINTS, [3, 4, 1, 5, 1, 2, 9, 9, 0]),
        ),
    ],
)  # fmt: skip
def test_shapes(element, box, shape):
    found, shapes = shape_of(element)
    assert (found, shapes) == (box, [] if shape is None else [shape])
    without, _ = truth_of(xml(image(element)), Reading())
    assert (without.corners.tolist(), without.shapes) == ([box], None)


def test_a_turned_box_has_its_hull():
    (x0, y0, x1, y1), _ = shape_of('<box label="dog" xtl="0" ytl="0" xbr="4" ybr="2" rotation="30"/>')
    across, down = 4 * math.cos(math.pi / 6) + 2 * 0.5, 4 * 0.5 + 2 * math.cos(math.pi / 6)
    assert (x0, x1, y0, y1) == pytest.approx((2 - across / 2, 2 + across / 2, 1 - down / 2, 1 + down / 2), abs=1e-12)


def test_points_of_skeletons_stand_as_the_label_lists_them():
    part = "<label><name>{}</name><type>points</type><parent>dog</parent></label>"
    labels = f"<task><labels><label><name>dog</name></label>{part.format('head')}{part.format('tail')}</labels></task>"
    one = '<skeleton label="dog"><points label="tail" points="3,4"/></skeleton>'
    hidden = '<skeleton label="dog"><points label="tail" outside="1" points="3,4"/></skeleton>'
    assert shape_of(one, labels) == ([3, 4, 3, 4], [(Shape.KEYPOINTS, [0, 0, 0, 3, 4, 2])])
    truth, _ = truth_of(xml(image(one, hidden), meta=labels), Reading())
    assert (truth.classes.name, len(truth), truth.rejected) == (("dog",), 1, (("no visible point", 1),))


def test_a_mask_in_an_image_of_unknown_size():
    element = '<mask label="dog" rle="1, 2, 0, 1, 2" left="0" top="0" width="3" height="2"/>'
    truth, _ = truth_of(xml(f'<image name="a">{element}</image>'), Reading(shapes=True))
    assert truth.shapes.of(0) == [(Shape.RLE, [2, 3, 1, 2, 1, 1, 1])]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 3), st.integers(0, 3), st.data())
def test_runs_of_masks(height, width, top, left, data):
    flat = data.draw(st.lists(st.booleans(), min_size=height * width, max_size=height * width))
    mask = np.array(flat).reshape(height, width)
    whole = np.zeros((height + 3, width + 3), np.bool_)
    whole[top : top + height, left : left + width] = mask
    values = runs_of(mask, *whole.shape, top, left)
    counts, at, inside = [], 0, False
    pixels = whole.T.ravel().tolist()
    while at < len(pixels):  # as COCO defines it: runs down the columns, the first one outside
        end = next((k for k in range(at, len(pixels)) if pixels[k] != inside), len(pixels))
        counts.append(end - at)
        at, inside = end, not inside
    assert values == [*whole.shape, *counts]
    assert (mask_of(values) == whole).all()


SPLITS = "".join(
    f"<task><id>{k}</id><name>{name}</name><subset>{subset}</subset></task>"
    for k, (name, subset) in enumerate([("x", "train"), ("y", "val"), ("z", "val")])
)
PROJECT = f"<project><tasks>{SPLITS}</tasks>{LABELS}</project>"


def of_task(k: int, name: str = "a.jpg", subset: str = "") -> str:
    return image(BOX, name=name, more=f'task_id="{k}"' + (f' subset="{subset}"' if subset else ""))


def test_the_same_name_in_several_subsets_and_tasks():
    source = xml(of_task(0), of_task(1), of_task(2), of_task(2, "b.jpg"), meta=PROJECT)
    truth, findings = truth_of(source, Reading())
    assert truth.images.key == ["train/a.jpg", "val/y/a.jpg", "val/z/a.jpg", "b.jpg"]
    assert [(f.code, f.count) for f in findings] == [("TSK001", 3)]
    truth, findings = truth_of(source, Reading(split="train"))
    assert (truth.images.key, findings) == (["a.jpg"], [])
    assert truth_of(source, Reading(split="val"))[0].images.key == ["val/y/a.jpg", "val/z/a.jpg", "b.jpg"]
    assert truth_of(xml(of_task(0), of_task(1, subset="train")), Reading(split="train"))[0].images.key == ["a.jpg"]


def test_detections_have_a_score():
    box = '<box label="dog" xtl="1" ytl="2" xbr="3" ybr="4"{}'
    child = box.format('><attribute name="confidence">0.25</attribute><attribute name="model">m</attribute></box>')
    found, _ = detections_of(xml(image(child, box.format(' score="0.5"/>'))), Reading())
    assert (found.score.tolist(), said(found)) == ([0.25, 0.5], [(0, "model", "m")])
    found, _ = detections_of(xml(image(child, '<tag label="cat"/>')), Reading())
    assert found.rejected == (("tag of a whole image", 1),)


def track(*shapes: str, key: int = 0, label: str = "dog", more: str = "") -> str:
    return f'<track id="{key}" label="{label}" {more}>{"".join(shapes)}</track>'


def at(frame: int, x: float, more: str = "", inner: str = "") -> str:
    return f'<box frame="{frame}" xtl="{x}" ytl="2" xbr="{x + 4}" ybr="6" {more}>{inner}</box>'


def task(start: int = 0, stop: int = 4, step: str = "", more: str = "<name>v.mp4</name>") -> str:
    size = "<original_size><width>20</width><height>10</height></original_size>"
    frames = f"<start_frame>{start}</start_frame><stop_frame>{stop}</stop_frame><frame_filter>{step}</frame_filter>"
    return f"<task>{more}{frames}{size}{LABELS}</task>"


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


def written(table: Truth | Detections, form: str) -> Source:
    ((name, content),) = made(table, form)
    assert name == ""
    return Source("a.xml", None, content)


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


def rows_of(truth: Truth) -> Counter:
    more = {row: [] for row in range(len(truth))}
    for row, *text in said(truth):
        more[row].append(tuple(text))
    return Counter(
        (*named, int(track), int(flags), tuple(more[row]))
        for row, (named, track, flags) in enumerate(zip(named_rows(truth), truth.track, truth.flags, strict=True))
    )


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
    from boxscore.formats.writing import Writing, write

    write(truth, tmp_path / "a.xml", "cvat", Writing(split="val"))
    assert len(read_truth(tmp_path / "a.xml", Reading(truth_format="cvat", split="val"))[0]) == 1
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress((tmp_path / "a.xml").read_bytes()))
    assert len(read_truth(tmp_path / "a.xml.gz", Reading(truth_format="cvat"))[0]) == 1


def test_a_file_in_many_blocks(tmp_path):
    many = [image(BOX, name=f"{k}.jpg") for k in range(3000)]
    source = xml(*many)
    (tmp_path / "a.xml").write_bytes(source.content)
    truth, _ = read_truth(tmp_path / "a.xml", Reading(truth_format="cvat"))
    assert truth.images.key == [f"{k}.jpg" for k in range(3000)]
    assert len(truth) == len(truth_of(source, Reading())[0]) == 3000


def test_a_real_project_with_masks_and_tags(data):
    file = data / "data" / "cvat" / "kgcraig_urban_for_images_masks_tags.xml.gz"
    truth, findings = read_truth(file, Reading(truth_format="cvat"))
    assert (len(truth), len(truth.images), findings) == (245 + 68, 20, [])
    assert [mark for *_, mark in said_of_images(truth)] == [Mark.POSITIVE] * 20
    flags = Counter[str]()
    for element in ElementTree.fromstring(gzip.decompress(file.read_bytes())).iter():
        if element.tag in ("box", "mask"):
            yes = {child.get("name") for child in element if child.text == "yes"}
            flags["occluded"] += "occluded" in yes or element.get("occluded") == "1"
            flags["truncated"] += "truncated" in yes
    assert int((truth.flags & Flag.OCCLUDED != 0).sum()) == flags["occluded"] > 0
    assert int((truth.flags & Flag.TRUNCATED != 0).sum()) == flags["truncated"] > 0
    assert Counter(name for _, name, _ in said(truth)) == {"source": 4, "z_order": 11}


def test_real_masks_fill_their_windows(data):
    file = data / "data" / "cvat" / "kgcraig_urban_for_images_masks_tags.xml.gz"
    truth, _ = read_truth(file, Reading(truth_format="cvat", shapes=True))
    rows = [row for row, shapes in enumerate(truth.shapes) if shapes and shapes[0][0] == Shape.RLE]
    assert len(rows) == 245
    for row in rows[::40]:
        mask = mask_of(truth.shapes.of(row)[0][1])
        image = truth.image[row]
        assert mask.shape == (truth.images.height[image], truth.images.width[image])
        y, x = np.nonzero(mask)
        x0, y0, x1, y1 = truth.corners[row]
        assert x0 <= x.min() <= x.max() < x1
        assert y0 <= y.min() <= y.max() < y1


def test_a_real_video(data):
    file = data / "data" / "cvat" / "obedalfred_traffic_for_video_1.1.xml"
    truth, findings = read_truth(file, Reading(truth_format="cvat-video"))
    assert (len(truth), truth.rejected, findings) == (1751 - 11, (("outside", 11),), [])
    assert (len(np.unique(truth.track)), len(truth.images)) == (20, 221)
    assert truth.corners[0].tolist() == [731.44, 259.31, 898.69, 683.76]
    back, _ = video_of(written(truth, "cvat-video"), Reading())
    assert rows_of(back) == rows_of(truth)
    assert back.images.key == truth.images.key


def unpacked(data: Path, archive: str, name: str, into: Path) -> Path:
    with tarfile.open(data / "data" / archive) as tar:
        members = [m for m in tar.getmembers() if m.name.removeprefix("./").startswith(name) and m.isfile()]
        for member in members:
            target = into / member.name.removeprefix("./")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(tar.extractfile(member).read())
    return into / name


def test_the_same_boxes_as_in_voc_xml(data, tmp_path):
    gts = unpacked(data, "padilla_review/database_gts_dets.tar.gz", "data/database/gts", tmp_path)
    truth, _ = read_truth(gts / "cvat_format" / "annotations.xml", Reading(truth_format="cvat"))
    voc, _ = read_truth(gts / "pascalvoc_format", Reading(truth_format="voc-xml"))
    assert (len(truth), len(truth.images)) == (273, 100)
    assert Counter((bs_stem(k), c, b) for k, c, b in named_rows(truth)) == Counter(named_rows(voc))


def bs_stem(key: str) -> str:
    return key.removesuffix(".jpg")


def test_fixtures_of_datumaro(data, tmp_path):
    folder = unpacked(data, "datumaro_assets/tests_assets_annotations_only.tar.gz", "assets/cvat_dataset", tmp_path)
    file = folder / "for_images" / "export_project" / "annotations.xml"
    truth, _ = read_truth(file, Reading(truth_format="cvat", split="Train", shapes=True))
    assert truth.images.key == ["img0.jpg", "img1.jpg"]
    assert truth.corners.tolist() == [[0, 2, 4, 4], [1, 2, 7, 8], [1, 2, 6, 5], [1, 2, 5, 6]]
    assert [s[0][0] if s else None for s in truth.shapes] == [None, Shape.POLYLINE, Shape.POLYGON, Shape.POINTS]
    assert truth.flags.tolist() == [Flag.OCCLUDED, 0, 0, 0]
    video, _ = read_truth(folder / "for_video" / "annotations.xml", Reading(truth_format="cvat-video"))
    assert video.images.frame.tolist() == [10, 13, 16, 19]
    assert (len(video), video.rejected, set(video.images.video)) == (3, (("outside", 4),), {"t.mp4"})


@settings(max_examples=300)
@given(st.data())
def test_damaged_files_are_refused_or_read(data):
    """Whatever happens to a few bytes: a table, or one of our own errors."""
    whole = bytearray(
        xml(image(BOX, '<mask label="dog" rle="1, 2, 3" left="0" top="0" width="3" height="2"/>')).content
    )
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    content = bytes(whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))])
    for read in (truth_of, video_of, detections_of):
        try:
            table, _ = read(Source("a.xml", None, content), Reading(shapes=True))
        except bs.BoxscoreError:
            continue
        assert np.isfinite(table.corners).all()
