"""The registry of protocols: `get("coco")`, `names()`, `variant(protocol, iou="0.3")`."""

from __future__ import annotations

from boxscore.errors import UnknownName
from boxscore.protocols.coco import COCO, COCO_FIXED
from boxscore.protocols.record import Area, Deviation, Protocol
from boxscore.protocols.toolkit import TOOLKIT_COCO, TOOLKIT_VOC, TOOLKIT_VOC11
from boxscore.protocols.variants import from_signature, variant
from boxscore.protocols.voc import VOC11_EXACT, VOC2007, VOC2012

__all__ = [
    "GROUPS",
    "REGISTRY",
    "Area",
    "Deviation",
    "Protocol",
    "deviation",
    "expand",
    "from_signature",
    "get",
    "names",
    "variant",
]

REGISTRY: dict[str, Protocol] = {
    p.name: p for p in (COCO, COCO_FIXED, VOC2007, VOC2012, VOC11_EXACT, TOOLKIT_VOC, TOOLKIT_VOC11, TOOLKIT_COCO)
}

# Names that stand for several protocols at once.
GROUPS: dict[str, tuple[str, ...]] = {"toolkit": ("toolkit-coco", "toolkit-voc")}


def names() -> list[str]:
    """All protocol names, in the order of the documentation."""
    return list(REGISTRY)


def get(name: str | Protocol) -> Protocol:
    """The protocol of that name; a protocol is returned as it is.

    >>> get("voc2007").recall_levels
    11
    """
    if isinstance(name, Protocol):
        return name
    if name not in REGISTRY:
        raise UnknownName("protocol", name, [*REGISTRY, *GROUPS])
    return REGISTRY[name]


def expand(name: str) -> list[Protocol]:
    """The protocols that a name or the name of a group stands for."""
    return [get(n) for n in GROUPS.get(name, (name,))]


def deviation(code: str) -> Deviation | None:
    """The deviation with that code, if there is one."""
    return next((d for p in REGISTRY.values() for d in p.deviations if d.code == code.upper()), None)
