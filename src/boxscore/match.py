"""Matches detections to objects by the rules of a protocol."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.grouping import Order, Rows, Shared, cells, order_of, ranked
from boxscore.model import Bools, Detections, Floats, Indices, Ints, Truth, empty, thread_count
from boxscore.protocols import Protocol
from boxscore.seen import ABSORBS, IGNORED, box_area, limits, roles, sizes, unbounded

TIES = {"image": 0, "position": 1, "first-image": 2, "later-image": 0}  # rules for equal scores in the kernel
NO_CAP = 2**31 - 1


class Verdicts(NamedTuple):
    """What the kernel decides; the first dimension of hits, ignored and credits is that of the kept detections."""

    first: Ints
    hits: npt.NDArray[np.unsignedinteger[Any]]
    ignored: npt.NDArray[np.unsignedinteger[Any]]
    credits: npt.NDArray[np.unsignedinteger[Any]] | None
    counted: npt.NDArray[np.uint64]
    to_find: Ints
    absorbing: Ints | None
    cut: Bools

    @staticmethod
    def empty(n: int, truth: Truth, protocol: Protocol, role: npt.NDArray[np.uint8], cleared: bool) -> Verdicts:
        """Room for the verdicts on n detections; `cleared` where most are 0."""
        n_ranges, word = len(protocol.areas), word_type(len(protocol.iou))
        make = np.zeros if cleared else empty
        to_find = np.empty((len(truth.classes), n_ranges), np.int64)
        credited = bool(((role & (ABSORBS | IGNORED)) == ABSORBS).any())
        return Verdicts(
            np.empty(len(truth.classes) + 1, np.int64),
            make((n, n_ranges), word),
            make((n, n_ranges), word),
            np.zeros((n, n_ranges), word) if credited else None,
            empty(len(truth), np.uint64),
            to_find,
            np.empty_like(to_find) if credited else None,
            np.zeros(n, np.bool_),
        )

    def flat(self) -> dict[str, Any]:
        """As the kernel takes them."""
        absorbing = None if self.absorbing is None else self.absorbing.reshape(-1)
        own = {"to_find": self.to_find.reshape(-1), "absorbing": absorbing, "cut": self.cut.view(np.uint8)}
        return {**self._asdict(), **own}

    def cut_to(self, kept: int) -> Verdicts:
        """Those of the first detections."""
        credits = None if self.credits is None else self.credits[:kept]
        return self._replace(hits=self.hits[:kept], ignored=self.ignored[:kept], credits=credits)


@dataclass(frozen=True, eq=False)
class Matching:
    """The verdict on every kept detection, in the order (class, image, descending score, position).

    `hits` and `ignored` have a column per size range and in each word a bit per threshold. `object` and `overlap` (per
    detection, range, threshold; -1 and nan where there is none) are there only if pairs were asked for.
    """

    row: npt.NDArray[np.uint32]  # detection row
    image: Indices  # rank of its image in the official order
    score: Floats
    tie: Ints | None  # what decides between equal scores of a class; None where the order of rows does
    rank: Indices  # when the turn of the detection comes in its image and class
    first: Ints  # (classes + 1,) where the verdicts of each class begin
    hits: npt.NDArray[np.unsignedinteger[Any]]
    ignored: npt.NDArray[np.unsignedinteger[Any]]
    credits: npt.NDArray[np.unsignedinteger[Any]] | None  # hits that are an absorbing object's; None without such
    counted: npt.NDArray[np.uint64]  # per object row: bit for each range in which it is to be found
    to_find: Ints  # (classes, ranges) how many objects those are
    absorbing: Ints | None  # (classes, ranges) how many of them are absorbing
    cut: Bools  # per detection row: beyond the cap
    object: Indices | None = None
    overlap: Floats | None = None
    order: Order | None = None  # the rows of each class as they are ranked; None: not sorted yet


def word_type(bits: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest unsigned type with so many bits."""
    return next(t for n, t in ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64)) if bits <= n)


def match(
    truth: Truth,
    detections: Detections,
    protocol: Protocol,
    *,
    excused: npt.NDArray[np.uint8] | None = None,
    blacklisted: Bools | None = None,
    pairs: bool = False,
    threads: int = 0,
    shared: Shared | None = None,
) -> Matching:
    """Matches two tables over the same images and classes (see `align` and `prepare`).

    `pairs` also returns which object each detection took and their overlap. `shared` remembers what other protocols
    can use too.
    """
    if shared is None or not shared.serves(protocol):
        shared = Shared()
    n, n_ranges, n_thresholds = len(detections), len(protocol.areas), len(protocol.iou)
    by_cell = cells(truth, detections, shared, partial(_floor, truth, shared), threads)
    role = roles(truth, protocol)
    if blacklisted is not None:
        role[blacklisted] |= IGNORED
    rules = _rules(protocol, by_cell, bool(role.any()))
    tie_rule, last_first = TIES[protocol.equal_scores], rules["last_first"]
    # Other protocols may have the same rows: caps that cut nothing leave the same ones.
    left = ("rows", rules["cap"], last_first and rules["cap"] < by_cell.largest)
    rows: Rows | None = shared.known(left, (by_cell,))
    rank: Indices | None = shared.known(("rank", *left, last_first), (by_cell,))
    tie: Ints | None = shared.known(("tie", *left, tie_rule), (by_cell, detections.position))
    new_rows = Rows.empty(n) if rows is None else None
    new_rank = empty(n, np.int32) if rank is None else None
    new_tie = empty(n, np.int64) if tie_rule and tie is None else None
    areas = [box_area(table, protocol, shared) for table in (detections, truth)]
    measured = [sizes(table, protocol, shared) for table in (detections, truth)]
    # And the same verdicts: where they decide by the same rules over the same columns.
    decided = (
        "verdicts",
        *rules.values(),
        protocol.iou_margin,
        protocol.iou_ceiling,
        protocol.iou,
        protocol.areas,
        role.tobytes(),
    )
    looked_at = (by_cell, *areas, *([] if unbounded(protocol) else measured))
    plain = excused is None and not pairs
    known: Verdicts | None = shared.known(decided, looked_at) if plain else None
    paired = np.full(n * n_ranges * n_thresholds, -1, np.int32) if pairs else None
    overlap = np.full(n * n_ranges * n_thresholds, np.nan) if pairs else None
    if known is not None and not any(made is not None for made in (new_rows, new_rank, new_tie)):
        verdicts, kept = known, len(known.hits)
    else:
        cleared = excused is None and (protocol.outside == "counted" or unbounded(protocol))
        verdicts = Verdicts.empty(n, truth, protocol, role, cleared)
        kept = _core.match(
            by_cell,
            detections.label, ranked(detections.image, truth), detections.corners, areas[0], measured[0], excused,
            detections.score, detections.position,
            truth.label, ranked(truth.image, truth), truth.corners, areas[1], measured[1], role,
            limits(truth, protocol),
            **rules,
            tie_rule=tie_rule,
            thresholds=np.minimum(protocol.iou, protocol.iou_ceiling),
            lowest=np.array([a.low for a in protocol.areas], np.float64),
            highest=np.array([a.high for a in protocol.areas], np.float64),
            rank=new_rank, tie=new_tie, cleared=cleared,
            **({"row": None, "image": None, "score": None} if new_rows is None else new_rows._asdict()),
            **verdicts.flat(),
            object=paired, overlap=overlap,
            threads=thread_count(threads),
        )  # fmt: skip
        verdicts = verdicts.cut_to(kept)
    if plain:
        shared.keep(decided, looked_at, verdicts)
    if new_rows is not None:
        rows = shared.keep(left, (by_cell,), new_rows.cut(kept))
    if new_rank is not None:
        rank = shared.keep(("rank", *left, last_first), (by_cell,), new_rank[:kept])
    if new_tie is not None:
        tie = shared.keep(("tie", *left, tie_rule), (by_cell, detections.position), new_tie[:kept])
    assert rows is not None
    assert rank is not None
    shape = (n, n_ranges, n_thresholds)
    return Matching(
        *rows,
        tie,
        rank,
        **verdicts._asdict(),
        object=None if paired is None else paired.reshape(shape)[:kept],
        overlap=None if overlap is None else overlap.reshape(shape)[:kept],
        order=order_of(
            verdicts.first, rows.score, rows.image, tie, protocol.equal_scores == "later-image", shared, threads
        ),
    )


def _rules(protocol: Protocol, by_cell: Any, any_role: bool) -> dict[str, Any]:
    """The rules as the kernel takes them; one that cannot matter here is as if it were not there."""
    bounded = not unbounded(protocol)
    cap = max(protocol.max_detections, default=NO_CAP) if protocol.max_per == "cell" else NO_CAP
    return {
        "pixel": 0.0 if protocol.overlap == "box" else 1.0,
        "touching": protocol.overlap == "inclusive-touching",
        "by_overlap": protocol.greedy_by == "overlap",
        "even_if_taken": protocol.claim == "any",
        "shared": protocol.claim == "shared",
        "prefer_counted": protocol.ignored_last and (bounded or any_role),
        "last_of_equals": protocol.equal_overlaps == "last",
        "last_first": protocol.matched_first == "last" and by_cell.tied,
        "strict": protocol.compare == ">",
        "ignore_outside": protocol.outside == "ignored" and bounded,
        "closed_ranges": protocol.area_ends == "closed" and bounded,
        "credit_floor": protocol.absorbed_floor,
        "cap": min(cap, by_cell.largest),
    }


def _floor(truth: Truth, shared: Shared) -> Floats:
    """The lowest threshold of each object under any of the protocols to come."""
    floor = np.full(len(truth), shared.least)
    for protocol in shared.lowering:
        lowered = limits(truth, protocol)
        floor = floor if lowered is None else np.minimum(floor, lowered)
    return floor
