"""How to read what the content does not say."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from boxscore.errors import UnknownName, UsageError

TRUTH_FORMATS = ("coco", "text", "open-images", "voc-xml")
DETECTIONS_FORMATS = ("coco", "text", "open-images", "voc-results", "imagenet-det", "imagenet-loc")
BOXES = ("xywh", "xyxy", "cxcywh")
ALIASES = {"xyrb": "xyxy"}  # x y right bottom, as Object-Detection-Metrics calls it
COORDS = ("absolute", "relative")
FILES = ("image_labels", "hierarchy", "label_map", "blacklist", "image_list", "class_list")


@dataclass(frozen=True)
class Reading:
    """What the user states about the input; None where the content must say it."""

    box: str | None = None
    truth_box: str | None = None  # where the two sides differ
    detections_box: str | None = None
    coords: str | None = None
    image_size: tuple[float, float] | None = None
    classes: tuple[str, ...] | None = None
    threads: int = 0
    truth_format: str | None = None
    detections_format: str | None = None
    image_labels: str | os.PathLike[str] | None = None  # what is known of whole images
    hierarchy: str | os.PathLike[str] | None = None  # Open Images: which class stands above which
    label_map: str | os.PathLike[str] | None = None  # Open Images: the classes
    blacklist: str | os.PathLike[str] | None = None  # what is not to be evaluated, by numbers of images and classes
    image_list: str | os.PathLike[str] | None = None  # VOC, ImageNet: the images, by line
    class_list: str | os.PathLike[str] | None = None  # VOC, ImageNet: the classes, by line

    def __post_init__(self) -> None:
        for name in ("box", "truth_box", "detections_box"):
            value = getattr(self, name)
            object.__setattr__(self, name, ALIASES.get(value, value))
            if value is not None and ALIASES.get(value, value) not in BOXES:
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(BOXES)}")
        if self.coords is not None and self.coords not in COORDS:
            raise UsageError(f"coords={self.coords!r}; expected one of {', '.join(COORDS)}")
        for name, known in (("truth_format", TRUTH_FORMATS), ("detections_format", DETECTIONS_FORMATS)):
            value = getattr(self, name)
            if value is not None and value not in known:
                raise UnknownName(name, str(value), known)
        for name in FILES:
            value = getattr(self, name)
            if value is not None and (not isinstance(value, (str, os.PathLike)) or not os.fspath(value)):
                raise UsageError(f"{name}={value!r}; expected the path of a file")
        for name in ("label_map", "class_list"):
            if self.classes is not None and getattr(self, name) is not None:
                raise UsageError(f"classes and {name} both list the classes; expected one of them")
        size = self.image_size
        if size is not None and (len(size) != 2 or not all(math.isfinite(side) and side > 0 for side in size)):
            raise UsageError(f"image_size={size!r}; expected width and height, both above 0")
        if self.classes is not None and len(set(self.classes)) < len(self.classes):
            twice = next(name for name in self.classes if self.classes.count(name) > 1)
            raise UsageError(f"classes has '{twice}' twice; expected different names")
