"""Whatever stands in a JSON or CSV file, it is read or an error of ours says why not."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import BoxscoreError
from boxscore.formats.io.base64_image import png_of
from boxscore.formats.io.files import Files
from boxscore.formats.io.options import Reading
from boxscore.formats.io.source import Source
from boxscore.formats.registry import lookup
from effort import examples

ODD = st.sampled_from(
    [None, True, False, 0, -1, 1.5, 1e308, -(10**400), float("nan"), float("inf"), "", " ", "x", "\ud800", "1", "nan",
     [], {}, [[]], [None], [1, 2], {"x": 1}, {"": None}, "AAAA", 2**63, [[1, 2], [3, 4], [5, 6]]]
)  # fmt: skip
MASK = png_of(np.ones((2, 3), np.bool_))
SHAPE = {"label": "cat", "points": [[1, 2], [3, 4]], "group_id": 1, "flags": {"difficult": True}, "score": 0.5}
POINTS = [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 0}]
REGION = {"type": "POLYGON", "tags": ["cat"], "boundingBox": {"left": 1, "top": 2, "width": 3, "height": 4},
          "points": POINTS}  # fmt: skip
ASSET = {"name": "a.jpg", "path": "file:/a.jpg", "size": {"width": 5, "height": 5}, "state": 2, "type": 3,
         "timestamp": 1.5, "parent": {"name": "v.mp4"}}  # fmt: skip
ATTRIBUTES = {"label": "cat", "score": "0.5", "difficult": "1", "flags": {"crowd": True}, "more": "x"}
TRACKS = [{
    "id": 1, "video_id": 1, "category_id": 1, "iscrowd": 0, "score": 0.5, "bboxes": [None, [1, 2, 3, 4]],
    "segmentations": [{"size": [4, 4], "counts": [5, 2, 2, 2, 5]}, [[1, 1, 3, 1, 3, 3]]], "areas": [4, None],
}]  # fmt: skip
TUBES = [{"id": 1, "video_id": 1, "category_id": 1, "score": 1, "track": [
    {"frame": 0, "bbox": [1, 2, 3, 4], "confidence": 0.5, "outside": 1}]}]  # fmt: skip
FILES: list[tuple[str, Any]] = [
    ("labelme", {
        "shapes": [{**SHAPE, "shape_type": "rectangle", "description": "x", "attributes": {"a": 1}},
                   {**SHAPE, "shape_type": "circle"}, {**SHAPE, "shape_type": "mask", "mask": MASK}],
        "imagePath": "a.jpg", "imageWidth": None, "imageHeight": 5, "imageData": MASK,
    }),
    ("via-json", {"a": {"filename": "a.jpg", "size": 1, "file_attributes": {"width": 5, "height": "6"}, "regions": [
        {"shape_attributes": shape, "region_attributes": ATTRIBUTES} for shape in (
            {"name": "rect", "x": 1, "y": 2, "width": 3, "height": 4},
            {"name": "polygon", "all_points_x": [1, 2, 3], "all_points_y": [1, 5, 3]},
            {"name": "ellipse", "cx": 1, "cy": 2, "rx": 3, "ry": 4, "theta": 0.5},
        )]}}),
    ("vott-json", {"tags": [{"name": "cat"}], "assets": {"1": {"asset": ASSET, "regions": [REGION]}}}),
    ("vott-json", {"inputTags": "cat", "frames": {"a": [
        {"x1": 1, "y1": 2, "x2": 3, "y2": 4, "width": 5, "height": 6, "tags": ["cat"]}]}}),
    ("stt", {"videos": [{"id": 1, "file_name": "v", "width": 5, "height": 6, "frames": [0, {"frame": 3}]}],
             "categories": [{"id": 1, "name": "cat"}], "annotations": TUBES}),
    ("stt", TUBES),
    ("youtube-vis", {"videos": [{"id": 1, "file_names": ["v/0.jpg", "v/1.jpg"], "width": 5, "height": 6},
                                {"id": 2, "length": 1}],
                     "categories": [{"id": 1, "name": "cat"}], "annotations": TRACKS}),
    ("youtube-vis", TRACKS),
    ("createml", [{"image": "a.jpg", "annotations": [
        {"label": "cat", "coordinates": {"x": 1, "y": 2, "width": 3, "height": 4}, "confidence": 0.5}]}]),
    ("azure-custom-vision", [{"id": "a", "width": 5, "height": 6, "regions": [
        {"tagName": "cat", "tagId": "1", "left": 0.5, "top": 0.5, "width": 0.25, "height": 0.125}]}]),
    ("azure-custom-vision", {"id": "a", "predictions": [{"tagName": "cat", "probability": 0.5, "boundingBox": {
        "left": 0.5, "top": 0.5, "width": 0.25, "height": 0.125}}]}),
    *(("label-studio", [{"id": 1, "data": {"image": "a.jpg", "width": 5}, key: [{"score": 1, "result": [
        {"id": "r", "type": f"{form}labels", "original_width": 2, "original_height": 1, "image_rotation": 0,
         "value": {"rotation": 10, f"{form}labels": ["cat"], **value}} for form, value in (
             ("rectangle", {"x": 1, "y": 2, "width": 3, "height": 4}),
             ("polygon", {"points": [[1, 2], [3, 4], [5, 6]]}),
             ("ellipse", {"x": 1, "y": 2, "radiusX": 3, "radiusY": 4}), ("choices", {"choices": ["crowd", "x"]}),
             ("brush", {"rle": [0, 0, 0, 8, 59, 51, 48, 192, 1, 224, 0]}))]}]}])
      for key in ("annotations", "predictions")),
    ("datumaro", {"categories": {"label": {"labels": [{"name": "cat"}]}}, "items": [
        {"id": "a", "image": {"path": "a.jpg", "size": [5, 6]}, "video_frame": {"video_path": "v", "frame_index": 1},
         "annotations": [{"label_id": 0, "group": 1, "attributes": {"score": 0.5, "occluded": True}, **one} for one in (
             {"type": "bbox", "bbox": [1, 2, 3, 4], "object_id": 3}, {"type": "polygon", "points": [1, 2, 3, 4, 5, 0]},
             {"type": "points", "points": [1, 2], "visibility": [1]}, {"type": "ellipse", "points": [1, 2, 3, 4]},
             {"type": "mask", "rle": {"size": [4, 4], "counts": "52203"}})]}]}),
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inside for place in places(one, (*path, key)))]


def changed(content: Any, path: tuple[Any, ...], odd: Any, gone: bool) -> Any:
    if not path:
        return odd
    whole = copy.deepcopy(content)
    inside = whole
    for key in path[:-1]:
        inside = inside[key]
    if gone:
        del inside[path[-1]]
    else:
        inside[path[-1]] = odd
    return whole


def read(form: str, content: bytes, side: str) -> None:
    single = lookup(form).folder is False
    given_files = Source("x", None, content) if single else Files("x", ("",), None, {"": content})
    more = () if side == "truth" else (None,)
    with contextlib.suppress(BoxscoreError):
        table, _ = lookup(form).reader(side)(given_files, Reading(shapes=True), *more)
        assert np.isfinite(table.corners).all()
        for text in (*table.images.key, *table.classes.name, *(table.attributes.value if table.attributes else ())):
            text.encode()
        if side == "detections":
            assert np.isfinite(table.score).all()


@pytest.mark.parametrize("number", range(len(FILES)), ids=lambda n: f"{FILES[n][0]}-{n}")
@settings(max_examples=examples(150))
@given(data=st.data())
def test_a_changed_value_is_read_or_refused(number, data):
    form, content = FILES[number]
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(places(content)))
        content = changed(content, path, data.draw(ODD), data.draw(st.booleans()))
    for side in ("truth", "detections") if lookup(form).detections else ("truth",):
        read(form, json.dumps(content).encode(), side)


ROWS = {
    "via-csv": 'filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\n'
    'a.jpg,1,"{}",1,0,"{""name"":""rect"",""x"":1,""y"":2,""width"":3,""height"":4}","{""label"":""c"",""score"":1}"\n',
    "vott-csv": '"image","xmin","ymin","xmax","ymax","label","confidence"\n"a%20b.jpg",1,2.5,3,4,"cat",0.5\n',
}  # fmt: skip


@pytest.mark.parametrize("form", sorted(ROWS))
@settings(max_examples=examples(200))
@given(data=st.data())
def test_a_changed_byte_is_read_or_refused(form, data):
    content = bytearray(ROWS[form].encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=3))
    for side in ("truth", "detections"):
        read(form, bytes(content), side)
