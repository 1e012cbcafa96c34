"""Files of VIA, VoTT and STT that cannot be used, and tables that cannot be written so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from boxscore.formats.io.writing import made
from boxscore.formats.via.csv import COLUMNS
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import TRUTH, file

RECT = {"name": "rect", "x": 1, "y": 2, "width": 3, "height": 4}
LABEL = {"label": "cat"}
VIA = "annotations of VIA 2 (JSON): an object with `filename` and `regions` for every image"
HEADER = ",".join(COLUMNS)
NAMES = ", ".join(COLUMNS)
BOX = {"left": 1, "top": 2, "width": 3, "height": 4}
TUBE = {"id": 1, "video_id": 1, "category_id": 1, "track": [{"frame": 0, "bbox": [1, 2, 3, 4]}]}
RECORD = 'a list of {"video_id", "category_id", "track": [{"frame", "bbox", "confidence"}]}'
SWAPPED = "\n  Truth comes first, then detections; were they swapped?"
COLUMNS_OF_VOTT = "image, xmin, ymin, xmax, ymax, label"


def read(name: str, content: Any, form: str, side: str = "truth") -> Any:
    how = Reading(**{f"{side}_format": form})
    return (read_truth if side == "truth" else read_detections)(file(name, content), how)


def via(shape: Any = RECT, attributes: Any = LABEL, side: str = "truth", **more: Any) -> Any:
    regions = [{"shape_attributes": shape, "region_attributes": attributes}]
    return read("v.json", {"a": {"filename": "a.jpg", "size": 1, "regions": regions, **more}}, "via-json", side)


def via_rows(*rows: str, header: str = HEADER) -> Any:
    return read("v.csv", "\n".join([header, *rows, ""]), "via-csv")


def vott(region: Any = None, name: str = "p.json", **more: Any) -> Any:
    regions = [] if region is None else [{"type": "RECTANGLE", "tags": ["cat"], "boundingBox": BOX, **region}]
    asset = {"asset": {"name": "a.jpg", "path": "file:/a.jpg", **more}, "regions": regions}
    return read(name, {"tags": [], "assets": {"1": asset}}, "vott-json")


def same_paths() -> Any:
    asset = {"asset": {"name": "a.jpg", "path": "file:/x/a.jpg"}, "regions": []}
    return read("p.json", {"tags": [], "assets": {"1": asset, "2": asset}}, "vott-json")


def two_exports() -> Any:
    Path("t").mkdir()
    for name in ("a", "b"):
        file(f"t/{name}.json", {})
    return read_truth("t", Reading(truth_format="vott-json"))


def v1(**region: Any) -> Any:
    whole = {"x1": 1, "y1": 2, "x2": 3, "y2": 4, "width": 10, "height": 10, "tags": ["cat"], **region}
    return read("p.json", {"frames": {"a.jpg": [whole]}, "inputTags": "cat"}, "vott-json")


def rows(text: str, side: str = "truth") -> Any:
    return read("t.csv", text, "vott-csv", side)


def stt(*tubes: Any, side: str = "truth", **changes: Any) -> Any:
    whole = {"videos": [{"id": 1, "file_name": "v.mp4"}], "categories": [{"id": 1, "name": "cat"}]}
    return read("s.json", {**whole, "annotations": [{**TUBE, **one} for one in tubes], **changes}, "stt", side)


def track(**box: Any) -> Any:
    return stt({"track": [{"frame": 0, "bbox": [1, 2, 3, 4], **box}]})


def a_table() -> Any:
    return replace(read_truth(file("t.json", TRUTH))[0], source="boxes")


CASES: list[tuple[str, Callable[..., Any]]] = [
    # VIA
    (f"v.json:1:1: no valid JSON (Expecting value); expected {VIA}", lambda: read("v.json", "<x>", "via-json")),
    (
        f"v.json: $: a project of VIA 3, whose regions are of another kind; expected {VIA}\n"
        "  Save the annotations with VIA 2, or as COCO.",
        lambda: read("v.json", {"project": {"pid": "1"}, "metadata": {}, "view": {}, "file": {}}, "via-json"),
    ),
    ("v.json: $.a: 5; expected an object", lambda: read("v.json", {"a": 5}, "via-json")),
    (
        "v.json: $.a: no `regions` (its keys: filename); expected an object with `regions`",
        lambda: read("v.json", {"a": {"filename": "a"}}, "via-json"),
    ),
    (
        "v.json: $.b: the file name 'a' again; expected a file name of its own for every image",
        lambda: read("v.json", {k: {"filename": "a", "regions": []} for k in "ab"}, "via-json"),
    ),
    (
        "v.json: $.a.regions[0].shape_attributes: the shape 'star'; expected one of rect, polygon, circle, ellipse, "
        "polyline, point",
        lambda: via({"name": "star"}),
    ),
    (
        "v.json: $.a.regions[0].shape_attributes: no `height` (its keys: name, x, y and 1 more); expected an object "
        "with `height`",
        lambda: via({k: v for k, v in RECT.items() if k != "height"}),
    ),
    ('v.json: $.a.regions[0].shape_attributes.x: "1"; expected a number', lambda: via({**RECT, "x": "1"})),
    (
        "v.json: $.a.regions[0].shape_attributes: a polygon of 3 x and 2 y; expected as many of both, 3 or more",
        lambda: via({"name": "polygon", "all_points_x": [1, 2, 3], "all_points_y": [1, 2]}),
    ),
    (
        "v.json: $.a.regions[0].shape_attributes.r: -1; expected a number that is not below 0",
        lambda: via({"name": "circle", "cx": 1, "cy": 2, "r": -1}),
    ),
    (
        "v.json: regions with the attributes 'colour', 'Kind', any of which may be the class; expected one attribute, "
        "or one that is called label, class, name, type, category, object\n"
        "  Rename the attribute with the class to 'label'.",
        lambda: via(attributes={"colour": "red", "Kind": "cat"}),
    ),
    (
        "v.json: 1 region, and no attribute that could be the class; expected regions with an attribute for their class"
        "\n  If all are of one class, state its name: --classes NAME (classes= in Python).",
        lambda: via(attributes={}),
    ),
    (
        "v.json: $.a.regions[0].region_attributes.label: 2 classes (cat, dog); expected one class",
        lambda: via(attributes={"label": {"cat": True, "dog": True, "cow": False}}),
    ),
    (
        "v.json: $.a.regions[0].region_attributes.label: 0.5; expected a whole number",
        lambda: via(attributes={"label": 0.5}),
    ),
    (
        'v.json: $.a.regions[0].region_attributes.difficult: "maybe"; expected yes or no',
        lambda: via(attributes={**LABEL, "difficult": "maybe"}),
    ),
    (
        "v.json: $.a.regions[0].region_attributes: no `score`; expected a number as `score` or `confidence` of every "
        "region\n  Files of VIA are mostly truth; were the two sides swapped?",
        lambda: via(side="detections"),
    ),
    (
        'v.json: $.a.regions[0].region_attributes.score: "1_0"; expected a finite number',
        lambda: via(attributes={**LABEL, "score": "1_0"}, side="detections"),
    ),
    (
        'v.json: $.a.file_attributes.width: "wide"; expected a finite number',
        lambda: via(file_attributes={"width": "wide"}),
    ),
    (
        f"v.csv:1: a project of VIA 3, whose regions are of another kind; expected {NAMES}\n"
        "  Save the annotations with VIA 2, or as COCO.",
        lambda: via_rows(header="# CSV_HEADER = metadata_id,file_list"),
    ),
    (
        f"v.csv:1: no column region_attributes (columns: filename, region_shape_attributes); expected {NAMES}",
        lambda: via_rows(header="filename,region_shape_attributes"),
    ),
    ("v.csv:2: an empty filename; expected the name of an image", lambda: via_rows(",1,{},0,0,{},{}")),
    (
        "v.csv:3: the file name 'a' again, with another file_size; expected a file name of its own for every image",
        lambda: via_rows("a,1,{},0,0,{},{}", "a,2,{},0,0,{},{}"),
    ),
    (
        "v.csv:2: region_shape_attributes: invalid JSON (Expecting property name enclosed in double quotes: line 1 "
        "column 2 (char 1)); expected an object in JSON",
        lambda: via_rows("a,1,{},1,0,{x},{}"),
    ),
    ("v.csv:2: region_shape_attributes: 5; expected an object", lambda: via_rows("a,1,{},1,0,5,{}")),
    # VoTT
    (
        "p.json: $: no `assets` (its keys: images); expected an object with `assets`",
        lambda: read("p.json", {"images": []}, "vott-json"),
    ),
    (
        "t: no single JSON file (it holds a.json, b.json); expected one JSON export of VoTT, or assets in *-asset.json",
        two_exports,
    ),
    (
        "p.json: $.assets.2.asset: the image '/x/a.jpg' again; expected a path of its own for every asset",
        same_paths,
    ),
    (
        "p.json: $.assets.1.regions[0]: the type 'STAR'; expected one of RECTANGLE, SQUARE, POLYGON, POLYLINE, POINT",
        lambda: vott({"type": "star"}),
    ),
    (
        "p.json: $.assets.1.regions[0].points: 1 point; expected 3 or more",
        lambda: vott({"type": "POLYGON", "points": [{"x": 1, "y": 2}]}),
    ),
    (
        "p.json: $.assets.1.regions[0].boundingBox: no `top` (its keys: left); expected an object with `top`",
        lambda: vott({"boundingBox": {"left": 1}}),
    ),
    (
        "p.json: $.assets.1.regions[0].boundingBox.left: null; expected a value",
        lambda: vott({"boundingBox": {**BOX, "left": None}}),
    ),
    ("p.json: $.assets.1.regions[0].tags[1]: null; expected text", lambda: vott({"tags": ["cat", None]})),
    ('p.json: $.assets.1.asset.state: "x"; expected a whole number', lambda: vott(state="x")),
    (
        "p.json: $.frames.a.jpg[0].width: 0; expected a number above 0: the size at which the image was displayed",
        lambda: v1(width=0),
    ),
    (
        "p.json: $.frames.a.jpg[0].x2: null; expected a value",
        lambda: v1(x2=None),
    ),
    (
        "p.json: $.frames.a b.jpg: the image 'a b.jpg' again; expected a name of its own for every frame",
        lambda: read("p.json", {"frames": {"a%20b.jpg": [], "a b.jpg": []}, "inputTags": ""}, "vott-json"),
    ),
    (
        f"t.csv:1: no column label (columns: image, xmin, ymin, xmax, ymax); expected {COLUMNS_OF_VOTT}",
        lambda: rows("image,xmin,ymin,xmax,ymax\n"),
    ),
    (
        f"t.csv:1: no column confidence or score (columns: {COLUMNS_OF_VOTT}); expected {COLUMNS_OF_VOTT}, confidence"
        f"{SWAPPED}",
        lambda: rows(COLUMNS_OF_VOTT.replace(" ", "") + "\na,1,2,3,4,cat\n", "detections"),
    ),
    (
        "t.csv:2: xmax is '1_0'; expected a finite number",
        lambda: rows(COLUMNS_OF_VOTT.replace(" ", "") + "\na,1,2,1_0,4,cat\n"),
    ),
    (
        "t.csv: images of the name 'a b', with percent signs and without; expected one way of writing names",
        lambda: rows(COLUMNS_OF_VOTT.replace(" ", "") + "\na b,1,2,3,4,cat\na%20b,1,2,3,4,cat\n"),
    ),
    # STT
    (
        "s.json: $: a list of 1 records, as of predictions; expected an object with videos, annotations (with tracks) "
        f"and categories{SWAPPED}",
        lambda: read("s.json", [TUBE], "stt"),
    ),
    (
        f"s.json: $.annotations[0].track[0]: no `confidence`; expected predictions: {RECORD}{SWAPPED}",
        lambda: stt({}, side="detections"),
    ),
    (
        "s.json: $.videos[1].id: the video 1 again; expected an id of its own for every video",
        lambda: stt(videos=[{"id": 1}, {"id": 1}]),
    ),
    (
        "s.json: $.videos: a `file_name` that several videos have; expected different names",
        lambda: stt(videos=[{"id": 1, "file_name": "v"}, {"id": 2, "file_name": "v"}]),
    ),
    (
        "s.json: $.categories[1]: an id or a name that another category has; expected different ids and names",
        lambda: stt(categories=[{"id": 1, "name": "a"}, {"id": 2, "name": "a"}]),
    ),
    (
        "s.json: $.annotations[0]: the `video_id` 7, which is not listed; expected a listed video and category",
        lambda: stt({"video_id": 7}),
    ),
    (
        "s.json: $.annotations[0]: the `category_id` 7, which is not listed; expected a listed video and category",
        lambda: stt({"category_id": 7}),
    ),
    (
        "s.json: $.annotations[1]: the id 1 again in one video; expected an id of its own for every tube",
        lambda: stt({}, {}),
    ),
    (
        "s.json: $.annotations[0].track[1]: the frame 0 again; expected one box of a tube in a frame",
        lambda: stt({"track": TUBE["track"] * 2}),  # type: ignore[operator]
    ),
    ("s.json: $.annotations[0].track[0].frame: -1; expected a frame number from 0", lambda: track(frame=-1)),
    ("s.json: $.annotations[0].track[0].bbox: [1, 2]; expected [x, y, width, height]", lambda: track(bbox=[1, 2])),
    (
        "s.json: $.annotations[0].track[0].bbox[3]: NaN; expected a finite number",
        lambda: track(bbox=[1, 2, 3, float("nan")]),
    ),
    (
        "s.json: $.annotations[0].track[0].bbox: numbers whose sum is infinite; expected a box with finite corners",
        lambda: track(bbox=[1e308, 2, 1e308, 4]),
    ),
    (
        "s.json: $.annotations[0].track[0].outside: 2; expected true or false",
        lambda: track(outside=2),
    ),
    # Writing
    (
        "boxes: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: list(made(replace(a_table(), relative=True), "via-csv")),
    ),
    (
        "boxes: images that are no frames of videos; expected frames of videos, for tubes",
        lambda: list(made(a_table(), "stt")),
    ),
]
