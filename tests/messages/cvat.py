"""CVAT files that cannot be read, and tables that cannot become one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boxscore.formats.cvat import meta as cvat_meta
from boxscore.formats.cvat import video as cvat_video
from boxscore.formats.io.writing import write
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Classes, Images, Truth
from small_coco import file

BOX = '<box label="cat" xtl="1" ytl="2" xbr="3" ybr="4"/>'
EXPECTED = "expected an XML file of CVAT (version 1.1)"
FINITE = "expected a finite number"


def images(*elements: str, meta: str = "", split: str | None = None) -> Any:
    file("a.xml", f"<annotations><meta>{meta}</meta>{''.join(elements)}</annotations>")
    return read_truth("a.xml", Reading(truth_format="cvat", split=split, shapes=True))


def image(*shapes: str) -> Any:
    return images(f'<image name="i.jpg" width="20" height="10">{"".join(shapes)}</image>')


def shape(words: str, tag: str = "box", label: str = 'label="cat" ', inner: str = "") -> Any:
    return image(f"<{tag} {label}{words}>{inner}</{tag}>")


def points(text: str) -> Callable[[], Any]:
    return lambda: shape(f'points="{text}"', "polygon")


def video(*elements: str, meta: str = "", split: str | None = None) -> Any:
    file("a.xml", f"<annotations><meta>{meta}</meta>{''.join(elements)}</annotations>")
    return read_truth("a.xml", Reading(truth_format="cvat-video", split=split, shapes=True))


def track(*frames: str, words: str = 'id="3" label="cat"') -> Any:
    boxes = (f'<box frame="{frame}" xtl="1" ytl="2" xbr="3" ybr="4"/>' for frame in frames)
    return video(f"<track {words}>{''.join(boxes)}</track>")


def detections(text: str) -> Any:
    file("a.xml", f'<annotations><image name="i.jpg">{text}</image></annotations>')
    return read_detections("a.xml", Reading(detections_format="cvat"))


def few_frames(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(cvat_video, "MOST_FRAMES", 10)
    return track("0", "12")


def many_frames(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(cvat_meta, "MOST_FRAMES", 10)
    return video(meta="<task><name>v</name><start_frame>0</start_frame><stop_frame>10</stop_frame></task>")


def table(n: int = 3, **more: Any) -> Truth:
    """A table of so many images, whose first one has a box."""
    keys = [f"{k}.jpg" for k in range(n)]
    truth = Truth(
        Images(keys, None, np.full(n, 20.0), np.full(n, 10.0), ["v"] * n, np.arange(n)), Classes(("cat",), ("cat",)),
        np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([[1.0, 2, 3, 4]]), np.array([4.0]), np.arange(1),
        source="table", area=np.full(1, np.nan), flags=np.zeros(1, np.uint16),
    )  # fmt: skip
    return replace(truth, **more)


def with_images(**more: Any) -> Truth:
    truth = table()
    return replace(truth, images=replace(truth.images, **more))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        f"a.xml: invalid XML (mismatched tag: line 1, column 35); {EXPECTED}",
        lambda: images("<image></annotations>"),
    ),
    (
        f"a.xml: invalid XML (a document type declaration is not accepted); {EXPECTED}",
        lambda: (file("a.xml", "<!DOCTYPE x []><annotations/>"), read_truth("a.xml", Reading(truth_format="cvat"))),
    ),
    (
        f"a.xml: invalid XML (no element found: line 1, column 0); {EXPECTED}",
        lambda: (file("a.xml", ""), read_truth("a.xml", Reading(truth_format="cvat"))),
    ),
    (
        f"a.xml: the element <annotation>; {EXPECTED}",
        lambda: (file("a.xml", "<annotation/>"), read_truth("a.xml", Reading(truth_format="cvat"))),
    ),
    (
        "a.xml: an element <track>; expected CVAT for images\n  Its format is cvat-video.",
        lambda: images("<track/>"),
    ),
    ("a.xml: an element <image>; expected CVAT for video\n  Its format is cvat.", lambda: video("<image/>")),
    ("a.xml: image[1] has no name; expected the name of its file", lambda: images('<image name="a"/><image/>')),
    (
        "a.xml: no image of 'val' (there are test, train); expected one of the subsets as split",
        lambda: images('<image name="a" subset="train"/><image name="a" subset="test"/>', split="val"),
    ),
    (
        "a.xml: no video of 'val' (there are train); expected one of the subsets as split",
        lambda: video(meta="<task><subset>train</subset></task>", split="val"),
    ),
    (
        "a.xml: image 's/a.jpg' twice in the same task; expected an image once",
        lambda: images('<image name="a.jpg" subset="s"/><image name="a.jpg" subset="s"/>'),
    ),
    (
        "a.xml: image 'i.jpg', <box> at [1]: no label; expected the name of its class",
        lambda: image(BOX, "<box/>"),
    ),
    (
        "a.xml: image 'i.jpg', <ball> at [0]: an unknown element; "
        "expected one of box, ellipse, cuboid, polygon, polyline, points, mask, skeleton",
        lambda: shape("", "ball"),
    ),
    (f"a.xml: image 'i.jpg', <box> at [0]: no ybr; {FINITE}", lambda: shape('xtl="1" ytl="1" xbr="2"')),
    (f"a.xml: image 'i.jpg', <box> at [0]: xtl is 'nan'; {FINITE}", lambda: shape('xtl="nan"')),
    (f"a.xml: image 'i.jpg', <box> at [0]: xtl is '1_0'; {FINITE}", lambda: shape('xtl="1_0"')),
    (f"a.xml: image 'i.jpg', <box> at [0]: xtl is '?'; {FINITE}", lambda: shape('xtl="?"')),
    (
        f"a.xml: image 'i.jpg', <box> at [0]: rotation is 'inf'; {FINITE}",
        lambda: shape('xtl="1" ytl="1" xbr="2" ybr="2" rotation="inf"'),
    ),
    (
        "a.xml: image 'i.jpg', <box> at [0]: a rotated box of -1 x 2; expected sides above 0",
        lambda: shape('xtl="2" ytl="1" xbr="1" ybr="3" rotation="30"'),
    ),
    *(
        (
            f"a.xml: image 'i.jpg', <polygon> at [0]: points is '{text}'; expected x,y;x,y of finite numbers",
            points(text),
        )
        for text in ("", "1,2;3", "1,2,3;4", "1,nan", "1,2_0", "1;2")
    ),
    (
        "a.xml: image 'i.jpg', <mask> at [0]: left is '0.5'; expected a whole number",
        lambda: shape('rle="4" left="0.5" top="0" width="2" height="2"', "mask"),
    ),
    (
        "a.xml: image 'i.jpg', <mask> at [0]: rle is not a list of runs; expected lengths of runs, such as 3, 2, 5",
        lambda: shape('rle="4, x" left="0" top="0" width="2" height="2"', "mask"),
    ),
    (
        "a.xml: image 'i.jpg', <mask> at [0]: rle has runs over 5 pixels; expected 2 x 2, the size of the mask",
        lambda: shape('rle="4, 1" left="0" top="0" width="2" height="2"', "mask"),
    ),
    (
        "a.xml: image 'i.jpg', <mask> at [0]: the mask leaves the image; expected a mask within it",
        lambda: shape('rle="3, 1" left="19" top="0" width="2" height="2"', "mask"),
    ),
    (
        "a.xml: image 'i.jpg', <skeleton> at [0]: no points; "
        "expected an element <points> for each point of the skeleton",
        lambda: shape("", "skeleton"),
    ),
    (
        "a.xml: image 'i.jpg', <skeleton> at [0]: a point of the skeleton has several places; expected x,y",
        lambda: shape("", "skeleton", inner='<points points="1,2;3,4"/>'),
    ),
    (
        "a.xml: image 'i.jpg', <box> at [0]: no score; expected an attribute score or confidence",
        lambda: detections(BOX),
    ),
    (
        "a.xml: image 'i.jpg', <box> at [0]: the score is 'high'; expected an attribute score or confidence",
        lambda: detections('<box label="cat" score="high" xtl="1" ytl="2" xbr="3" ybr="4"/>'),
    ),
    ("a.xml: track [1]: no id; expected a whole number", lambda: track(words='label="cat"')),
    ("a.xml: track x: id is 'x'; expected a whole number", lambda: track(words='id="x" label="cat"')),
    ("a.xml: track 3: no label; expected the name of its class", lambda: track(words='id="3"')),
    ("a.xml: track 3, <box> of frame -1: frame is '-1'; expected a whole number", lambda: track("-1")),
    ("a.xml: track 3, <box> of frame 2: it comes after frame 2; expected ascending frames", lambda: track("2", "2")),
    (
        "a.xml: track 3: nothing between the frames 0 and 12; expected at most 10 shapes to interpolate",
        few_frames,
    ),
    ("a.xml: task 'v' has frames from 0 to 10; expected at most 10 frames", many_frames),
    (
        "a.xml: start_frame is 'first'; expected the number of a frame",
        lambda: video(meta="<task><start_frame>first</start_frame></task>"),
    ),
    (
        "a.xml: frame_filter is 'step=0'; expected a step, such as step=5",
        lambda: video(meta="<task><frame_filter>step=0</frame_filter></task>"),
    ),
    (
        "a.xml: two tasks with the id '1'; expected an id of its own for each",
        lambda: video(meta="<project><tasks><task><id>1</id></task><task><id>1</id></task></tasks></project>"),
    ),
    (
        "the text 'a\\x01'; expected characters that XML can hold",
        lambda: write(table(classes=Classes(("a\1",), ("a\1",))), "x.xml", "cvat"),
    ),
    (
        "table: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: write(table(relative=True), "x.xml", "cvat"),
    ),
    (
        "table: images '0.jpg' and '2.jpg' are both frame 0 of video 'v'; expected an image for each frame",
        lambda: write(with_images(frame=np.array([0, 1, 0])), "x.xml", "cvat-video"),
    ),
    (
        "table: frames of video 'v' that are not evenly spaced, some of them without boxes; "
        "expected frames by a fixed step, which is all that the format can say",
        lambda: write(with_images(frame=np.array([0, 1, 3])), "x.xml", "cvat-video"),
    ),
    (
        "table: frames of different sizes in video 'v'; expected one size for a video",
        lambda: write(with_images(width=np.array([20.0, 20, 21])), "x.xml", "cvat-video"),
    ),
]
