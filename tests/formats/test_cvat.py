"""CVAT XML 1.1 for images: hand-made and damaged files."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore.formats.cvat.read import read_detections as detections_of
from boxscore.formats.cvat.read import read_truth as truth_of
from boxscore.formats.cvat.video import read_truth as video_of
from boxscore.formats.io.mask_runs import mask_of, runs_of
from boxscore.formats.io.source import Source
from boxscore.joining.read import Reading, read_truth
from boxscore.tables.model import Flag, Mark
from boxscore.tables.shapes import Shape
from effort import examples
from small_cvat import BOX, LABELS, image, xml
from table_scenes import said, said_of_images


def shape_of(element: str, meta: str = f"<task>{LABELS}</task>") -> tuple[list[float], list[tuple[Shape, list[float]]]]:
    truth, _ = truth_of(xml(image(element), meta=meta), Reading(shapes=True))
    return truth.corners[0].tolist(), [] if truth.shapes is None else truth.shapes.of(0)


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
    truth, findings = truth_of(xml(image(one, two, tags)), Reading(truth_classes=("dog", "cat", "owl")))
    assert (truth.classes.name, truth.label.tolist()) == (("dog", "cat", "owl"), [0, 2])
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


def test_a_file_in_many_blocks(tmp_path):
    many = [image(BOX, name=f"{k}.jpg") for k in range(3000)]
    source = xml(*many)
    (tmp_path / "a.xml").write_bytes(source.content)
    truth, _ = read_truth(tmp_path / "a.xml", Reading(truth_format="cvat"))
    assert truth.images.key == [f"{k}.jpg" for k in range(3000)]
    assert len(truth) == len(truth_of(source, Reading())[0]) == 3000


@settings(max_examples=examples(300))
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
