"""YouTube-VIS and TAO files that cannot be read, and track AP that cannot be had from what was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import boxscore as bs
from boxscore.formats.io.writing import write
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.protocols import get
from small_coco import file

VIDEO = {"id": 1, "file_names": ["v/0.jpg", "v/1.jpg"], "width": 4, "height": 4}
CATEGORIES = [{"id": 1, "name": "cat"}]
MASK = {"size": [4, 4], "counts": [5, 2, 2, 2, 5]}
TRACK = {"video_id": 1, "category_id": 1, "segmentations": [None, MASK]}
LENGTH = "an entry per frame of the video, null where the object is not there"
RESULTS = 'a list of {"video_id", "category_id", "score", "segmentations"}'
WHOLE = "an object with videos, annotations (with segmentations or bboxes) and categories"
SWAPPED = "Truth comes first, then detections; were they swapped?"
MASKS = "Evaluate the boxes of tracks instead (--set overlap=tube), or pass files with masks or polygons."


def truth(*tracks: Any, video: Any = VIDEO, **changes: Any) -> Any:
    """Reads ground truth with these tracks, each TRACK with changes."""
    annotations = [{k: v for k, v in {**TRACK, **one}.items() if v is not ...} for one in tracks]
    whole = {"videos": [video], "categories": CATEGORIES, "annotations": annotations, **changes}
    return read_truth(file("t.json", whole), Reading(truth_format="youtube-vis"))


def segment(**changes: Any) -> Any:
    """Reads ground truth with one mask changed."""
    return truth({"segmentations": [None, {k: v for k, v in {**MASK, **changes}.items() if v is not ...}]})


def results(*tracks: Any, against: bool = True) -> Any:
    """Reads results, each TRACK with changes, beside the ground truth or alone."""
    found = [{k: v for k, v in {**TRACK, "score": 0.5, **one}.items() if v is not ...} for one in tracks]
    table = truth({})[0] if against else None
    return read_detections(file("r.json", found), Reading(detections_format="youtube-vis"), table)


def evaluated(protocol: str, truth_boxes: bool = False, found_mixed: bool = False) -> Any:
    """Evaluates a track of two frames, with boxes for masks where it is said."""
    boxes = {"segmentations": ..., "bboxes": [None, [1, 1, 2, 2]]}
    mixed = {"segmentations": [None, MASK], "bboxes": [[1, 1, 2, 2], None]}
    truth(boxes if truth_boxes else {})
    found = [{**TRACK, "score": 0.5, **(mixed if found_mixed else {})}]
    return bs.evaluate("t.json", file("r.json", found), protocol=protocol)


def tao(categories: Any = CATEGORIES, **result: Any) -> Any:
    """Evaluates a TAO file with one track of one frame."""
    images = [{"id": 1, "video_id": 1, "frame_index": 0}]
    one = {"image_id": 1, "track_id": 1, "category_id": 1, "bbox": [0, 0, 4, 4]}
    whole = {"videos": [{"id": 1, "name": "v"}], "images": images, "categories": categories}
    path = file("t.json", {**whole, "annotations": [{**one, "id": 1}]})
    found = file("r.json", [{**one, "score": 0.5}, {**one, "score": 0.5, **result}])
    return bs.evaluate(path, found, protocol="tao")


def boxes_only() -> Any:
    """A table whose images are no frames, written."""
    images, n = bs.Images(["a.jpg"]), np.zeros(1, np.int32)
    table = bs.Truth(
        images, bs.Classes(("cat",), (1,)), n, n, np.zeros((1, 4)), np.zeros(1), np.zeros(1, np.int64), "boxes",
        area=np.zeros(1), flags=np.zeros(1, np.uint16),
    )  # fmt: skip
    return write(table, "out.json", "youtube-vis")


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        f"t.json: $: a list of 1 records, as of results; expected {WHOLE}\n  {SWAPPED}",
        lambda: read_truth(file("t.json", [TRACK]), Reading(truth_format="youtube-vis")),
    ),
    # videos and categories
    (
        "t.json: $.videos[0].id: -1; expected a video id from 0, below 2^31",
        lambda: truth({}, video={**VIDEO, "id": -1}),
    ),
    (
        "t.json: $.videos[1].id: the video 1 again; expected an id of its own for every video",
        lambda: truth({}, videos=[VIDEO, VIDEO]),
    ),
    (
        "t.json: $.videos[0]: neither `file_names` nor `length`; expected the frames of the video",
        lambda: truth({}, video={"id": 1}),
    ),
    (
        "t.json: $.videos[0]: 1 frame numbers for 2 frames; expected a number per frame",
        lambda: truth({}, video={**VIDEO, "frame_numbers": [7]}),
    ),
    (
        "t.json: $.videos[0].length: -2; expected a number of frames from 0, below 2^32",
        lambda: truth({}, video={"id": 1, "length": -2}),
    ),
    (
        "t.json: $.videos[0].frame_numbers: the frame 3 again; expected ascending frame numbers from 0, below 2^32",
        lambda: truth({}, video={**VIDEO, "frame_numbers": [3, 3]}),
    ),
    (
        "t.json: $.categories[1]: an id or a name that another category has; expected different ids and names",
        lambda: truth({}, categories=[*CATEGORIES, {"id": 2, "name": "cat"}]),
    ),
    # tracks
    (
        "t.json: $.annotations[0]: the `video_id` 7, which is not listed; expected a listed video and category",
        lambda: truth({"video_id": 7}),
    ),
    (
        "t.json: $.annotations[0]: the `category_id` 7, which is not listed; expected a listed video and category",
        lambda: truth({"category_id": 7}),
    ),
    (
        "t.json: $.annotations[1]: the id 4 again; expected an id of its own for every track",
        lambda: truth({"id": 4}, {"id": 4}),
    ),
    ("t.json: $.annotations[0].id: -4; expected a track id from 0", lambda: truth({"id": -4})),
    (
        f"t.json: $.annotations[0]: neither `segmentations` nor `bboxes`; expected {LENGTH}\n  {SWAPPED}",
        lambda: truth({"segmentations": ...}),
    ),
    (
        f"t.json: $.annotations[0].segmentations: 1 entries, and video 1 has 2 frames; expected {LENGTH}",
        lambda: truth({"segmentations": [MASK]}),
    ),
    (
        f"t.json: $.annotations[0].areas: 3 entries, and video 1 has 2 frames; expected {LENGTH}",
        lambda: truth({"areas": [4, 4, 4]}),
    ),
    (
        "t.json: $.annotations[0]: a track without a mask or box in any frame, of a video whose size is unknown; "
        f"expected {LENGTH}",
        lambda: truth({"segmentations": [None, None]}, video={"id": 1, "length": 2}),
    ),
    # results
    (f"r.json: $[0]: no `score`; expected results: {RESULTS}\n  {SWAPPED}", lambda: results({"score": ...})),
    (
        f"r.json: $[0].segmentations: 3 entries, and video 1 has 2 frames; expected {LENGTH}",
        lambda: results({"segmentations": [MASK, MASK, MASK]}),
    ),
    (
        f"r.json: $[1].segmentations: 1 entries, and video 1 has 2 frames; expected {LENGTH}",
        lambda: results({}, {"segmentations": [MASK]}, against=False),
    ),
    (
        f"r.json: $[0].scores: 1 entries, and video 1 has 2 frames; expected {LENGTH}",
        lambda: results({"scores": [0.5]}),
    ),
    # masks, polygons and boxes
    (
        't.json: $.annotations[0].segmentations[1]: "x"; expected a mask {"size": [height, width], "counts": runs}, '
        "polygons, or null",
        lambda: truth({"segmentations": [None, "x"]}),
    ),
    (
        "t.json: $.annotations[0].segmentations[1][0]: 4 numbers; expected x and y of at least three points",
        lambda: truth({"segmentations": [None, [[1, 2, 3, 4]]]}),
    ),
    (
        "t.json: $.annotations[0].segmentations[1].size: [4]; expected [height, width], less than 2^32 pixels",
        lambda: segment(size=[4]),
    ),
    (
        "t.json: $.annotations[0].segmentations[1].counts: [1, -1]; expected runs, as a list or as COCO's text",
        lambda: segment(counts=[1, -1]),
    ),
    (
        "t.json: $.annotations[0].segmentations[1].counts: runs that do not fill 4 x 4 pixels; expected COCO's runs of "
        "16 pixels in all",
        lambda: segment(counts=[5, 2]),
    ),
    (
        "t.json: $.annotations[0].segmentations[1].counts: a character that is none of COCO's 64; expected COCO's runs "
        "of 16 pixels in all",
        lambda: segment(counts="!"),
    ),
    (
        "t.json: $.annotations[0].bboxes[1]: [1, 2]; expected [x, y, width, height], or null",
        lambda: truth({"segmentations": ..., "bboxes": [None, [1, 2]]}),
    ),
    (
        "t.json: $.annotations[0].bboxes[1]: numbers whose sum is infinite; expected a box with finite corners",
        lambda: truth({"segmentations": ..., "bboxes": [None, [1e308, 0, 1e308, 1]]}),
    ),
    # evaluation
    (f"t.json: no masks; expected masks, for overlap=tube-mask\n  {MASKS}", lambda: evaluated("youtube-vis", True)),
    (
        f"r.json: 1 of 2 boxes of tracks without a mask; expected masks, for overlap=tube-mask\n  {MASKS}",
        lambda: evaluated("youtube-vis", found_mixed=True),
    ),
    (
        "r.json: track 1 of video 'v' has two boxes in frame 0; expected one box per frame of a track\n"
        "  Do two objects share a track id?",
        lambda: tao(),
    ),
    (
        "1 detection on images that the ground truth does not list: the official code stops there",
        lambda: tao(image_id=9, track_id=2)["AP[class=cat]"],
    ),
    (
        "a range of the length of tracks; expected an overlap of tracks (overlap=tube or tube-mask)",
        lambda: bs.evaluate(*[[{"boxes": [[0, 0, 4, 4]], "labels": [1], "scores": [0.5]}]] * 2, box="xyxy",
                            protocol="coco[areas=short:length:0-3]"),
    ),
    (
        't.json: categories[0]: `merged` is 7; expected a list of {"id", "name"} as `merged`',
        lambda: tao(categories=[{"id": 1, "name": "cat", "merged": 7}]),
    ),
    # protocols
    (
        "iou_slack=0.1; expected what rounding makes of it, from 0 to 1e-6",
        lambda: get("tao[iou_slack=0.1]"),
    ),
    ("max_per_frame=-1; expected a whole number, 0 for no limit", lambda: get("tao[max_per_frame=-1]")),
    (
        "areas=all:-inf-,tiny:weight:0-3; expected quantities out of annotation, box, rotated, box-mask, motion, "
        "track-side, length",
        lambda: get("stt-ap[areas=all:-inf-,tiny:weight:0-3]"),
    ),
    ("boxes: images that are no frames of videos; expected frames of videos, for tracks", boxes_only),
]  # fmt: skip
