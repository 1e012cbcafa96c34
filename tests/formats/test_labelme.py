"""LabelMe: shapes of every kind, groups, flags; written and read again; real files of LabelMe and of a review."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import small_tables
from boxscore.formats.io.base64_image import png_of
from boxscore.formats.io.files import open_files
from boxscore.formats.io.mask_runs import mask_of, runs_of
from boxscore.formats.io.writing import made, write
from boxscore.formats.registry import lookup
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Flag, Truth
from boxscore.tables.shapes import Shape
from drawn_tables import CIRCLES, WORDS, again, polygons, rows_of, sizes_of, tables
from effort import examples

POLYGON = [[0, 0], [10, 2], [4, 20]]


def shape(label: str = "cat", points: Any = ((10, 20), (30, 60)), form: str | None = "rectangle", **more: Any) -> Any:
    stated = {} if form is None else {"shape_type": form}
    return {"label": label, "points": points, "group_id": None, **stated, "flags": {}, **more}


def labelme(path: Path, *shapes: Any, image: str = "a.jpg", **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    size = {"imageHeight": 375, "imageWidth": 500}
    path.write_text(json.dumps({"shapes": shapes, "imagePath": image, "imageData": None, **size, **more}))
    return path


def read(path: Path, shapes: bool = True, **how: Any) -> Truth:
    truth, findings = read_truth(path, Reading(truth_format="labelme", shapes=shapes, **how))
    assert findings == []
    return truth


def test_a_file_per_image_named_by_its_image_in_the_folder_of_the_file(tmp_path):
    labelme(tmp_path / "x/b.json", shape("dog"), shape("cat", [[30, 60], [10, 20]]), image="..\\images\\b.png")
    labelme(tmp_path / "a.json", image="/home/me/a.jpg")
    truth = read(tmp_path)
    assert list(truth.images.key) == ["a.jpg", "x/b.png"]
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([500, 500], [375, 375])
    assert (truth.classes.name, truth.image.tolist(), truth.label.tolist()) == (("cat", "dog"), [1, 1], [1, 0])
    assert truth.corners.tolist() == [[10, 20, 30, 60]] * 2  # any two opposite corners
    assert truth.box_area.tolist() == [800, 800]
    assert truth.places == [str(tmp_path / "a.json"), str(tmp_path / "x/b.json")]
    assert np.isnan(truth.area).all()
    assert truth.shapes is None


def test_a_single_file(tmp_path):
    truth = read(labelme(tmp_path / "a.json", shape()))
    assert (list(truth.images.key), len(truth)) == (["a.jpg"], 1)


@pytest.mark.parametrize(
    ("form", "points", "box", "kept"),
    [
        ("rectangle", [[9, 8], [1, 8], [1, 2], [9, 2]], [1, 2, 9, 8], []),
        ("polygon", POLYGON, [0, 0, 10, 20], [(Shape.POLYGON, [0, 0, 10, 2, 4, 20])]),
        (None, POLYGON, [0, 0, 10, 20], [(Shape.POLYGON, [0, 0, 10, 2, 4, 20])]),  # before version 3
        ("circle", [[50, 40], [53, 44]], [45, 35, 55, 45], [(Shape.CIRCLE, [50, 40, 5])]),
        ("oriented_rectangle", [[5, 0], [10, 5], [5, 10], [0, 5]], [0, 0, 10, 10],
         [(Shape.QUAD, [5, 0, 10, 5, 5, 10, 0, 5])]),
        ("rotation", [[5, 0], [10, 5], [5, 10], [0, 5]], [0, 0, 10, 10], [(Shape.QUAD, [5, 0, 10, 5, 5, 10, 0, 5])]),
    ],
)  # fmt: skip
def test_the_box_of_a_shape_is_around_it(tmp_path, form, points, box, kept):
    path = labelme(tmp_path / "a.json", shape(points=points, form=form))
    truth = read(path)
    assert truth.corners.tolist() == [box]
    assert ([] if truth.shapes is None else truth.shapes.of(0)) == kept
    assert read(path, shapes=False).shapes is None
    assert read(path, shapes=False).corners.tolist() == [box]


def test_lines_and_points_are_counted_and_never_boxes(tmp_path):
    forms = {"line": 2, "linestrip": 3, "point": 1, "points": 4}
    some = [shape(points=[[i, i] for i in range(n)], form=form) for form, n in forms.items()]
    truth = read(labelme(tmp_path / "a.json", *some, some[0], shape("__ignore__")))
    assert len(truth) == 0
    assert truth.rejected == (
        ("label __ignore__", 1), ("no area: line", 2), ("no area: linestrip", 1), ("no area: point", 1),
        ("no area: points", 1),
    )  # fmt: skip


def test_no_object_said_by_null_points(tmp_path):
    nothing = [{"label": None, "points": None}, shape(points=None), shape(points=[[None, None]] * 2), shape(points=[])]
    truth = read(labelme(tmp_path / "a.json", *nothing))
    assert (len(truth.images), len(truth), truth.rejected) == (1, 0, (("no points", 3),))


def test_shapes_of_one_label_and_group_are_one_object(tmp_path):
    some = [
        shape(points=POLYGON, form="polygon", group_id=1, flags={"difficult": True}, description="left"),
        shape("dog", group_id=1),
        shape(points=[[20, 30], [25, 30], [25, 40]], form="polygon", group_id=1, description="right"),
        shape(group_id=2),
        shape(),
    ]
    truth = read(labelme(tmp_path / "a.json", *some))
    assert truth.corners.tolist() == [[0, 0, 25, 40], *[[10, 20, 30, 60]] * 3]
    assert [truth.classes.name[k] for k in truth.label] == ["cat", "dog", "cat", "cat"]
    assert [kind for kind, _ in truth.shapes.of(0)] == [Shape.POLYGON, Shape.POLYGON]
    assert truth.flags.tolist() == [Flag.DIFFICULT, 0, 0, 0]
    assert (truth.attributes.row.tolist(), truth.attributes.value) == ([0], ("left; right",))


def test_flags_and_further_statements(tmp_path):
    flags = {"iscrowd": True, "Occluded": True, "truncated": False, "wet": True, "dry": False}
    one = shape(flags=flags, description="big", difficult=True, attributes={"colour": "red", "legs": 4})
    truth = read(labelme(tmp_path / "a.json", one))
    assert truth.flags.tolist() == [Flag.CROWD | Flag.OCCLUDED | Flag.DIFFICULT]
    said = dict(zip(truth.attributes.name, truth.attributes.value, strict=True))
    assert said == {"description": "big", "wet": "true", "dry": "false", "colour": "red", "legs": "4"}


def test_a_mask_lies_at_its_box(tmp_path):
    mask = np.zeros((4, 5), np.bool_)
    mask[1:3, 2:4] = [[True, False], [True, True]]
    one = shape(points=[[3.6, 2.2], [7.6, 5.2]], form="mask", mask=png_of(mask))
    truth = read(labelme(tmp_path / "a.json", one, imageHeight=6, imageWidth=9))
    assert truth.corners.tolist() == [[5, 3, 7, 5]]  # of the pixels that are set; 3.6 is in pixel 3
    ((kind, values),) = truth.shapes.of(0)
    assert kind == Shape.RLE
    whole = np.zeros((6, 9), np.bool_)
    whole[2:6, 3:8] = mask
    assert np.array_equal(mask_of(values), whole)
    assert values == runs_of(whole, 6, 9)


def test_the_size_comes_from_the_copy_of_the_image_where_nothing_else_says_it(tmp_path):
    content = io.BytesIO()
    exif = Image.Exif()
    exif[274] = 6  # to be turned by a quarter
    Image.new("RGB", (7, 3)).save(content, "JPEG", exif=exif)
    image = base64.b64encode(content.getvalue()).decode()
    unknown = {"imageHeight": None, "imageWidth": None}
    assert sizes_of(read(labelme(tmp_path / "a.json", imageData=image, **unknown))) == {"a.jpg": (3, 7)}
    assert read(labelme(tmp_path / "a.json", **unknown)).images.width is None
    damaged = base64.b64encode(b"no image").decode()
    assert read(labelme(tmp_path / "a.json", imageData=damaged, **unknown)).images.width is None


def test_stated_classes_count(tmp_path):
    truth = read(labelme(tmp_path / "a.json", shape("dog"), shape("owl")), classes=("owl", "dog"))
    assert (truth.classes.name, truth.label.tolist()) == (("owl", "dog"), [1, 0])


def test_detections_have_scores(tmp_path):
    labelme(tmp_path / "a.json", shape(score=0.5), shape("dog", confidence=1))
    found, _ = read_detections(tmp_path, Reading(detections_format="labelme"))
    assert (found.score.tolist(), found.format) == ([0.5, 1.0], "labelme")


# Round trips.

SHAPES = st.one_of(
    st.just([]),
    st.lists(polygons().map(lambda values: (Shape.POLYGON, values)), max_size=3),
    polygons().map(lambda values: [(Shape.QUAD, [*values, *values][:8])]),
)
SAID = st.dictionaries(
    st.one_of(st.just("description"), st.just("box"), WORDS.map("x {}".format)),
    st.one_of(WORDS, st.sampled_from(["true", "false"])), max_size=3,
)  # fmt: skip


@settings(max_examples=examples(50))
@given(tables(flags=tuple(Flag), shapes=SHAPES, said=SAID))
def test_truth_comes_back(table):
    read_again = again(table, "labelme")
    assert rows_of(read_again) == rows_of(table)
    assert sizes_of(read_again) == sizes_of(table)
    assert read_again.rejected == ()


@settings(max_examples=examples(50))
@given(tables(scored=True))
def test_detections_come_back(table):
    assert rows_of(again(table, "labelme")) == rows_of(table)


@settings(max_examples=examples(50))
@given(tables(shapes=CIRCLES.map(lambda circle: [circle])))
def test_a_circle_comes_back_but_for_last_bits(table):
    read_again = again(table, "labelme")
    for key, rows in rows_of(table).items():
        for ours, theirs in zip(rows, rows_of(read_again)[key], strict=True):
            assert ours["box"] == theirs["box"]
            ((kind, values),) = theirs["shapes"]
            assert kind == Shape.CIRCLE
            assert values == pytest.approx(ours["shapes"][0][1], abs=1e-11)  # centre plus radius is rounded


@settings(max_examples=examples(50))
@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_masks_come_back(height, width, data):
    bits = data.draw(st.lists(st.booleans(), min_size=height * width, max_size=height * width).filter(any))
    mask = np.array(bits).reshape(height, width)
    values = runs_of(mask, height, width)
    assert np.array_equal(mask_of(values), mask)
    table = data.draw(tables(shapes=st.just([(Shape.RLE, values)])))
    table.images.width[:], table.images.height[:] = width, height
    assert rows_of(again(table, "labelme")) == rows_of(table)


def test_files_are_named_after_images(tmp_path):
    for name in ("a", "b"):
        labelme(tmp_path / "t" / f"{name}.json", shape(), image=f"x.{name}.jpg")
    labelme(tmp_path / "t" / "c.json", image="x.a.png")
    labelme(tmp_path / "t" / "d" / "a.json", image="e.jpg")
    truth = read(tmp_path / "t")
    assert [name for name, _ in made(truth, "labelme")] == ["x.a.json", "x.b.json", "x.a.png.json", "d/e.json"]
    write(truth, tmp_path / "w", "labelme")
    assert rows_of(read(tmp_path / "w")) == rows_of(truth)
    content = json.loads((tmp_path / "w/x.a.json").read_text())
    assert content["imagePath"] == "x.a.jpg"
    assert content["imageData"] is None
    assert (content["imageHeight"], content["imageWidth"], content["version"]) == (375, 500, "5.5.0")
    assert content["shapes"][0]["group_id"] is None


def test_files_never_leave_the_folder():
    table, _ = small_tables.tables([], [], images=["../../a.jpg", "/b/c.jpg", "a.jpg", "./a.png"])
    assert [name for name, _ in made(table, "labelme")] == ["a.json", "b/c.json", "a.jpg.json", "a.png.json"]


# Real files.


def test_the_primitives_of_labelme(data):
    files = open_files(data / "data/labelme/labelme_examples_json_voc.tar.gz").below("primitives")
    truth, _ = lookup("labelme").reader("truth")(files, Reading(shapes=True))
    assert dict(truth.rejected) == {"no area: line": 1, "no area: linestrip": 1, "no area: point": 1}
    kinds = [[kind for kind, _ in parts] for parts in truth.shapes]
    assert kinds == [[], [Shape.CIRCLE], [], [Shape.POLYGON], [Shape.RLE]]
    assert truth.corners[[0, 2]].tolist() == [[32, 35, 132, 135], [391, 33, 542, 135]]
    assert truth.corners[4].tolist() == [417, 305, 517, 405]  # 100 pixels each way


def test_the_boxes_of_labelme_are_those_of_its_own_export_to_voc(data):
    files = open_files(data / "data/labelme/labelme_examples_json_voc.tar.gz").below("bbox_detection")
    ours, _ = lookup("labelme").reader("truth")(files.below("data_annotated"), Reading())
    voc, _ = lookup("voc-xml").reader("truth")(files.below("data_dataset_voc"), Reading())
    assert list(ours.images.key) == list(voc.images.key)
    assert np.array_equal(ours.corners, voc.corners)
    assert (ours.classes, ours.label.tolist()) == (voc.classes, voc.label.tolist())


def test_a_review_has_the_same_boxes_in_labelme_and_voc(data):
    files = open_files(data / "data/padilla_review/database_gts_dets.tar.gz").below("gts")
    ours, _ = lookup("labelme").reader("truth")(files.below("labelme_format"), Reading())
    voc, _ = lookup("voc-xml").reader("truth")(files.below("pascalvoc_format"), Reading())
    assert (len(ours.images), len(ours)) == (100, 273)
    assert list(ours.images.key) == list(voc.images.key)
    for name in ("corners", "image", "label", "box_area"):
        assert np.array_equal(getattr(ours, name), getattr(voc, name)), name
    assert ours.classes == voc.classes
    assert np.array_equal(ours.images.width, voc.images.width)
    assert int((voc.flags & Flag.DIFFICULT != 0).sum()) == 38  # which LabelMe has no word for
    assert not ours.flags.any()
