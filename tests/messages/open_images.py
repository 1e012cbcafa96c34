"""Files of Open Images that cannot be used, and files beside them."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.formats.io.rle import text_of
from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import TRUTH as SMALL
from small_coco import file

HEAD = "ImageID,LabelName,XMin,XMax,YMin,YMax"
BOXES = f"{HEAD}\na,/m/cat,0,1,0,1\nb,/m/dog,0,1,0,1\n"
PACKED = "ImageID,LabelName,ImageWidth,ImageHeight,Mask"
PICTURED = "MaskPath,ImageID,LabelName,BoxXMin,BoxXMax,BoxYMin,BoxYMax\nm.png,a,b,0,1,0,1\n"
TREE = "a tree of objects with LabelName and, where there is more below, a list Subcategory"
MAP = "item { name: '…' id: 1 } as in a label map, or lines such as /m/01g317,Person"


def boxes(content: str | bytes = BOXES, **how: Any) -> Any:
    file("t.csv", content)
    return read_truth("t.csv", Reading(**how))


def predictions(content: str | bytes, **how: Any) -> Any:
    file("p.csv", content)
    return read_detections("p.csv", Reading(**how))


def folder(files: dict[str, str | bytes], **how: Any) -> Any:
    Path("d").mkdir()
    for name, content in files.items():
        file(f"d/{name}", content)
    return read_truth("d", Reading(truth_format="open-images", **how))


def workbook() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr("xl/workbook.xml", "")
    return content.getvalue()


def packed(counts: list[int]) -> str:
    return base64.b64encode(zlib.compress(text_of(counts).encode())).decode()


def pixels() -> Any:
    file("t.json", SMALL)
    return read_truth("t.json")[0]


def beside(option: str, content: Any) -> Any:
    """Good boxes with another file, which is not good."""
    file("x", content if isinstance(content, (str, bytes)) else json.dumps(content))
    return boxes(**{option: "x"})


def masks(content: str) -> Any:
    """Good boxes with a file of masks, read to evaluate these."""
    file("x", content)
    return boxes(masks="x", needs=("masks",))


def picture(mode: str) -> bytes:
    from PIL import Image

    content = io.BytesIO()
    Image.new(mode, (3, 2)).save(content, "PNG")
    return content.getvalue()


def huge() -> bytes:
    """A picture that begins as a very large one."""
    made = b"\x89PNG\r\n\x1a\n"
    for kind, chunk in (
        (b"IHDR", struct.pack(">IIBBBBB", 99_999, 99_999, 8, 0, 0, 0, 0)),
        (b"IDAT", b""),
        (b"IEND", b""),
    ):
        made += struct.pack(">I", len(chunk)) + kind + chunk + struct.pack(">I", zlib.crc32(kind + chunk))
    return made


CASES: list[tuple[str, Callable[..., Any]]] = [
    ("t.csv: the file is empty; expected a CSV file with a header", lambda: boxes("\n")),
    ("t.csv: byte 37 is not UTF-8; expected a text file", lambda: boxes(HEAD.encode() + b"\xff")),
    (
        "t.csv:1: no column XMin (columns: ImageID, LabelName); expected ImageID, LabelName, XMin, XMax, YMin, YMax",
        lambda: boxes("ImageID,LabelName\n", truth_format="open-images"),
    ),
    (
        "t.csv:1: no column ImageID (columns: image, xmin, ymin, xmax, ymax, label); expected ImageID, "
        "LabelName, XMin, XMax, YMin, YMax",
        lambda: boxes("image,xmin,ymin,xmax,ymax,label\n", truth_format="open-images"),
    ),
    (
        f"p.csv:1: no column Score or Confidence or Conf (columns: {HEAD.replace(',', ', ')}); expected ImageID, "
        "LabelName, Score, XMin, XMax, YMin, YMax\n  Truth comes first, then detections; were they swapped?",
        lambda: predictions(BOXES),
    ),
    ("t.csv:4: 3 values; expected as many values as columns (6)", lambda: boxes(f"{BOXES}c,d,e\n")),
    ("t.csv:3: 1 value; expected as many values as columns (6)", lambda: boxes(f"{HEAD}\n\nx\n")),
    ("t.csv:3: XMax is 'wide'; expected a finite number", lambda: boxes(BOXES.replace("dog,0,1", "dog,0,wide"))),
    (
        "t.csv:4: XMin is '?'; expected a finite number",  # neither a quote in the header nor a row of spaces counts
        lambda: boxes(f'{HEAD},"Note\na,b,0,1,0,1,\n , , , , , , \na,b,?,1,0,1,\n'),
    ),
    ("t.csv:2: XMin is 'nan'; expected a finite number", lambda: boxes(f"{HEAD}\na,/m/cat,nan,1,0,1\n")),
    ("t.csv:2: XMin is '1_0'; expected a finite number", lambda: boxes(f"{HEAD}\na,/m/cat,1_0,1,0,1\n")),
    ("t.csv:2: XMin is '1e999'; expected a finite number", lambda: boxes(f"{HEAD}\na,/m/cat,1e999,1,0,1\n")),
    ("t.csv:2: XMin is ''; expected a finite number", lambda: boxes(f"{HEAD}\na,/m/cat,,1,0,1\n")),
    (
        "t.csv:4: XMin is 'left'; expected a finite number",  # the line on which a row ends that goes over two
        lambda: boxes(f'{HEAD}\na,"/m/\ncat",0,1,0,1\na,/m/cat,left,1,0,1\n'),
    ),
    (
        "t.csv:3: an empty ImageID; expected a name as ImageID",
        lambda: boxes(f"{HEAD}\na,/m/cat,0,1,0,1\n,/m/cat,0,1,0,1\n"),
    ),
    ("t.csv:3: an empty LabelName; expected a name as LabelName", lambda: boxes(f"{HEAD}\nz,,,,,\na,,0,1,0,1\n")),
    (
        "t.csv:2: IsGroupOf is 'maybe'; expected 1 or 0 (or -1 for unknown)",
        lambda: boxes(f"{HEAD},IsGroupOf\na,/m/cat,0,1,0,1,maybe\n"),
    ),
    (
        "t.csv: a CSV file that cannot be taken apart (field larger than field limit (131072)); expected rows of "
        "values, as in the first 0",
        lambda: boxes(f'{HEAD}\na,"{"x" * 140_000}\n",0,1,0,1\n'),
    ),
    # labels
    (
        "x:1: no column Confidence or ConfidenceImageLabel (columns: ImageID, LabelName); expected ImageID, LabelName, "
        "Confidence",
        lambda: beside("image_labels", "ImageID,LabelName\n"),
    ),
    (
        "x:2: Confidence is 'yes'; expected a finite number",
        lambda: beside("image_labels", "ImageID,LabelName,Confidence\na,b,yes\n"),
    ),
    # the form of the competition
    (
        "p.csv:1: the columns PredictionString, ImageID; expected ImageID, PredictionString",
        lambda: predictions("PredictionString,ImageID\n"),
    ),
    (
        "p.csv:3: 5 words in PredictionString; expected groups of Label Confidence XMin YMin XMax YMax",
        lambda: predictions("ImageID,PredictionString\na,\nb,/m/cat 0.5 0 0 1\n"),
    ),
    (
        "p.csv:2: YMin is 'x'; expected a finite number",
        lambda: predictions("ImageID,PredictionString\na,/m/cat 0.5 0 x 1 1\n"),
    ),
    ("p.csv:2: an empty ImageID; expected a name as ImageID", lambda: predictions("ImageID,PredictionString\n,\n")),
    # label maps
    (
        "t.csv:3: label '/m/dog', which x does not list (1 such label in all); expected one of the 1 listed labels",
        lambda: beside("label_map", "item { name: '/m/cat' id: 1 }"),
    ),
    (
        "t.csv:2: label '/m/cat', which classes does not list (2 such labels in all); expected one of the 1 listed "
        "labels",
        lambda: boxes(classes=("/m/owl",)),
    ),
    ("missing: no such file", lambda: boxes(label_map="missing")),
    (f"x: no classes; expected {MAP}", lambda: beside("label_map", "LabelName,DisplayName\n")),
    (f"x:2: '/m/dog'; expected {MAP}", lambda: beside("label_map", "/m/cat,Cat\n/m/dog\n")),
    (
        "x:2: an item without a name; expected a name and a whole number as id",
        lambda: beside("label_map", "item { name: '/m/cat' id: 1 }\nitem { id: 2 }"),
    ),
    (
        "x:1: an item with name '/m/cat' and id 'one'; expected a name and a whole number as id",
        lambda: beside("label_map", "item { name: '/m/cat' id: one }"),
    ),
    (
        "x:2: '/m/dog' (id 1) has the name or the id of an earlier class; expected different classes",
        lambda: beside("label_map", "item { name: '/m/cat' id: 1 }\nitem { name: '/m/dog' id: 1 }"),
    ),
    # hierarchies
    (f"x: invalid JSON (Expecting value: line 1 column 1 (char 0)); expected {TREE}", lambda: beside("hierarchy", "?")),
    (f"x: JSON nested too deeply; expected {TREE}", lambda: beside("hierarchy", "[" * 100_000)),
    (f"x: the root has no list Subcategory; expected {TREE}", lambda: beside("hierarchy", {"name": "Entity"})),
    (
        f"x: Subcategory[1] has no LabelName; expected {TREE}",
        lambda: beside("hierarchy", {"LabelName": "r", "Subcategory": [{"LabelName": "a"}, {"name": "b"}]}),
    ),
    (
        f"x: Subcategory[0] has no list Subcategory; expected {TREE}",
        lambda: beside("hierarchy", {"LabelName": "r", "Subcategory": [{"LabelName": "a", "Subcategory": {}}]}),
    ),
    # what is no file of boxes
    (
        "t.csv:1: relationships of two objects (columns: ImageID, LabelName1, LabelName2); expected boxes, one object "
        "a row\n  Relationships are read as open-images-vrd.",
        lambda: boxes("ImageID,LabelName1,LabelName2\n", truth_format="open-images"),
    ),
    (
        "t.csv: boxes that are not normalized: numbers up to -7; expected numbers between 0 and 1, or "
        "--coords absolute (coords= in Python) for boxes in pixels",
        lambda: boxes(f"{HEAD}\na,b,-7,1,0,1\n"),
    ),
    (
        "t.csv: boxes that are not normalized: numbers up to 30, and XMax below XMin in 1 of 2 rows; "
        "expected numbers between 0 and 1, or --coords absolute (coords= in Python) for boxes in pixels\n  The columns "
        "may hold x1, y1, x2, y2 in this order under the names XMin, XMax, YMin, YMax.",
        lambda: boxes(f"{HEAD}\na,b,20,4,30,9\na,b,0,1,0,1\n"),
    ),
    (
        "t.csv: an Excel workbook; expected a CSV file\n  Save the sheet as CSV (UTF-8).",
        lambda: boxes(workbook(), truth_format="open-images"),
    ),
    (
        "d: no CSV file with ImageID, LabelName and XMin (d.csv); expected one CSV file with ImageID, LabelName and "
        "XMin",
        lambda: folder({"d.csv": "/m/cat,Cat\n"}),
    ),
    (
        "d: 2 files with ImageID, LabelName and XMin (test.csv, train.csv); expected one CSV file with ImageID, "
        "LabelName and XMin\n  Give the path of one of them, or a split that only one of them has in its path.",
        lambda: folder({"train.csv": BOXES, "test.csv": BOXES, "e.csv": "", "l.csv": "ImageID,LabelName\n"}),
    ),
    (
        "x:2: an empty LabelName; expected a name as LabelName",
        lambda: beside("image_labels", "ImageID,LabelName,Confidence\na,,1\n"),
    ),
    # masks
    (
        "t.csv:3: an image of 8×6, which was 8×5 in a row before; expected one size per image",
        lambda: boxes(f"{PACKED}\na,b,8,5,\na,b,8,6,\n"),
    ),
    (
        "t.csv:2: an empty Mask, and no box; expected a mask with something inside",
        lambda: boxes(f"{PACKED}\na,b,8,5,\n"),
    ),
    (
        "t.csv:2: an empty LabelName; expected a name as LabelName",
        lambda: boxes(f"{PACKED}\na,,8,5,{packed([0, 40])}\n"),
    ),
    (
        "t.csv:2: a Mask without ImageWidth and ImageHeight; expected the size of the image",
        lambda: boxes(f"{PACKED}\na,b,,,{packed([40])}\n"),
    ),
    (
        "t.csv:2: a Mask of 39 pixels in an image of 8×5; expected 40 pixels",
        lambda: boxes(f"{PACKED}\na,b,8,5,{packed([9, 30])}\n"),
    ),
    (
        "t.csv:2: a Mask that cannot be unpacked (Error -3 while decompressing data: incorrect header check); expected "
        "COCO's run lengths, packed by zlib and written in base64",
        lambda: boxes(f"{PACKED}\na,b,8,5,eeee\n"),
    ),
    (
        "d/m.png: a picture that cannot be read; expected a whole PNG file",
        lambda: folder({"m.csv": PICTURED, "m.png": b"\x89PNG\r\n\x1a\n"}, shapes=True),
    ),
    (
        "d/m.png: a picture with the channels R, G, B; expected a PNG file with a palette or in shades of grey",
        lambda: folder({"m.csv": PICTURED, "m.png": picture("RGB")}, shapes=True),
    ),
    (
        "d/m.png: a picture with more pixels than any image; expected a mask",
        lambda: folder({"m.csv": PICTURED, "m.png": huge()}, shapes=True),
    ),
    (
        "x:2: the picture m.png is not there; expected a PNG file\n  Pictures are looked for in the folder of the "
        "file, in folders below it, and in archives there.",
        lambda: masks(PICTURED),
    ),
    (
        "x:1: no column Mask or MaskPath (columns: ImageID, LabelName, XMin, XMax, YMin, YMax); expected a file "
        "with masks",
        lambda: masks(BOXES),
    ),
    (
        "x: masks without the corners of boxes; expected XMin, XMax, YMin, YMax, by which masks are told",
        lambda: masks(f"{PACKED}\na,b,8,5,\n"),
    ),
    (
        "x:2: a Mask that cannot be unpacked (Invalid base64-encoded string: number of data characters (1) cannot be 1 "
        "more than a multiple of 4); expected COCO's run lengths, packed by zlib and written in base64",
        lambda: masks(f"{HEAD},ImageWidth,ImageHeight,Mask\na,/m/cat,0,1,0,1,8,5,A\n"),
    ),
    # writing
    (
        "t.json: boxes in pixels, and no size of a.jpg; expected image sizes, for boxes relative to them",
        lambda: list(made(pixels(), "open-images")),
    ),
]
