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
    coords: str  # empty where the user may say it
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
    options: tuple[str, ...] = ()  # files of `ReadOptions` that tell more about it
    keeps: tuple[str, ...] = ()  # of what `holding` lists, what the writer keeps
    edit: str = ""  # module:function that writes a corrected table into the files that it was read from

    def reader(self, side: str) -> Callable[..., Any]:
        """What reads one side."""
        return _function(self.truth if side == "truth" else self.detections)

    def editor(self) -> Callable[..., Any]:
        """What writes a corrected table into the files that it was read from."""
        return _function(self.edit)

    def writer(self, side: str) -> Callable[..., Any]:
        """What writes one side."""
        return _function(self.write_truth if side == "truth" else self.write_detections)


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"boxscore.formats.{module}"), name)
    return function


_PIXELS = Boxes("xyxy", "absolute", "corners in pixels")
_SHARES = Boxes("xyxy", "relative", "normalized corners")
_SIDES = Boxes("xywh", "absolute", "x y width height in pixels")
_VIA_KEEPS = (
    "empty_images", "extensions", "folders", "sizes", "attributes", "polygon", "other_shapes", *FLAGS, "outside",
    "last_bits",
)  # fmt: skip
_FROM_LISTS = ("image_list", "class_list")
_SHAPES = ("polygon", "rle", "oriented", "keypoints", "other_shapes")
FORMATS = (
    Format(
        "coco", "COCO", "COCO (a JSON file)", "coco.read:truth_of", "coco.read:results_of",
        "coco.write:write_truth", "coco.write:write_detections",
        boxes=Boxes("xywh", "absolute", "x y width height in pixels"),
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "image_ids", "frames", "class_ids", "unused_classes",
            "frequency", "object_ids", "areas", "track", "attributes", "polygon", "rle", "keypoints", *FLAGS,
            "outside", "negative", "pieces", "last_bits",
        ),
    ),
    Format(
        "text", "text", "text (a folder with a text file per image)",
        "text.read:read_truth", "text.read:read_detections", "text.write:write_truth", "text.write:write_detections",
        folder=True,
        keeps=("empty_images", "folders", "last_bits"), edit="text.read:edited",
    ),
    Format(
        "yolo", "YOLO", "yolo (a folder with a text file per image, boxes relative to its size)",
        "yolo.read:read_truth", "yolo.read:read_detections", "yolo.write:write_truth", "yolo.write:write_detections",
        folder=True, boxes=Boxes("cxcywh", "relative", "normalized centre, width, height"),
        keeps=("empty_images", "folders", "unused_classes", "polygon", "oriented", "keypoints"),
        edit="yolo.read:edited",
    ),
    Format(
        "open-images", "Open Images", "open-images (a CSV file with ImageID and LabelName)",
        "open_images.read:read_truth", "open_images.read:read_detections",
        "open_images.write:write_truth", "open_images.write:write_detections", folder=None,
        boxes=Boxes("xyxy", "", "normalized corners"),
        options=("image_labels", "masks", "hierarchy", "label_map"),
        keeps=("extensions", "folders", "occluded", "truncated", "group_of", "depiction", "inside"),
    ),
    Format(
        "tf-csv", "TensorFlow CSV", "tf-csv (a CSV file with filename, class, xmin, ymin, xmax, ymax)",
        "tf_csv.read:read_truth", "tf_csv.read:read_detections",
        "tf_csv.write:write_truth", "tf_csv.write:write_detections",
        folder=None, keeps=("extensions", "folders", "sizes", "last_bits", "corner_bits"), edit="tf_csv.edit:edited",
    ),
    Format(
        "voc-xml", "VOC XML", "voc-xml (a folder of XML files)", "voc.xml:read_truth", "voc.xml:read_detections",
        "voc.xml_write:write_truth", "voc.xml_write:write_detections", folder=None, boxes=_PIXELS,
        options=("image_labels", *_FROM_LISTS),
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "track", "attributes", "polygon", "oriented", "difficult",
            "truncated", "occluded", "generated", "last_bits", "corner_bits",
        ),
    ),
    Format(
        "voc-masks", "VOC segmentations", "voc-masks (a folder SegmentationObject of PNG files)",
        "voc.masks:read_truth", folder=True, boxes=_PIXELS, options=_FROM_LISTS,
    ),
    Format(
        "voc-results", "VOC results", "voc-results (a folder with a text file per class, comp4_det_test_cat.txt)",
        "", "voc.results:read_detections", "", "voc.results_write:write_detections", folder=True, boxes=_PIXELS,
        keeps=("folders", "unused_classes", "last_bits", "corner_bits"),
    ),
    Format(
        "dota", "DOTA", "dota (a folder of text files with oriented boxes, labelTxt/P1.txt or Task1_cat.txt)",
        "dota.labels:read_truth", "dota.results:read_detections", "dota.write:write_truth",
        "dota.write:write_detections", folder=True, boxes=Boxes("xyxy", "absolute", "x y of four corners in pixels"),
        keeps=("empty_images", "folders", "oriented", "difficult", "last_bits", "corner_bits"),
    ),
    Format(
        "imagenet-det", "ImageNet detections", "imagenet-det (lines of 7 numbers)", "", "imagenet:read_det",
        boxes=_PIXELS, options=_FROM_LISTS,
    ),
    Format(
        "imagenet-loc", "ImageNet guesses", "imagenet-loc (lines of groups of 5 numbers)", "", "imagenet:read_loc",
        boxes=_PIXELS, options=_FROM_LISTS,
    ),
    Format(
        "labelme", "LabelMe", "labelme (JSON files with shapes, one per image)",
        "labelme.read:read_truth", "labelme.read:read_detections",
        "labelme.write:write_truth", "labelme.write:write_detections", folder=None, boxes=_PIXELS,
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "attributes", "polygon", "pieces", "rle", "oriented",
            "other_shapes", *FLAGS, "outside", "last_bits", "corner_bits",
        ),
    ),
    Format(
        "via-json", "VIA JSON", "via-json (a JSON file with regions, of VGG Image Annotator)",
        "via.json:read_truth", "via.json:read_detections", "via.write:write_json", "via.write:write_json",
        boxes=_SIDES, keeps=_VIA_KEEPS,
    ),
    Format(
        "via-csv", "VIA CSV", "via-csv (a CSV file with region_shape_attributes, of VGG Image Annotator)",
        "via.csv:read_truth", "via.csv:read_detections", "via.write:write_csv", "via.write:write_csv",
        boxes=_SIDES, keeps=_VIA_KEEPS,
    ),
    Format(
        "vott-json", "VoTT JSON", "vott-json (a JSON export of VoTT, or a folder of its assets)",
        "vott.json:read_truth", "", "vott.write:write_json", folder=None, boxes=_SIDES,
        keeps=("empty_images", "extensions", "folders", "sizes", "unused_classes", "polygon", "last_bits"),
    ),
    Format(
        "vott-csv", "VoTT CSV", "vott-csv (a CSV file with image, xmin, ymin, xmax, ymax, label)",
        "vott.csv:read_truth", "vott.csv:read_detections", "vott.write:write_csv", "vott.write:write_csv",
        boxes=_PIXELS, keeps=("extensions", "folders", "last_bits", "corner_bits"),
    ),
    Format(
        "stt", "STT", "stt (a JSON file with tracks of boxes through videos)",
        "stt.read:read_truth", "stt.read:read_detections", "stt.write:write_truth", "stt.write:write_detections",
        boxes=_SIDES,
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "frames", "class_ids", "unused_classes", "track",
            "occluded", "outside", "last_bits",
        ),
    ),
    Format(
        "cvat", "CVAT for images", "cvat (an XML file of CVAT with images)",
        "cvat.read:read_truth", "cvat.read:read_detections", "cvat.write:write_truth", "cvat.write:write_detections",
        boxes=_PIXELS,
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "unused_classes", "positive", "attributes", *FLAGS,
            *_SHAPES, "last_bits", "corner_bits",
        ),
    ),
    Format(
        "cvat-video", "CVAT for video", "cvat-video (an XML file of CVAT with tracks)",
        "cvat.video:read_truth", "cvat.video:read_detections", "cvat.video_write:write_truth",
        "cvat.video_write:write_detections", boxes=_PIXELS,
        keeps=(
            "empty_images", "sizes", "frames", "unused_classes", "track", "attributes", *FLAGS, *_SHAPES, "last_bits",
            "corner_bits",
        ),
    ),
    Format(
        "tfrecord", "TFRecord", "tfrecord (a TFRecord file, or a folder of its shards)",
        "tfrecord.read:read_truth", "tfrecord.read:read_detections", "tfrecord.write:write_truth",
        "tfrecord.write:write_detections", folder=None, boxes=_SHARES, options=("label_map",),
        keeps=(
            "empty_images", "extensions", "folders", "sizes", "class_ids", "areas", "positive", "negative", "rle",
            "crowd", "difficult", "group_of", "occluded", "truncated", "depiction",
        ),
    ),
)  # fmt: skip
BY_NAME = {form.name: form for form in FORMATS}
TRUTH_FORMATS = tuple(form.name for form in FORMATS if form.truth)
DETECTIONS_FORMATS = tuple(form.name for form in FORMATS if form.detections)
OF_SIDE = {"truth": TRUTH_FORMATS, "detections": DETECTIONS_FORMATS}
