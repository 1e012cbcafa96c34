"""The orders of detections: who chooses first in a cell, and who ranks before whom in a class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.evaluation.cells import Grouped, taken
from boxscore.evaluation.memo import Shared
from boxscore.protocols import Protocol
from boxscore.protocols.parts import Ranking
from boxscore.tables.model import Detections, Floats, Indices, Ints, empty, thread_count


def turns(by_cell: Grouped, last_first: bool, shared: Shared, threads: int) -> Indices:
    """When the turn of each detection in its image and class comes."""

    def made() -> Indices:
        rank: Indices = empty(len(by_cell.row), np.int32)
        by_cell.cells.turns(by_cell.score, last_first, rank, threads=thread_count(threads))
        return rank

    return shared.once(("turns", last_first), (by_cell.cells,), made)


def ties(by_cell: Grouped, position: Ints, rules: Ranking, shared: Shared, threads: int) -> Ints | None:
    """What decides between equal scores of a class; None where the order of rows does."""
    if rules.equal_scores not in ("position", "first-image", "later-image-triple"):
        return None
    place: Ints = shared.once(("positions",), (by_cell.cells, position), lambda: taken(position, by_cell.row, threads))
    if rules.equal_scores == "position":
        return place
    if rules.equal_scores == "later-image-triple":
        columns = (by_cell.cells, place, by_cell.detections.label, by_cell.detections.end_labels)
        return shared.once(("triples",), columns, lambda: _by_triple(by_cell, place))

    def made() -> Ints:
        earliest: Ints = empty(len(place), np.int64)
        by_cell.cells.earliest(place, earliest, threads=thread_count(threads))
        return earliest

    return shared.once(("earliest",), (by_cell.cells, place), made)


def _by_triple(by_cell: Grouped, place: Ints) -> Ints:
    """The place of each detection in its image by classes of subject, object and relation, later positions first."""
    detections, rows = by_cell.detections, by_cell.detection_index()
    ends, image = detections.end_labels, detections.image[rows]
    subject, object_ = (np.zeros(len(rows), np.int32) if ends is None else ends[rows, end] for end in (0, 1))
    return places_within(image, np.lexsort((-place, detections.label[rows], object_, subject, image))).astype(np.int64)


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


def ranks_under_caps(detections: Detections, protocol: Protocol) -> Indices:
    """The place of each detection among those of its image or class, by descending score."""
    place = np.arange(len(detections))
    # A detection of a class that the truth does not have takes a place in its image all the same.
    group = detections.image if protocol.max_per == "image" else detections.label
    order = np.lexsort((-place if protocol.matched_first == "last" else place, -detections.score, group))
    return places_within(group, order)


def places_within(group: npt.NDArray[Any], order: npt.NDArray[Any]) -> Indices:
    """The place of each row in its group, of rows in an order that goes group by group.

    >>> places_within(np.array([7, 5, 7]), np.array([1, 2, 0]))
    array([1, 0, 0], dtype=int32)
    """
    place, by_group = np.arange(len(order)), group[order]
    begin = np.flatnonzero(np.append(True, by_group[1:] != by_group[:-1])) if len(order) else place
    places = np.empty(len(order), np.int32)
    places[order] = place - np.repeat(begin, np.diff(np.append(begin, len(order))))
    return places
