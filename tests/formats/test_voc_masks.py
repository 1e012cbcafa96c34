"""PASCAL VOC's segmentations: pictures of objects and classes, with and without XML files beside them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boxscore import InputError, evaluate
from boxscore.formats.io.files import open_files
from boxscore.formats.recognise import recognise
from boxscore.joining.read import ReadOptions, read_truth
from boxscore.tables.masks import masks_of
from boxscore.tables.model import Flag

image = pytest.importorskip("PIL.Image")

#  Two cats (8) and a void border between them; a person (15) in the second picture.
FIRST = np.array(
    [
        [1, 1, 255, 2, 2, 0],
        [1, 1, 255, 2, 2, 0],
        [1, 1, 255, 0, 2, 0],
    ],
    np.uint8,
)
SECOND = np.array([[0, 0, 0], [0, 1, 1]], np.uint8)
XML = """<annotation><filename>{name}.jpg</filename><size><width>{w}</width><height>{h}</height></size>{objects}
</annotation>"""
OBJECT = """<object><name>{}</name><difficult>{}</difficult><bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax>
<ymax>{}</ymax></bndbox></object>"""


def picture(path: Path, pixels: np.ndarray) -> None:
    """A picture with VOC's first colours as palette."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = image.frombytes("P", pixels.shape[::-1], pixels.tobytes())
    made.putpalette([v % 256 for v in range(768)])
    made.save(path)


def classes_of(pixels: np.ndarray, *numbers: int) -> np.ndarray:
    """The picture of classes that goes with one of objects, by the class of each."""
    table = np.arange(256, dtype=np.uint8)
    table[1 : len(numbers) + 1] = numbers
    return table[pixels]


def kit(folder: Path, xml: bool = False) -> Path:
    picture(folder / "SegmentationObject" / "a.png", FIRST)
    picture(folder / "SegmentationClass" / "a.png", classes_of(FIRST, 8, 8))
    picture(folder / "SegmentationObject" / "b.png", SECOND)
    picture(folder / "SegmentationClass" / "b.png", classes_of(SECOND, 15))
    lists = folder / "ImageSets" / "Segmentation"
    lists.mkdir(parents=True)
    (lists / "val.txt").write_text("b\n")
    if xml:
        (folder / "Annotations").mkdir()
        dog, person = OBJECT.format("dog", 0, 1, 1, 3, 3), OBJECT.format("person", 0, 2, 2, 3, 2)
        cats = OBJECT.format("cat", 0, 1, 1, 2, 3) + OBJECT.format("cat", 1, 4, 1, 5, 3)
        contents = (("a", FIRST.shape, cats + dog), ("b", SECOND.shape, person), ("c", (4, 4), dog))
        for name, (h, w), objects in contents:
            (folder / "Annotations" / f"{name}.xml").write_text(XML.format(name=name, w=w, h=h, objects=objects))
    return folder


def test_pictures_alone(tmp_path: Path) -> None:
    files = open_files(kit(tmp_path))
    assert recognise(files, "truth", None, None).form == "voc-masks"
    truth, findings = read_truth(tmp_path)
    assert not findings
    assert truth.format == "voc-masks"
    assert [*truth.images.key] == ["a", "b"]
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([6, 3], [3, 2])
    assert [truth.classes.name[k] for k in truth.label] == ["cat", "cat", "person"]
    assert truth.classes.id[:2] == (1, 2)
    assert truth.corners.tolist() == [[0, 0, 2, 3], [3, 0, 5, 3], [1, 1, 3, 2]]
    masks = masks_of(truth.shapes, np.array([[3, 6], [3, 6], [2, 3]]))
    assert masks.area.tolist() == [6, 5, 2]  # void pixels belong to nobody


def test_a_split_and_a_list(tmp_path: Path) -> None:
    kit(tmp_path)
    assert [*read_truth(tmp_path, ReadOptions(split="val"))[0].images.key] == ["b"]
    (tmp_path / "list.txt").write_text("a\n")
    assert [*read_truth(tmp_path, ReadOptions(image_list=tmp_path / "list.txt"))[0].images.key] == ["a"]


def test_classes_of_another_set(tmp_path: Path) -> None:
    kit(tmp_path)
    names = tuple(f"c{k}" for k in range(1, 16))
    truth, _ = read_truth(tmp_path, ReadOptions(classes=names))
    assert [truth.classes.name[k] for k in truth.label] == ["c8", "c8", "c15"]


@pytest.mark.parametrize("form", [None, "voc-masks"])
def test_with_annotations(tmp_path: Path, form: str | None) -> None:
    """Classes, flags and boxes are those of the XML files; an object that no pixel has has no mask."""
    kit(tmp_path, xml=True)
    truth, _ = read_truth(tmp_path, ReadOptions(needs=("masks",), truth_format=form))
    assert [*truth.images.key] == ["a.jpg", "b.jpg"]  # the third image has no picture of its objects
    assert [truth.classes.name[k] for k in truth.label] == ["cat", "cat", "dog", "person"]
    assert truth.flags.tolist() == [0, Flag.DIFFICULT, 0, 0]
    assert truth.corners.tolist()[0] == [1, 1, 2, 3]
    masks = masks_of(truth.shapes, np.array([[3, 6]] * 3 + [[2, 3]]))
    assert (masks.area.tolist(), masks.absent.tolist()) == ([6, 5, 0, 2], [False, False, True, False])
    assert len(read_truth(tmp_path, ReadOptions())[0].images) == 3  # boxes need no pictures


def test_evaluation(tmp_path: Path) -> None:
    encode = pytest.importorskip("pycocotools.mask").encode
    folder = kit(tmp_path / "kit")
    found = []
    rows = (("a", FIRST, 1, "cat", 0.9), ("a", FIRST, 2, "cat", 0.8), ("b", SECOND, 1, "person", 0.7))
    for name, pixels, number, label, score in rows:
        made = encode(np.asfortranarray(pixels == number))
        found.append({
            "image_id": name, "category_id": label, "score": score,
            "segmentation": {"size": made["size"], "counts": made["counts"].decode()},
        })  # fmt: skip
    (tmp_path / "r.json").write_text(json.dumps(found))
    result = evaluate(folder, tmp_path / "r.json", protocol="voc-segm")
    assert result["mAP"] == 1.0
    kit(tmp_path / "xml", xml=True)
    with pytest.raises(InputError, match=r"1 of 4 objects without a mask \(row 3 in image a.jpg\)"):
        evaluate(tmp_path / "xml", tmp_path / "r.json", protocol="voc-segm")
    result = evaluate(tmp_path / "xml", tmp_path / "r.json", protocol="voc-segm[maskless_objects=dropped]")
    assert result["mAP"] == 1.0


def test_left_out_pictures(tmp_path: Path) -> None:
    kit(tmp_path)
    (tmp_path / "SegmentationObject" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(InputError, match="a picture that cannot be read"):
        read_truth(tmp_path)
    truth, findings = read_truth(tmp_path, ReadOptions(skip_invalid=True))
    assert [truth.images.key[i] for i in truth.image] == ["b"]
    assert [f.code for f in findings] == ["REC001"]
    kit(tmp_path / "x", xml=True)
    (tmp_path / "x" / "SegmentationObject" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    truth, _ = read_truth(tmp_path / "x", ReadOptions(needs=("masks",), skip_invalid=True))
    assert [truth.images.key[i] for i in truth.image] == ["b.jpg"]
