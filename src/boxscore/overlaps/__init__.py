"""The registry of overlaps: what `overlap` may be in a protocol, and how each is measured."""

from __future__ import annotations

from boxscore.overlaps.boxes import BOX, INCLUSIVE, INCLUSIVE_TOUCHING, SINGLE
from boxscore.overlaps.record import BoxRule, Overlap
from boxscore.protocols import Protocol, parts
from boxscore.protocols.rules import allow

__all__ = ["REGISTRY", "BoxRule", "Overlap", "get", "register"]

REGISTRY: dict[str, Overlap] = {o.name: o for o in (BOX, INCLUSIVE, INCLUSIVE_TOUCHING, SINGLE)}


def get(rules: parts.Overlap) -> Overlap:
    """The overlap that a protocol measures."""
    return REGISTRY[rules.overlap]


def register(overlap: Overlap) -> None:
    """Adds an overlap, which protocols may then name."""
    REGISTRY[overlap.name] = overlap
    allow(Protocol, "overlap", overlap.name)
