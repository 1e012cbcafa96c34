"""The orders of detections: who chooses first in a cell, and who ranks before whom in a class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.evaluation.cells import Grouped, taken
from boxscore.evaluation.memo import Shared
from boxscore.protocols.parts import Ranking
from boxscore.tables.model import Floats, Indices, Ints, empty, thread_count


def turns(by_cell: Grouped, last_first: bool, shared: Shared, threads: int) -> Indices:
    """When the turn of each detection in its image and class comes."""

    def made() -> Indices:
        rank: Indices = empty(len(by_cell.row), np.int32)
        by_cell.cells.turns(by_cell.score, last_first, rank, threads=thread_count(threads))
        return rank

    return shared.once(("turns", last_first), (by_cell.cells,), made)


def ties(by_cell: Grouped, position: Ints, rules: Ranking, shared: Shared, threads: int) -> Ints | None:
    """What decides between equal scores of a class; None where the order of rows does."""
    if rules.equal_scores not in ("position", "first-image"):
        return None
    place: Ints = shared.once(("positions",), (by_cell.cells, position), lambda: taken(position, by_cell.row, threads))
    if rules.equal_scores == "position":
        return place

    def made() -> Ints:
        earliest: Ints = empty(len(place), np.int64)
        by_cell.cells.earliest(place, earliest, threads=thread_count(threads))
        return earliest

    return shared.once(("earliest",), (by_cell.cells, place), made)


class Order(NamedTuple):
    """The rows of each class as they are ranked, and how many of them share their score with another one."""

    row: npt.NDArray[np.uint32]
    tied: Ints


def order_of(
    first: Ints, score: Floats, image: Indices, tie: Ints | None, later_image: bool, shared: Shared, threads: int
) -> Order | None:
    """The ranking of each class; None where making it beforehand does not pay."""
    if not shared.several:
        return None

    def made() -> Order:
        order = Order(empty(len(score), np.uint32), np.empty(len(first) - 1, np.int64))
        other = shared.known(("any order",), (score,))  # by other rules for equal scores
        _core.rank(
            first, score, image, tie, later_image, None if other is None else other.row, order.row, order.tied,
            threads=thread_count(threads),
        )  # fmt: skip
        return shared.keep(("any order",), (score,), order)

    return shared.once(("order", later_image), (score, image, tie), made)
