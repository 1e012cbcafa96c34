"""Open Images: boxes, image labels, predictions, label maps and hierarchies, in every way that files have them."""

from __future__ import annotations

import base64
import gzip
import json
import tarfile
import zlib
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.io.delimited import Rows
from boxscore.formats.io.rle import text_of
from boxscore.formats.io.source import Source
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Flag, Mark
from boxscore.tables.shapes import Shape

BOXES = """ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside
b,xclick,/m/cat,1,0.1,0.3,0.2,0.6,1,0,0,0,0
a,xclick,/m/dog,1,0,1,0,1,0,1,1,-1,0
b,activemil,/m/cat,1,0.5,0.75,0.25,0.5,0,0,-1,1,1
"""
LABELS = "ImageID,Source,LabelName,Confidence\nc,verification,/m/cat,0\na,verification,/m/dog,1\nb,machine,/m/dog,0.7\n"
PREDICTED = "ImageID,LabelName,Score,XMin,XMax,YMin,YMax\nb,/m/cat,0.75,0.1,0.3,0.2,0.6\na,/m/dog,0.5,0,1,0,1\n"
MAP = "item { name: '/m/dog' id: 2 display_name: 'Dog' }\nitem { name: '/m/cat' id: 1 display_name: 'Cat' }\n"


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_boxes(tmp_path):
    truth, findings = read_truth(write(tmp_path / "boxes.csv", BOXES))
    assert (truth.format, findings) == ("open-images", [])
    assert list(truth.images.key) == ["b", "a"]  # as they first appear
    assert truth.classes == bs.Classes(("/m/cat", "/m/dog"), ("/m/cat", "/m/dog"))
    assert truth.image.tolist() == [0, 1, 0]
    assert truth.label.tolist() == [0, 1, 0]
    assert truth.corners.tolist() == [[0.1, 0.2, 0.3, 0.6], [0, 0, 1, 1], [0.5, 0.25, 0.75, 0.5]]
    assert truth.box_area.tolist() == [(0.3 - 0.1) * (0.6 - 0.2), 1, 0.0625]
    assert np.isnan(truth.area).all()
    assert truth.flags.tolist() == [Flag.OCCLUDED, Flag.TRUNCATED | Flag.GROUP_OF, Flag.DEPICTION | Flag.INSIDE]
    assert truth.position.tolist() == [0, 1, 2]
    assert truth.labels is None


def test_image_labels(tmp_path):
    boxes, labels = write(tmp_path / "boxes.csv", BOXES), write(tmp_path / "labels.csv", LABELS)
    truth, _ = read_truth(boxes, Reading(image_labels=labels))
    assert list(truth.images.key) == ["b", "a", "c"]  # an image that only has labels is one, too
    assert truth.labels.image.tolist() == [2, 1, 0]
    assert truth.labels.label.tolist() == [0, 1, 1]
    assert truth.labels.mark.tolist() == [Mark.NEGATIVE, Mark.POSITIVE, Mark.NEGATIVE]
    assert truth.labels.mark.dtype == np.uint8


def test_predictions(tmp_path):
    found, findings = read_detections(write(tmp_path / "p.csv", PREDICTED))
    assert (found.format, findings) == ("open-images", [])
    assert list(found.images.key) == ["b", "a"]
    assert found.classes.name == ("/m/cat", "/m/dog")
    assert found.score.tolist() == [0.75, 0.5]
    assert found.corners.tolist() == [[0.1, 0.2, 0.3, 0.6], [0, 0, 1, 1]]
    assert found.label.tolist() == [0, 1]


@pytest.mark.parametrize("name", ["Confidence", "Conf", "score"])
def test_names_of_the_score(tmp_path, name):
    found, _ = read_detections(write(tmp_path / "p.csv", PREDICTED.replace("Score", name)))
    assert found.score.tolist() == [0.75, 0.5]


def test_the_form_of_the_competition(tmp_path):
    lines = [
        "ImageId,PredictionString",
        "b,/m/cat 0.75 0.1 0.2 0.3 0.6 /m/dog .5 0 0 1 1",
        "c,",
        "",
        'a,"/m/dog 1 0 0 1 1"',
    ]
    found, _ = read_detections(write(tmp_path / "p.txt", "\n".join(lines)))
    assert list(found.images.key) == ["b", "c", "a"]  # an image without predictions is one, too
    assert found.image.tolist() == [0, 0, 2]
    assert found.label.tolist() == [0, 1, 1]
    assert found.score.tolist() == [0.75, 0.5, 1]
    assert found.corners.tolist() == [[0.1, 0.2, 0.3, 0.6], [0, 0, 1, 1], [0, 0, 1, 1]]
    empty, _ = read_detections(write(tmp_path / "e.csv", "ImageID,PredictionString\n"))
    assert (len(empty), empty.corners.shape) == (0, (0, 4))


def test_a_long_string_is_no_obstacle(tmp_path):
    words = "/m/cat 0.75 0.1 0.2 0.3 0.6 " * 10_000  # csv would stop at 131,072 characters
    found, _ = read_detections(write(tmp_path / "p.csv", f"ImageID,PredictionString\na,{words}\n"))
    assert len(found) == 10_000


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n\n,,,,,,\n",
        lambda text: "\n" + text.rstrip("\n"),
        lambda text: text.replace(",", ";").replace("0.", "0,"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace(",", " , "),
        lambda text: text.replace("/m/cat", '"/m/cat"').replace("ImageID", '"ImageID"'),
        lambda text: text.replace("0.3", '"0,3"'),
        lambda text: text.replace("ImageID,", "ImageID,Note,").replace("b,", 'b,"two\nlines",').replace("a,", "a,x,"),
        lambda text: gzip.compress(text.encode()),
    ],
    ids=[
        "crlf", "byte order mark", "blank rows", "blank line first", "semicolons", "tabs", "spaces", "quotes",
        "decimal commas", "a field of two lines", "gzip",
    ],
)  # fmt: skip
def test_ways_of_writing(tmp_path, change):
    found, _ = read_detections(write(tmp_path / "p.csv", change(PREDICTED)))
    assert list(found.images.key) == ["b", "a"]
    assert found.classes.name == ("/m/cat", "/m/dog")
    assert found.score.tolist() == [0.75, 0.5]
    assert found.corners.tolist() == [[0.1, 0.2, 0.3, 0.6], [0, 0, 1, 1]]


@pytest.mark.parametrize(
    "text", ["0.1", "1e-1", "1E-01", "+.1", "00.1", " 0.1", "0.1000000000000000055511151231257827"]
)
def test_ways_of_writing_a_number(tmp_path, text):
    found, _ = read_detections(write(tmp_path / "p.csv", PREDICTED.replace("0.1", text)))
    assert found.corners[0, 0] == 0.1


def test_more_than_one_block_with_quotes_late(tmp_path):
    rows = [f"i{k // 3},/m/{k % 5},{k / 9000},{k / 18000},1,0,1" for k in range(9000)]
    rows[7000] = rows[7000].replace("/m/0", '"/m/0"')
    found, _ = read_detections(write(tmp_path / "p.csv", "\n".join([PREDICTED.splitlines()[0], *rows])))
    assert found.score.tolist() == [k / 9000 for k in range(9000)]
    assert found.corners[:, 0].tolist() == [k / 18000 for k in range(9000)]
    assert found.label.tolist() == [k % 5 for k in range(9000)]
    assert found.image.tolist() == [k // 3 for k in range(9000)]


def test_a_row_may_name_an_image_only(tmp_path):
    rows = BOXES.splitlines()
    truth, _ = read_truth(write(tmp_path / "boxes.csv", "\n".join([rows[0], "z" + "," * 12, *rows[1:]])))
    assert list(truth.images.key) == ["z", "b", "a"]
    assert truth.image.tolist() == [1, 2, 1]
    assert truth.position.tolist() == [1, 2, 3]


def test_a_label_map_lists_the_classes_by_id(tmp_path):
    how = Reading(label_map=write(tmp_path / "map.pbtxt", MAP))
    truth, _ = read_truth(write(tmp_path / "boxes.csv", BOXES), how)
    assert truth.classes == bs.Classes(("/m/cat", "/m/dog"), (1, 2))
    found, _ = read_detections(write(tmp_path / "p.csv", PREDICTED), how, truth)
    assert found.classes is truth.classes


def test_classes_may_be_given(tmp_path):
    truth, _ = read_truth(write(tmp_path / "boxes.csv", BOXES), Reading(classes=("/m/owl", "/m/dog", "/m/cat")))
    assert truth.classes.name == ("/m/owl", "/m/dog", "/m/cat")
    assert truth.label.tolist() == [2, 1, 2]


def test_evaluate(tmp_path):
    boxes, labels = write(tmp_path / "boxes.csv", BOXES), write(tmp_path / "labels.csv", LABELS)
    found = write(tmp_path / "p.csv", PREDICTED.replace("b,", "b.jpg,"))
    result = bs.evaluate(
        boxes, found, protocol="voc2012", image_labels=labels, label_map=write(tmp_path / "m.pbtxt", MAP)
    )
    assert [c.id for c in result.per_class] == [1, 2]
    assert [f.code for f in result.ledger.findings] == ["IMG002", "BOX005"]


def test_statements_that_do_not_hold(tmp_path):
    boxes, found = write(tmp_path / "boxes.csv", BOXES), write(tmp_path / "p.csv", PREDICTED)
    how = Reading(box="xywh", coords="absolute", image_list="list.txt")
    truth, findings = read_truth(boxes, how)
    assert [f.text for f in findings] == [
        f"{boxes} is Open Images, and no number in it is above 2: coords=absolute was not used for it",
        f"{boxes} is Open Images, whose boxes are normalized corners; box=xywh was not used for it",
    ]
    _, findings = read_detections(found, how, truth)
    assert [f.code for f in findings] == ["BOX004", "BOX004", "OPT001"]
    assert findings[2].text == (
        "image_list=list.txt was not used: it belongs to voc-xml or voc-masks or imagenet-det or imagenet-loc"
    )


def test_files_of_open_images_beside_coco(tmp_path):
    coco = {"images": [{"id": 1}], "annotations": [], "categories": [{"id": 1, "name": "cat"}]}
    how = Reading(hierarchy="h.json", image_labels="l.csv", label_map="m.pbtxt")
    truth, findings = read_truth(coco, how)
    assert [f.text for f in findings] == [
        "image_labels=l.csv was not used: it belongs to open-images or open-images-vrd or voc-xml",
        "hierarchy=h.json was not used: it belongs to open-images",
    ]
    _, findings = read_detections([{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1}], how, truth)
    assert [f.text for f in findings] == [
        "label_map=m.pbtxt was not used: it belongs to open-images or open-images-vrd or tfrecord"
    ]


@pytest.mark.parametrize("seed", ["seed0", "seed1", "seed2_ties"])
def test_the_same_scene_as_json(data, seed):
    folder = data / "reference" / "tensorflow_od" / seed
    given = json.loads((folder / "input.json").read_text())
    how = Reading(
        image_labels=folder / "labels.csv", hierarchy=folder / "hierarchy.json", label_map=folder / "labelmap.pbtxt"
    )
    truth, findings = read_truth(folder / "boxes.csv", how)
    assert findings == []
    assert list(zip(truth.classes.name, truth.classes.id, strict=True)) == [
        (c["name"], c["id"]) for c in given["categories"]
    ]

    def rows(key):
        return [(i, box) for i in given["images"] for box in i[key]]

    def relative(key):
        sides = [[i["height"], i["width"]] * 2 for i, _ in rows(key)]
        return (np.array([b["bbox"] for _, b in rows(key)]) / np.array(sides))[:, [1, 0, 3, 2]]

    def named(rows):
        return [(keys[i], truth.classes.id[k]) for i, k in zip(rows.image, rows.label, strict=True)]

    keys = truth.images.key

    assert named(truth) == [(i["id"], o["class"]) for i, o in rows("gt")]
    np.testing.assert_array_equal(truth.corners, relative("gt"))
    assert ((truth.flags & Flag.GROUP_OF) != 0).tolist() == [bool(o["group_of"]) for _, o in rows("gt")]
    assert named(truth.labels) == [(i["id"], o["class"]) for i, o in rows("image_labels")]
    assert (truth.labels.mark == Mark.POSITIVE).tolist() == [o["confidence"] == 1 for _, o in rows("image_labels")]

    found, _ = read_detections(folder / "pred_boxes.csv", how, truth)
    assert found.classes is truth.classes
    keys = found.images.key
    assert named(found) == [(i["id"], o["class"]) for i, o in rows("dets")]
    np.testing.assert_array_equal(found.corners, relative("dets"))
    assert found.score.tolist() == [o["score"] for _, o in rows("dets")]


def test_real_files(data):
    truth, _ = read_truth(data / "data" / "open_images" / "zfturbo_annotations.csv")
    assert (len(truth), len(truth.images), len(truth.classes)) == (36191, 3520, 497)  # and an image without boxes


@pytest.mark.parametrize(
    ("protocol", "rules"),
    [
        ("coco", "numbers of the size ranges small, medium, large"),
        ("voc2012", "all numbers"),
        ("imagenet-det", "all numbers"),
        ("openimages-v2", ""),
    ],
)
def test_shares_of_the_image_under_rules_in_pixels(tmp_path, protocol, rules):
    boxes, found = tmp_path / "boxes.csv", tmp_path / "found.csv"
    boxes.write_text("ImageID,LabelName,XMin,XMax,YMin,YMax\na,cat,0.1,0.5,0.1,0.5\n")
    found.write_text("ImageID,LabelName,Score,XMin,XMax,YMin,YMax\na,cat,0.9,0.1,0.5,0.1,0.5\n")
    findings = bs.evaluate(boxes, found, protocol=protocol).ledger.findings
    said = (
        f"boxes are normalized and image sizes are unknown, but {rules} of this protocol count in pixels: they are n/a"
    )
    assert [f.text for f in findings if f.code == "BOX005"] == ([said] if rules else [])


HEAD, *ROWS = BOXES.splitlines()
PACKED = "ImageID,LabelName,ImageWidth,ImageHeight,XMin,YMin,XMax,YMax,IsGroupOf,Mask"


def packed(counts):
    return base64.b64encode(zlib.compress(text_of(counts).encode())).decode()


def same(one, other):
    """Equal tables, column by column."""
    assert list(one.images.key) == list(other.images.key)
    assert one.classes == other.classes
    for f in fields(one):
        a, b = getattr(one, f.name), getattr(other, f.name)
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=f.name, strict=True)


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        [],
        ["z" + "," * 12, *ROWS],
        [*ROWS, "c,,,,,,,,,,,,", "", "a,x,\u00a0/m/cat ,1, 0.1 ,.3,2e-1,1.,,1,True,false,-1"],
        [row.replace("/m/cat", '"/m/cat"') for row in ROWS],
        ROWS * 3000,
    ],
)
def test_both_ways_of_reading_give_the_same_table(tmp_path, monkeypatch, rows):
    path = write(tmp_path / "boxes.csv", "\n".join([HEAD, *rows]))
    labels = write(tmp_path / "labels.csv", LABELS)
    how = Reading(truth_format="open-images", image_labels=labels)
    quick, _ = read_truth(path, how)
    with monkeypatch.context() as patch:
        patch.setattr(Source, "csv_columns", lambda *_: None)
        careful, _ = read_truth(path, how)
    same(quick, careful)
    for name in ("image", "label", "mark"):
        assert getattr(quick.labels, name).tolist() == getattr(careful.labels, name).tolist()


def test_usual_files_are_read_the_quick_way(tmp_path, monkeypatch):
    monkeypatch.setattr(Rows, "blocks", None)
    for change in (str, lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text.replace(",", " , ")):
        assert len(read_truth(write(tmp_path / "b.csv", change(BOXES)))[0]) == 3


def test_pixels_where_the_size_is_stated(tmp_path):
    truth, _ = read_truth(write(tmp_path / "boxes.csv", BOXES + "c" + "," * 12), Reading(image_size=(200, 100)))
    assert not truth.relative
    assert truth.corners.tolist() == [[20, 20, 60, 60], [0, 0, 200, 100], [100, 25, 150, 50]]
    assert truth.box_area.tolist() == [1600, 20000, 1250]
    assert truth.images.width.tolist() == [200, 200, 200]


def test_pixels_where_that_is_stated(tmp_path):
    text = f"{HEAD}\na,x,cat,1,10,30,20,60,0,0,0,0,0\n"
    how = Reading(coords="absolute", truth_format="open-images")
    truth, findings = read_truth(write(tmp_path / "boxes.csv", text), how)
    assert (truth.relative, truth.corners.tolist(), findings) == (False, [[10, 20, 30, 60]], [])


def test_clicks_are_passed_over(tmp_path):
    clicks = ",".join(f"XClick{k}{axis}" for k in range(1, 5) for axis in "XY")
    rows = [f"{row},{','.join(['0.5'] * 8)}" for row in ROWS]
    truth, _ = read_truth(write(tmp_path / "boxes.csv", "\n".join([f"{HEAD},{clicks}", *rows])))
    assert truth.corners.tolist() == read_truth(write(tmp_path / "b.csv", BOXES))[0].corners.tolist()


def test_masks_within_the_file(tmp_path):
    rows = f"{PACKED}\na,cat,4,2,0.25,0,0.75,1,1,{packed([2, 4, 2])}\nb,dog,10,10,0,0,1,1,0,\n"
    path = write(tmp_path / "m.csv", rows)
    truth, _ = read_truth(path, Reading(shapes=True))
    assert not truth.relative
    assert truth.corners.tolist() == [[1, 0, 3, 2], [0, 0, 10, 10]]
    assert truth.flags.tolist() == [Flag.GROUP_OF, 0]
    assert list(truth.shapes) == [[(Shape.RLE, [2, 4, 2, 4, 2])], []]
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([4, 10], [2, 10])
    assert read_truth(path)[0].shapes is None


def test_predicted_masks_have_the_box_around_them(tmp_path):
    rows = f"ImageID,ImageWidth,ImageHeight,LabelName,Score,Mask\na,4,3,cat,0.5,{packed([4, 2, 1, 2, 3])}\n"
    found, _ = read_detections(write(tmp_path / "m.csv", rows))
    assert (found.corners.tolist(), found.relative, found.shapes) == ([[1, 1, 3, 3]], False, None)
    assert found.score.tolist() == [0.5]


def test_masks_as_pictures(tmp_path):
    image = pytest.importorskip("PIL.Image")
    image.fromarray(np.array([[0, 255, 255], [0, 0, 255]], np.uint8)).save(tmp_path / "m1.png")
    rows = "MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks\n"
    rows += "m1.png,a,/m/cat,0f,0.25,1,0,1,0.9,\nm2.png,a,/m/cat,1f,0,1,0,1,0.9,0.1 0.2 1\n"
    write(tmp_path / "train-masks.csv", rows)
    write(tmp_path / "train-boxes.csv", BOXES)
    write(tmp_path / "test-boxes.csv", BOXES)
    truth, _ = read_truth(tmp_path, Reading(truth_format="open-images", split="train", shapes=True))
    assert truth.source == str(tmp_path / "train-masks.csv")
    assert truth.corners.tolist() == [[0.25, 0, 1, 1], [0, 0, 1, 1]]
    assert list(truth.shapes) == [[(Shape.RLE, [2, 3, 2, 1, 1, 2])], []]  # the second picture is not there
    boxes, _ = read_truth(tmp_path, Reading(truth_format="open-images", split="train"))
    assert boxes.source == str(tmp_path / "train-boxes.csv")


def test_more_real_files(data):
    archives = data / "data"
    small, _ = read_truth(
        archives / "mmdet_tests" / "mmdet_tests_openimages_crowdhuman_widerface.tar.gz",
        Reading(truth_format="open-images"),
    )
    assert (list(small.images.key), small.classes.name) == (["0001eeaf4aed83f9"], ("/m/0cmf2",))
    bad = archives / "bad_real_files"
    with pytest.raises(bs.InputError, match="numbers up to 1920, and XMax below XMin in 122 of 142 rows"):
        read_truth(bad / "sigalahr_openimages_header_but_absolute_xyxy.csv")
    with pytest.raises(bs.InputError, match="an Excel workbook"):
        read_truth(bad / "apsgokulag_xlsx_named_csv.csv", Reading(truth_format="open-images"))


def test_decimal_commas(data, tmp_path):
    with tarfile.open(data / "data" / "padilla_review" / "database_gts_dets.tar.gz") as archive:
        member = next(m for m in archive if m.name.endswith("openimages_format/all_bounding_boxes.csv"))
        content = archive.extractfile(member).read()
    truth, _ = read_truth(write(tmp_path / "boxes.csv", content))
    assert (len(truth), len(truth.images), len(truth.classes)) == (273, 100, 20)
    assert truth.relative
    assert (truth.corners >= 0).all()
    assert (truth.corners <= 1).all()
