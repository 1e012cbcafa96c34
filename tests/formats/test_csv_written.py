"""What CSV formats write comes back: names of any kind, boxes to the last bit, flags, scores, sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.holding import losses
from boxscore.formats.io.files import Files
from boxscore.formats.io.writing import made
from boxscore.formats.registry import lookup
from boxscore.joining.read import Reading
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth

FLAGS = (Flag.OCCLUDED, Flag.TRUNCATED, Flag.GROUP_OF, Flag.DEPICTION, Flag.INSIDE)
letters = st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\\")
tricky = st.sampled_from(['a "b"', "a, b", "two\nlines", ";", "x/y z.jpg", "äöü 😀", '"', "a\tb", "0"])
names = st.one_of(st.text(letters, min_size=1, max_size=6).map(lambda name: f"n{name}".strip()), tricky)


@st.composite
def tables(draw, relative: bool, scored: bool):
    """Tables in which every class and every image but perhaps the last has a box."""
    keys = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    classes = sorted(draw(st.lists(names, min_size=1, max_size=3, unique=True)))
    n = max(len(keys), len(classes)) + draw(st.integers(0, 3))
    sides = st.floats(0, 1) if relative else st.floats(-1e4, 1e4)
    boxes = np.array(draw(st.lists(st.tuples(sides, sides, sides, sides), min_size=n, max_size=n)), np.float64)
    if not relative:
        boxes[0, 2] = 1000.5  # so that the numbers show what they are
    corners, area = to_corners(boxes, "xyxy")
    width = np.array(draw(st.lists(st.integers(1, 5000), min_size=len(keys), max_size=len(keys))), np.float64)
    image, label = np.arange(n, dtype=np.int32) % len(keys), np.arange(n, dtype=np.int32) % len(classes)
    sizes = (None, None) if relative else (width, width[::-1].copy())
    columns = (Images(keys, None, *sizes), Classes(tuple(classes), tuple(classes)), image, label, corners, area)
    if scored:
        score = np.array(draw(st.lists(st.floats(-1, 2), min_size=n, max_size=n)), np.float64)
        return Detections(*columns, np.arange(n), relative=relative, score=score)
    some = st.lists(st.sampled_from(FLAGS), unique=True).map(sum)
    flags = np.array(draw(st.lists(some, min_size=n, max_size=n)), np.uint16)
    return Truth(*columns, np.arange(n), relative=relative, area=np.full(n, np.nan), flags=flags)


def back(table, form, **how):
    ((path, content),) = made(table, form)
    assert path == ""
    side = "detections" if isinstance(table, Detections) else "truth"
    read, _ = lookup(form).reader(side)(Files("x", ("",), None, {"": content}), Reading(**how))
    return read


def same(read, table):
    assert list(read.images.key) == list(table.images.key)
    assert read.classes == table.classes
    for name in ("image", "label", "corners", "box_area", "score"):
        if hasattr(table, name):
            np.testing.assert_array_equal(getattr(read, name), getattr(table, name), err_msg=name, strict=True)
    assert read.relative == table.relative


@given(tables(relative=True, scored=False))
def test_open_images(table):
    read = back(table, "open-images")
    same(read, table)
    assert read.flags.tolist() == table.flags.tolist()


@given(tables(relative=True, scored=True))
def test_open_images_detections(table):
    same(back(table, "open-images"), table)


@given(tables(relative=False, scored=False))
def test_tf_csv(table):
    read = back(table, "tf-csv", coords="absolute")
    same(read, table)
    np.testing.assert_array_equal(read.images.width, table.images.width)
    np.testing.assert_array_equal(read.images.height, table.images.height)


@given(tables(relative=False, scored=True))
def test_tf_csv_detections(table):
    same(back(table, "tf-csv", coords="absolute"), table)


def small(**changes):
    image, corners = np.zeros(1, np.int32), np.array([[1.0, 2.0, 3.0, 4.0]])
    images = Images(["a.jpg", "b.jpg"], None, np.array([8.0, 4.0]), np.array([16.0, 4.0]))
    flags = np.array([Flag.GROUP_OF | Flag.CROWD], np.uint16)
    table = Truth(
        images, Classes(("cat",), (7,)), image, image, corners, np.array([4.0]), np.arange(1),
        area=np.array([np.nan]), flags=flags,
    )  # fmt: skip
    return replace(table, **changes)


def test_the_bytes():
    ((_, content),) = made(small(), "open-images")
    assert content.decode().splitlines() == [
        "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside",
        "a.jpg,xclick,cat,1,0.125,0.375,0.125,0.25,0,0,1,0,0",
    ]
    ((_, content),) = made(small(), "tf-csv")
    assert content.decode() == "filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,8,16,cat,1,2,3,4\n"
    unknown = small(images=Images(["a.jpg"]))
    assert next(iter(made(unknown, "tf-csv")))[1].decode().splitlines()[1] == "a.jpg,,,cat,1,2,3,4"
    shares = small(relative=True, corners=np.array([[0.25, 0.5, 0.75, 1.0]]))
    assert next(iter(made(shares, "tf-csv")))[1].decode().splitlines()[1] == "a.jpg,8,16,cat,2,8,6,16"


@pytest.mark.parametrize(
    ("form", "lost"),
    [
        ("open-images", ["images without boxes", "image sizes", "class ids", "flag 'crowd'",
                         "boxes to their last bits: they become normalized"]),
        ("tf-csv", ["images without boxes", "class ids", "flag 'crowd'", "flag 'group-of'"]),
    ],
)  # fmt: skip
def test_what_is_lost_is_listed(form, lost):
    assert [text for text, _ in losses(small(), lookup(form))] == lost
