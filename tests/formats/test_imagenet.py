"""Predictions of ImageNet's challenges, their lists and blacklists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs
from boxscore.formats.io.blacklist import read_blacklist
from boxscore.formats.io.lists import read_class_list
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Mark

DET = "2 1 0.5 10 20 30 60\n\n1 3 .25 1 2 3.5 4\n2 1 0.75 1 1 2 2\n"
LOC = "3 10 20 30 60 1 1 2 3 4\n\n2 5 6 7 8\n\n"


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def boxes(*rows: tuple[str, list[float]]) -> str:
    """Annotations of an image, as XML."""
    corners = ("xmin", "ymin", "xmax", "ymax")
    inner = "".join(
        f"<object><name>{name}</name><bndbox>"
        + "".join(f"<{c}>{v}</{c}>" for c, v in zip(corners, box, strict=True))
        + "</bndbox></object>"
        for name, box in rows
    )
    return f"<annotation>{inner}</annotation>"


def test_det_without_lists(tmp_path):
    found, findings = read_detections(write(tmp_path / "p.txt", DET))
    assert (found.format, findings) == ("imagenet-det", [])
    assert (list(found.images.key), found.images.id.tolist()) == (["1", "2"], [1, 2])
    assert found.classes == bs.Classes(("1", "3"), (1, 3))
    assert (found.image.tolist(), found.label.tolist()) == ([1, 0, 1], [0, 1, 0])
    assert found.score.tolist() == [0.5, 0.25, 0.75]
    assert found.corners.tolist() == [[10, 20, 30, 60], [1, 2, 3.5, 4], [1, 1, 2, 2]]
    assert found.box_area.tolist() == [800, 5, 1]


@pytest.mark.parametrize("images", ["x/a\nb\n", "x/a 1\nb 2\n", "b 2\nx/a 1"])
@pytest.mark.parametrize(
    "classes", ["n00000001 cat\nn00000002 dog\nn00000003 owl, bird\n", "3 n00000003\n1 n00000001\n"]
)
def test_det_with_lists(tmp_path, images, classes):
    how = Reading(image_list=write(tmp_path / "i.txt", images), class_list=write(tmp_path / "c.txt", classes))
    found, _ = read_detections(write(tmp_path / "p.txt", DET), how)
    assert [(row["image"], row["class"]) for row in found] == [
        ("b", "n00000001"), ("x/a", "n00000003"), ("b", "n00000001"),
    ]  # fmt: skip
    assert found.images.id.tolist() == [1, 2]


def test_det_with_classes(tmp_path):
    found, _ = read_detections(write(tmp_path / "p.txt", DET), Reading(classes=("cat", "dog", "owl")))
    assert [row["class"] for row in found] == ["cat", "owl", "cat"]


def test_det_against_xml(tmp_path):
    kit = tmp_path / "kit"
    write(kit / "Annotations" / "a.xml", boxes(("n00000003", [1, 2, 3, 4])))
    write(kit / "Annotations" / "b.xml", boxes(("n00000001", [10, 20, 30, 60])))
    how = {
        "image_list": write(tmp_path / "i.txt", "a\nb\n"),
        "class_list": write(tmp_path / "c.txt", "n00000001\nn00000002\nn00000003\n"),
        "blacklist": write(tmp_path / "b.txt", "1 3\n9 1\n"),
    }
    result = bs.evaluate(kit, write(tmp_path / "p.txt", DET), protocol="voc2012", **how)
    assert result["AP[class=n00000001]"] == 0.5
    assert result.ledger.images.matched == 2
    assert result.ledger.findings == ()


def test_an_empty_file_is_no_detections_if_stated(tmp_path):
    path = write(tmp_path / "p.txt", "")
    for form in ("imagenet-det", "imagenet-loc"):
        found, _ = read_detections(path, Reading(detections_format=form))
        assert (len(found), found.corners.shape) == (0, (0, 4))


def test_loc(tmp_path):
    found, findings = read_detections(write(tmp_path / "p.txt", LOC))
    assert (found.format, findings) == ("imagenet-loc", [])
    assert found.images.id.tolist() == [1, 2, 3]  # a line is an image, also without guesses
    assert (found.image.tolist(), found.label.tolist()) == ([0, 0, 2], [2, 0, 1])
    assert found.classes == bs.Classes(("1", "2", "3"), (1, 2, 3))
    assert found.score.tolist() == [0, -1, 0]
    assert found.corners.tolist() == [[10, 20, 30, 60], [1, 2, 3, 4], [5, 6, 7, 8]]
    named, _ = read_detections(tmp_path / "p.txt", Reading(image_list=write(tmp_path / "i.txt", "c\na\nb\nd\n")))
    assert list(named.images.key) == ["c", "a", "b"]


def test_class_lists(tmp_path):
    assert read_class_list(write(tmp_path / "a", "1 n01 cat\n\n3 n02\n")) == bs.Classes(("n01", "n02"), (1, 3))
    assert read_class_list(write(tmp_path / "b", "traffic light\ndog\n")) == bs.Classes(
        ("traffic light", "dog"), (1, 2)
    )


def two_images() -> bs.Truth:
    """Images 10 and 20; classes 1 and 2; 10 has objects of both, twice of 2."""
    columns = {"image": [10, 10, 20, 10], "labels": [2, 1, 2, 2], "boxes": [[0, 0, 1, 1]] * 4}
    return read_truth(columns, Reading(box="xyxy"))[0]


def test_blacklists(tmp_path):
    truth = two_images()
    pairs = read_blacklist(write(tmp_path / "det.txt", "20 1\n10 2\n30 1\n10 9\n"), truth)
    assert (pairs.image.tolist(), pairs.label.tolist()) == ([1, 0], [0, 1])  # others are of a larger set
    assert pairs.mark.tolist() == [Mark.BLACKLISTED] * 2
    images = read_blacklist(write(tmp_path / "loc.txt", "10\n30\n"), truth)
    assert (images.image.tolist(), images.label.tolist()) == ([0, 0], [0, 1])
    assert len(read_blacklist(write(tmp_path / "none.txt", "\n"), truth)) == 0


def test_images_without_numbers_count_from_one(tmp_path):
    columns = {"images": ["b", "a"], "image": ["b"], "labels": [4], "boxes": [[0, 0, 1, 1]]}
    truth, _ = read_truth(columns, Reading(box="xyxy"))
    made = read_blacklist(write(tmp_path / "det.txt", "1 4\n2 4\n"), truth)
    assert made.image.tolist() == [0, 1]


def test_a_blacklist_comes_after_other_labels(tmp_path):
    table = write(tmp_path / "t.csv", "ImageID,LabelName,XMin,XMax,YMin,YMax\na,1,0,1,0,1\n")
    labels = write(tmp_path / "l.csv", "ImageID,LabelName,Confidence\na,1,1\n")
    black = write(tmp_path / "b.txt", "1\n")
    truth, _ = read_truth(table, Reading(image_labels=labels, blacklist=black))
    assert truth.labels.mark.tolist() == [Mark.POSITIVE, Mark.BLACKLISTED]
    again, findings = read_truth(two_images(), Reading(blacklist=black))  # a table is as good as a file
    assert (len(again.labels), findings) == (0, [])


def named(table: Any, rows: Any) -> list[tuple[int, str]]:
    """Image number and class name of each row."""
    return [(int(table.images.id[i]), table.classes.name[k]) for i, k in zip(rows.image, rows.label, strict=True)]


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_the_cases_as_files(data, tmp_path, seed):
    given = json.loads((data / "reference" / "cases" / "ilsvrc_det" / f"ilsvrc_det_{seed}.json").read_text())["input"]
    number = {name: k for k, name in enumerate(given["classes"], 1)}
    for image in given["images"]:
        rows = [(o["class"], o["bbox"]) for o in image["objects"]]
        write(tmp_path / "kit" / "Annotations" / f"{image['name']}.xml", boxes(*rows))
    lines = [(d["image_id"], number[d["class"]], d["score"], *d["bbox"]) for d in given["detections"]]
    black = "".join(f"{b['image_id']} {number[b['class']]}\n" for b in given["blacklist"])
    how = Reading(
        image_list=write(tmp_path / "i.txt", "".join(f"{i['name']} {i['id']}\n" for i in given["images"])),
        class_list=write(tmp_path / "c.txt", "\n".join(given["classes"])),
        blacklist=write(tmp_path / "b.txt", black),
    )
    truth, _ = read_truth(tmp_path / "kit", how)
    assert truth.images.id.tolist() == [i["id"] for i in given["images"]]
    assert truth.corners.tolist() == [o["bbox"] for i in given["images"] for o in i["objects"]]
    assert named(truth, truth.labels) == [(b["image_id"], b["class"]) for b in given["blacklist"]]
    found, _ = read_detections(
        write(tmp_path / "p.txt", "".join(" ".join(map(repr, line)) + "\n" for line in lines)), how, truth
    )
    assert named(found, found) == [(d["image_id"], d["class"]) for d in given["detections"]]
    assert found.corners.tolist() == [d["bbox"] for d in given["detections"]]
    assert found.score.tolist() == [d["score"] for d in given["detections"]]
