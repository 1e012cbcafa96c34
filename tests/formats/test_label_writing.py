"""Text and YOLO, written and read again: everything that the format keeps comes back."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.formats.holding import losses
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.text_lines import holds
from boxscore.formats.io.writing import Writing, made, write
from boxscore.formats.registry import lookup
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.joining.read_back import changes
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth, row_numbers
from boxscore.tables.shapes import Shape, ShapesMaker
from effort import examples

Table = Truth | Detections
characters = st.characters(codec="utf-8", exclude_characters="/\\\0", exclude_categories=("Cs", "Cc"))
parts = st.text(characters, min_size=1, max_size=6).filter(lambda t: not t.startswith(".") and t == t.strip())
keys = st.tuples(st.lists(parts, max_size=2), parts, st.sampled_from(["", ".jpg", ".PNG"])).map(
    lambda p: "/".join([*p[0], p[1] + p[2]])
)
places = st.one_of(st.integers(-20, 700).map(float), st.floats(-1e3, 1e3))
sides = st.one_of(st.integers(0, 300).map(float), st.floats(0, 1e3))


@st.composite
def tables(draw: st.DrawFn, names: st.SearchStrategy[str], scored: bool, relative: bool = False) -> Table:
    """Images with and without boxes, classes with any names, boxes of any kind."""
    key = draw(st.lists(keys, min_size=1, max_size=4, unique_by=lambda k: without_extension(k).lower()))
    name = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    one = st.tuples(st.sampled_from(range(len(key))), st.sampled_from(range(len(name))), places, places, sides, sides)
    rows = draw(st.lists(one, max_size=6))
    start, size = (np.array([row[k : k + 2] for row in rows]).reshape(-1, 2) for k in (2, 4))
    corners = np.concatenate([start, start + size], axis=1) / (1000 if relative else 1)
    columns: dict[str, Any] = {
        "images": Images(key, None, np.full(len(key), 640.0), np.full(len(key), 480.0)),
        "classes": Classes(tuple(name), tuple(range(len(name)))),
        "image": np.array([row[0] for row in rows], np.int32), "label": np.array([row[1] for row in rows], np.int32),
        "corners": corners, "box_area": np.zeros(len(rows)), "position": row_numbers(len(rows)), "source": "it",
        "relative": relative,
    }  # fmt: skip
    if scored:
        score = draw(st.lists(st.floats(0, 1) | st.floats(0, 100), min_size=len(rows), max_size=len(rows)))
        return Detections(**columns, score=np.array(score, np.float64))
    flags = draw(st.lists(st.sampled_from([0, Flag.DIFFICULT]), min_size=len(rows), max_size=len(rows)))
    return Truth(**columns, area=np.full(len(rows), np.nan), flags=np.array(flags, np.uint16))


def again(table: Table, form: str, how: Writing, read: dict[str, Any]) -> Any:
    with tempfile.TemporaryDirectory() as root:
        write(table, Path(root, "made"), form, how)
        if isinstance(table, Truth):
            return read_truth(Path(root, "made"), Reading(truth_format=form, **read))[0]
        return read_detections(Path(root, "made"), Reading(detections_format=form, **read))[0]


def by_image(table: Table, unit: Any = 1) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of each image in order, under its name without extension."""
    rows: dict[str, list[tuple[Any, ...]]] = {without_extension(key): [] for key in table.images.key}
    for i in range(len(table)):
        more = table.score[i] if isinstance(table, Detections) else table.flags[i]
        name = table.classes.name[table.label[i]]
        rows[without_extension(table.images.key[table.image[i]])].append((name, *(table.corners[i] * unit), more))
    return rows


line_names = st.text(characters, min_size=1, max_size=8).map(lambda t: " ".join(t.split()))
text_names = st.sampled_from(["cat", "traffic light", "type 1", "7", "#1", "ß é", "a,b"]) | line_names
text_names = text_names.filter(lambda name: holds(name, 4) and holds(name, 5))
text_tables = st.booleans().flatmap(lambda scored: tables(text_names, scored))


@settings(max_examples=examples(60))
@given(text_tables, st.sampled_from(["xywh", "xyxy"]))
def test_text_comes_back(table: Table, form: str) -> None:
    back = again(table, "text", Writing(box=form), {"box": form, "coords": "absolute"})
    if isinstance(table, Truth) and form == "xywh":
        table = replace(table, flags=np.zeros(len(table), np.uint16))  # only files of corners have that word
    assert by_image(back) == by_image(table)
    assert not back.relative


@settings(max_examples=examples(40))
@given(text_tables)
def test_relative_text_comes_back(table: Table) -> None:
    back = again(table, "text", Writing(coords="relative"), {"coords": "relative", "image_size": (640, 480)})
    assert_near(back, table)


def assert_near(back: Table, table: Table, unit: Any = 1) -> None:
    """Equal but for the last bits of boxes, which were divided by the size and made of centres."""
    ours, theirs = by_image(back, unit), by_image(table)
    assert {key: [row[0] for row in rows] for key, rows in ours.items()} == {
        key: [row[0] for row in rows] for key, rows in theirs.items()
    }
    for key, rows in ours.items():
        for row, other in zip(rows, theirs[key], strict=True):
            assert row[1:5] == pytest.approx(other[1:5], rel=1e-12, abs=1e-12)
            assert isinstance(table, Truth) or row[5] == other[5]


any_names = st.text(st.characters(exclude_categories=("Cs",)), max_size=8) | st.sampled_from(["no", "1", "a: b", "- x"])
yolo_tables = st.tuples(st.booleans(), st.booleans()).flatmap(lambda p: tables(any_names, *p))


@settings(max_examples=examples(60))
@given(yolo_tables, st.sampled_from([None, "val", "holdout"]), st.sampled_from(["first", "last"]))
def test_yolo_comes_back(table: Table, split: str | None, confidence: str) -> None:
    back = again(table, "yolo", Writing(split=split, confidence=confidence), {"confidence": confidence})
    assert_near(back, table, 1 if table.relative else np.array([640, 480, 640, 480]))
    assert back.classes == table.classes  # those without boxes, too
    assert back.relative


def shaped(*shapes: list[tuple[Shape, list[float]]], corners: list[list[float]]) -> Truth:
    maker = ShapesMaker()
    for row, listed in enumerate(shapes):
        for kind, values in listed:
            maker.add(row, kind, values)
    n = len(shapes)
    return Truth(
        Images(["a.jpg"], None, np.array([100.0]), np.array([50.0])), Classes(("cat",), (0,)), np.zeros(n, np.int32),
        np.zeros(n, np.int32), np.array(corners, np.float64), np.zeros(n), row_numbers(n), area=np.full(n, np.nan),
        flags=np.zeros(n, np.uint16), shapes=maker.shapes(n),
    )  # fmt: skip


def test_polygons_and_oriented_boxes_become_rows_of_points():
    table = shaped(
        [(Shape.POLYGON, [0, 0, 10, 0, 10, 5])], [], [(Shape.ORIENTED, [50, 25, 20, 10, np.pi / 2])],
        [(Shape.POLYGON, [0, 0, 10, 0, 10, 5]), (Shape.POLYGON, [50, 20, 60, 20, 60, 25])],
        corners=[[0, 0, 10, 5], [0, 0, 10, 5], [45, 15, 55, 35], [0, 0, 60, 25]],
    )  # fmt: skip
    lines = dict(made(table, "yolo"))["labels/a.txt"].decode().splitlines()
    assert lines[0] == "0 0 0 0.1 0 0.1 0.1"
    assert lines[1] == "0 0.05 0.05 0.1 0.1"
    assert np.array(lines[2].split(), np.float64)[1:] == pytest.approx([0.55, 0.3, 0.55, 0.7, 0.45, 0.7, 0.45, 0.3])
    assert lines[3] == "0 0 0 0.1 0 0.1 0.1 0 0 0.5 0.4 0.6 0.4 0.6 0.5 0.5 0.4"
    back = again(table, "yolo", Writing(), {"shapes": True, "image_size": (100, 50)})
    assert back.corners == pytest.approx(table.corners, abs=1e-12)
    assert back.shapes.of(0) == [(Shape.POLYGON, [0, 0, 10, 0, 10, 5])]


def test_what_is_written():
    table = shaped([], corners=[[10, 20, 15, 24.5]])
    table = replace(table, flags=np.array([Flag.DIFFICULT], np.uint16))
    assert dict(made(table, "text")) == {"a.txt": b"cat 10 20 5 4.5\n"}
    assert dict(made(table, "text", Writing(box="xyxy"))) == {"a.txt": b"cat 10 20 15 24.5 difficult\n"}
    assert dict(made(table, "text", Writing(coords="relative"))) == {"a.txt": b"cat 0.125 0.445 0.05 0.09\n"}
    assert dict(made(table, "yolo", Writing(split="val"))) == {
        "data.yaml": b"train: images/val\nval: images/val\nnc: 1\nnames:\n- cat\n",
        "labels/val/a.txt": b"0 0.125 0.445 0.05 0.09\n",
    }
    lost = {form: [text for text, _ in losses(table, lookup(form))] for form in ("text", "yolo")}
    assert "flag 'difficult'" in lost["text"]
    assert "boxes to their last bits: they become normalized" in lost["yolo"]


def test_a_tree_does_not_leave_its_folder(tmp_path):
    table = replace(shaped([], corners=[[1, 2, 3, 4]]), images=Images(["../../x/./a.jpg"]))
    write(table, tmp_path / "made", "text")
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.txt")] == ["made/x/a.txt"]


def test_rows_without_image_or_class_are_left_out():
    table = shaped([], [], [], corners=[[1, 2, 3, 4]] * 3)
    table = replace(table, image=np.array([0, -1, 0], np.int32), label=np.array([0, 0, -1], np.int32))
    assert dict(made(table, "text")) == {"a.txt": b"cat 1 2 2 2\n"}
    assert dict(made(table, "yolo"))["labels/a.txt"].count(b"\n") == 1


def test_the_box_goes_before_a_polygon_that_has_another_one(tmp_path):
    table = shaped([(Shape.POLYGON, [0, 0, 10, 0, 10, 5])], [(Shape.POLYGON, [0, 0, 10, 0, 10, 5])],
                   corners=[[0, 0, 10, 5], [0, 0, 12, 5]])  # fmt: skip
    lines = {rows: dict(made(table, "yolo", Writing(rows=rows)))["labels/a.txt"].decode().splitlines()
             for rows in (None, "box", "polygon")}  # fmt: skip
    polygon, box = "0 0 0 0.1 0 0.1 0.1", "0 0.06 0.05 0.12 0.1"
    assert lines[None] == [polygon, box]
    assert lines["box"] == ["0 0.05 0.05 0.1 0.1", box]
    assert lines["polygon"] == [polygon, polygon]
    table = replace(table, box_area=np.array([50.0, 60.0]))
    far = ("boxes exactly: coordinates change by up to 2 pixels", 1)
    for rows, expected in ((None, ("polygons: only the box is written", 1)), ("polygon", far)):
        write(table, tmp_path / str(rows), "yolo", Writing(rows=rows))
        assert changes(table, tmp_path / str(rows), "yolo", Writing(rows=rows)) == [expected]


def test_rows_hold_a_polygon_or_keypoints(tmp_path):
    pose, polygon = (Shape.KEYPOINTS, [2, 1, 2, 8, 4, 1]), (Shape.POLYGON, [0, 0, 10, 0, 10, 5])
    table = replace(shaped([polygon, pose], [pose], corners=[[0, 0, 10, 5], [0, 0, 10, 5]]), box_area=np.full(2, 50.0))
    lost = {
        None: ("keypoints: only the box or polygon is written", 2),
        "pose": ("polygons: only the box is written", 1),
    }
    for rows, expected in lost.items():
        write(table, tmp_path / str(rows), "yolo", Writing(rows=rows))
        assert changes(table, tmp_path / str(rows), "yolo", Writing(rows=rows)) == [expected]
