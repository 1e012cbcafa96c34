"""What the matching decides on detections and objects, in the order of their cells."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore.evaluation.cells import Grouped
from boxscore.evaluation.kernel_inputs import ABSORBS, IGNORED, LAST
from boxscore.protocols import Protocol
from boxscore.tables.model import Ints, empty


def word_type(bits: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest unsigned type with so many bits."""
    return next(t for n, t in ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64)) if bits <= n)


class Verdicts(NamedTuple):
    """What the kernel decides on detections and objects in the order of their cells."""

    hits: npt.NDArray[np.unsignedinteger[Any]]
    ignored: npt.NDArray[np.unsignedinteger[Any]]
    credits: npt.NDArray[np.unsignedinteger[Any]] | None
    counted: npt.NDArray[np.unsignedinteger[Any]]
    to_find: Ints
    absorbing: Ints | None
    partly: npt.NDArray[np.uint8] | None = None  # (n, ranges) unmatched ones that are false by a share only

    @staticmethod
    def empty(by_cell: Grouped, protocol: Protocol, role: npt.NDArray[np.uint8], cleared: bool) -> Verdicts:
        """Room for the verdicts; `cleared` where most are not ignored."""
        shape, word = (len(by_cell.row), len(protocol.areas)), word_type(len(protocol.iou))
        to_find = np.empty((len(by_cell.first) - 1, len(protocol.areas)), np.int64)
        # Only objects of a cell: others are of classes or images that nobody lists.
        listed = role if by_cell.laid_out else role[by_cell.object_row]
        credited = bool(((listed & (ABSORBS | IGNORED | LAST)) == ABSORBS).any())
        return Verdicts(
            np.zeros(shape, word),
            np.zeros(shape, word) if cleared else empty(shape, word),
            np.zeros(shape, word) if credited else None,
            empty(len(by_cell.object_row), np.uint8 if len(protocol.areas) <= 8 else np.uint64),
            to_find,
            np.empty_like(to_find) if credited else None,
        )

    def flat(self) -> dict[str, Any]:
        """As the kernel takes them."""
        absorbing = None if self.absorbing is None else self.absorbing.reshape(-1)
        columns = {**self._asdict(), "to_find": self.to_find.reshape(-1), "absorbing": absorbing}
        del columns["partly"]  # decided after the kernel
        return columns
