"""`skip_invalid`: a file with broken records reads as one without them, and the ledger accounts for each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.registry import formats
from boxscore.formats.tfrecord.container import record
from boxscore.formats.tfrecord.example import example
from boxscore.formats.via.csv import COLUMNS

RELATIONS = "ImageID,LabelName1,LabelName2,RelationshipLabel,XMin1,XMax1,YMin1,YMax1,XMin2,XMax2,YMin2,YMax2"


class Case(NamedTuple):
    """Records of a format, good and broken, and the files that hold them."""

    form: str
    side: str
    good: list[Any]
    broken: list[Any]
    files: Callable[[list[Any]], dict[str, str | bytes]]
    reading: dict[str, Any] = {}  # noqa: RUF012


def _annotation(number: int, **changes: Any) -> dict[str, Any]:
    given = {"id": number, "image_id": 1, "category_id": 1, "bbox": [number, 0, 5, 5], "area": 25, "iscrowd": 0}
    return {k: v for k, v in {**given, **changes}.items() if v is not ...}


def _coco(records: list[Any]) -> dict[str, str]:
    lists = {"images": [{"id": 1, "file_name": "a.jpg"}], "categories": [{"id": 1, "name": "cat"}]}
    return {"t.json": json.dumps({**lists, "annotations": records})}


def _result(**changes: Any) -> dict[str, Any]:
    given = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 5, 5], "score": 0.5}
    return {k: v for k, v in {**given, **changes}.items() if v is not ...}


def _lines(name: str) -> Callable[[list[Any]], dict[str, str]]:
    return lambda records: {name: "".join(f"{record}\n" for record in records)}


def _table(header: str) -> Callable[[list[Any]], dict[str, str]]:
    return lambda records: {"t.csv": "\n".join([header, *records]) + "\n"}


def _voc(score: str) -> Callable[[list[Any]], dict[str, str]]:
    def files(records: list[Any]) -> dict[str, str]:
        corners = ("xmin", "ymin", "xmax", "ymax")
        boxes = [
            f"<object><name>{name}</name>{score}<bndbox>"
            + "".join(f"<{c}>{v}</{c}>" for c, v in zip(corners, box, strict=True))
            + "</bndbox></object>"
            for name, *box in records
        ]
        return {"d/a.xml": f"<annotation><filename>a.jpg</filename>{''.join(boxes)}</annotation>"}

    return files


def _labelme(**more: Any) -> Callable[[list[Any]], dict[str, str]]:
    def files(records: list[Any]) -> dict[str, str]:
        shapes = [{"label": "cat", "shape_type": "rectangle", "points": points, **more} for points in records]
        return {"d/a.json": json.dumps({"imagePath": "a.jpg", "imageWidth": 9, "imageHeight": 9, "shapes": shapes})}

    return files


def _via(**more: Any) -> Callable[[list[Any]], dict[str, str]]:
    def files(records: list[Any]) -> dict[str, str]:
        said = {"label": "cat", **more}
        regions = [
            one if "region_attributes" in one else {"shape_attributes": one, "region_attributes": said}
            for one in records
        ]
        return {"t.json": json.dumps({"a.jpg1": {"filename": "a.jpg", "size": 1, "regions": regions}})}

    return files


def _via_csv(**more: Any) -> Callable[[list[Any]], dict[str, str]]:
    """Records are shapes, or texts in place of a shape; a list is a whole row."""

    def files(records: list[Any]) -> dict[str, str]:
        said, made = json.dumps({"label": "cat", **more}), io.StringIO()
        writer = csv.writer(made)
        writer.writerow(COLUMNS)
        for i, shape in enumerate(records):
            text = shape if isinstance(shape, str) else json.dumps(shape)
            row = ["a.jpg", "1", "{}", str(len(records)), str(i), text, said]
            writer.writerow(shape if isinstance(shape, list) else row)
        return {"t.csv": made.getvalue()}

    return files


CENTRE = {"x": 3, "y": 4, "width": 2, "height": 4}


def _createml(**more: Any) -> Callable[[list[Any]], dict[str, str]]:
    def files(records: list[Any]) -> dict[str, str]:
        objects = [{"label": "cat", "coordinates": one, **more} for one in records]
        return {"t.json": json.dumps([{"image": "a.jpg", "annotations": objects}])}

    return files


def _azure(key: str, **more: Any) -> Callable[[list[Any]], dict[str, str]]:
    def files(records: list[Any]) -> dict[str, str]:
        objects = [{"tagName": "cat", **(box if key == "regions" else {"boundingBox": box}), **more} for box in records]
        return {"t.json": json.dumps([{"id": "a", key: objects}])}

    return files


def _datumaro(records: list[Any]) -> dict[str, str]:
    objects = [{"type": "bbox", "label_id": 0, "bbox": box, "attributes": {"score": score}} for *box, score in records]
    item = {"id": "a", "annotations": objects}
    return {"t.json": json.dumps({"categories": {"label": {"labels": [{"name": "cat"}]}}, "items": [item]})}


def _studio(key: str) -> Callable[[list[Any]], dict[str, str]]:
    def files(records: list[Any]) -> dict[str, str]:
        results = [
            {"type": "rectanglelabels", "original_width": 9, "original_height": 9, "score": score,
             "value": {**box, "rectanglelabels": ["cat"]}} for box, score in records
        ]  # fmt: skip
        return {"t.json": json.dumps([{"data": {"image": "a.jpg"}, key: [{"result": results}]}])}

    return files


def _stt_truth(records: list[Any]) -> dict[str, str]:
    lists = {"videos": [{"id": 1, "file_name": "v.mp4"}], "categories": [{"id": 1, "name": "cat"}]}
    return {"t.json": json.dumps({**lists, "annotations": [{"video_id": 1, "category_id": 1, "track": records}]})}


def _stt_results(records: list[Any]) -> dict[str, str]:
    return {"t.json": json.dumps([{"video_id": 1, "category_id": 1, "track": records}])}


def _youtube_vis_truth(records: list[Any]) -> dict[str, str]:
    videos = [{"id": 1, "file_names": ["v/0.jpg", "v/1.jpg"], "width": 4, "height": 4}]
    lists = {"videos": videos, "categories": [{"id": 1, "name": "cat"}]}
    return {"t.json": json.dumps({**lists, "annotations": records})}


def _track(**changes: Any) -> dict[str, Any]:
    given = {"video_id": 1, "category_id": 1, "score": 0.5, "bboxes": [[1, 2, 3, 4], None]}
    return {k: v for k, v in {**given, **changes}.items() if v is not ...}


def _in_frame(frame: Any, **changes: Any) -> dict[str, Any]:
    given = {"frame": frame, "bbox": [1, 2, 3, 4], "confidence": 0.5}
    return {k: v for k, v in {**given, **changes}.items() if v is not ...}


def _cvat_video(records: list[Any]) -> dict[str, str]:
    boxes = "".join(
        f'<box frame="{frame}" xtl="{x}" ytl="1" xbr="4" ybr="4" outside="0" occluded="0" keyframe="1">'
        f'<attribute name="score">{score}</attribute></box>'
        for frame, x, score in records
    )
    return {
        "t.xml": "<annotations><version>1.1</version><meta><task><size>3</size><mode>interpolation</mode><labels>"
        "<label><name>cat</name></label></labels><original_size><width>9</width><height>9</height></original_size>"
        f'</task></meta><track id="0" label="cat">{boxes}</track></annotations>'
    }


def _record(what: str) -> Callable[[list[Any]], dict[str, bytes]]:
    """Records are boxes: four corners, a class (0 for none) and a number besides: an area or a score."""

    def files(records: list[Any]) -> dict[str, bytes]:
        features: dict[str, Any] = {"image/filename": [b"a.jpg"], "image/width": [9], "image/height": [9]}
        columns = list(zip(*records, strict=True))
        for side, values in zip(("xmin", "ymin", "xmax", "ymax"), columns, strict=False):
            features[f"image/{what}/bbox/{side}"] = np.array(values, np.float64)
        if what == "object":
            features["image/object/class/text"] = [b"cat" if number else b"" for number in columns[4]]
            features["image/object/area"] = np.array(columns[5], np.float64)
        else:
            features["image/detection/label"] = [int(number) for number in columns[4]]
            features["image/detection/score"] = np.array(columns[5], np.float64)
        return {"t.record": record(example(features))}

    return files


def _vott(records: list[Any]) -> dict[str, str]:
    regions = [{"type": "RECTANGLE", "tags": ["cat"], "boundingBox": box} for box in records]
    asset = {"asset": {"name": "a.jpg", "path": "a.jpg", "size": {"width": 9, "height": 9}}, "regions": regions}
    return {"t.json": json.dumps({"assets": {"1": asset}, "tags": [{"name": "cat"}]})}


def _cvat(records: list[Any]) -> dict[str, str]:
    boxes = "".join(
        f'<box label="cat" xtl="{x}" ytl="{y}" xbr="{z}" ybr="{w}" occluded="0">'
        '<attribute name="score">0.5</attribute></box>'
        for x, y, z, w in records
    )
    return {
        "t.xml": "<annotations><version>1.1</version><meta><task><labels><label><name>cat</name></label></labels>"
        f'</task></meta><image id="0" name="a.jpg" width="9" height="9">{boxes}</image></annotations>'
    }


RECT = {"name": "rect", "x": 1, "y": 1, "width": 4, "height": 4}
PLACE = "-1 -1 -1 -1000 -1000 -1000 -10"  # of KITTI, in space
SIDES = {"left": 1, "top": 1, "width": 4, "height": 4}
CASES = [
    Case(
        "coco", "truth", [_annotation(1), _annotation(2)],
        [
            _annotation(3, bbox=[0, 0, float("inf"), 5]), _annotation(4, bbox=[0, 0, 5]), _annotation(5, bbox="x"),
            _annotation(6, image_id=...), _annotation(7, area=float("nan")), _annotation(8, iscrowd="no"), 7, None,
        ],
        _coco,
    ),
    Case(
        "coco", "detections", [_result(), _result(score=0.25)],
        [_result(bbox=[0, 0, float("nan"), 5]), _result(score=...), _result(score=float("inf")), "x"],
        lambda records: {"t.json": json.dumps(records)},
    ),
    Case(
        "text", "truth", ["cat 1 2 3 4", "big dog 5 6 7 8"], ["cat 1 2 inf 4", "cat 1 2 3", "cat a b c d"],
        _lines("d/a.txt"), {"box": "xywh", "coords": "absolute"},
    ),
    Case(
        "text", "detections", ["cat 0.5 1 2 3 4"], ["cat nan 1 2 3 4", "cat 1 2 3 4", "cat 0.5 1 2 x 4"],
        _lines("d/a.txt"), {"box": "xywh", "coords": "absolute"},
    ),
    Case("yolo", "truth", ["0 .5 .5 .1 .1", "1 .2 .2 .1 .1"],
         ["0 .5 .5 nan .1", "0 .5 x .1 .1", "0 .5 .5", "0", "0 .5 .5 .1 .1 .9", "0 .1 .1 .2 .2 .3 .3 .4"],
         _lines("d/a.txt")),
    Case("yolo", "detections", ["0 .5 .5 .1 .1 .9", "1 .25 .25 .1 .1 .8"],
         ["0 .5 .5 inf .1 .9", "0 .5 .5", "0 .5 .5 .1 .1", "0 .5 .5 .1"], _lines("d/a.txt"), {"confidence": "last"}),
    Case("yolo", "detections", ["0 .5 .5 .1 .1 .9", "1 .25 .25 .1 .1 .9999"], ["0 .5 .5 nan .1 .9", "0 .5 .5", "0"],
         _lines("d/a.txt")),
    Case("voc-xml", "truth", [("cat", 1, 2, 3, 4), ("dog", 5, 6, 7, 8)],
         [("cat", 1, 2, "inf", 4), ("", 1, 2, 3, 4), ("cat", 1, "", 3, 4)], _voc("")),
    Case("voc-xml", "detections", [("cat", 1, 2, 3, 4)], [("cat", 1, 2, "nan", 4)], _voc("<score>0.5</score>")),
    Case("tf-csv", "truth", ["a.jpg,cat,1,2,3,4", "b.jpg,dog,1,2,3,4"], ["a.jpg,cat,1,2,inf,4", "a.jpg,cat,1,2,3"],
         _table("filename,class,xmin,ymin,xmax,ymax")),
    Case("tf-csv", "detections", ["a.jpg,cat,.5,1,2,3,4"], ["a.jpg,cat,nan,1,2,3,4", "a.jpg,cat,.5,1,2,3,4,5"],
         _table("filename,class,confidence,xmin,ymin,xmax,ymax")),
    Case("open-images", "truth", ["a,/m/1,.1,.2,.1,.2", "b,/m/2,.1,.2,.1,.2"], ["a,/m/1,.1,inf,.1,.2", "a,/m/1,.1"],
         _table("ImageID,LabelName,XMin,XMax,YMin,YMax")),
    Case("open-images", "detections", ["a,/m/1,.5,.1,.2,.1,.2"], ["a,/m/1,.5,.1,inf,.1,.2", "a,/m/1,nan,.1,.2,.1,.2"],
         _table("ImageID,LabelName,Score,XMin,XMax,YMin,YMax")),
    Case("open-images-vrd", "truth", ["a,m,n,on,0,.5,0,1,0,1,0,1", "b,m,n,on,0,.5,0,1,0,1,0,1"],
         ["a,m,n,on,0,.5,0,inf,0,1,0,1", "a,m,n,on,0,.5,0,1,0,1,0"], _table(RELATIONS)),
    Case("open-images-vrd", "detections", ["a,m,n,on,0,.5,0,1,0,1,0,1,.5"],
         ["a,m,n,on,0,.5,0,1,0,nan,0,1,.5", "a,m,n,on,0,.5,0,1,0,1,0,1,nan"], _table(f"{RELATIONS},Score")),
    Case("voc-results", "detections", ["a .5 1 2 3 4", "b .25 1 2 3 4"], ["a .5 1 2 inf 4", "a .5 1 2", "a x 1 2 3 4"],
         _lines("d/comp4_det_test_cat.txt")),
    Case("dota", "truth", ["1 1 4 1 4 4 1 4 cat 0", "2 2 4 2 4 4 2 4 dog"],
         ["1 1 4 1 4 4 1 inf cat 0", "1 1 4 1 4 4 1 cat 0", "1 1 4 1 4 4 1 x cat 0", "1 1 4 1 4 4 1 4 5 cat 0",
          "1 1 4 1 4 4 1 4 cat maybe"], _lines("d/a.txt")),
    Case("dota", "detections", ["a .5 1 1 4 1 4 4 1 4", "b .25 1 1 4 1 4 4 1 4"],
         ["a .5 1 1 4 1 4 4 1 nan", "a .5 1 1 4 1 4 4 1", "a x 1 1 4 1 4 4 1 4"], _lines("d/Task1_cat.txt")),
    Case("vott-csv", "truth", ['"a.jpg",1,2,3,4,"cat"'], ['"a.jpg",1,2,inf,4,"cat"', '"a.jpg",1,2,3'],
         _table('"image","xmin","ymin","xmax","ymax","label"')),
    Case("vott-csv", "detections", ['"a.jpg",1,2,3,4,"cat",.5'], ['"a.jpg",1,2,inf,4,"cat",.5',
          '"a.jpg",1,2,3,4,"cat",x'],
         _table('"image","xmin","ymin","xmax","ymax","label","score"')),
    Case("labelme", "truth", [[[1, 1], [4, 4]]], [[[1, 1], [4, float("inf")]], [[1, 1]], [[1, "x"], [2, 3]]],
         _labelme()),
    Case("labelme", "detections", [[[1, 1], [4, 4]]], [[[1, 1], [4, float("inf")]], [[1, 1]]], _labelme(score=0.5)),
    Case("via-json", "truth", [RECT],
         [{**RECT, "x": float("nan")}, {**RECT, "name": "blob"}, {**RECT, "width": "w"},
          {"shape_attributes": RECT, "region_attributes": 7}], _via()),
    Case("via-json", "detections", [RECT], [{**RECT, "x": float("nan")}, {**RECT, "height": None}], _via(score="0.5")),
    Case("via-csv", "truth", [RECT],
         [{**RECT, "x": float("nan")}, "{", "7", {**RECT, "name": "blob"}, ["a.jpg", "1", "{}"]], _via_csv()),
    Case("via-csv", "detections", [RECT], [{**RECT, "x": float("inf")}, "[", ["a.jpg"]], _via_csv(score="0.5")),
    Case("createml", "truth", [CENTRE], [{**CENTRE, "x": float("inf")}, {**CENTRE, "width": "x"}], _createml()),
    Case("createml", "detections", [CENTRE], [{**CENTRE, "y": None}], _createml(confidence=0.5)),
    Case("azure-custom-vision", "truth", [SIDES], [{**SIDES, "left": float("nan")}, {**SIDES, "top": "x"}],
         _azure("regions")),
    Case("azure-custom-vision", "detections", [SIDES], [{**SIDES, "width": float("inf")}, {**SIDES, "top": None}],
         _azure("predictions", probability=0.5)),
    Case("datumaro", "truth", [(1, 2, 3, 4, 1)], [(1, 2, 3, 1), (1, 2, float("inf"), 4, 1), (1, 2, "x", 4, 1)],
         _datumaro),
    Case("datumaro", "detections", [(1, 2, 3, 4, 1)], [(1, 2, 3, 4, None), (1, 2, 3, 4, "x"), (1, 2, 3, 1)], _datumaro),
    Case("label-studio", "truth", [(CENTRE, 1)], [({**CENTRE, "x": float("inf")}, 1), ({**CENTRE, "y": "x"}, 1)],
         _studio("annotations")),
    Case("label-studio", "detections", [(CENTRE, 1)], [(CENTRE, None), (CENTRE, "x"), ({**CENTRE, "y": None}, 1)],
         _studio("predictions")),
    Case("mot", "truth", ["1,1,1,2,3,4,1,-1,-1,-1", "2,1,1,2,3,4,1,-1,-1,-1"],
         ["1,2,1,2,inf,4,1,-1,-1,-1", "1,2,x,2,3,4,1,-1,-1,-1", "1,2,3", "0,2,1,2,3,4", "2,1,1,2,3,4,1,-1,-1,-1",
          "1,2.5,1,2,3,4"], _lines("t.txt")),
    Case("mot", "detections", ["1,-1,1,2,3,4,9.5,-1,-1,-1"], ["1,2,1,2,nan,4,1,-1,-1,-1", "1,2,3", "1.5,2,1,2,3,4,1"],
         _lines("t.txt")),
    Case("kitti", "truth", [f"Car 0 0 0 1 2 3 4 {PLACE}", f"Van 0 0 0 1 2 3 4 {PLACE}"],
         [f"Car 0 0 0 1 2 inf 4 {PLACE}", f"Car 0 0 0 1 2 x 4 {PLACE}", "Car 1 2 3 4",
          f"0 1 Car 0 0 0 1 2 3 4 {PLACE}"], _lines("d/a.txt")),
    Case("kitti", "detections", [f"0 1 Car 0 0 0 1 2 3 4 {PLACE} .5", f"1 1 Car 0 0 0 1 2 3 4 {PLACE} .5"],
         [f"0 2 Car 0 0 0 1 2 nan 4 {PLACE} .5", f"0.5 1 Car 0 0 0 1 2 3 4 {PLACE} .5", "0 2 Car 1 2 3 4",
          f"1 1 Car 0 0 0 1 2 3 4 {PLACE} .5", f"-1 5 Car 0 0 0 1 2 3 4 {PLACE} .5"], _lines("d/a.txt")),
    Case("vott-json", "truth", [SIDES], [{**SIDES, "left": float("inf")}, {**SIDES, "top": "x"}], _vott),
    Case("cvat", "truth", [(1, 1, 4, 4)], [(1, 1, "inf", 4), (1, "x", 4, 4)], _cvat),
    Case("cvat", "detections", [(1, 1, 4, 4)], [(1, 1, "inf", 4), (1, "x", 4, 4)], _cvat),
    Case("cvat-video", "truth", [(0, 1, 1), (2, 3, 1)], [(1, "inf", 1), ("x", 2, 1), (0, 3, 1)], _cvat_video),
    Case("cvat-video", "detections", [(0, 1, 0.5)], [(1, "nan", 0.5), (1, 2, "inf"), (1, 2, "")], _cvat_video),
    Case("stt", "truth", [_in_frame(0), _in_frame(2)],
         [_in_frame(1, bbox=[1, 2, float("inf"), 4]), _in_frame(1, bbox=[1, 2]), _in_frame("x"), _in_frame(-1),
          _in_frame(0), _in_frame(1, bbox=[1e308, 0, 1e308, 1])], _stt_truth),
    Case("stt", "detections", [_in_frame(0), _in_frame(2)],
         [_in_frame(1, bbox=[1, 2, "w", 4]), _in_frame(1, confidence=float("nan")), _in_frame(1, confidence=...)],
         _stt_results),
    Case("youtube-vis", "truth", [_track()],
         [_track(bboxes=[[1, 2, 3], None]), _track(bboxes=[None]), _track(video_id=2), _track(category_id=3),
          _track(bboxes=..., segmentations=[{"size": [4, 4], "counts": [3]}, None])], _youtube_vis_truth),
    Case("youtube-vis", "detections", [_track(), _track(score=0.25)],
         [_track(score=...), _track(score=float("nan")), _track(bboxes=...)],
         lambda records: {"t.json": json.dumps(records)}),
    Case("tfrecord", "truth", [(0.1, 0.1, 0.5, 0.5, 1, 9), (0.2, 0.2, 0.5, 0.5, 1, 8)],
         [(0.1, float("nan"), 0.5, 0.5, 1, 9), (0.1, 0.1, 0.5, float("inf"), 0, 9), (0.1, 0.1, 0.5, 0.5, 0, 9),
          (0.1, 0.1, 0.5, 0.5, 1, float("inf"))], _record("object")),
    Case("tfrecord", "detections", [(0.1, 0.1, 0.5, 0.5, 1, 0.5), (0.2, 0.2, 0.5, 0.5, 2, 0.25)],
         [(float("inf"), 0.1, 0.5, 0.5, 1, 0.5), (0.1, 0.1, 0.5, 0.5, 1, float("nan"))], _record("detection")),
    Case("imagenet-loc", "detections", ["1 1 2 3 4 2 1 2 3 4"], ["1 1 2 inf 4", "1 1 x 3 4"],
         lambda records: {"t.txt": " ".join(records) + "\n"}),
    Case("imagenet-det", "detections", ["1 1 .5 1 2 3 4", "2 1 .5 1 2 3 4"], ["1 1 .5 1 2 inf 4", "1 1 .5 1 2"],
         _lines("t.txt")),
]  # fmt: skip


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder / next(iter(files)).partition("/")[0]


def read(case: Case, folder: Path, records: list[Any], **more: Any) -> tuple[Any, list[Any]]:
    path = written(folder, case.files(records))
    stated = {f"{case.side}_format": case.form, **case.reading, **more}
    return (bs.read_truth if case.side == "truth" else bs.read_detections)(path, **stated)


def invalid(table: Any) -> int:
    return sum(count for reason, count in table.rejected if reason.startswith("invalid record: expected "))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.form} {case.side}")
def test_a_file_reads_as_one_without_its_broken_records(tmp_path: Path, case: Case) -> None:
    good, _ = read(case, tmp_path / "good", case.good)
    mixed = [*case.broken[:1], *case.good, *case.broken[1:]]
    table, findings = read(case, tmp_path / "mixed", mixed, skip_invalid=True)
    assert list(table.images.key) == list(good.images.key)
    assert table.classes == good.classes
    for column in ("image", "label", "corners", "box_area", "score" if case.side == "detections" else "flags"):
        np.testing.assert_array_equal(getattr(table, column), getattr(good, column), err_msg=column)
    assert invalid(table) == len(case.broken)
    (found,) = (f for f in findings if f.code == "REC001")
    assert (found.count, found.severity) == (len(case.broken), "warning")


@pytest.mark.parametrize(
    ("case", "number"),
    [(case, i) for case in CASES for i in range(len(case.broken))],
    ids=[f"{case.form} {case.side} {i}" for case in CASES for i in range(len(case.broken))],
)
def test_without_it_each_is_refused_and_said_to_be_a_record(tmp_path: Path, case: Case, number: int) -> None:
    with pytest.raises(bs.InputError) as caught:
        read(case, tmp_path, [*case.good, case.broken[number]])
    assert caught.value.of_record


def test_every_format_can_leave_records_out() -> None:
    sides = {(form.name, side) for form in formats() for side in ("truth", "detections") if getattr(form, side)}
    assert {(case.form, case.side) for case in CASES} == sides - {("voc-masks", "truth")}  # whose records are pictures


def test_a_line_of_guesses_that_cannot_be_used_leaves_its_image(tmp_path: Path) -> None:
    path = written(tmp_path, {"t.txt": "1 1 2 3 4\n1 1 2 3\n2 1 2 3 4\n"})
    with pytest.raises(bs.InputError, match=r"t\.txt:2: 4 values") as caught:
        bs.read_detections(path, detections_format="imagenet-loc")
    assert caught.value.of_record
    found, _ = bs.read_detections(path, detections_format="imagenet-loc", skip_invalid=True)
    assert (list(found.images.key), found.image.tolist(), invalid(found)) == (["1", "2", "3"], [0, 2], 1)


def test_rows_of_yolo_that_are_all_of_another_kind_are_no_broken_records(tmp_path: Path) -> None:
    path = written(tmp_path, {"d/a.txt": "0 .5 .5 .1 .1 .9\n1 .5 .5 .1 .1 .8\n"})
    with pytest.raises(bs.InputError, match="were truth and detections swapped") as caught:
        bs.read_truth(path, truth_format="yolo")
    assert not caught.value.of_record


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.form} {case.side}")
def test_a_file_without_any_other_record_is_refused(tmp_path: Path, case: Case) -> None:
    with pytest.raises(bs.InputError, match=r"it is the only record|none of the \d+ records can be used|no confidence"):
        read(case, tmp_path, case.broken[:1], skip_invalid=True)


def test_images_and_classes_are_no_records(tmp_path: Path) -> None:
    """A broken image or class is not left out: its objects would become false alarms or vanish."""
    files = _coco([_annotation(1)])
    broken = json.loads(files["t.json"])
    broken["images"].append({"id": None})
    path = written(tmp_path, {"t.json": json.dumps(broken)})
    with pytest.raises(bs.InputError, match=r"images\[1\]: no `id`") as caught:
        bs.read_truth(path, skip_invalid=True)
    assert not caught.value.of_record


def test_places_after_rows_that_are_left_out(tmp_path: Path) -> None:
    rows = ["a.jpg,cat,1,2,x,4", "a.jpg,cat,1,2,3,4", "a.jpg,cat,1,2,3", "a.jpg,,1,2,3,4"]
    path = written(tmp_path, _table("filename,class,xmin,ymin,xmax,ymax")(rows))
    with pytest.raises(bs.InputError, match=r"t\.csv:5: no class"):
        bs.read_truth(path, skip_invalid=True)


def test_the_ledger_adds_up(tmp_path: Path) -> None:
    truth = written(tmp_path / "t", _coco([_annotation(1), _annotation(2, bbox=[1])]))
    found = written(tmp_path / "d", {"r.json": json.dumps([_result(bbox=[1, 0, 5, 5]), _result(score="x"), 5])})
    ledger = bs.evaluate(truth, found, skip_invalid=True).ledger
    for account, read_, rejected in ((ledger.objects, 2, 1), (ledger.detections, 3, 2)):
        assert account.read == read_ == sum(row.count for row in account.rows)
        assert sum(row.count for row in account.rows if row.fate == "rejected") == rejected
    assert [f.code for f in ledger.findings] == ["REC001", "REC001"]
    assert "t.json: annotations[1]: `bbox` has 1 values" in ledger.findings[0].text


@pytest.mark.parametrize("form", ["columns", "list"])
def test_arrays(form: str) -> None:
    bad = [[0, 0, np.nan, 5], [1, 1, 5, 5], [0, 0, 5, np.inf], [2, 2, 5, 5]]
    rows = {"boxes": np.array(bad), "labels": np.array([1, 2, 1, 2]), "scores": np.array([0.5, 0.4, 0.3, np.nan])}
    given: Any = {"image": np.array([7, 7, 8, 8]), **rows}
    if form == "list":
        given = [{name: column[part] for name, column in rows.items()} for part in (slice(0, 2), slice(2, 4))]
    with pytest.raises(bs.InputError) as caught:
        bs.read_detections(given, box="xyxy")
    assert caught.value.of_record
    table, findings = bs.read_detections(given, box="xyxy", skip_invalid=True)
    assert table.corners.tolist() == [[1, 1, 5, 5]]
    assert (table.image.tolist(), len(table.images)) == ([0], 2)
    assert table.rejected == (("invalid record: expected finite numbers", 3),)
    assert [f.code for f in findings] == ["REC001"]
