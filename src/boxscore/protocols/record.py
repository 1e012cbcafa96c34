"""A protocol: everything that changes a number, as one frozen record."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from boxscore.errors import UsageError


class Area(NamedTuple):
    """A named range of object sizes in square pixels."""

    name: str
    low: float
    high: float


class Deviation(NamedTuple):
    """A rule of an official evaluator that its own documentation does not have, or denies."""

    code: str
    title: str
    text: str
    field: str  # the protocol field that says it


def _rule(meaning: str, *values: str, default: Any = None) -> Any:
    """A field with its meaning and, where it is a choice, its allowed values."""
    return field(default=default, metadata={"meaning": meaning, "values": values})


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

    overlap: str = _rule(
        "how the overlap of two boxes is measured: continuous coordinates; with the last pixel inside the box (+1); "
        "the same, but boxes with any gap between them never overlap",
        "box", "inclusive", "inclusive-touching", default="box",
    )  # fmt: skip
    box_area: str = _rule(
        "where the area of a box comes from: width times height as the source gives them, or the corners "
        "(with inclusive pixels always the corners)",
        "source", "corners", default="source",
    )  # fmt: skip
    claim: str = _rule(
        "which objects a detection may look at: those still free, or all (its best one being taken makes it false)",
        "free", "any", default="free",
    )  # fmt: skip
    ignored_last: bool = _rule("an object that counts is preferred to any ignored one", default=True)
    equal_overlaps: str = _rule("which of two equally overlapping objects is taken", "first", "last", default="first")
    compare: str = _rule("how the overlap is compared with the threshold", ">=", ">", default=">=")
    iou: tuple[float, ...] = _rule("overlap thresholds, up to 64", default=(0.5,))
    iou_ceiling: float = _rule("a threshold above this value is lowered to it", default=1.0)
    equal_scores: str = _rule(
        "the order of detections with equal scores: by image, then by position in the source; by position alone; by "
        "the image's first appearance among the detections of the class, then by position",
        "image", "position", "first-image", default="position",
    )  # fmt: skip
    max_detections: tuple[int, ...] = _rule(
        "caps on the detections per image and class, ascending; empty for no cap", default=()
    )
    headline_max: int = _rule(
        "the cap that the headline number insists on; 0 for the largest of max_detections", default=0
    )
    areas: tuple[Area, ...] = _rule(
        "size ranges; the first one is the headline's", default=(Area("all", -math.inf, math.inf),)
    )
    area_ends: str = _rule("whether the upper end belongs to a size range", "closed", "half-open", default="half-open")
    size_from: str = _rule(
        "where the size of an object comes from: the annotation's area (the box where it has none), or the box",
        "annotation", "box", default="box",
    )  # fmt: skip
    outside: str = _rule(
        "what an unmatched detection outside of the size range is", "ignored", "counted", default="ignored"
    )
    crowd: str = _rule(
        "objects flagged as crowd: a region that is ignored, takes any number of detections and overlaps by share of "
        "the detection; ignored; or an ordinary object",
        "region", "ignored", "ordinary", default="ordinary",
    )  # fmt: skip
    difficult: str = _rule("objects flagged as difficult", "ignored", "ordinary", default="ordinary")
    ignore_flag: str = _rule("objects flagged with `ignore`", "ignored", "ordinary", default="ordinary")
    id_zero: str = _rule(
        "an object whose annotation id is 0: ordinary, or taken without making its detection true",
        "ordinary", "void", default="ordinary",
    )  # fmt: skip
    repeated_ids: str = _rule(
        "objects that share an annotation id: ordinary, or each replaced by the last of them",
        "ordinary", "last", default="ordinary",
    )  # fmt: skip
    unknown_images: str = _rule(
        "detections on images that the truth does not list: left out, or false positives",
        "dropped", "counted", default="dropped",
    )  # fmt: skip
    recall_levels: int = _rule("how many recall levels the average is taken over; 0 for all points", default=0)
    recall_grid: str = _rule(
        "how recall reaches a level: as doubles, where some levels sit one last bit too high, or exactly",
        "float", "exact", default="exact",
    )  # fmt: skip
    precision_epsilon: float = _rule("added to the denominator of the precision", default=0.0)
    level_sum: str = _rule(
        "the order in which precisions at levels are averaged (it decides the last bit): mean of all; each divided "
        "first, ascending; summed from the highest level down",
        "mean", "parts", "descending", default="mean",
    )  # fmt: skip
    averaging: str = _rule(
        "what the mean runs over: all cells of (threshold, level, class) at once, or the APs of (threshold, class)",
        "cells", "classes", default="classes",
    )  # fmt: skip
    empty_class: str = _rule("the AP of a class without objects", "undefined", "zero", default="undefined")
    summary: str = _rule("which table of numbers is reported", "coco", "voc", default="voc")
    deviations: tuple[Deviation, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for f in fields(self):
            allowed, value = f.metadata.get("values"), getattr(self, f.name)
            if allowed and value not in allowed:
                raise UsageError(f"{f.name}={value!r}; expected one of {', '.join(allowed)}")
        if not 1 <= len(self.iou) <= 64:
            raise UsageError(f"iou has {len(self.iou)} thresholds; expected 1 to 64")
        if not all(0 < t <= 1 for t in self.iou):
            raise UsageError(f"iou={_text(self.iou)}; expected thresholds above 0 and up to 1")
        if len(set(self.iou)) < len(self.iou):
            raise UsageError(f"iou={_text(self.iou)}; expected different thresholds")
        if any(m < 1 for m in self.max_detections) or list(self.max_detections) != sorted(set(self.max_detections)):
            raise UsageError(f"max_detections={_text(self.max_detections)}; expected whole numbers from 1, ascending")
        if not 1 <= len(self.areas) <= 64 or len({a.name for a in self.areas}) != len(self.areas):
            raise UsageError(f"areas={_text(self.areas)}; expected 1 to 64 ranges with different names")
        if any(not a.name or set(a.name) & set(",:|=[]") for a in self.areas):
            raise UsageError(f"areas={_text(self.areas)}; expected names without any of , : | = [ ]")
        if any(not a.low <= a.high for a in self.areas):
            raise UsageError(f"areas={_text(self.areas)}; expected ranges from low to high")
        if self.recall_levels < 0 or self.recall_levels == 1:
            raise UsageError(f"recall_levels={self.recall_levels}; expected 0 (all points) or at least 2")

    def rules(self) -> dict[str, str]:
        """Every field that changes a number, as text."""
        return {f.name: _text(getattr(self, f.name)) for f in fields(self) if "meaning" in f.metadata and f.compare}

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


def _text(value: Any) -> str:
    """A field's value in the form that the command line takes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Area):
        return f"{value.name}:{value.low:.17g}-{'' if value.high == math.inf else f'{value.high:.17g}'}"
    if isinstance(value, tuple):
        return ",".join(_text(v) for v in value) if value else "none"
    return repr(value) if isinstance(value, float) else str(value)
