"""The formats: a record for each, with where its reader and writer are, and what it can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

FLAGS = ("crowd", "difficult", "group_of", "ignore", "occluded", "truncated", "depiction", "inside", "generated")


class Boxes(NamedTuple):
    """How a format writes its boxes."""

    form: str
    coords: str
    text: str


@dataclass(frozen=True)
class Format:
    """A way in which files hold objects or detections; readers and writers are imported when needed."""

    name: str
    title: str
    looks: str  # how it looks on a disk
    truth: str = ""  # module:function that reads, empty where the format cannot hold that side
    detections: str = ""
    write_truth: str = ""  # module:function that writes
    write_detections: str = ""
    folder: bool | None = False  # whether it is a folder (True), one file (False) or either (None)
    boxes: Boxes | None = None  # how boxes are written; None where the user may say it
    options: tuple[str, ...] = ()  # files of `Reading` that tell more about it
    keeps: tuple[str, ...] = ()  # of what `holding` lists, what the writer keeps

    def reader(self, side: str) -> Callable[..., Any]:
        """What reads one side."""
        return _function(self.truth if side == "truth" else self.detections)

    def writer(self, side: str) -> Callable[..., Any]:
        """What writes one side."""
        return _function(self.write_truth if side == "truth" else self.write_detections)


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"boxscore.formats.{module}"), name)
    return function


_PIXELS = Boxes("xyxy", "absolute", "corners in pixels")
_SHARES = Boxes("xyxy", "relative", "corners relative to the image size")
_FROM_LISTS = ("image_list", "class_list")
FORMATS = (
    Format(
        "coco", "COCO", "COCO (a JSON file)", "coco:truth_of", "coco:results_of",
        "coco_write:write_truth", "coco_write:write_detections",
        boxes=Boxes("xywh", "absolute", "x y width height in pixels"),
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "image_ids", "frames", "class_ids", "unused_classes",
            "frequency", "object_ids", "areas", "track", "attributes", "polygon", "rle", "keypoints", *FLAGS,
            "outside", "last_bits",
        ),
    ),
    Format(
        "text", "text", "text (a folder with a text file per image)", "text:read_truth", "text:read_detections",
        folder=True,
    ),
    Format(
        "open-images", "Open Images", "open-images (a CSV file with ImageID and LabelName)",
        "open_images:read_truth", "open_images:read_detections", boxes=_SHARES,
        options=("image_labels", "hierarchy", "label_map"),
    ),
    Format(
        "voc-xml", "VOC XML", "voc-xml (a folder of XML files)", "voc_xml:read_truth", folder=True, boxes=_PIXELS,
        options=("image_labels", *_FROM_LISTS),
    ),
    Format(
        "voc-results", "VOC results", "voc-results (a folder with a text file per class, comp4_det_test_cat.txt)",
        "", "voc_results:read_detections", folder=True, boxes=_PIXELS,
    ),
    Format(
        "imagenet-det", "ImageNet detections", "imagenet-det (lines of 7 numbers)", "", "imagenet:read_det",
        boxes=_PIXELS, options=_FROM_LISTS,
    ),
    Format(
        "imagenet-loc", "ImageNet guesses", "imagenet-loc (lines of groups of 5 numbers)", "", "imagenet:read_loc",
        boxes=_PIXELS, options=_FROM_LISTS,
    ),
)  # fmt: skip
BY_NAME = {form.name: form for form in FORMATS}
TRUTH_FORMATS = tuple(form.name for form in FORMATS if form.truth)
DETECTIONS_FORMATS = tuple(form.name for form in FORMATS if form.detections)
OF_SIDE = {"truth": TRUTH_FORMATS, "detections": DETECTIONS_FORMATS}
