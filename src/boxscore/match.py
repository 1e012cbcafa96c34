"""Matches detections to objects by the rules of a protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.grouping import Order, Rows, Shared, cells, order_of, ranked
from boxscore.model import Bools, Detections, Floats, Indices, Ints, Truth, empty, thread_count
from boxscore.protocols import Protocol
from boxscore.seen import ABSORBS, IGNORED, box_area, limits, roles, sizes, unbounded

TIES = {"image": 0, "position": 1, "first-image": 2, "later-image": 0}  # rules for equal scores in the kernel
NO_CAP = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Matching:
    """The verdict on every kept detection, in the order (class, image, descending score, position).

    `hits` and `ignored` have a column per size range and in each word a bit per threshold. `object` and `overlap` (per
    detection, range, threshold; -1 and nan where there is none) are there only if pairs were asked for.
    """

    first: Ints  # (classes + 1,) where the verdicts of each class begin
    row: npt.NDArray[np.uint32]  # detection row
    image: Indices  # rank of its image in the official order
    score: Floats
    tie: Ints | None  # what decides between equal scores of a class; None where the order of rows does
    rank: Indices  # when the turn of the detection comes in its image and class
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
    shared = shared or Shared()
    n, n_thresholds, n_ranges = len(detections), len(protocol.iou), len(protocol.areas)
    cap = max(protocol.max_detections, default=NO_CAP) if protocol.max_per == "cell" else NO_CAP
    by_cell, tie_rule = cells(truth, detections, shared, threads), TIES[protocol.equal_scores]
    last_first = protocol.matched_first == "last" and by_cell.tied
    # Other protocols may have the same: caps that cut nothing leave the same rows.
    cut = min(cap, by_cell.largest)
    left = ("rows", cut, last_first and cut < by_cell.largest)
    rows: Rows | None = shared.known(left, (by_cell,))
    rank: Indices | None = shared.known(("rank", *left, last_first), (by_cell,))
    tie: Ints | None = shared.known(("tie", *left, tie_rule), (by_cell, detections.position))
    new_rows = Rows.empty(n) if rows is None else None
    new_rank = empty(n, np.int32) if rank is None else None
    new_tie = empty(n, np.int64) if tie_rule and tie is None else None
    word = word_type(n_thresholds)
    first, to_find = np.empty(len(truth.classes) + 1, np.int64), np.empty((len(truth.classes), n_ranges), np.int64)
    cleared = excused is None and (protocol.outside == "counted" or unbounded(protocol))
    hits, ignored = (np.zeros((n, n_ranges), word) if cleared else empty((n, n_ranges), word) for _ in range(2))
    counted, beyond = empty(len(truth), np.uint64), np.zeros(n, np.uint8)
    role = roles(truth, protocol)
    if blacklisted is not None:
        role[blacklisted] |= IGNORED
    credited = bool(((role & (ABSORBS | IGNORED)) == ABSORBS).any())
    credits = np.zeros((n, n_ranges), word) if credited else None
    absorbing = np.empty_like(to_find) if credited else None
    paired = np.full(n * n_ranges * n_thresholds, -1, np.int32) if pairs else None
    overlap = np.full(n * n_ranges * n_thresholds, np.nan) if pairs else None
    kept = _core.match(
        by_cell,
        detections.label, ranked(detections.image, truth), detections.corners, box_area(detections, protocol, shared),
        sizes(detections, protocol, shared), excused, detections.score, detections.position,
        truth.label, ranked(truth.image, truth), truth.corners, box_area(truth, protocol, shared),
        sizes(truth, protocol, shared), role, limits(truth, protocol),
        pixel=0.0 if protocol.overlap == "box" else 1.0,
        touching=protocol.overlap == "inclusive-touching",
        by_overlap=protocol.greedy_by == "overlap",
        even_if_taken=protocol.claim == "any",
        shared=protocol.claim == "shared",
        prefer_counted=protocol.ignored_last,
        last_of_equals=protocol.equal_overlaps == "last",
        last_first=last_first,
        strict=protocol.compare == ">",
        ignore_outside=protocol.outside == "ignored",
        closed_ranges=protocol.area_ends == "closed",
        credit_floor=protocol.absorbed_floor,
        cap=cap,
        tie_rule=tie_rule,
        thresholds=np.minimum(protocol.iou, protocol.iou_ceiling),
        lowest=np.array([a.low for a in protocol.areas], np.float64),
        highest=np.array([a.high for a in protocol.areas], np.float64),
        first=first, rank=new_rank, tie=new_tie, hits=hits, ignored=ignored, cleared=cleared,
        **({"row": None, "image": None, "score": None} if new_rows is None else new_rows._asdict()),
        credits=credits, object=paired, overlap=overlap, counted=counted, to_find=to_find.reshape(-1),
        absorbing=None if absorbing is None else absorbing.reshape(-1), cut=beyond,
        threads=thread_count(threads),
    )  # fmt: skip
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
        first,
        *rows,
        tie,
        rank,
        hits[:kept],
        ignored[:kept],
        None if credits is None else credits[:kept],
        counted,
        to_find,
        absorbing,
        beyond.view(np.bool_),
        None if paired is None else paired.reshape(shape)[:kept],
        None if overlap is None else overlap.reshape(shape)[:kept],
        order_of(first, rows.score, rows.image, tie, protocol.equal_scores == "later-image", shared, threads),
    )
