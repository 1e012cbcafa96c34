"""VIA: regions in JSON and CSV, the class among attributes; written and read again; three exports of the same."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Flag, Truth
from boxscore.tables.shapes import Shape
from drawn_tables import CIRCLES, ONE_POLYGON, WORDS, again, rows_of, sizes_of, tables
from effort import examples

RECT = {"name": "rect", "x": 10, "y": 20, "width": 30, "height": 40}
HEADER = "filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes"


def region(shape: Any = RECT, **attributes: Any) -> Any:
    return {"shape_attributes": shape, "region_attributes": attributes or {"label": "cat"}}


def image(*regions: Any, name: str = "a.jpg", **more: Any) -> Any:
    return {"filename": name, "size": 5, "regions": list(regions), "file_attributes": {}, **more}


def via(folder: Path, *images: Any, form: str = "json") -> Path:
    """The same images as JSON or as CSV."""
    path = folder / f"via.{form}"
    if form == "json":
        path.write_text(json.dumps({f"{one['filename']}{one['size']}": one for one in images}))
        return path
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(HEADER.split(","))
    for one in images:
        start = (one["filename"], one["size"], json.dumps(one["file_attributes"]), len(one["regions"]))
        for n, r in enumerate(one["regions"]):
            rows.writerow((*start, n, json.dumps(r["shape_attributes"]), json.dumps(r["region_attributes"])))
        if not one["regions"]:
            rows.writerow((*start, 0, "{}", "{}"))
    path.write_text(text.getvalue())
    return path


def read(path: Path, **how: Any) -> Truth:
    truth, findings = read_truth(path, Reading(truth_format=f"via-{path.suffix[1:]}", **{"shapes": True, **how}))
    assert findings == []
    return truth


both = pytest.mark.parametrize("form", ["json", "csv"])


@both
def test_regions_of_images(tmp_path, form):
    images = (image(region(), region(label="dog")), image(name="b.jpg"), image(region(), name="x\\c.jpg"))
    truth = read(via(tmp_path, *images, form=form))
    assert list(truth.images.key) == ["a.jpg", "b.jpg", "x/c.jpg"]  # without regions, too
    assert (truth.image.tolist(), truth.label.tolist()) == ([0, 0, 2], [0, 1, 0])
    assert (truth.classes.name, truth.format) == (("cat", "dog"), f"via-{form}")
    assert truth.corners.tolist() == [[10, 20, 40, 60]] * 3
    assert truth.box_area.tolist() == [1200] * 3
    assert truth.images.width is None


@both
@pytest.mark.parametrize(
    ("shape", "box", "kept"),
    [
        ({"name": "polygon", "all_points_x": [1, 9, 4], "all_points_y": [2, 3, 8]}, [1, 2, 9, 8],
         (Shape.POLYGON, [1, 2, 9, 3, 4, 8])),
        ({"name": "circle", "cx": 5, "cy": 6, "r": 2.5}, [2.5, 3.5, 7.5, 8.5], (Shape.CIRCLE, [5, 6, 2.5])),
        ({"name": "ellipse", "cx": 5, "cy": 6, "rx": 2, "ry": 1}, [3, 5, 7, 7], (Shape.ELLIPSE, [5, 6, 2, 1, 0])),
        ({"name": "ellipse", "cx": 5, "cy": 6, "rx": 2, "ry": 1, "theta": math.pi / 2}, [4, 4, 6, 8],
         (Shape.ELLIPSE, [5, 6, 2, 1, math.pi / 2])),
    ],
)  # fmt: skip
def test_the_box_of_a_shape_is_around_it(tmp_path, form, shape, box, kept):
    truth = read(via(tmp_path, image(region(shape)), form=form))
    assert truth.corners[0].tolist() == pytest.approx(box, abs=1e-15)  # sines of right angles
    assert truth.shapes.of(0) == [kept]
    assert read(via(tmp_path, image(region(shape)), form=form), shapes=False).shapes is None


@both
def test_lines_points_and_regions_without_a_class_are_counted(tmp_path, form):
    shapes = [{"name": "point", "cx": 1, "cy": 2}, {"name": "polyline", "all_points_x": [1], "all_points_y": [1]}]
    regions = [*map(region, shapes), region(label=""), region(size="big"), region(label={"cat": False})]
    truth = read(via(tmp_path, image(*regions), form=form))
    assert (len(truth), truth.rejected) == (0, (("no area: point", 1), ("no area: polyline", 1), ("no class", 3)))


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"Info": "cat"}, "cat"),  # the only one
        ({"colour": "red", "Type": "cat"}, "cat"),
        ({"type": "red", "CLASS": "cat"}, "cat"),  # class comes before type
        ({"kind": {"cat": True, "dog": False}}, "cat"),
        ({"kind": 3}, "3"),
        ({"kind": "cat", "score": 0.5, "difficult": "1", "flags": {}}, "cat"),
    ],
)
def test_the_class_is_the_only_attribute_or_one_with_a_usual_name(tmp_path, attributes, name):
    assert read(via(tmp_path, image(region(**attributes)))).classes.name == (name,)


def test_without_attributes_one_stated_class_is_that_of_all(tmp_path):
    bare = {"shape_attributes": RECT, "region_attributes": {}}
    truth = read(via(tmp_path, image(bare, bare)), classes=("fire",))
    assert (truth.classes.name, truth.label.tolist()) == (("fire",), [0, 0])
    assert read(via(tmp_path, image(bare, bare)), truth_classes=("fire",)).label.tolist() == [0, 0]


@both
def test_flags_and_further_statements(tmp_path, form):
    attributes = {
        "label": "cat", "Difficult": "yes", "occluded": "0", "crowd": {"yes": True}, "truncated": {"no": True},
        "flags": {"group_of": True, "wet": True, "inside": False}, "colour": "red", "legs": 4, "empty": "",
    }  # fmt: skip
    truth = read(via(tmp_path, image(region(**attributes)), form=form))
    assert truth.flags.tolist() == [Flag.DIFFICULT | Flag.CROWD | Flag.GROUP_OF]
    said = dict(zip(truth.attributes.name, truth.attributes.value, strict=True))
    assert said == {"wet": "true", "colour": "red", "legs": "4"}


@both
def test_sizes_stand_among_the_attributes_of_files_if_anywhere(tmp_path, form):
    sized = image(file_attributes={"Width": "500", "height": 375, "caption": "x"})
    assert sizes_of(read(via(tmp_path, sized, form=form))) == {"a.jpg": (500, 375)}


def test_older_and_wrapped_files_are_the_same(tmp_path):
    usual = read(via(tmp_path, image(region(), region(label="dog"))))
    older = image(name="a.jpg", base64_img_data="", fileref="")
    older["regions"] = {"0": region(), "1": region(label="dog")}
    project = {"_via_settings": {}, "_via_img_metadata": {"a.jpg5": older}, "_via_attributes": {}}
    (tmp_path / "p.json").write_text(json.dumps(project))
    assert rows_of(read(tmp_path / "p.json")) == rows_of(usual)
    first = HEADER.replace("filename", "#filename", 1)
    rows = via(tmp_path, image(region(), region(label="dog")), form="csv").read_text().splitlines()[1:]
    (tmp_path / "p.csv").write_text("\n".join([first, *rows]))
    assert rows_of(read(tmp_path / "p.csv")) == rows_of(usual)


@both
def test_detections_have_scores(tmp_path, form):
    path = via(tmp_path, image(region(label="cat", score="0.25"), region(label="dog", Confidence=1)), form=form)
    found, _ = read_detections(path, Reading(detections_format=f"via-{form}"))
    assert (found.score.tolist(), found.classes.name) == ([0.25, 1.0], ("cat", "dog"))


# Round trips.

ELLIPSES = CIRCLES.map(lambda circle: (Shape.ELLIPSE, [*circle[1], circle[1][2] / 2, 0.75]))
SHAPES = st.one_of(ONE_POLYGON, CIRCLES.map(lambda one: [one]), ELLIPSES.map(lambda one: [one]))
SAID = st.dictionaries(WORDS.map("x {}".format), WORDS, max_size=3)


@both
@settings(max_examples=examples(50))
@given(table=tables(flags=tuple(Flag), shapes=SHAPES, said=SAID))
def test_truth_comes_back(form, table):
    read_again = again(table, f"via-{form}")
    assert rows_of(read_again) == rows_of(table)
    assert sizes_of(read_again) == sizes_of(table)
    assert list(read_again.images.key) == list(table.images.key)


@both
@settings(max_examples=examples(50))
@given(table=tables(scored=True))
def test_detections_come_back(form, table):
    assert rows_of(again(table, f"via-{form}")) == rows_of(table)


def test_what_is_written_is_what_via_writes(tmp_path):
    truth = read(via(tmp_path, image(region()), image(name="b.jpg")))
    ((_, content),) = made(truth, "via-json")
    assert json.loads(content)["a.jpg-1"] == {
        "filename": "a.jpg", "size": -1, "file_attributes": {},
        "regions": [{"shape_attributes": RECT, "region_attributes": {"label": "cat"}}],
    }  # fmt: skip
    ((_, content),) = made(truth, "via-csv")
    assert content.decode().splitlines()[::2] == [HEADER, "b.jpg,-1,{},0,0,{},{}"]


# Real files.


def test_the_same_images_in_three_exports(data):
    folder = data / "data/via"
    ours = read(folder / "egutierrezc93_via_export_json.json")
    rows = read(folder / "egutierrezc93_via_export_csv.csv")
    coco, _ = read_truth(folder / "egutierrezc93_via_export_coco.json")
    assert (len(ours.images), len(ours)) == (6, 18)
    assert list(ours.images.key) == list(rows.images.key) == list(coco.images.key)
    for name in ("image", "corners", "box_area"):
        assert np.array_equal(getattr(ours, name), getattr(rows, name)), name
        assert np.array_equal(getattr(ours, name), getattr(coco, name)), name
    names = [[table.classes.name[k] for k in table.label] for table in (ours, rows, coco)]
    assert names[0] == names[1] == names[2]


def test_polygons_without_a_class(data):
    path = data / "data/via/fabioaraujopt_fire_polygons_via_region_data.json"
    truth = read(path, classes=("fire",))
    assert (len(truth.images), len(truth)) == (391, 766)
    assert truth.corners[0].tolist() == [139, 150, 664, 339]
    assert rows_of(again(truth, "via-csv")) == rows_of(truth)
