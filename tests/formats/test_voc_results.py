"""PASCAL VOC: results as a text file per class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.holding import losses
from boxscore.formats.io.files import Files
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.writing import Writing, made, write
from boxscore.formats.registry import lookup
from boxscore.formats.voc import results as voc_results
from boxscore.joining.read import Reading, read_detections
from boxscore.tables.model import Classes, Detections, Images, Truth

STATED = Reading(detections_format="voc-results")


def results(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content)
    return folder


def truth_of(keys: list[str], *names: str) -> Truth:
    """A truth without objects."""
    none = np.zeros(0, np.int32)
    return Truth(Images(keys), Classes(names, names), none, none, np.zeros((0, 4)), np.zeros(0), np.zeros(0, np.int64))


def test_results(tmp_path):
    folder = results(
        tmp_path / "d", comp3_det_val_dog="", comp3_det_val_cat="b .5 1 2 3.5 4\n\n a\t1\t10 20 30 60\n", README="hello"
    )
    found, findings = read_detections(folder)
    assert (found.format, findings) == ("voc-results", [])
    assert list(found.images.key) == ["b", "a"]
    assert found.classes.name == ("cat", "dog")  # an empty file is a class without detections
    assert (found.image.tolist(), found.label.tolist()) == ([0, 1], [0, 0])
    assert found.score.tolist() == [0.5, 1]
    assert found.corners.tolist() == [[1, 2, 3.5, 4], [10, 20, 30, 60]]
    assert found.box_area.tolist() == [5, 800]


def test_rows_of_results_stand_by_file_and_line(tmp_path):
    folder = results(tmp_path / "d", comp3_det_val_b="x .1 1 1 2 2\ny .9 1 1 2 2", comp3_det_val_a="y .3 1 1 2 2")
    found, _ = read_detections(folder)
    assert found.score.tolist() == [0.3, 0.1, 0.9]
    assert found.position.tolist() == [0, 1, 2]


def test_class_names_with_underscores(tmp_path):
    folder = results(tmp_path / "d", comp3_det_val_traffic_light="a .5 1 2 3 4\n", comp3_det_val_light="a .5 1 2 3 4\n")
    found, _ = read_detections(folder, None, truth_of(["a"], "traffic_light", "light"))
    assert found.classes.name == ("light", "traffic_light")
    found, _ = read_detections(folder, Reading(classes=("light", "val_traffic_light", "traffic_light")))
    assert found.classes.name == ("light", "traffic_light")
    found, _ = read_detections(folder, None, truth_of(["a"], "light"))
    assert found.classes.name == ("light", "traffic_light")  # which the truth does not know
    found, _ = read_detections(folder)
    assert found.classes.name == ("light", "traffic_light")


def test_results_by_any_name_if_stated(tmp_path):
    folder = results(tmp_path / "d", det_test_cat="a .5 1 2 3 4\n", cow="", fire_hydrant="")
    found, _ = read_detections(folder, STATED)
    assert found.classes.name == ("cow", "cat", "fire_hydrant")


def test_results_in_folders_below(tmp_path):
    results(tmp_path / "results" / "VOC2007" / "Main", comp4_det_test_cat="a .5 1 2 3 4\n", comp4_det_test_dog="")
    results(tmp_path / "results", notes="hello")
    found, _ = read_detections(tmp_path, STATED)
    assert (found.classes.name, len(found)) == (("cat", "dog"), 1)
    results(tmp_path / "plain" / "d", det_test_cat="a .5 1 2 3 4\n")
    assert read_detections(tmp_path / "plain", STATED)[0].classes.name == ("cat",)


def test_the_results_of_a_split(tmp_path):
    folder = results(tmp_path / "d", comp4_det_test_cat="a .5 1 2 3 4\n", comp4_det_val_cat="", comp4_det_val_dog="")
    found, _ = read_detections(folder, Reading(split="val"))
    assert (found.classes.name, len(found)) == (("cat", "dog"), 0)
    only = results(tmp_path / "e", comp4_det_test_cat="a .5 1 2 3 4\n")
    assert len(read_detections(only, Reading(split="val"))[0]) == 1  # the truth's split; results have but one


def test_images_get_the_extension_that_the_truth_has(tmp_path):
    lines = "a .5 1 2 3 4\nx/b .5 1 2 3 4\nc .5 1 2 3 4\nd .5 1 2 3 4\ne.jpg .5 1 2 3 4\n"
    folder = results(tmp_path / "d", comp4_det_test_cat=lines)
    truth = truth_of(["a.jpg", "x/b.png", "c.jpg", "c.png", "d", "d.jpg", "e.jpg"], "cat")
    found, findings = read_detections(folder, None, truth)
    assert list(found.images.key) == ["a.jpg", "x/b.png", "c", "d", "e.jpg"]
    assert [(f.code, f.count) for f in findings] == [("IMG003", 1)]  # c is c.jpg or c.png


words = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=5)
labels = st.text(
    st.characters(codec="utf-8", exclude_categories=("Zs", "Zl", "Zp", "C"), exclude_characters="/"), max_size=4
)
numbers = st.floats(-1e6, 1e6) | st.integers(-5, 999).map(float)


@st.composite
def detections(draw: st.DrawFn) -> Detections:
    names = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    classes = tuple(draw(st.lists(labels.map("a b_{}".format), min_size=1, max_size=3, unique=True)))
    row = st.tuples(st.integers(0, len(names) - 1), st.integers(0, len(classes) - 1), *[numbers] * 5)
    rows = sorted(draw(st.lists(row, max_size=6)), key=lambda r: r[1])
    columns = np.array(rows, np.float64).reshape(-1, 7)
    corners = columns[:, 3:].copy()
    return Detections(
        Images([f"x/{name}" for name in names]), Classes(classes, classes), columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int32), corners, (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]),
        np.arange(len(rows)), score=columns[:, 2].copy(),
    )  # fmt: skip


@given(detections())
def test_what_is_written_is_read(table):
    """Whatever the format keeps; images without detections are not there any more, as the losses say."""
    contents = dict(made(table, "voc-results", Writing(split="val")))
    assert list(contents) == [f"comp4_det_val_{name}.txt" for name in table.classes.name]
    read, _ = voc_results.read_detections(Files("d", tuple(sorted(contents)), None, contents), Reading())
    assert sorted(read.classes.name) == sorted(table.classes.name)
    rows = [sorted((r["image"], r["class"], r["score"], r["box"]) for r in t) for t in (read, table)]
    keys = [without_extension(key) for key in table.images.key]
    expected = [(keys[table.images.key.index(i)], *rest) for i, *rest in rows[1]]
    assert repr(rows[0]) == repr(sorted(expected))
    lost = dict(losses(table, lookup("voc-results")))
    assert lost.get("images without boxes", 0) == len(table.images) - len(read.images)


def test_lines_as_written(tmp_path):
    columns = (np.zeros(1, np.int32), np.ones(1, np.int32), np.array([[1, 2.5, 3, 1e-7]]), np.ones(1), np.arange(1))
    table = Detections(Images(["a.jpg"]), Classes(("cat", "dog"), (1, 2)), *columns, score=np.array([0.1]))
    write(table, tmp_path / "d", "voc-results")
    assert (tmp_path / "d" / "comp4_det_test_cat.txt").read_text() == ""
    assert (tmp_path / "d" / "comp4_det_test_dog.txt").read_text() == "a 0.1 1.0 2.5 3.0 1e-07\n"
