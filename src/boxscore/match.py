"""Matches detections to objects by the rules of a protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.model import Bools, Detections, Flag, Floats, Indices, Ints, Truth, empty, thread_count
from boxscore.protocols import Protocol

IGNORED, REUSABLE, VOID, ABSORBS = 1, 2, 4, 8  # roles of objects in the kernel
TIES = {"image": 0, "position": 1, "first-image": 2, "later-image": 0}  # rules for equal scores in the kernel
NO_CAP = 2**31 - 1
TREATED = {"crowd": Flag.CROWD, "difficult": Flag.DIFFICULT, "group_of": Flag.GROUP_OF, "ignore_flag": Flag.IGNORE}


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
    rank: Indices  # place of the detection in its image and class
    hits: npt.NDArray[np.unsignedinteger[Any]]
    ignored: npt.NDArray[np.unsignedinteger[Any]]
    credits: npt.NDArray[np.unsignedinteger[Any]] | None  # hits that are an absorbing object's; None without such
    counted: npt.NDArray[np.uint64]  # per object row: bit for each range in which it is to be found
    to_find: Ints  # (classes, ranges) how many objects those are
    absorbing: Ints | None  # (classes, ranges) how many of them are absorbing
    cut: Bools  # per detection row: beyond the cap
    object: Indices | None = None
    overlap: Floats | None = None


def word_type(bits: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest unsigned type with so many bits."""
    return next(t for n, t in ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64)) if bits <= n)


def last_of_repeated(truth: Truth) -> Ints | None:
    """For each object the row of the last object with the same annotation id; None if no id is repeated."""
    if truth.id is None or len(truth) < 2 or bool(np.all(truth.id[1:] > truth.id[:-1])):
        return None
    order = np.argsort(truth.id, kind="stable")
    ids = truth.id[order]
    ends = np.append(np.flatnonzero(ids[1:] != ids[:-1]), len(ids) - 1)
    if len(ends) == len(ids):
        return None
    last = np.empty(len(ids), np.int64)
    last[order] = np.repeat(order[ends], np.diff(ends, prepend=-1))
    return last


def rows_by_id(truth: Truth, protocol: Protocol) -> Ints | None:
    """The rows that the protocol sees where objects share an annotation id; None where it sees them as they are."""
    last = last_of_repeated(truth) if protocol.repeated_ids == "last" else None
    if last is None or not len(truth.images):
        return None
    # Only listed objects are looked up at all; what they are replaced by may be anything.
    listed = (truth.image >= 0) & (truth.label >= 0)
    last = np.where(listed, last, np.arange(len(truth)))
    # They are looked up image by image: an object that comes from a later image stands behind those of earlier ones.
    return last[np.argsort(np.where(listed, truth.images.order[truth.image], 0), kind="stable")]


def roles(truth: Truth, protocol: Protocol) -> npt.NDArray[np.uint8]:
    """What each object is for the matching: bits IGNORED, REUSABLE, VOID, ABSORBS."""
    role = np.zeros(len(truth), np.uint8)
    bits = {"ignored": IGNORED, "region": IGNORED | REUSABLE}
    bits["absorbs"] = ABSORBS if protocol.absorbed_weight else ABSORBS | IGNORED
    if truth.flags.any():
        for field, flag in TREATED.items():
            if (rule := getattr(protocol, field)) != "ordinary":
                role[(truth.flags & int(flag)) != 0] |= bits[rule]
    if protocol.id_zero == "void" and truth.id is not None:
        role[truth.id == 0] |= VOID
    return role


def box_area(table: Truth | Detections, protocol: Protocol) -> Floats:
    """The areas that enter the overlap."""
    if protocol.overlap == "box" and protocol.box_area == "source":
        return table.box_area
    sides = _sides(table, protocol)
    return sides[:, 0] * sides[:, 1]


def _sides(table: Truth | Detections, protocol: Protocol) -> Floats:
    """Widths and heights as the overlap sees them."""
    sides: Floats = table.corners[:, 2:] - table.corners[:, :2]
    return sides if protocol.overlap == "box" else sides + 1.0


def sizes(table: Truth | Detections, protocol: Protocol) -> Floats:
    """What is compared with the size ranges."""
    size = object_sizes(table, protocol) if isinstance(table, Truth) else _box_sizes(table, protocol)
    if protocol.area_unit != "image":
        return size
    width, height = table.images.width, table.images.height
    if width is None or height is None:
        return np.full(len(size), np.nan)
    whole = np.append(width * height, np.nan)[table.image]
    return np.ascontiguousarray(size / np.where(whole > 0, whole, np.nan))


def object_sizes(truth: Truth, protocol: Protocol) -> Floats:
    """The sizes of objects in square pixels."""
    size = _box_sizes(truth, protocol)
    if protocol.size_from == "annotation":
        absent = np.isnan(truth.area)
        size = np.where(absent, size, truth.area) if absent.any() else truth.area
    return size


def _box_sizes(table: Truth | Detections, protocol: Protocol) -> Floats:
    if protocol.box_area == "source":
        return table.box_area
    sides = table.corners[:, 2:] - table.corners[:, :2]
    return sides[:, 0] * sides[:, 1]


def limits(truth: Truth, protocol: Protocol) -> Floats | None:
    """What thresholds are lowered to for each object; None where they are not."""
    if not protocol.iou_margin:
        return None
    sides = _sides(truth, protocol)
    wider = sides + protocol.iou_margin
    with np.errstate(divide="ignore", invalid="ignore"):
        limit: Floats = (sides[:, 0] * sides[:, 1]) / (wider[:, 0] * wider[:, 1])
    return limit


def match(
    truth: Truth,
    detections: Detections,
    protocol: Protocol,
    *,
    excused: npt.NDArray[np.uint8] | None = None,
    blacklisted: Bools | None = None,
    pairs: bool = False,
    threads: int = 0,
) -> Matching:
    """Matches two tables over the same images and classes (see `align` and `prepare`).

    `pairs` also returns which object each detection took and their overlap.
    """
    n, n_thresholds, n_ranges = len(detections), len(protocol.iou), len(protocol.areas)
    word = word_type(n_thresholds)
    first, to_find = np.empty(len(truth.classes) + 1, np.int64), np.empty((len(truth.classes), n_ranges), np.int64)
    row, image, rank = empty(n, np.uint32), empty(n, np.int32), empty(n, np.int32)
    score, hits, ignored = empty(n), empty((n, n_ranges), word), empty((n, n_ranges), word)
    tie_rule = TIES[protocol.equal_scores]
    tie = empty(n, np.int64) if tie_rule else None
    counted, cut = empty(len(truth), np.uint64), np.zeros(n, np.uint8)
    role = roles(truth, protocol)
    if blacklisted is not None:
        role[blacklisted] |= IGNORED
    credited = bool(((role & (ABSORBS | IGNORED)) == ABSORBS).any())
    credits = empty((n, n_ranges), word) if credited else None
    absorbing = np.empty_like(to_find) if credited else None
    paired = np.full(n * n_ranges * n_thresholds, -1, np.int32) if pairs else None
    overlap = np.full(n * n_ranges * n_thresholds, np.nan) if pairs else None
    in_order = _image_ranks(truth)
    kept = _core.match(
        detections.label, _ranked(detections.image, in_order), detections.corners, box_area(detections, protocol),
        sizes(detections, protocol), excused, detections.score, detections.position,
        truth.label, _ranked(truth.image, in_order), truth.corners, box_area(truth, protocol),
        sizes(truth, protocol), role, limits(truth, protocol),
        labels=len(truth.classes),
        images=len(truth.images),
        pixel=0.0 if protocol.overlap == "box" else 1.0,
        touching=protocol.overlap == "inclusive-touching",
        by_overlap=protocol.greedy_by == "overlap",
        even_if_taken=protocol.claim == "any",
        shared=protocol.claim == "shared",
        prefer_counted=protocol.ignored_last,
        last_of_equals=protocol.equal_overlaps == "last",
        last_first=protocol.matched_first == "last",
        strict=protocol.compare == ">",
        ignore_outside=protocol.outside == "ignored",
        closed_ranges=protocol.area_ends == "closed",
        credit_floor=protocol.absorbed_floor,
        cap=max(protocol.max_detections, default=NO_CAP) if protocol.max_per == "cell" else NO_CAP,
        tie_rule=tie_rule,
        thresholds=np.minimum(protocol.iou, protocol.iou_ceiling),
        lowest=np.array([a.low for a in protocol.areas], np.float64),
        highest=np.array([a.high for a in protocol.areas], np.float64),
        first=first, row=row, image=image, score=score, tie=tie, rank=rank, hits=hits, ignored=ignored,
        credits=credits, object=paired, overlap=overlap, counted=counted, to_find=to_find.reshape(-1),
        absorbing=None if absorbing is None else absorbing.reshape(-1), cut=cut,
        threads=thread_count(threads),
    )  # fmt: skip
    shape = (n, n_ranges, n_thresholds)
    return Matching(
        first,
        row[:kept],
        image[:kept],
        score[:kept],
        None if tie is None else tie[:kept],
        rank[:kept],
        hits[:kept],
        ignored[:kept],
        None if credits is None else credits[:kept],
        counted,
        to_find,
        absorbing,
        cut.view(np.bool_),
        None if paired is None else paired.reshape(shape)[:kept],
        None if overlap is None else overlap.reshape(shape)[:kept],
    )


def _image_ranks(truth: Truth) -> Indices | None:
    """The rank of each image in the official order; None if the list is in that order already."""
    order = truth.images.order
    if bool(np.all(order[1:] > order[:-1])):
        return None
    ranks = np.empty(len(order), np.int32)
    ranks[np.argsort(order, kind="stable")] = np.arange(len(order), dtype=np.int32)
    return ranks


def _ranked(image: Indices, ranks: Indices | None) -> Indices:
    return image if ranks is None else np.append(ranks, np.int32(-1))[image]
