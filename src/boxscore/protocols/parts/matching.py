"""Parts of a protocol: overlaps, who finds whom, sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from boxscore.errors import UsageError
from boxscore.protocols.forms import AREAS, SIGMAS, THRESHOLDS
from boxscore.protocols.rules import rule
from boxscore.protocols.values import Area, as_text

TRACK_SIZES = ("motion", "track-side")  # values of `size_from` that take tracks in videos


# fmt: off
@dataclass(frozen=True)
class Extent:
    """The area of a box."""

    box_area: str = rule(
        "where the area of a box comes from: width times height as the source gives them, or the corners "
        "(for an overlap other than `box` always the corners)",
        "source", "corners", default="source",
    )


@dataclass(frozen=True)
class Overlap(Extent):
    """How the overlap of a detection and an object is measured."""

    overlap: str = rule(
        "how the overlap of a detection and an object is measured: boxes in continuous coordinates; with the last "
        "pixel inside the box (+1); the same, but boxes with any gap between them never overlap; continuous "
        "coordinates in single precision, from the corners, with 1e-7 added to the union (thresholds are single "
        "precision, too); pixels of masks; the same divided in single precision, with 1e-7 added to the area of the "
        "detection for regions; the lesser of pixels of masks and of the pixels of their boundaries (regions by masks "
        "alone); nearness of keypoints (OKS); the area of oriented boxes; areas of boxes added up over the frames of a "
        "track (a track is a row then, its video the image), or pixels of its masks; of relations whose subjects and "
        "objects have the same classes, the lesser IoU of the two boxes, in single precision; or the IoU of the boxes "
        "around both",
        "box", "inclusive", "inclusive-touching", "single", "mask", "mask-single", "boundary", "keypoints", "rotated",
        "tube", "tube-mask", "relation", "phrase",
        default="box",
    )
    boundary_width: float = rule(
        "how wide the boundary of a mask is, as a share of the diagonal of its image", default=0.02, of="overlap",
    )
    sigmas: tuple[float, ...] = rule(
        "how far annotators place each keypoint apart, as a share of the object's size; none for those of the data "
        "set, else COCO's for 17 keypoints (they become values once the truth is known)",
        default=(), form=SIGMAS, of="overlap",
    )
    maskless_objects: str = rule(
        "objects without a mask, where overlaps are those of masks: refused; left out (those whose mask has no pixels, "
        "too); or not to be found, and compared by their boxes with detections that have found nothing else, of which "
        "each ignores the first (any number, if it is ignored or absorbing anyway)",
        "refused", "dropped", "boxes", default="refused", of="overlap",
    )

    def _check(self) -> None:
        if not all(0 < sigma < math.inf for sigma in self.sigmas):
            raise UsageError(f"sigmas={as_text(self.sigmas)}; expected numbers above 0")
        if not 0 < self.boundary_width < 1:
            expected = "a fraction of the image diagonal, above 0 and below 1"
            raise UsageError(f"boundary_width={self.boundary_width}; expected {expected}")


@dataclass(frozen=True)
class Matching(Overlap):
    """Which detection finds which object."""

    greedy_by: str = rule(
        "who chooses first: detections by descending score; pairs of detection and object by descending overlap; or "
        "each object the detection that overlaps it most, which finds that of its objects that it overlaps most",
        "score", "overlap", "object", default="score",
    )
    claim: str = rule(
        "which objects a detection may look at: those still free; all (its best one being taken makes it false); or "
        "all, and none is ever taken (an object is then found as often as it is hit)",
        "free", "any", "shared", default="free",
    )
    ignored_last: bool = rule("an object that counts is preferred to any ignored one", default=True)
    equal_overlaps: str = rule(
        "which of two equally overlapping objects is taken: the first; or the last, which is any that does not overlap "
        "less (an overlap that is nan, of boxes with infinite areas, is not less either)",
        "first", "last", default="first",
    )
    compare: str = rule("how the overlap is compared with the threshold", ">=", ">", default=">=")
    iou: tuple[float, ...] = rule("overlap thresholds, up to 64", default=(0.5,), form=THRESHOLDS)
    iou_ceiling: float = rule("a threshold above this value is lowered to it", default=1.0, of="iou")
    iou_slack: float = rule(
        "an overlap passes that is so much below its threshold; and of objects that overlap by that much less than the "
        "best so far, the last is taken as of equal ones (with equal_overlaps=last, where pairs do not go by overlap)",
        default=0.0, of="iou",
    )
    iou_margin: float = rule(
        "for small objects thresholds are lowered to the overlap with a box that is so many pixels wider and higher; "
        "0 for none",
        default=0.0,
    )
    matched_first: str = rule(
        "which of several detections with equal scores in an image and class chooses first", "first", "last",
        default="first",
    )

    def _check(self) -> None:
        if not 1 <= len(self.iou) <= 64:
            raise UsageError(f"iou has {len(self.iou)} thresholds; expected 1 to 64")
        if not all(0 < t <= 1 for t in self.iou):
            raise UsageError(f"iou={as_text(self.iou)}; expected thresholds above 0 and up to 1")
        if len(set(self.iou)) < len(self.iou):
            raise UsageError(f"iou={as_text(self.iou)}; expected different thresholds")
        if not 0 <= self.iou_slack <= 1e-6:
            raise UsageError(f"iou_slack={self.iou_slack}; expected what rounding makes of it, from 0 to 1e-6")
        if not (math.isfinite(self.iou_margin) and self.iou_margin >= 0):
            raise UsageError(f"iou_margin={self.iou_margin}; expected pixels, 0 or more")


@dataclass(frozen=True)
class Sizes(Extent):
    """What the size of an object or a detection is."""

    area_unit: str = rule(
        "what size ranges are given in: square pixels, shares of the image's area, or quantiles of the objects' sizes "
        "(these become pixels once the truth is known)",
        "pixels", "image", "quantile", default="pixels", of="areas",
    )
    size_from: str = rule(
        "where sizes come from: the annotation's area (the box where it has none; for detections, their masks where "
        "the results have no boxes); the box; the annotation's area and oriented boxes; the box of an object and the "
        "mask of a detection; the motion of an object in its video: the mean overlap, in inclusive pixels, with the "
        "boxes of its track in the 10 frames before and after; the size of its track: the mean shorter side in its "
        "first 30 frames (of these two, detections have none, and none is outside of a range); or the number of frames "
        "of a track (areas are means over the frames of a track)",
        "annotation", "box", "rotated", "box-mask", "motion", "track-side", "length", default="box", of="areas",
    )


    @property
    def of_tracks(self) -> bool:
        """Whether sizes are those of tracks, so that detections have none and none is outside of a range."""
        return self.size_from in TRACK_SIZES


@dataclass(frozen=True)
class Ranges(Sizes):
    """Size ranges, and what lies outside of them."""

    areas: tuple[Area, ...] = rule(
        "size ranges, each of `size_from` or of a quantity that it names, such as the length of tracks; the first one "
        "is the headline's", default=(Area("all", -math.inf, math.inf),), form=AREAS,
    )
    area_ends: str = rule(
        "whether the upper end belongs to a size range", "closed", "half-open", default="half-open", of="areas",
    )
    outside: str = rule(
        "what an unmatched detection outside of the size range is: ignored; counted; or, wherever it is, what the "
        "object of its image says that overlaps it most, whatever its class: counted if that is in the range, ignored "
        "if not. Where objects inside and outside are equally near, it counts as the share of the image's objects that "
        "are outside; in an image without objects, as the share of all objects that are in the range, among which "
        "every such image counts as an object of size 0",
        "ignored", "counted", "nearest", default="ignored", of="areas",
    )

    def _check(self) -> None:
        text = as_text(self.areas)
        if not 1 <= len(self.areas) <= 64 or len({a.name for a in self.areas}) != len(self.areas):
            raise UsageError(f"areas={text}; expected 1 to 64 ranges with different names")
        if any(not a.name or set(a.name) & set(",:|=[]") for a in self.areas):
            raise UsageError(f"areas={text}; expected names without any of , : | = [ ]")
        if any(not a.low <= a.high for a in self.areas):
            raise UsageError(f"areas={text}; expected ranges from low to high")
        quantities = next(f.metadata["values"] for f in fields(self) if f.name == "size_from")
        if any(a.of and a.of not in quantities for a in self.areas):
            raise UsageError(f"areas={text}; expected quantities out of {', '.join(quantities)}")
