"""CSV files with a box a row, in every way that files have them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.io.source import Source
from boxscore.joining.read import Reading, read_detections, read_truth

ROWS = """filename,width,height,class,xmin,ymin,xmax,ymax
b.jpg,200,100,cat,10,20,30,60
a.jpg,50,40,dog,0,0,50,40
b.jpg,200,100,cat,100,25,150,50
"""
CORNERS = [[10, 20, 30, 60], [0, 0, 50, 40], [100, 25, 150, 50]]


def truth(tmp_path: Path, text: str | bytes, **how):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_truth(path, Reading(truth_format="tf-csv", **how))


def found(tmp_path: Path, text: str, **how):
    path = tmp_path / "p.csv"
    path.write_text(text, encoding="utf-8")
    return read_detections(path, Reading(detections_format="tf-csv", **how))


def test_the_usual_file(tmp_path):
    table, findings = truth(tmp_path, ROWS)
    assert (table.format, findings, table.relative) == ("tf-csv", [], False)
    assert list(table.images.key) == ["b.jpg", "a.jpg"]
    assert table.images.width.tolist() == [200, 50]
    assert table.images.height.tolist() == [100, 40]
    assert table.classes == bs.Classes(("cat", "dog"), ("cat", "dog"))
    assert table.corners.tolist() == CORNERS
    assert table.box_area.tolist() == [800, 2000, 1250]
    assert (table.image.tolist(), table.label.tolist(), table.position.tolist()) == ([0, 1, 0], [0, 1, 0], [0, 1, 2])
    assert np.isnan(table.area).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace(",", ";").replace("150", "150,0"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace(",", " , "),
        lambda text: "".join(f"{k}," * (k > 0) + f"{line}\n" for k, line in enumerate(text.splitlines())).replace(
            "filename", ",filename"
        ),
        lambda text: text.replace("filename", "File Name").replace("class", "Label").replace("xmin", "X-Min"),
        lambda text: text.replace("filename", "image").replace("class", "category").replace("xmax", "x2"),
        lambda text: text.replace("cat", '"cat"').replace("b.jpg", '"b.jpg"'),
        lambda text: text + "\n,,,,,,,\n",
    ],
    ids=["crlf", "mark", "semicolons", "tabs", "spaces", "index", "spelling", "synonyms", "quotes", "blank rows"],
)
def test_ways_of_writing(tmp_path, monkeypatch, change):
    for quick in (True, False):
        if not quick:
            monkeypatch.setattr(Source, "csv_columns", lambda *_: None)
        table, findings = truth(tmp_path, change(ROWS))
        assert findings == []
        assert list(table.images.key) == ["b.jpg", "a.jpg"]
        assert table.images.width.tolist() == [200, 50]
        assert table.classes.name == ("cat", "dog")
        assert table.corners.tolist() == CORNERS


def test_any_order_of_columns(tmp_path):
    table, _ = truth(tmp_path, "ymax,cell_type,xmin,filename,ymin,xmax\n60,cat,10,b.jpg,20,30\n")
    assert table.corners.tolist() == [[10, 20, 30, 60]]
    assert table.images.width is None


@pytest.mark.parametrize(
    ("head", "row", "box"),
    [
        ("image,label,x,y,width,height", "a,b,10,20,30,40", [10, 20, 40, 60]),
        ("image,label,x,y,w,h,width,height", "a,b,10,20,30,40,640,480", [10, 20, 40, 60]),
        ("image,label,xmin,ymin,width,height", "a,b,10,20,30,40", [10, 20, 40, 60]),
        ("image,label,x_center,y_center,width,height", "a,b,10,20,4,8", [8, 16, 12, 24]),
        ("image,label,left,top,right,bottom", "a,b,10,20,30,40", [10, 20, 30, 40]),
        ("path,name,x1,y1,x2,y2", "a,b,10,20,30,40", [10, 20, 30, 40]),
        ("image_id,width,height,bbox,source", 'a,1024,1024,"[10.0, 20.0, 30.0, 40.0]",x', [10, 20, 40, 60]),
        ("image,label,bbox", 'a,b,"(10, 20, 5, 40)"', [10, 20, 15, 60]),  # no corners
    ],
)
def test_forms_of_boxes(tmp_path, head, row, box):
    table, _ = truth(tmp_path, f"{head}\n{row}\n")
    assert table.corners.tolist() == [box]


def test_a_form_may_be_stated(tmp_path):
    centre, _ = truth(tmp_path, "image,label,x,y,w,h\na,b,10,20,4,8\n", box="cxcywh")
    assert centre.corners.tolist() == [[8, 16, 12, 24]]
    four, _ = truth(tmp_path, 'image,label,bbox\na,b,"[10, 20, 30, 40]"\n', box="xyxy")
    assert four.corners.tolist() == [[10, 20, 30, 40]]
    corners, findings = truth(tmp_path, ROWS, box="xywh")
    assert corners.corners.tolist() == CORNERS
    assert [f.code for f in findings] == ["BOX004"]


def test_no_column_of_classes(tmp_path):
    table, _ = truth(tmp_path, "image,x1,y1,x2,y2\na,10,20,30,40\n")
    assert table.classes.name == ("object",)
    table, _ = truth(tmp_path, "image,x1,y1,x2,y2\na,10,20,30,40\n", classes=("wheat",))
    assert table.classes.name == ("wheat",)


def test_keras_retinanet(tmp_path):
    table, _ = truth(tmp_path, "c\\d.jpg,,,,,\nimgs/a.jpg,1,2,3,4,cow\nimgs/b.jpg,5,6,7.5,8,cat\n")
    assert list(table.images.key) == ["c/d.jpg", "imgs/a.jpg", "imgs/b.jpg"]
    assert table.image.tolist() == [1, 2]
    assert table.corners.tolist() == [[1, 2, 3, 4], [5, 6, 7.5, 8]]
    assert table.classes.name == ("cat", "cow")
    scored, _ = found(tmp_path, "a.jpg,1,2,3,4,cow,0.5\n")
    assert scored.score.tolist() == [0.5]


AUTOML = (
    "TRAIN,gs://x/a.jpg,cat,0.1,0.1,,,0.3,0.3,,\nTEST,gs://x/b.jpg,cat,0.5,0.5,0.75,0.5,0.75,1,0.5,1\n"
    "TEST,gs://x/c.jpg,,,,,,,,,\n"
)


def test_automl(tmp_path):
    table, findings = truth(tmp_path, AUTOML)
    assert (table.relative, findings) == (True, [])
    assert table.corners.tolist() == [[0.1, 0.1, 0.3, 0.3], [0.5, 0.5, 0.75, 1]]
    assert len(table.images) == 3
    part, _ = truth(tmp_path, AUTOML, split="test", image_size=(100, 10))
    assert list(part.images.key) == ["gs://x/b.jpg", "gs://x/c.jpg"]
    assert (part.relative, part.corners.tolist(), part.position.tolist()) == (False, [[50, 5, 75, 10]], [1])


def test_shares_of_the_image(tmp_path):
    text = "image,label,xmin,ymin,xmax,ymax\na,b,0.1,0.2,0.5,1.0\n"
    table, findings = truth(tmp_path, text)
    assert table.relative
    assert [f.text for f in findings] == [
        f"{tmp_path / 't.csv'}: all numbers of 1 box lie between 0 and 1, so they were read as normalized coordinates"
    ]
    stated, findings = truth(tmp_path, text, coords="absolute")
    assert (stated.relative, findings) == (False, [])
    sized, _ = truth(tmp_path, "image,width,height,label,xmin,ymin,xmax,ymax\na,10,20,b,0.5,0.2,0.5,1.0\n")
    assert (sized.relative, sized.corners.tolist()) == (False, [[5, 4, 5, 20]])


def test_detections(tmp_path):
    text = (
        "image,image_path,xmin,ymin,xmax,ymax,label,confidence,x_size,y_size\na.jpg,C:\\a.jpg,1,2,3,4,0,0.5,810,455\n"
    )
    table, findings = found(tmp_path, text, classes=("cat",))
    assert table.classes.name == ("cat",)
    assert table.score.tolist() == [0.5]
    assert table.images.width.tolist() == [810]
    assert [f.text for f in findings] == ["1 column is not used (image_path)"]


def test_a_folder_or_an_archive(tmp_path):
    for name in ("train", "valid"):
        (tmp_path / "d" / name).mkdir(parents=True)
        (tmp_path / "d" / name / "_annotations.csv").write_text(ROWS)
    how = Reading(truth_format="tf-csv", split="valid")
    assert len(read_truth(tmp_path / "d", how)[0]) == 3
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("x/_annotations.csv", ROWS)
    assert len(read_truth(tmp_path / "d.zip", Reading(truth_format="tf-csv"))[0]) == 3


@pytest.mark.parametrize(
    ("path", "boxes", "images"),
    [
        ("raccoon/raccoon_labels.csv", 217, 200),
        ("raccoon/train_labels.csv", 173, 160),
        ("raccoon/test_labels.csv", 44, 40),
        ("bccd/test.csv", 4888, 364),
        ("roboflow/kongsberg_train_annotations.csv", 4995, 1126),
        ("roboflow/kongsberg_valid_annotations.csv", 1514, 326),
        ("roboflow/kongsberg_test_annotations.csv", 716, 161),
        ("bad_real_files/adam-zaidi_vott_csv_named_as_openimages.csv", 246, 12),
    ],
)
def test_real_files(data, monkeypatch, path, boxes, images):
    how = Reading(truth_format="tf-csv")
    table, findings = read_truth(data / "data" / path, how)
    assert (len(table), len(table.images), findings) == (boxes, images, [])
    monkeypatch.setattr(Source, "csv_columns", lambda *_: None)
    np.testing.assert_array_equal(read_truth(data / "data" / path, how)[0].corners, table.corners)


def test_raccoons_as_their_xml_has_them(data):
    table, _ = read_truth(data / "data" / "raccoon" / "raccoon_labels.csv", Reading(truth_format="tf-csv"))
    xml, _ = read_truth(data / "data" / "raccoon" / "annotations_voc_xml.tar.gz", Reading(truth_format="voc-xml"))

    def rows(one):
        stems = [one.images.key[i].removesuffix(".jpg") for i in one.image]
        return sorted(zip(stems, one.corners.tolist(), strict=True))

    assert [corners for _, corners in rows(table)] == [corners for _, corners in rows(xml)]


def test_real_detections(data):
    table, _ = read_detections(
        data / "data" / "vott" / "antonmu_Detection_Results.csv", Reading(detections_format="tf-csv")
    )
    assert (len(table), table.classes.name, len(table.images)) == (82, ("0",), 65)
