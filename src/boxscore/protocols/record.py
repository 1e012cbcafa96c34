"""A protocol: everything that changes a number, as one frozen record."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from boxscore.errors import UsageError
from boxscore.protocols.values import Area, Deviation, as_text, check, of_type
from boxscore.tables.arguments import checked_fields


def _rule(meaning: str, *values: str, default: Any = None) -> Any:
    """A field with its meaning and, where it is a choice, its allowed values."""
    return field(default=default, metadata={"meaning": meaning, "values": values})


TREATMENTS = ("ordinary", "ignored", "region", "absorbs", "dropped")
_TREATMENT = (
    "ordinary; ignored; a region that is ignored, takes any number of detections and overlaps by share of the "
    "detection; absorbing, by share of the detection, what has found nothing else; or left out, as if there were none"
)


@checked_fields()
@dataclass(frozen=True)
class Protocol:
    """How detections become numbers. A variant is `dataclasses.replace(protocol, name=..., field=...)`.

    >>> from dataclasses import replace
    >>> from boxscore import protocols
    >>> loose = replace(protocols.get("coco"), name="loose", iou=(0.3,))
    >>> loose.signature() == protocols.get("coco").signature()
    False
    """

    name: str = ""
    about: str = field(default="", compare=False, metadata={"meaning": "one sentence"})
    source: str = field(default="", compare=False, metadata={"meaning": "the official code that it reproduces"})

    # fmt: off
    overlap: str = _rule(
        "how the overlap of two boxes is measured: continuous coordinates; with the last pixel inside the box (+1); "
        "the same, but boxes with any gap between them never overlap; continuous coordinates in single precision, from "
        "the corners, with 1e-7 added to the union (thresholds are single precision, too)",
        "box", "inclusive", "inclusive-touching", "single", default="box",
    )
    box_area: str = _rule(
        "where the area of a box comes from: width times height as the source gives them, or the corners "
        "(for an overlap other than `box` always the corners)",
        "source", "corners", default="source",
    )
    greedy_by: str = _rule(
        "who chooses first: detections by descending score, or pairs of detection and object by descending overlap",
        "score", "overlap", default="score",
    )
    claim: str = _rule(
        "which objects a detection may look at: those still free; all (its best one being taken makes it false); or "
        "all, and none is ever taken (an object is then found as often as it is hit)",
        "free", "any", "shared", default="free",
    )
    ignored_last: bool = _rule("an object that counts is preferred to any ignored one", default=True)
    equal_overlaps: str = _rule(
        "which of two equally overlapping objects is taken: the first; or the last, which is any that does not overlap "
        "less (an overlap that is no number, of boxes with infinite areas, is not less either)",
        "first", "last", default="first",
    )
    compare: str = _rule("how the overlap is compared with the threshold", ">=", ">", default=">=")
    iou: tuple[float, ...] = _rule("overlap thresholds, up to 64", default=(0.5,))
    iou_ceiling: float = _rule("a threshold above this value is lowered to it", default=1.0)
    iou_margin: float = _rule(
        "for small objects thresholds are lowered to the overlap with a box that is so many pixels wider and higher; "
        "0 for none",
        default=0.0,
    )
    matched_first: str = _rule(
        "which of several detections with equal scores in an image and class chooses first", "first", "last",
        default="first",
    )
    equal_scores: str = _rule(
        "the ranking of detections with equal scores: by image, then by position in the source; by position alone; by "
        "the image's first appearance among the detections of the class, then by position; later images first, then by "
        "position",
        "image", "position", "first-image", "later-image", default="position",
    )
    score_floor: float = _rule("detections with this score or a lower one are left out", default=-math.inf)
    max_detections: tuple[int, ...] = _rule(
        "caps on the number of detections, ascending; empty for no cap", default=()
    )
    max_per: str = _rule(
        "what the caps hold for: the best of each image and class, of each image, or of each class over all images",
        "cell", "image", "class", default="cell",
    )
    headline_max: int = _rule(
        "the cap that the headline number insists on; 0 for the largest of max_detections", default=0
    )
    areas: tuple[Area, ...] = _rule(
        "size ranges; the first one is the headline's", default=(Area("all", -math.inf, math.inf),)
    )
    area_unit: str = _rule(
        "what size ranges are given in: square pixels, shares of the image's area, or quantiles of the objects' sizes "
        "(these become pixels once the truth is known)",
        "pixels", "image", "quantile", default="pixels",
    )
    area_ends: str = _rule("whether the upper end belongs to a size range", "closed", "half-open", default="half-open")
    size_from: str = _rule(
        "where the size of an object comes from: the annotation's area (the box where it has none), or the box",
        "annotation", "box", default="box",
    )
    outside: str = _rule(
        "what an unmatched detection outside of the size range is", "ignored", "counted", default="ignored"
    )
    crowd: str = _rule(f"objects flagged as crowd: {_TREATMENT}", *TREATMENTS, default="ordinary")
    difficult: str = _rule(f"objects flagged as difficult: {_TREATMENT}", *TREATMENTS, default="ordinary")
    group_of: str = _rule(f"objects flagged as group: {_TREATMENT}", *TREATMENTS, default="ordinary")
    ignore_flag: str = _rule(f"objects flagged with `ignore`: {_TREATMENT}", *TREATMENTS, default="ordinary")
    absorbed_weight: float = _rule(
        "what the best detection that an absorbing object takes counts as a true positive, and the object among what "
        "is to be found; 0 makes such objects ignored",
        default=0.0,
    )
    absorbed_floor: float = _rule("an absorbing object is credited only to scores above this", default=-math.inf)
    id_zero: str = _rule(
        "an object whose annotation id is 0: ordinary, or taken without making its detection true",
        "ordinary", "void", default="ordinary",
    )
    repeated_ids: str = _rule(
        "objects that share an annotation id: ordinary, or each replaced by the last of them",
        "ordinary", "last", default="ordinary",
    )
    flat_objects: str = _rule(
        "objects without extent: counted; left out if a side is not above 0; left out if their size is not above 0",
        "counted", "sides", "size", default="counted",
    )
    flat_detections: str = _rule(
        "detections without extent: counted; left out if a side is not above 0; left out if their size is not above 0",
        "counted", "sides", "size", default="counted",
    )
    unknown_images: str = _rule(
        "detections on images that the truth does not list: left out, or false positives",
        "dropped", "counted", default="dropped",
    )
    unverified: str = _rule(
        "detections of a class that has no box in the image and that nobody verified to be there or not",
        "counted", "dropped", default="counted",
    )
    unlabelled_objects: str = _rule(
        "objects of other classes than those that somebody verified to be in the image, where somebody did",
        "counted", "dropped", default="counted",
    )
    not_exhaustive: str = _rule(
        "unmatched detections of a class that is not boxed exhaustively in the image", "counted", "ignored",
        default="counted",
    )
    blacklist: str = _rule(
        "objects and detections of blacklisted images and classes", "ordinary", "ignored", default="ordinary"
    )
    hierarchy: str = _rule(
        "where classes have parents: no matter; objects and image labels count for the classes above too (absence for "
        "those below); detections as well",
        "unused", "truth", "both", default="unused",
    )
    classes: str = _rule("whether classes are told apart", "each", "agnostic", default="each")
    recall_levels: int = _rule("how many recall levels the average is taken over; 0 for all points", default=0)
    recall_grid: str = _rule(
        "how recall reaches a level: as doubles, where some levels sit one last bit too high; exactly; or, as doubles, "
        "only from above it",
        "float", "exact", "above", default="exact",
    )
    recall_bounds: tuple[float, float] = _rule(
        "points of the curve with a recall outside of these are left out before the average is taken",
        default=(0.0, 1.0),
    )
    precision_epsilon: float = _rule("added to the denominator of the precision", default=0.0)
    level_sum: str = _rule(
        "how precisions at levels, or the steps of a curve with all points, are added up: as NumPy does; one after the "
        "other, levels divided first; from the highest level down (these differ in the last bit); or, of levels, the "
        "area under straight lines from one to the next",
        "mean", "parts", "descending", "trapezoid", default="mean",
    )
    averaging: str = _rule(
        "what the mean runs over: all cells of (threshold, level, class) at once; the APs of (threshold, class), added "
        "up as NumPy does, class by class, one after the other, or as NumPy does with 0 for classes without objects "
        "(these differ in the last bit); or no classes, but one ranking of all detections",
        "cells", "classes", "class-by-class", "classes-in-turn", "classes-with-zeros", "pooled", default="classes",
    )
    empty_class: str = _rule(
        "the AP of a class without objects: undefined; zero; or undefined, with its detections in a pooled ranking",
        "undefined", "zero", "pooled", default="undefined",
    )
    summary: str = _rule(
        "which table of numbers is reported", "coco", "voc", "lvis", "imagenet", "localisation", "ultralytics",
        default="voc",
    )
    deviations: tuple[Deviation, ...] = field(default=(), compare=False)
    # fmt: on

    def __post_init__(self) -> None:
        for f in fields(self):
            # Values of other types would have other texts, and so other signatures.
            object.__setattr__(self, f.name, of_type(f.name, f.default, getattr(self, f.name)))
            allowed, value = f.metadata.get("values"), getattr(self, f.name)
            if allowed and value not in allowed:
                raise UsageError(f"{f.name}={value!r}; expected one of {', '.join(allowed)}")
        check(self)

    @property
    def approximations(self) -> tuple[Deviation, ...]:
        """In what it does not do what its source does; none where it is equal."""
        return tuple(d for d in self.deviations if d.approximation)

    def rules(self) -> dict[str, str]:
        """Every field that changes a number, as text."""
        return {f.name: as_text(getattr(self, f.name)) for f in fields(self) if "meaning" in f.metadata and f.compare}

    def signature_full(self) -> str:
        """All rules, so that the number can be reproduced from the signature alone."""
        return "|".join(f"{name}:{value}" for name, value in self.rules().items())

    def signature(self) -> str:
        """The name and a digest of all rules: equal signatures, equal rules."""
        return f"{self.name}#{self.digest()}"

    def digest(self) -> str:
        """Eight hexadecimal digits that change whenever a rule does."""
        import hashlib  # takes 4 ms, and only reports need it

        return hashlib.sha256(self.signature_full().encode()).hexdigest()[:8]
