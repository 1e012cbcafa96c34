"""The registry of overlaps: what `overlap` may be in a protocol, and how each is measured."""

from __future__ import annotations

from collections.abc import Iterable

from boxscore.overlaps.boundary import BOUNDARY
from boxscore.overlaps.boxes import BOX, INCLUSIVE, INCLUSIVE_TOUCHING, SINGLE
from boxscore.overlaps.keypoints import KEYPOINTS
from boxscore.overlaps.masks import MASK
from boxscore.overlaps.masks import SINGLE as MASK_SINGLE
from boxscore.overlaps.record import BoxRule, Measured, Overlap
from boxscore.overlaps.relations import PHRASE, RELATION
from boxscore.overlaps.rotated import ROTATED
from boxscore.overlaps.tubes import TUBE, TUBE_MASK
from boxscore.protocols import Protocol, parts
from boxscore.protocols.rules import allow

__all__ = ["REGISTRY", "BoxRule", "Measured", "Overlap", "get", "needed", "register"]

REGISTRY: dict[str, Overlap] = {
    o.name: o
    for o in (
        *(BOX, INCLUSIVE, INCLUSIVE_TOUCHING, SINGLE, MASK, MASK_SINGLE, BOUNDARY, KEYPOINTS, ROTATED),
        *(TUBE, TUBE_MASK, RELATION, PHRASE),
    )
}


def get(rules: parts.Overlap) -> Overlap:
    """The overlap that a protocol measures."""
    return REGISTRY[rules.overlap]


def needed(protocols: Iterable[Protocol]) -> tuple[str, ...]:
    """The columns, besides those of boxes, that the overlaps of protocols are made of, and tracks where sizes are.

    >>> from boxscore.protocols import get
    >>> needed([get("coco"), get("coco-segm")])
    ('masks',)
    """
    columns = dict.fromkeys(
        name
        for rules in protocols
        for name in (*get(rules).needs, *get(rules).of_frames, *(("tubes",) if rules.of_tracks else ()))
    )
    return tuple(name for name in columns if name not in ("corners", "box_area"))


def register(overlap: Overlap) -> None:
    """Adds an overlap, which protocols may then name."""
    REGISTRY[overlap.name] = overlap
    allow(Protocol, "overlap", overlap.name)
