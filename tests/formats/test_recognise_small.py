"""Recognition of small hand-made files: one for every format, what they leave open, and which files are meant."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.formats.coco.glance import is_coco
from boxscore.formats.io.ends import START
from boxscore.formats.io.files import Files
from boxscore.formats.io.json_keys import outline
from boxscore.formats.recognise import recognise
from boxscore.formats.recognise.answer import LIKELY, POSSIBLE, SURE
from boxscore.formats.recognise.by_name import by_name
from boxscore.formats.recognise.evidence import recognised
from boxscore.formats.recognise.layout import narrowed
from boxscore.formats.recognise.look import kind_of
from boxscore.formats.registry import foreign, formats

COCO = {"images": [{"id": 1}], "annotations": [{"image_id": 1, "bbox": [1, 2, 3, 4]}], "categories": []}
RESULTS = [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}]
REGION = {"shape_attributes": {"name": "rect"}, "region_attributes": {}}
VOC = "<annotation><filename>a.jpg</filename><object><name>cat</name><bndbox/></object></annotation>"


def of(content: Any, name: str = "x") -> Files:
    """A single file."""
    return Files(name, ("",), None, {"": content if isinstance(content, bytes) else text_of(content).encode()})


def folder(**contents: Any) -> Files:
    """A folder; `__` stands for a slash and `_dot_` for a point."""
    named = {name.replace("__", "/").replace("_dot_", "."): content for name, content in contents.items()}
    made = {name: c if isinstance(c, bytes) else text_of(c).encode() for name, c in named.items()}
    return Files("x", tuple(sorted(made)), None, made)


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def crc_of(start: bytes) -> bytes:
    """The masked CRC-32C of eight bytes, bit by bit as polynomial division over GF(2) defines it."""
    bits = int.from_bytes(bytes(int(f"{byte:08b}"[::-1], 2) for byte in start), "big") << 32
    bits ^= 0xFFFFFFFF << 64
    for shift in range(95, 31, -1):
        if bits >> shift & 1:
            bits ^= 0x11EDC6F41 << (shift - 32)
    crc = int(f"{bits ^ 0xFFFFFFFF:032b}"[::-1], 2)
    return (((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF).to_bytes(4, "little")


LENGTH = struct.pack("<Q", 61_444)
SINGLE = [
    ("coco", COCO), ("coco", RESULTS), ("coco", []), ("coco", {"annotations": [], "images": []}),
    ("labelme", {"version": "5", "flags": {}, "shapes": [], "imagePath": "a.jpg", "imageData": None}),
    ("labelme", {"imageData": "A" * (2 * START), "imagePath": "a.jpg", "shapes": [{"label": "cat"}]}),
    ("vott-json", {"name": "p", "tags": [], "assets": {"1": {"asset": {}, "regions": []}}}),
    ("vott-json", {"asset": {"name": "a"}, "regions": [], "version": "2"}),
    ("vott-json", {"frames": {"1": []}, "inputTags": "a,b"}),
    ("via-json", {"a.jpg1": {"filename": "a.jpg", "size": 1, "regions": [REGION], "file_attributes": {}}}),
    ("via-json", {"_via_settings": {}, "_via_img_metadata": {}}),
    ("stt", {"videos": [], "annotations": [{"id": 1, "track": [{"frame": 0}]}], "categories": []}),
    ("stt", [{"id": 1, "video_id": 1, "category_id": 1, "track": [{"frame": 0}]}]),
    ("youtube-vis", {"videos": [], "annotations": [{"bboxes": []}], "categories": []}),
    ("youtube-vis", {"videos": [{"id": 1}], "categories": [], "annotations": [{"id": 1, "segmentations": [None]}]}),
    ("youtube-vis", [{"video_id": 1, "score": 0.5, "category_id": 1, "segmentations": [None]}]),
    ("youtube-vis", [{"video_id": 1, "score": 0.5, "category_id": 1, "bboxes": [None]}]),
    ("youtube-vis", {
        "info": {}, "videos": [{"id": i, "file_names": ["0" * 40] * 40} for i in range(200)],
        "annotations": [{"id": 1, "segmentations": [None]}], "categories": [],
    }),
    ("cvat", "<?xml version='1.0'?><!-- a --><annotations><version>1.1</version><image id='0'/></annotations>"),
    ("cvat", f"<annotations><meta>{'<label/>' * 9000}</meta><image id='0'></image></annotations>"),
    ("cvat-video", "<annotations><meta/><track id='0'></track></annotations>"),
    ("cvat-video", "<annotations><meta><mode>interpolation</mode></meta></annotations>"),
    ("open-images", "ImageID,LabelName,XMin,XMax,YMin,YMax\na,/m/1,0.1,0.2,0.1,0.2\n"),
    ("open-images", "ImageID,PredictionString\na,/m/1 0.5 0 0 1 1\n"),
    ("tf-csv", "filename;width;height;class;xmin;ymin;xmax;ymax\na.jpg;1;2;cat;1;2;3;4\n"),
    ("tf-csv", "a/b.jpg,1,2,3,4,cat\na/c.jpg,,,,,\na/d.jpg,5,6,7,8,dog\n"),
    ("vott-csv", '"image","xmin","ymin","xmax","ymax","label"\n"a.jpg",1.5,2,3,4,"cat"\n'),
    ("via-csv", "#filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes"),
    ("tfrecord", LENGTH + crc_of(LENGTH) + b"data"),
    ("voc-xml", VOC), ("voc-xml", "<annotation/>"),
    ("imagenet-det", "1 1 0.5 1 2 3 4\n2 5 0.25 10 20 30 40\n"),
    ("imagenet-loc", "1 1 2 30 40 7 1 2 30 40\n5 1 2 30 40\n"),
    ("yolo", "0 0.5 0.5 0.25 0.25\n"), ("text", "cat 10 20 30 40\n"), ("voc-results", "000012 0.5 10 20 30 40\n"),
    ("createml", [{"image": "a.jpg", "annotations": [{"label": "cat", "coordinates": {"x": 1}}]}]),
    ("azure-custom-vision", [{"id": "a", "regions": [{"tagName": "cat", "left": 0.5}]}]),
    ("azure-custom-vision", {"predictions": [{"tagName": "cat", "boundingBox": {"left": 0.5}}]}),
    ("datumaro", {"info": {}, "categories": {"label": {}}, "items": []}),
    ("label-studio", [{"id": 1, "data": {"image": "a"}, "annotations": [{"result": []}]}]),
    ("mot", "1,1,399,182,121,229,1,-1,-1,-1\n1,2,282.5,201,92,184,1,-1,-1,-1\n"),
    ("kitti", "Car 0.0 0 1.5 1 2 3 4 1 1 1 1 1 1 1\n"),
    ("kitti", "0 -1 traffic light 0.0 0 1.5 1 2 3 4 1 1 1 1 1 1 1 0.5\n"),
    ("kitti", "0,2,147.5,196.9,314.0,281.5,12.3,1.5,1.6,4.1,-8.2,2.1,16.1,1.5,2.0\n"),
    # what is not read
    ("supervisely", {"size": {"height": 1, "width": 2}, "tags": [], "objects": []}),
    ("labelme-xml", "<annotation><filename>a</filename><imagesize><nrows>1</nrows></imagesize></annotation>"),
    ("coco-panoptic", {"images": [{"id": 1}], "annotations": [{"image_id": 1, "segments_info": []}]}),
    ("coco-panoptic", {
        "images": [{"id": i, "file_name": "0" * 40} for i in range(2000)],
        "annotations": [{"segments_info": []}], "categories": [{"isthing": 1}],
    }),
    ("coco-captions", {"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "a cat"}]}),
    ("coco-images", {"images": [{"id": 1}], "categories": []}),
    ("via3", {"project": {}, "config": {}, "attribute": {}, "file": {}, "metadata": {}, "view": {}}),
    ("coco", {"info": {}, "images": [{"image_id": 1, "dets": []}]}),
    ("darknet-json", [{"frame_id": 1, "filename": "a", "objects": []}]),
    ("crowdhuman", '{"ID": "a", "gtboxes": [{"tag": "person"}]}\n{"ID": "b", "gtboxes": []}\n'),
    ("bdd100k", [{"name": "a", "labels": [{"box2d": {}}]}]),
    ("hierarchy", {"LabelName": "/m/1", "Subcategory": []}),
    ("sizes", {"a.jpg": [1, 2], "b.jpg": [3, 4]}),
    ("boxscore", {"schema": "boxscore/result/1", "results": []}),
    ("open-images-vrd", "ImageID,LabelName1,LabelName2,RelationshipLabel,XMin1\n"),
    ("image-labels", "ImageID,Source,LabelName,Confidence\n"),
    ("open-images", "MaskPath,ImageID,LabelName\n"),
    ("descriptions", "/m/01,Cat\n/m/02,Dog\n"),
    ("mots", "0 1001 1 375 1242 UdW31S;5L4\n"),
    ("visdrone", "684,8,273,116,0,0,0,0\n406,119,265,70,1,2,0,0\n"),
    ("dota", "imagesource:GoogleEarth\ngsd:0.1\n1 2 3 4 5 6 7 8 plane 0\n"),
    ("wider-face", "0--Parade/a.jpg\n1\n449 330 122 149 0 0 0 0 0 0\n"),
    ("keras-yolo3", "a/b.jpg 1,2,3,4,0 5,6,7,8,1\n"),
    ("list", "cat\ndog\n"), ("list", "VOC/JPEGImages/000001.jpg\n"), ("label-map", "item {\n  id: 1\n}\n"),
    ("parquet", b"PAR1\0\0"), ("pickle", b"\x80\x04\x95"), ("numpy", b"\x93NUMPY\1\0"), ("matlab", b"MATLAB 5.0 MAT"),
    ("hdf5", b"\x89HDF\r\n"), ("images", b"\xff\xd8\xff\xe0"), ("images", b"RIFF\0\0\0\0WEBP"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), SINGLE, ids=[f"{k} {name}" for k, (name, _) in enumerate(SINGLE)])
def test_a_single_file(name: str, content: Any) -> None:
    answer = recognised(of(content))
    assert answer.candidates[0].name == name
    assert answer.candidates[0].reasons
    named = {candidate.name for candidate in answer.candidates}
    assert named | {refused.name for refused in answer.refused} >= {
        form.name for form in formats()
    }  # everything is said of every format
    assert not named & {refused.name for refused in answer.refused}


def test_every_format_has_a_small_case() -> None:
    known = {form.name for form in formats()} | set(foreign())
    assert {name for name, _ in SINGLE} == known - {"kitti-raw", "xlsx", "voc-masks"}  # a folder of pictures


@pytest.mark.parametrize(
    ("files", "name", "level"),
    [
        (folder(a_dot_txt="0 0.5 0.5 0.25 0.25\n"), "yolo", SURE),
        (folder(a_dot_txt="0 0.5 0.5 0.25 0.25 0.9\n"), "yolo", LIKELY),
        (folder(a_dot_txt="0 0.5 0.5 0.25 0.25 0.9\n", classes_dot_txt="cat\n"), "yolo", SURE),
        (folder(a_dot_txt="0 0.5 0.5 0.25 0.25 0.9 12\n"), "yolo", SURE),  # a track number
        (folder(a_dot_txt="0 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2\n"), "yolo", SURE),
        (folder(a_dot_txt="cat 0.5 0.5 0.25 0.25\n"), "text", SURE),
        (folder(a_dot_txt="traffic light 0.5 10 20 30 40\n"), "text", SURE),
        (folder(a_dot_txt="0 10 20 30 40\n", b_dot_txt=""), "text", SURE),
        (folder(a_dot_txt="cat 10 20 30 40 difficult\n"), "text", SURE),
        (folder(a_dot_txt="", b_dot_txt=""), "text", SURE),
        (folder(a_dot_txt="", obj_dot_names="cat\n"), "yolo", SURE),
        (folder(cat_dot_txt="000001 0.5 1 2 30 40\n000002 0.5 1 2 30 40\n"), "voc-results", LIKELY),
        (folder(det_test_cat_dot_txt="a 0.5 1 2 30 40\n"), "voc-results", SURE),
        (folder(comp4_det_test_cat_dot_txt=""), "voc-results", SURE),
        (folder(Annotations__a_dot_xml=VOC, ImageSets__Main__val_dot_txt="a\n"), "voc-xml", SURE),
        (folder(a_dot_json={"shapes": [], "imagePath": "a"}, a_dot_jpg=b""), "labelme", SURE),
        (folder(a_dot_csv="ImageID,LabelName,XMin,XMax,YMin,YMax\na,b,10,200,30,40\n"), "open-images", POSSIBLE),
        (folder(xl__workbook_dot_xml="<a/>"), "xlsx", SURE),
        (folder(data_dot_pkl=b"\x80\2", version=b"3"), "pickle", SURE),
        (folder(a_dot_xml="<boost_serialization/>"), "kitti-raw", SURE),
        (folder(a_dot_jpg=b"", b=b"\x89PNG"), "images", SURE),
    ],
)
def test_a_folder(files: Files, name: str, level: str) -> None:
    best = recognised(files).candidates[0]
    assert (best.name, best.level) == (name, level)


def question(*lines: str) -> tuple[str, str]:
    (asked,) = recognised(folder(a_dot_txt="".join(f"{line}\n" for line in lines))).questions
    assert asked.evidence
    assert not asked.answer or asked.answer in asked.options
    return asked.text, asked.answer


def test_what_numbers_leave_open() -> None:
    assert question("cat 10 20 30 40", "cat 1 2 30 40") == ("xywh or xyxy", "")
    assert question("cat 100 20 30 40", "cat 1 2 30 40") == ("xywh or xyxy", "--box xywh")
    assert question(*["0 0.5 0.5 0.2 0.2 0.3"] * 9) == ("confidence first or last", "")  # inside, either way
    assert question(*["0 0.99 0.5 0.9 0.9 0.1"] * 9) == ("confidence first or last", "--confidence first")
    assert question(*["0 0.5 0.5 0.9 0.9 0.95"] * 9) == ("confidence first or last", "--confidence last")
    falling = [f"0 {0.3 + i % 3 / 10} 0.4 0.2 {0.2 + i % 2 / 20} {0.9 - i / 50}" for i in range(12)]
    assert question(*falling) == ("confidence first or last", "--confidence last")
    assert question("0 0.1 0.1 0.2 0.2 0.1 0.3 0 0.2") == ("oriented boxes or polygons", "--rows oriented")
    assert question("0 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2") == ("oriented boxes or polygons", "")  # either is one box
    assert question("0 0.1 0.1 0.9 0.1 0.5 0.2 0.1 0.2") == ("oriented boxes or polygons", "--rows polygon")
    joints = " ".join(["0.1 0.2 2"] * 4)
    assert question(f"0 0.5 0.5 0.1 0.1 {joints}") == ("poses or polygons", "--rows pose")


def test_sizes_and_shares_are_not_asked_about() -> None:
    assert recognised(folder(a_dot_txt="0 0.5 0.5 0.25 0.25\n")).questions == ()
    assert recognised(folder(a_dot_txt="cat 0.5 0.5 0.25 0.25\n")).questions == ()


@pytest.mark.parametrize(
    ("files", "side", "split", "name"),
    [
        (folder(a_dot_json=COCO, a_dot_jpg=b""), "truth", None, "x:a.json"),
        (folder(truth_dot_json=COCO, found_dot_json=RESULTS), "truth", None, "x:truth.json"),
        (folder(truth_dot_json=COCO, found_dot_json=RESULTS), "detections", None, "x:found.json"),
        (folder(train__a_dot_json=COCO, valid__a_dot_json=COCO), "truth", "val", "x:valid/a.json"),
        (folder(train__a_dot_json=COCO, valid__a_dot_json=COCO), "truth", "valid", "x:valid/a.json"),
        (
            folder(instances_val_dot_json=COCO, person_keypoints_val_dot_json=COCO),
            "truth",
            None,
            "x:instances_val.json",
        ),
        (folder(one_dot_json=COCO, two_dot_json=COCO), "truth", "two", "x:two.json"),
        (folder(a__x_dot_txt="cat 1 2 3 4\n"), "truth", None, "x"),
        (folder(r__Main__comp4_det_test_cat_dot_txt="a 0.5 1 2 3 4\n"), "detections", None, "x:r/Main"),
        (folder(VOC__Annotations__a_dot_xml=VOC), "truth", None, "x:VOC"),
        (folder(train__a_dot_xml=VOC, val__b_dot_xml=VOC), "truth", "val", "x:val"),
        (folder(VID__val__a_dot_xml=VOC, VID__val__b_dot_xml=VOC), "truth", "val", "x"),
        (folder(val__a_dot_xml=VOC, train__b_dot_xml=VOC, ImageSets__val_dot_txt="a\n"), "truth", "val", "x"),
        (folder(one__a_dot_txt="cat 1 2 3 4\n", two__a_dot_txt="cat 1 2 3 4\n"), "truth", None, "x"),
        (folder(one__a_dot_xml=VOC, two__b_dot_xml=VOC), "truth", None, "x"),  # folders that are no splits are one set
    ],
)
def test_which_files_are_meant(files: Files, side: str, split: str | None, name: str) -> None:
    assert recognise(files, side, None, split).files.name == name


def test_parts_are_one_set_also_those_that_are_not_looked_into() -> None:
    record = LENGTH + crc_of(LENGTH)
    files = folder(**{f"a_dot_record-{k:05}-of-00300": record for k in range(300)})
    (best,) = recognised(files).candidates
    assert best.name == "tfrecord"
    assert len(best.paths) < 300
    assert narrowed(files, best, None).paths == files.paths
    two = folder(a_dot_record=record, b_dot_record=record)
    with pytest.raises(InputError, match="2 files in tfrecord"):
        narrowed(two, recognised(two).candidates[0], None)
    assets = folder(**{f"{k}-asset_dot_json": {"asset": {}, "regions": []} for k in range(3)})
    assert narrowed(assets, recognised(assets).candidates[0], None).paths == assets.paths


def test_a_stated_format_is_not_doubted() -> None:
    assert recognise(of({"a": 1}), "truth", "coco").form == "coco"
    stated = recognise(folder(a_dot_json=COCO, b_dot_txt="cat 1 2 3 4\n"), "truth", "coco")
    assert (stated.form, stated.files.name) == ("coco", "x:a.json")


@pytest.mark.parametrize(("name", "content"), SINGLE, ids=[f"{k} {name}" for k, (name, _) in enumerate(SINGLE)])
def test_the_quick_way_takes_nothing_else_for_coco(name: str, content: Any) -> None:
    files = of(content)
    assert not is_coco(files) or name == "coco"


def test_the_quick_way_is_taken() -> None:
    many = {"images": [{"id": i} for i in range(999)], "annotations": [{"image_id": 1, "bbox": [0, 0, 1, 1]}]}
    turned = {"annotations": [{"image_id": 1, "bbox": [0, 0, 1, 1]}] * 999, "images": [{"id": 1}]}
    assert all(is_coco(of(content)) for content in (COCO, RESULTS, many, turned))


@pytest.mark.parametrize(
    ("content", "sides"),
    [
        (COCO, ("truth",)),
        (RESULTS, ("detections",)),
        ({**COCO, "annotations": [{"bbox": [], "score": 1}]}, ("truth", "detections")),
        (VOC, ("truth",)),
        (VOC.replace("<bndbox/>", "<bndbox/><score>0.5</score>"), ("truth", "detections")),
        ({"imagePath": "a", "shapes": [{"score": 0.5}]}, ("truth", "detections")),
        ("filename,class,xmin,ymin,xmax,ymax\n", ("truth",)),
        ("filename,class,score,xmin,ymin,xmax,ymax\n", ("detections",)),
    ],
)
def test_sides(content: Any, sides: tuple[str, ...]) -> None:
    assert recognised(of(content)).candidates[0].sides == sides


def test_a_doubt_is_noted() -> None:
    taken = recognise(folder(cat_dot_txt="000001 0.5 1 2 30 40\n"), "detections")
    assert [finding.code for finding in taken.findings] == ["FMT001"]
    assert recognise(of(COCO), "truth").findings == ()


def test_names_speak_where_content_does_not() -> None:
    assert [c.name for c in by_name(of("", "a.json"))] == ["coco"]
    assert [c.name for c in by_name(folder(a_dot_xml="<<"))] == ["voc-xml"]
    assert by_name(of("")) == ()


def test_the_checksum_of_a_record_is_checked() -> None:
    assert kind_of(LENGTH + crc_of(LENGTH)) == "record"
    assert kind_of(LENGTH + bytes(4)) != "record"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


def plain(value: Any, depth: int = 6) -> Any:
    """The outline of a value by its definition: keys, first elements, texts as they are written, numbers."""
    if isinstance(value, (dict, list)) and depth == 0:
        return type(value)()
    if isinstance(value, dict):
        return {json.dumps(key)[1:-1]: plain(inner, depth - 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner, depth - 1) for inner in value[:1]]
    if isinstance(value, str):
        return json.dumps(value)[1:-1]
    return None if value is None or isinstance(value, bool) else float(value)


@given(JSON)
def test_the_outline_of_json_is_that_of_its_value(value: Any) -> None:
    seen = outline(json.dumps(value))
    assert seen.complete
    assert seen.value == plain(value)


@given(JSON, st.integers(0, 200))
def test_a_cut_text_has_a_part_of_the_outline(value: Any, cut: int) -> None:
    def within(part: Any, whole: Any) -> bool:
        if isinstance(part, dict) and isinstance(whole, dict):
            return all(key in whole and within(inner, whole[key]) for key, inner in part.items())
        if isinstance(part, list) and isinstance(whole, list):
            return not part or (bool(whole) and within(part[0], whole[0]))
        return part == whole or isinstance(part, (float, type(None)))  # a number may be cut

    text = json.dumps(value)
    assert within(outline(text[:cut]).value, outline(text).value)


@given(st.binary(max_size=300))
def test_any_bytes_get_an_answer(content: bytes) -> None:
    answer = recognised(of(content))
    assert answer.found


@given(st.lists(st.text("01. ,-aexyz\n\"'{}[]<>:", max_size=40), max_size=4))
def test_any_folder_gets_an_answer(contents: list[str]) -> None:
    files = folder(**{f"f{k}": content for k, content in enumerate(contents)})
    assert recognised(files).found
