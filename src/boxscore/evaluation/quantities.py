"""Ranges over several quantities in one protocol: matched quantity by quantity, and put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from boxscore.protocols import Protocol

Made = TypeVar("Made")  # a Matching
Places = list[int]  # of ranges among the areas of the protocol


def apart(protocol: Protocol) -> list[tuple[Protocol, Places]]:
    """For each quantity the protocol with its ranges alone, and where these stand.

    >>> from boxscore import protocols
    >>> rules = protocols.get("stt-ap[areas=small:0-1024,short:length:0-3]")
    >>> [(one.size_from, places) for one, places in apart(rules)]
    [('box', [0, 1]), ('length', [2])]
    """
    places: dict[str, Places] = {}
    for i, area in enumerate(protocol.areas):
        places.setdefault(area.of or protocol.size_from, []).append(i)
    return [
        (replace(protocol, size_from=of, areas=tuple(protocol.areas[i]._replace(of="") for i in own)), own)
        for of, own in places.items()
    ]


def united(some: Sequence[tuple[Made, Places]]) -> Made:
    """Matchings of the same rows by ranges over several quantities as one."""
    first: Any = some[0][0]
    order = np.argsort([place for _, places in some for place in places])

    def column(name: str) -> npt.NDArray[Any] | None:
        if getattr(first, name) is None:
            return None
        made: npt.NDArray[Any] = np.concatenate([getattr(one, name) for one, _ in some], axis=1)[:, order]
        return np.ascontiguousarray(made)

    bits: npt.NDArray[np.uint64] = np.zeros(len(first.counted), np.uint64)
    for one, places in cast("Sequence[tuple[Any, Places]]", some):
        for k, place in enumerate(places):
            bits |= (one.counted.astype(np.uint64) >> np.uint64(k) & np.uint64(1)) << np.uint64(place)
    columns = ("hits", "ignored", "credits", "to_find", "absorbing", "partly", "object", "overlap")
    counted = bits.astype(np.uint8 if len(order) <= 8 else np.uint64)
    made: Made = replace(first, **{name: column(name) for name in columns}, counted=counted)
    return made
