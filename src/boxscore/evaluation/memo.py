"""A memory for what protocols that see the same rows share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from boxscore import overlaps
from boxscore.protocols import Protocol

Made = TypeVar("Made")


class Shared:
    """A memory of pure functions: what is asked for again over the same columns is not made again.

    With several protocols to come, also what pays only then is made, for thresholds from the lowest of them on. Where
    these are many, there is `room` for the latest values of each kind only.
    """

    def __init__(self, protocols: Sequence[Protocol] = (), room: int | None = None) -> None:
        self.protocols = tuple(protocols)
        self.several = len(protocols) > 1
        self.least = min(map(_least, protocols), default=0.0)
        self.lowering = [p for p in protocols if p.iou_margin]  # those with thresholds of an object's own
        self._room = room
        self._made: dict[str, dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]]] = {}  # by kind; the latest last

    def serves(self, protocol: Protocol) -> bool:
        """Whether a protocol looks at no pair below the thresholds that this was made for, in double precision."""
        own = (protocol.iou_margin, protocol.overlap)
        known = not protocol.iou_margin or own in [(p.iou_margin, p.overlap) for p in self.lowering]
        boxes = overlaps.get(protocol).in_kernel
        double = boxes is None or not boxes.single  # bounds on pairs hold for doubles only
        return not self.several or (_least(protocol) >= self.least and known and double)

    def floor(self, protocol: Protocol) -> float:
        """The lowest overlap that this protocol, or one that shares what it needs, can ask for; 0 where unknown."""
        if protocol.iou_margin or self.lowering:
            return 0.0
        return self.least if self.several else _least(protocol)

    def once(self, what: tuple[Any, ...], columns: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """The value of `make`, which depends on nothing but `what` and the columns."""
        if (known := self.known(what, columns)) is None:
            known = self.keep(what, columns, make())
        made: Made = known
        return made

    def known(self, what: tuple[Any, ...], columns: tuple[Any, ...]) -> Any:
        """What was made before; None if nothing was."""
        of_kind, key = self._made.get(what[0], {}), (*what, *map(id, columns))
        if key not in of_kind:
            return None
        of_kind[key] = of_kind.pop(key)
        return of_kind[key][1]

    def keep(self, what: tuple[Any, ...], columns: tuple[Any, ...], made: Made) -> Made:
        """Remembers a value; the columns are kept too, so that no others get their identity."""
        of_kind = self._made.setdefault(what[0], {})
        of_kind[(*what, *map(id, columns))] = columns, made
        if self._room is not None and len(of_kind) > self._room:
            del of_kind[next(iter(of_kind))]
        return made


def _least(protocol: Protocol) -> float:
    return min(min(protocol.iou), protocol.iou_ceiling) - protocol.iou_slack
