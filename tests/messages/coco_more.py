"""What COCO files say besides boxes, where it is not what it should be, and JSON that is another format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import IMAGES, OBJECTS, RESULTS, TRUTH, file

ALL = Reading(shapes=True)
NAMED = "expected ground truth: an object with images, annotations and categories"
RECORD = 'expected a list of {"image_id", "category_id", "bbox", "score"}'
BOXES = "boxscore evaluates boxes; convert it to COCO with a `bbox` for each object."
STATE = "State its format with truth_format or detections_format."
MASK = '{"size": [height, width], "counts"}'


def objects(**changes: Any) -> Any:
    """The truth with everything that it says, its second object changed."""
    return read_truth(file("t.json", {**TRUTH, "annotations": [OBJECTS[0], {**OBJECTS[1], **changes}]}), ALL)


def images(**changes: Any) -> Any:
    """The truth with everything that it says, its first image changed."""
    return read_truth(file("t.json", {**TRUTH, "images": [{**IMAGES[0], **changes}, IMAGES[1]]}), ALL)


def stated_truth(content: Any = TRUTH, **changes: Any) -> Any:
    """Reads a truth as COCO, whatever it looks like."""
    return read_truth(file("t.json", {**content, **changes} if changes else content), Reading(truth_format="coco"))


def stated_results(content: Any) -> Any:
    """Reads results as COCO, whatever they look like."""
    return read_detections(file("r.json", content), Reading(detections_format="coco"))


CASES: list[tuple[str, Callable[..., Any]]] = [
    # shapes
    (
        f"t.json: annotations[1]: `segmentation` is text; expected a list of polygons or {MASK}",
        lambda: objects(segmentation="x"),
    ),
    (
        "t.json: annotations[1]: `segmentation` is [1, 2, 3]; expected finite numbers, x and y of each corner, as "
        "`segmentation`",
        lambda: objects(segmentation=[[1, 2, 3]]),
    ),
    (
        "t.json: annotations[1]: `segmentation` is [1, NaN]; expected finite numbers, x and y of each corner, as "
        "`segmentation`",
        lambda: objects(segmentation=[1, float("nan")]),
    ),
    (
        "t.json: annotations[1]: `keypoints` is [1, 2, true]; expected finite numbers, x, y and visibility of each "
        "point, as `keypoints`",
        lambda: objects(keypoints=[1, 2, True]),
    ),
    (
        "t.json: annotations[1]: `keypoints` is [1, 2, 100000000000000000000000000000...; expected finite numbers, x, "
        "y and visibility of each point, as `keypoints`",
        lambda: objects(keypoints=[1, 2, 10**400]),
    ),
    (
        f"t.json: annotations[1]: `size` is [2, 0]; expected height and width in {MASK}",
        lambda: objects(segmentation={"size": [2, 0], "counts": []}),
    ),
    (
        f"t.json: annotations[1]: no `size`; expected height and width in {MASK}",
        lambda: objects(segmentation={"counts": [1]}),
    ),
    (
        "t.json: annotations[1]: `counts` cannot be read (a character that is none of COCO's 64); expected COCO's "
        "compressed runs",
        lambda: objects(segmentation={"size": [2, 2], "counts": "ü"}),
    ),
    (
        "t.json: annotations[1]: `counts` cannot be read (it ends in the middle of a number); expected COCO's "
        "compressed runs",
        lambda: objects(segmentation={"size": [2, 2], "counts": "o"}),
    ),
    (
        "t.json: annotations[1]: `counts` cannot be read (a number that is too large); expected COCO's compressed runs",
        lambda: objects(segmentation={"size": [2, 2], "counts": "o" * 12 + "0"}),
    ),
    (
        "t.json: annotations[1]: `counts` cannot be read (a run of negative length); expected COCO's compressed runs",
        lambda: objects(segmentation={"size": [2, 2], "counts": "O"}),
    ),
    (
        "t.json: annotations[1]: a mask of 65536 x 65536; expected less than 4,294,967,296 pixels",
        lambda: objects(segmentation={"size": [65536, 65536], "counts": [1 << 32]}),
    ),
    (
        "t.json: annotations[1]: `counts` is [1, -1, 4]; expected runs, as a list or as COCO's text",
        lambda: objects(segmentation={"size": [2, 2], "counts": [1, -1, 4]}),
    ),
    (
        "t.json: annotations[1]: a mask of 5 pixels, and a size of 2 x 2; expected runs of 4 pixels in all",
        lambda: objects(segmentation={"size": [2, 2], "counts": [1, 4]}),
    ),
    (
        "t.json: annotations[1]: no `bbox`, and nothing to put one around; expected [x, y, width, height]",
        lambda: stated_truth(annotations=[OBJECTS[0], {**OBJECTS[1], "bbox": None, "segmentation": [[], []]}]),
    ),
    # attributes, tracks, videos
    (
        "t.json: annotations[1]: `attributes` is [1]; expected an object with names and values as `attributes`",
        lambda: objects(attributes=[1]),
    ),
    (
        "t.json: annotations[1]: `track_id` is 1.5; expected a whole number as `track_id`",
        lambda: objects(track_id=1.5),
    ),
    (
        "t.json: annotations[1]: `track_id` is [1]; expected a whole number as `track_id`",
        lambda: objects(attributes={"track_id": [1]}),
    ),
    (
        't.json: images[0]: `frame_id` is "first"; expected a whole number as `frame_id`',
        lambda: images(video_id=1, frame_id="first"),
    ),
    # other formats
    (
        f"t.json: COCO panoptic segmentation (`segments_info`); {NAMED}\n  {BOXES}",
        lambda: stated_truth(annotations=[{"image_id": 1, "segments_info": []}]),
    ),
    (
        f"t.json: COCO captions (`caption`); {NAMED}\n  Captions have no boxes.",
        lambda: stated_truth(annotations=[{"image_id": 1, "caption": "a cat"}]),
    ),
    (
        f"t.json: tracks of whole videos as of YouTube-VIS (`bboxes`); {NAMED}\n  State the format youtube-vis.",
        lambda: stated_truth({"videos": [], "annotations": [{"video_id": 1, "bboxes": [None]}], "categories": []}),
    ),
    (
        f"r.json: tracks of whole videos as of YouTube-VIS (`segmentations`); {RECORD}\n  "
        "State the format youtube-vis.",
        lambda: stated_results([{"video_id": 1, "category_id": 1, "score": 0.5, "segmentations": []}]),
    ),
    (
        f"r.json: tubes of videos as of STT-AP (`track`); {RECORD}\n  State the format stt.",
        lambda: stated_results([{"id": 1, "video_id": 1, "category_id": 1, "track": []}]),
    ),
    (
        f"t.json: an export of Label Studio; {NAMED}\n  Export it from there as COCO.",
        lambda: stated_truth([{"id": 1, "data": {}, "annotations": []}]),
    ),
    (f"t.json: a file of LabelMe; {NAMED}\n  {STATE}", lambda: stated_truth({"shapes": [], "imagePath": "a.jpg"})),
    (
        f"t.json: an export of VIA (`regions`); {NAMED}\n  {STATE}",
        lambda: stated_truth({"a.jpg99": {"filename": "a.jpg", "regions": []}}),
    ),
    (
        f"r.json: CrowdHuman's odgt (`gtboxes`); {RECORD}\n  {BOXES}",
        lambda: stated_results('{"ID": "a", "gtboxes": []}\n{"ID": "b", "gtboxes": []}'),
    ),
    # records by line
    (
        "r.json:3:26: invalid JSON (Expecting value); expected complete JSON",
        lambda: stated_results('{"image_id": 1, "score": 1}\n\n{"image_id": 2, "score": }'),
    ),
    (
        "r.json: none of the 2 results has a `bbox` (keys of the first: iteration, loss); expected [x, y, width, "
        "height] as `bbox`",
        lambda: stated_results('{"iteration": 1, "loss": 2}\n{"iteration": 2, "loss": 1}\n'),
    ),
    # detections below their images
    (
        "r.json: images[0].dets[1]: a number; expected an object",
        lambda: stated_results({"images": [{"image_id": 1, "dets": [{**RESULTS[0], "category": "cat"}, 5]}]}),
    ),
    (
        "r.json: images[0]: `dets` is a number; expected a list of detections as `dets`",
        lambda: stated_results({"images": [{"image_id": 1, "dets": 5}]}),
    ),
    (
        "r.json: images[0].dets[0]: no `category_id`; expected a whole number as `category_id`",
        lambda: stated_results({"images": [{"image_id": 1, "dets": [{"bbox": [1, 1, 5, 5], "score": 1}]}]}),
    ),
    (
        "r.json: [0]: `keypoints` is [1, 2]; expected finite numbers, x, y and visibility of each point, as "
        "`keypoints`",
        lambda: read_detections(file("r.json", [{**RESULTS[0], "keypoints": [1, 2]}]), ALL),
    ),
]
