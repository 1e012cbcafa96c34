"""Statements about the input that do not hold for the formats that were read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from boxscore.findings import finding
from boxscore.formats.reading import Reading
from boxscore.ledger import Finding


class Written(NamedTuple):
    """How a format writes its boxes."""

    title: str
    box: str
    coords: str
    text: str


_PIXELS = ("xyxy", "absolute", "corners in pixels")
WRITTEN = {
    "coco": Written("COCO", "xywh", "absolute", "x y width height in pixels"),
    "open-images": Written("Open Images", "xyxy", "relative", "corners relative to the image size"),
    "voc-xml": Written("VOC XML", *_PIXELS),
    "voc-results": Written("VOC results", *_PIXELS),
    "imagenet-det": Written("ImageNet detections", *_PIXELS),
    "imagenet-loc": Written("ImageNet guesses", *_PIXELS),
}
_IMAGENET = ("imagenet-det", "imagenet-loc")
OF_TRUTH = {"image_labels": ("open-images", "voc-xml"), "hierarchy": ("open-images",)}
OF_BOTH = {
    "label_map": ("open-images",),
    "image_list": ("voc-xml", *_IMAGENET),
    "class_list": ("voc-xml", *_IMAGENET),
}


def unused_boxes(how: Reading, side: str, form: str, source: str) -> list[Finding]:
    """What was said of boxes in general, and does not hold for a file that says it itself."""
    written = WRITTEN.get(form)
    if written is None:
        return []
    own = getattr(how, f"{side}_box")
    said = [f"box={how.box}"] if own is None and how.box not in (None, written.box) else []
    if own not in (None, written.box) and form != "coco":
        said.append(f"{side}_box={own}")
    if how.coords not in (None, written.coords):
        said.append(f"coords={how.coords}")
    if not said:
        return []
    detail = f"{source} is {written.title}, whose boxes are {written.text}; {' and '.join(said)} was not used for it"
    return [finding("BOX004", len(said), detail)]


def unused_files(how: Reading, options: Mapping[str, tuple[str, ...]], *formats: str) -> list[Finding]:
    """Files that belong to formats which neither side has."""
    stray = [
        name for name, fitting in options.items() if getattr(how, name) is not None and not {*formats} & {*fitting}
    ]
    return [
        finding("OPT001", 1, f"{name}={getattr(how, name)} was not used: it belongs to {' or '.join(options[name])}")
        for name in stray
    ]
