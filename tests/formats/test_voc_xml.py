"""PASCAL VOC and ImageNet: annotations as XML."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.io.lists import read_image_list
from boxscore.formats.voc import xml as voc_xml
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Flag
from boxscore.tables.shapes import Shape
from effort import examples

BOX = "<bndbox><xmin>10</xmin><ymin>20</ymin><xmax>30</xmax><ymax>60</ymax></bndbox>"
SIZE = "<size><width>500</width><height>375</height><depth>3</depth></size>"


def xml(path: Path, *objects: str, size: str = SIZE, filename: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    inner = "".join(f"<object>{one}</object>" for one in objects)
    path.write_text(f"<annotation><filename>{filename}</filename>{size}{inner}</annotation>", encoding="utf-8")
    return path


def results(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content)
    return folder


def test_a_file_per_image_sorted_by_name(tmp_path):
    xml(tmp_path / "b.xml", f"<name>dog</name><difficult>1</difficult>{BOX}", f"<name>cat</name>{BOX}")
    xml(tmp_path / "a.xml")
    (tmp_path / "a.jpg").write_bytes(b"\xff")
    truth, findings = read_truth(tmp_path)
    assert (truth.format, findings) == ("voc-xml", [])
    assert list(truth.images.key) == ["a", "b"]  # the files' own names; without objects, too
    assert truth.images.id is None
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([500, 500], [375, 375])
    assert truth.classes == bs.Classes(("cat", "dog"), ("cat", "dog"))
    assert (truth.image.tolist(), truth.label.tolist()) == ([1, 1], [1, 0])
    assert truth.corners.tolist() == [[10, 20, 30, 60]] * 2
    assert truth.box_area.tolist() == [800, 800]
    assert truth.flags.tolist() == [Flag.DIFFICULT, 0]
    assert np.isnan(truth.area).all()
    assert truth.places[1] == str(tmp_path / "b.xml")


@pytest.mark.parametrize(
    ("element", "flags"),
    [
        ("<difficult/>", 0),
        ("<difficult> 0 </difficult><truncated>1</truncated>", Flag.TRUNCATED),
        ("<truncated>Unspecified</truncated><occluded>1</occluded>", Flag.OCCLUDED),
        ("<generated>1</generated><trackid>0</trackid>", Flag.GENERATED),
        ("<truncated>0.7</truncated><difficult>true</difficult>", Flag.TRUNCATED | Flag.DIFFICULT),
    ],
)
def test_flags(tmp_path, element, flags):
    xml(tmp_path / "a.xml", f"<name>dog</name>{element}{BOX}")
    assert read_truth(tmp_path)[0].flags.tolist() == [flags]


def test_children_are_found_by_name_and_parts_are_no_objects(tmp_path):
    box = "<bndbox><xmax>30.5</xmax><xmin>10</xmin><ymax>60</ymax><ymin>20</ymin></bndbox>"
    part = "<part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>"
    xml(tmp_path / "a.xml", f"{part}<name>person</name>{box}")
    truth, _ = read_truth(tmp_path)
    assert truth.classes.name == ("person",)
    assert truth.corners.tolist() == [[10, 20, 30.5, 60]]


@pytest.mark.parametrize("size", ["", "<size><width>0</width><height/></size>", "<size><width>?</width></size>"])
def test_unknown_sizes(tmp_path, size):
    truth, _ = read_truth(xml(tmp_path / "a.xml", size=size).parent)
    assert np.isnan([*truth.images.width, *truth.images.height]).all()


def test_an_object_without_a_box_is_accounted_for(tmp_path):
    xml(tmp_path / "t" / "a.xml", "<name>dog</name><polygon/>", f"<name>dog</name>{BOX}")
    truth, _ = read_truth(tmp_path / "t")
    assert (len(truth), truth.rejected) == (1, (("no box", 1),))
    found = results(tmp_path / "d", comp4_det_test_dog="a .9 10 20 30 60\n")
    result = bs.evaluate(truth, found, protocol="voc2012")
    assert (result["mAP"], result.ledger.objects.read) == (1, 2)
    assert [f.code for f in result.ledger.findings] == ["BOX002"]


def test_a_devkit_and_folders_below(tmp_path):
    for name in ("VID/val/x/000001", "VID/val/x/000000", "top"):
        xml(tmp_path / "Annotations" / f"{name}.xml")
    (tmp_path / "Annotations" / "._top.xml").write_bytes(b"\x00")
    assert list(read_truth(tmp_path)[0].images.key) == ["VID/val/x/000000", "VID/val/x/000001", "top"]
    assert list(read_truth(tmp_path / "Annotations" / "VID")[0].images.key) == ["val/x/000000", "val/x/000001"]


@pytest.mark.parametrize(
    ("content", "names", "numbers"),
    [
        ("b\na\n", ["b", "a"], None),
        ("b 1\n\na -1\n", ["b", "a"], None),
        ("b.jpg 1\na.jpg 1", ["b", "a"], None),
        ("\ufeffx/b 7\r\na 3\r\n", ["x/b", "a"], [7, 3]),
        ("my b\t2\nmy a\t1\n", ["my b", "my a"], [2, 1]),
    ],
)
def test_image_lists(tmp_path, content, names, numbers):
    (tmp_path / "list.txt").write_text(content)
    for name in (*names, "unlisted"):
        xml(tmp_path / "Annotations" / f"{name}.xml")
    truth, _ = read_truth(tmp_path, Reading(image_list=tmp_path / "list.txt"))
    assert list(truth.images.key) == names
    assert (None if truth.images.id is None else truth.images.id.tolist()) == numbers
    assert read_image_list(tmp_path / "list.txt").number.tolist() == (numbers or [1, 2])


def test_listed_classes(tmp_path):
    xml(tmp_path / "t" / "a.xml", f"<name>dog</name>{BOX}", f"<name>owl</name>{BOX}")
    truth, _ = read_truth(tmp_path / "t", Reading(classes=("dog", "cat", "owl")))
    assert truth.classes == bs.Classes(("dog", "cat", "owl"), ("dog", "cat", "owl"))
    assert truth.label.tolist() == [0, 2]
    (tmp_path / "classes.txt").write_text("dog\ncat\n")
    truth, _ = read_truth(tmp_path / "t", Reading(class_list=tmp_path / "classes.txt"))
    assert truth.label.tolist() == [0, -1]  # never evaluated, and the ledger says so
    result = bs.evaluate(truth, results(tmp_path / "d", comp4_det_x_dog="a 1 10 20 30 60"), protocol="voc2012")
    assert [f.code for f in result.ledger.findings] == ["OBJ001"]


@pytest.mark.parametrize("content", ["dog\ncat\n", "1 dog\n2 cat\n", "2 cat house_cat\n1 dog pet\n"])
def test_class_lists(tmp_path, content):
    (tmp_path / "classes.txt").write_text(content)
    xml(tmp_path / "a.xml", f"<name>dog</name>{BOX}")
    truth, _ = read_truth(tmp_path, Reading(class_list=tmp_path / "classes.txt"))
    assert dict(zip(truth.classes.name, truth.classes.id, strict=True)) == {"dog": 1, "cat": 2}
    assert truth.classes.name[truth.label[0]] == "dog"


def test_text_files_beside_xml(tmp_path):
    xml(tmp_path / "a.xml", f"<name>dog</name>{BOX}")
    results(tmp_path, a="dog .5 10 20 30 60\n")
    assert len(read_truth(tmp_path)[0]) == 1
    assert read_detections(tmp_path, Reading(box="xyxy"))[0].format == "text"


@pytest.mark.parametrize(
    ("path", "filename", "key", "agrees"),
    [
        ("a", "a.jpg", "a.jpg", True),
        ("x/a", "a.JPEG", "x/a.JPEG", True),
        ("a", " a ", "a", True),
        ("a", "", "a", True),
        ("frame.001", "frame.001.png", "frame.001.png", True),
        ("a", "C:\\images\\a.bmp", "a.bmp", True),
        ("ä", "ä.jpg", "ä.jpg", True),
        ("a", "b.jpg", "a", False),
        ("a", "ab.jpg", "a", False),
        ("a", "a.b.jpg", "a", False),
    ],
)
def test_the_name_of_an_image_is_that_of_its_file(tmp_path, path, filename, key, agrees):
    xml(tmp_path / f"{path}.xml", filename=filename)
    for shapes in (False, True):
        truth, findings = read_truth(tmp_path, Reading(shapes=shapes))
        assert list(truth.images.key) == [key]
        assert [f.code for f in findings] == ([] if agrees else ["IMG021"])
        assert agrees or f"{filename} in {path}.xml" in findings[0].text


def test_a_single_file(tmp_path):
    file = xml(tmp_path / "a.b.xml", f"<name>dog</name>{BOX}", filename="a.b.jpg")
    truth, _ = read_truth(file, Reading(truth_format="voc-xml"))
    assert (list(truth.images.key), len(truth), truth.places) == (["a.b.jpg"], 1, [str(file)])
    packed = tmp_path / "c.xml.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    truth, _ = read_truth(packed, Reading(truth_format="voc-xml"))
    assert (list(truth.images.key), truth.corners.tolist()) == (["c"], [[10, 20, 30, 60]])


def kit(folder: Path) -> Path:
    """Two years of a development kit."""
    for year, names in (("VOC2007", "abc"), ("VOC2012", "cd")):
        for name in names:
            xml(folder / year / "Annotations" / f"{name}.xml", filename=f"{name}.jpg")
        (folder / year / "JPEGImages").mkdir()
        for split in ("Main/val", "Segmentation/val", "Layout/train"):
            file = folder / year / "ImageSets" / f"{split}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(names[-1] if split[0] == "M" else names[0])
    (folder / "VOC2007" / "other.xml").write_text("<html/>")  # not in Annotations
    return folder


@pytest.mark.parametrize(
    ("below", "split", "keys"),
    [
        ("", None, ["VOC2007/a.jpg", "VOC2007/b.jpg", "VOC2007/c.jpg", "VOC2012/c.jpg", "VOC2012/d.jpg"]),
        ("VOC2007", None, ["a.jpg", "b.jpg", "c.jpg"]),
        ("VOC2007/Annotations", None, ["a.jpg", "b.jpg", "c.jpg"]),
        ("VOC2007/Annotations", "val", ["a.jpg", "b.jpg", "c.jpg"]),  # there are no splits
        ("VOC2007", "val", ["c.jpg"]),
        ("VOC2012", "val", ["d.jpg"]),
    ],
)
def test_development_kits(tmp_path, below, split, keys):
    truth, _ = read_truth(kit(tmp_path) / below, Reading(truth_format="voc-xml", split=split))
    assert list(truth.images.key) == keys


def test_the_splits_of_an_imagenet(tmp_path):
    for name in ("VID/train/x/000000", "VID/val/y/000001", "VID/val/y/000000", "VID/val/z/000000"):
        track = f"<trackid>{len(name)}</trackid><name>n01440764</name><generated>1</generated>{BOX}"
        xml(tmp_path / "Annotations" / f"{name}.xml", track, filename=name[-6:])
    how = Reading(truth_format="voc-xml", split="val")
    truth, _ = read_truth(tmp_path, how)
    assert list(truth.images.key) == ["VID/val/y/000000", "VID/val/y/000001", "VID/val/z/000000"]
    assert truth.images.video == ["VID/val/y", "VID/val/y", "VID/val/z"]
    (tmp_path / "ImageSets" / "VID").mkdir(parents=True)
    (tmp_path / "ImageSets" / "VID" / "val.txt").write_text("y/000001 1\ny/000000 2\n")
    truth, findings = read_truth(tmp_path, how)
    assert (list(truth.images.key), truth.images.id.tolist(), findings) == (["y/000001", "y/000000"], [1, 2], [])
    assert (truth.images.video, truth.images.frame.tolist()) == (["y", "y"], [1, 0])
    assert (truth.track.tolist(), truth.flags.tolist()) == ([16, 16], [Flag.GENERATED] * 2)
    listed = Reading(image_list=tmp_path / "ImageSets" / "VID" / "val.txt")
    assert list(read_truth(tmp_path, listed)[0].images.key) == ["y/000001", "y/000000"]


def test_objects_without_tracks_make_no_videos(tmp_path):
    xml(tmp_path / "x" / "000001.xml", f"<name>a</name>{BOX}", f"<name>a</name><trackid/>{BOX}")
    truth, _ = read_truth(tmp_path)
    assert (truth.track, truth.images.video, truth.images.frame) == (None, None, None)
    xml(tmp_path / "x" / "000002.xml", f"<name>a</name><trackid> 7 </trackid>{BOX}")
    truth, _ = read_truth(tmp_path)
    assert (truth.track.tolist(), truth.images.frame.tolist()) == ([-1, -1, 7], [1, 2])


ODD = {
    "bom": "\ufeff<annotation><object><name>a</name>{box}</object></annotation>",
    "declared": '<?xml version="1.0" encoding="utf-8"?>\n<annotation><object><name>ä</name>{box}</object></annotation>',
    "references": "<annotation><object><name>a &amp;  b</name>{box}</object></annotation>",
    "numbered references": "<annotation><object><name>&#97;</name>{box}</object></annotation>",
    "cdata": "<annotation><object><name><![CDATA[a]]></name>{box}</object></annotation>",
    "comments": "<annotation><!-- <object/> --><object><name>a<!-- b --></name>{box}</object></annotation>",
    "twice": "<annotation><object><name>a</name>{box}<bndbox><xmin>1</xmin></bndbox></object></annotation>",
    "plus": "<annotation><object><name>a</name><difficult>+1</difficult>{box}</object></annotation>",
    "none": "<annotation><object><name>a</name></object><object><name>a</name>{box}</object></annotation>",
    "carriage": "<annotation>\r\n<object>\r\n<name>a\r\n</name>\r\n{box}</object></annotation>",
    "attributes": "<annotation verified='yes'><object id='1' of='2'><name>a</name>{box}</object></annotation>",
    "instruction": "<?style a?><annotation><object><name>a</name>{box}</object></annotation>",
}


def test_files_in_odd_writing_stand_between_usual_ones(tmp_path):
    """The quick reader leaves some files to the general one; together they find what that one finds alone."""
    for i, text in enumerate(ODD.values()):
        xml(tmp_path / f"{i}a.xml", f"<name>usual</name>{BOX}", f"<name>x{i}</name>{BOX.replace('10', str(i))}")
        (tmp_path / f"{i}b.xml").write_bytes(text.format(box=BOX.replace("20", f"{i}.5")).encode())
    text = "<?xml version='1.0' encoding='{}'?><annotation><object><name>é</name>{}</object></annotation>"
    (tmp_path / "latin.xml").write_bytes(text.format("iso-8859-1", BOX).encode("latin-1"))
    (tmp_path / "wide.xml").write_bytes(text.format("utf-16", BOX).encode("utf-16"))
    quick, slow = (read_truth(tmp_path, Reading(shapes=shapes))[0] for shapes in (False, True))
    assert [list(row.items()) for row in quick] == [list(row.items()) for row in slow]
    assert (list(quick.images.key), quick.rejected) == (list(slow.images.key), slow.rejected)
    assert np.array_equal(quick.images.width, slow.images.width, equal_nan=True)
    assert len(quick) == 3 * len(ODD) + 2
    assert quick.rejected == (("no box", 1),)
    assert {"ä", "é", "a & b", "usual"} <= set(quick.classes.name)


def test_everything_else_is_kept_when_asked_for(tmp_path):
    polygon = "<polygon><x1>1</x1><y1>2</y1><x2>5.5</x2><y2>2</y2><x3>1</x3><y3>9</y3></polygon>"
    oriented = "<robndbox><cx>10</cx><cy>20</cy><w>4</w><h>2</h><angle>0</angle></robndbox>"
    attributes = "<attributes><attribute><name>colour</name><value> red</value></attribute></attributes>"
    actions = "<actions><jumping>1</jumping><other>0</other></actions>"
    part = "<part><name>head</name></part>"
    xml(
        tmp_path / "a.xml", f"<name>a</name><pose>Left</pose>{polygon}{BOX}{attributes}{actions}{part}",
        f"<name>b</name><pose>Unspecified</pose>{oriented}", f"<name>c</name>{polygon}",
    )  # fmt: skip
    truth, _ = read_truth(tmp_path, Reading(shapes=True))
    corners = [[10, 20, 30, 60], [8, 19, 12, 21], [1, 2, 5.5, 9]]
    assert truth.corners.tolist() == corners
    assert list(truth.shapes) == [
        [(Shape.POLYGON, [1, 2, 5.5, 2, 1, 9])],
        [(Shape.ORIENTED, [10, 20, 4, 2, 0])],
        [(Shape.POLYGON, [1, 2, 5.5, 2, 1, 9])],
    ]
    said = {"pose": "Left", "colour": " red", "actions/jumping": "1", "actions/other": "0", "part/name": "head"}
    assert truth.attributes.row.tolist() == [0] * len(said)
    assert dict(zip(truth.attributes.name, truth.attributes.value, strict=True)) == said
    plain, _ = read_truth(tmp_path)
    assert (plain.corners.tolist(), plain.shapes, plain.attributes) == (corners, None, None)


def test_the_box_around_a_turned_box(tmp_path):
    oriented = "<robndbox><cx>10</cx><cy>20</cy><w>4</w><h>2</h><angle>1.5707963267948966</angle></robndbox>"
    xml(tmp_path / "a.xml", f"<name>a</name>{oriented}")
    assert read_truth(tmp_path)[0].corners == pytest.approx(np.array([[9, 18, 11, 22]]), abs=1e-12)  # of cos(pi / 2)


@pytest.mark.parametrize("shapes", [False, True])
def test_detections_have_scores(tmp_path, shapes):
    xml(tmp_path / "a.xml", f"<name>dog</name><score>.25</score>{BOX}", filename="a.jpg")
    xml(tmp_path / "b.xml", f"<name>cat</name><confidence>0.5</confidence>{BOX}")
    xml(tmp_path / "c.xml")
    found, findings = read_detections(tmp_path, Reading(shapes=shapes))
    assert (found.format, findings, found.score.tolist()) == ("voc-xml", [], [0.25, 0.5])
    assert (list(found.images.key), found.classes.name) == (["a.jpg", "b", "c"], ("cat", "dog"))
    assert found.attributes is None


def outcome(files: Files, how: Reading) -> tuple[Any, ...]:
    """What comes of reading: a message, or rows."""
    try:
        truth, findings = voc_xml.read_truth(files, how)
    except InputError as error:
        return (str(error),)
    sizes = (truth.images.width.tolist(), truth.images.height.tolist())
    return repr(list(truth)), repr(sizes), list(truth.images.key), truth.rejected, findings


@settings(max_examples=examples(300))
@given(st.data())
def test_damaged_files_give_the_same_message_or_the_same_rows_both_ways(data):
    content = bytearray(
        f"<annotation><filename>a.jpg</filename>{SIZE}<object><name>dog</name><difficult>1</difficult>{BOX}</object>"
        f"<object><trackid>3</trackid><name>cat</name>{BOX}</object></annotation>".encode()
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 12))] = data.draw(
            st.sampled_from(
                [b"", b"<", b">", b"/", b"0", b"e5", b"-", b" ", b"&", b"nan", b"<name>", b"</object>", b"\xff"]
            )
        )
    files = Files("t", ("a.xml",), None, {"a.xml": bytes(content)})
    assert outcome(files, Reading()) == outcome(files, Reading(shapes=True))


@pytest.mark.parametrize(
    ("names", "found", "stated", "expected"),
    [
        (["cat", "unicorn"], ["cat"], {}, ["CLS005"]),
        (["cat", "unicorn"], ["cat"], {"class_list": "cat\ndog\n"}, ["OBJ001"]),  # left out, and said
        (["cat", "unicorn"], ["cat", "unicorn"], {}, []),  # a benchmark with classes of its own
        (["horn", "unicorn"], ["horn"], {}, []),
        (["cat", "dog"], ["cat"], {}, []),
    ],
)
def test_classes_outside_of_the_benchmark_are_told(tmp_path, names, found, stated, expected):
    """A class that no detector knows would lower the mean without a word."""
    box = "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>"
    objects = "".join(f"<object><name>{name}</name>{box}</object>" for name in names)
    (tmp_path / "a.xml").write_text(f"<annotation><filename>a.jpg</filename>{objects}</annotation>")
    detections = {
        "image": ["a.jpg"] * len(found), "labels": found, "boxes": [[1, 1, 9, 9]] * len(found),
        "scores": [0.5] * len(found),
    }  # fmt: skip
    for name, content in stated.items():
        (tmp_path / f"{name}.names").write_text(content)
    lists = {name: tmp_path / f"{name}.names" for name in stated}
    result = bs.evaluate(tmp_path, detections, box="xyxy", protocol="voc2012", **lists)
    assert [f.code for f in result.ledger.findings if f.code[:3] in ("CLS", "OBJ")] == expected
    if expected == ["CLS005"]:
        (told,) = (f for f in result.ledger.findings if f.code == "CLS005")
        assert told.text == (
            "1 class of the annotation files is not among the 20 of PASCAL VOC and has no detections "
            "(unicorn); each counts as AP 0 in the mean"
        )
        assert result["mAP"] == 0.5
