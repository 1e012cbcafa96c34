"""Parts of a protocol: which rows take part, and as what."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from boxscore.errors import UsageError
from boxscore.protocols.forms import LIMITS
from boxscore.protocols.parts.matching import Overlap
from boxscore.protocols.rules import rule
from boxscore.protocols.values import as_text
from boxscore.tables.model import Flag

_TREATMENTS = ("ordinary", "ignored", "region", "absorbs", "dropped")
_TREATMENT = (
    "ordinary; ignored; a region that is ignored, takes any number of detections and overlaps by share of the "
    "detection; absorbing, by share of the detection, what has found nothing else; or left out, as if there were none"
)


def _treatment(flagged: str, flag: Flag, reason: str) -> Any:
    meaning = f"objects flagged {flagged}: {_TREATMENT}"
    return rule(meaning, *_TREATMENTS, default="ordinary", flag=flag, reason=reason)


# fmt: off
@dataclass(frozen=True)
class Limits:
    """How many detections are looked at, and which."""

    score_floor: float = rule("detections with this score or a lower one are left out", default=-math.inf)
    max_detections: tuple[int, ...] = rule(
        "caps on the number of detections, ascending; empty for no cap", default=(), form=LIMITS,
    )
    max_per: str = rule(
        "what the caps hold for: the best of each image and class, of each image, or of each class over all images",
        "cell", "image", "class", default="cell", of="max_detections",
    )

    def _check(self) -> None:
        limits = self.max_detections
        if any(m < 1 for m in limits) or list(limits) != sorted(set(limits)):
            raise UsageError(f"max_detections={as_text(limits)}; expected whole numbers from 1, ascending")


@dataclass(frozen=True)
class Tracks:
    """How the boxes of frames become tracks."""

    max_per_frame: int = rule(
        "how many detections of a frame, of all classes, are kept before they become tracks, where rows are tracks; "
        "these then go by frame, in the order in which frames first come; 0 for all, in the order of the source",
        default=0,
    )
    track_class: str = rule(
        "tracks whose boxes are of several classes: refused, or of the class of their first box",
        "refused", "first", default="refused",
    )
    track_zero: str = rule(
        "the detected track that the official code takes for none, so that the object that it finds stays free: no "
        "track; that with id 0, if only one video has it; or the first one of the first video by name",
        "ordinary", "id", "first", default="ordinary",
    )

    def _check(self) -> None:
        if self.max_per_frame < 0:
            raise UsageError(f"max_per_frame={self.max_per_frame}; expected a whole number, 0 for no limit")


@dataclass(frozen=True)
class Treatments:
    """What flags and ids make of objects."""

    crowd: str = _treatment("as crowd", Flag.CROWD, "a crowd")
    difficult: str = _treatment("as difficult", Flag.DIFFICULT, "difficult")
    group_of: str = _treatment("as group", Flag.GROUP_OF, "a group")
    ignore_flag: str = _treatment("with `ignore`", Flag.IGNORE, "flagged with ignore")
    absorbed_weight: float = rule(
        "what the best detection that an absorbing object takes counts as a true positive, and the object among what "
        "is to be found; 0 makes such objects ignored",
        default=0.0, of="group_of",
    )
    absorbed_floor: float = rule(
        "an absorbing object is credited only to scores above this", default=-math.inf, of="group_of",
    )
    id_zero: str = rule(
        "an object whose annotation id is 0: ordinary, or taken without making its detection true",
        "ordinary", "void", default="ordinary",
    )
    repeated_ids: str = rule(
        "objects that share an annotation id: ordinary, or each replaced by the last of them",
        "ordinary", "last", default="ordinary",
    )

    no_keypoints: str = rule(
        "objects of which no keypoint is labelled, as the annotation states it or else by their visibility",
        "ordinary", "ignored", default="ordinary",
    )

    def _check(self) -> None:
        if not 0 <= self.absorbed_weight <= 1:
            raise UsageError(f"absorbed_weight={self.absorbed_weight}; expected a weight from 0 to 1")


@dataclass(frozen=True)
class Roles(Treatments, Overlap):
    """What objects are for the matching: by flags, ids, and whether they have what overlaps are made of."""


@dataclass(frozen=True)
class Population:
    """Which objects, detections and classes take part."""

    flat_objects: str = rule(
        "degenerate objects: counted; left out if a side is not above 0; left out if their size is not above 0",
        "counted", "sides", "size", default="counted",
    )
    flat_detections: str = rule(
        "degenerate detections: counted; left out if a side is not above 0; left out if their size is not above 0",
        "counted", "sides", "size", default="counted",
    )
    unknown_images: str = rule(
        "detections on images that the truth does not list: left out; false positives; or false positives that make "
        "every number undefined",
        "dropped", "counted", "undefined", default="dropped",
    )
    unverified: str = rule(
        "detections of a class that has no box in the image and that nobody verified to be there or not (relations "
        "whose subject or object is of such a class, unless the other is verified and in no relation of the image)",
        "counted", "dropped", default="counted",
    )
    unlabelled_objects: str = rule(
        "objects of other classes than those that somebody verified to be in the image, where somebody did",
        "counted", "dropped", default="counted",
    )
    not_exhaustive: str = rule(
        "unmatched detections of a class that is not boxed exhaustively in the image", "counted", "ignored",
        default="counted",
    )
    blacklist: str = rule(
        "objects and detections of blacklisted images and classes", "ordinary", "ignored", default="ordinary"
    )
    hierarchy: str = rule(
        "where classes have parents: no matter; objects and image labels count for the classes above too (absence for "
        "those below); detections as well",
        "unused", "truth", "both", default="unused",
    )
    merged_classes: str = rule(
        "classes that the ground truth states to be part of another: told apart from it, or counted as it, on both "
        "sides",
        "apart", "merged", default="apart",
    )
    classes: str = rule("whether classes are told apart", "each", "agnostic", default="each")
