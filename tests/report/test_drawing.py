"""Drawings: the pixels of lines and labels, the images that are found or missing."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

import boxscore as bs
from boxscore.evaluation.run import evaluate_tables
from boxscore.formats.io.files import open_files
from boxscore.joining.align import align
from boxscore.report.drawing import STYLES, Mark, Style, drawn
from boxscore.report.drawings import drawings, marks_of_point, marks_of_truth


def pixels(image: Image.Image, colour: str) -> int:
    return int((np.asarray(image.convert("RGB")) == ImageColor.getrgb(colour)).all(axis=2).sum())


def test_a_dashed_line_has_gaps():
    plain = Image.new("RGB", (200, 200), "white")
    solid, dashed = (drawn(plain, [Mark((20, 20, 180, 180), "", Style("x", "#0072B2", dash))]) for dash in ((), (5, 3)))
    assert 0 < pixels(dashed, "#0072B2") < pixels(solid, "#0072B2")


def test_the_kinds_differ_in_colour_and_line():
    assert len({style.colour for style in STYLES.values()}) == len({style.dash for style in STYLES.values()}) == 4


def test_a_legend_stands_below():
    plain = Image.new("RGB", (300, 100), "white")
    made = drawn(plain, [Mark((10, 30, 90, 90), "cat", STYLES["true"])], tuple(STYLES.values()))
    assert made.width == 300
    assert made.height > 100


@pytest.fixture
def scene(tmp_path: Path):
    (tmp_path / "images" / "deep").mkdir(parents=True)
    for name, size in (("a.png", (120, 80)), ("deep/b.jpg", (80, 120))):
        Image.new("RGB", size, "white").save(tmp_path / "images" / name)
    truth = {
        "images": [{"id": i, "file_name": name} for i, name in enumerate(("a.png", "b.jpg", "c.png"), 1)],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 50]},
            {"id": 2, "image_id": 2, "category_id": 1, "bbox": [10, 10, 50, 50]},
        ],
        "categories": [{"id": 1, "name": "cat"}],
    }
    found = [
        {"image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 50], "score": 0.9},
        {"image_id": 1, "category_id": 1, "bbox": [70, 20, 30, 30], "score": 0.8},
    ]
    objects = bs.read_truth(truth)[0]
    return align(objects, bs.read_detections(found, None, objects)[0]), open_files(tmp_path / "images")


def test_true_false_and_missed(scene):
    aligned, images = scene
    marks = marks_of_point(aligned, evaluate_tables(aligned, bs.protocols.get("coco")).at(0.5))
    kinds = {image: sorted(mark.style.title for mark in own) for image, own in marks.items()}
    assert kinds == {0: ["false", "true"], 1: ["missed"]}
    made = list(drawings(aligned.truth, marks, images, legend=True))
    assert [(d.path, d.content is None) for d in made] == [("a.png", False), ("deep/b.jpg", False), ("c.png", True)]
    first = Image.open(io.BytesIO(made[0].content))
    assert first.format == "PNG"
    assert pixels(first, STYLES["true"].colour) > 100
    assert pixels(first, STYLES["false"].colour) > 20
    assert Image.open(io.BytesIO(made[1].content)).format == "JPEG"


def test_truth_alone_and_a_limit(scene):
    aligned, images = scene
    marks = marks_of_truth(aligned.truth)
    assert [mark.text for own in marks.values() for mark in own] == ["cat", "cat"]
    assert len(list(drawings(aligned.truth, marks, images, legend=False, most=1))) == 1


def test_an_image_that_is_none(scene, tmp_path):
    aligned, _ = scene
    (tmp_path / "images" / "a.png").write_bytes(b"nothing")
    with pytest.raises(bs.InputError, match=r"a\.png: an image that cannot be read .*; expected a complete image"):
        list(drawings(aligned.truth, {}, open_files(tmp_path / "images"), legend=False))
