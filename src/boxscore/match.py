"""Matches detections to objects by the rules of a protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.model import Bools, Detections, Flag, Floats, Indices, Ints, Truth, empty, thread_count
from boxscore.protocols import Protocol

IGNORED, REUSABLE, VOID = 1, 2, 4  # roles of objects in the kernel
TIES = {"image": 0, "position": 1, "first-image": 2}  # rules for equal scores in the kernel


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
    counted: npt.NDArray[np.uint64]  # per object row: bit for each range in which it is to be found
    to_find: Ints  # (classes, ranges) how many objects those are
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


def with_repeated_ids(truth: Truth, protocol: Protocol) -> Truth:
    """The truth as the protocol sees objects that share an annotation id."""
    last = last_of_repeated(truth) if protocol.repeated_ids == "last" else None
    if last is None or not len(truth.images):
        return truth
    # Only listed objects are looked up at all; what they are replaced by may be anything.
    listed = (truth.image >= 0) & (truth.label >= 0)
    last = np.where(listed, last, np.arange(len(truth)))
    # They are looked up image by image: an object that comes from a later image stands behind those of earlier ones.
    met = np.argsort(np.where(listed, truth.images.order[truth.image], 0), kind="stable")
    columns: dict[str, Any] = {
        name: getattr(truth, name)[last[met]]
        for name in ("image", "label", "corners", "box_area", "area", "flags", "id")
    }
    return replace(truth, **columns)


def roles(truth: Truth, protocol: Protocol) -> npt.NDArray[np.uint8]:
    """What each object is for the matching: bits IGNORED, REUSABLE, VOID."""
    role = np.zeros(len(truth), np.uint8)
    if truth.flags.any():
        if protocol.crowd != "ordinary":
            bits = IGNORED | REUSABLE if protocol.crowd == "region" else IGNORED
            role[(truth.flags & int(Flag.CROWD)) != 0] |= bits
        if protocol.difficult == "ignored":
            role[(truth.flags & int(Flag.DIFFICULT)) != 0] |= IGNORED
        if protocol.ignore_flag == "ignored":
            role[(truth.flags & int(Flag.IGNORE)) != 0] |= IGNORED
    if protocol.id_zero == "void" and truth.id is not None:
        role[truth.id == 0] |= VOID
    return role


def box_area(table: Truth | Detections, protocol: Protocol) -> Floats:
    """The areas that enter the overlap."""
    if protocol.overlap == "box" and protocol.box_area == "source":
        return table.box_area
    pixel = 0.0 if protocol.overlap == "box" else 1.0
    sides = table.corners[:, 2:] - table.corners[:, :2] + pixel
    return sides[:, 0] * sides[:, 1]


def sizes(table: Truth | Detections, protocol: Protocol) -> Floats:
    """What is compared with the size ranges."""
    if protocol.box_area == "source":
        size = table.box_area
    else:
        sides = table.corners[:, 2:] - table.corners[:, :2]
        size = sides[:, 0] * sides[:, 1]
    if isinstance(table, Truth) and protocol.size_from == "annotation":
        absent = np.isnan(table.area)
        size = np.where(absent, size, table.area) if absent.any() else table.area
    return size


def match(
    truth: Truth, detections: Detections, protocol: Protocol, *, pairs: bool = False, threads: int = 0
) -> Matching:
    """Matches two tables over the same images and classes (see `align`).

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
    paired = np.full(n * n_ranges * n_thresholds, -1, np.int32) if pairs else None
    overlap = np.full(n * n_ranges * n_thresholds, np.nan) if pairs else None
    in_order = _image_ranks(truth)
    kept = _core.match(
        detections.label, _ranked(detections.image, in_order), detections.corners, box_area(detections, protocol),
        sizes(detections, protocol), detections.score, detections.position,
        truth.label, _ranked(truth.image, in_order), truth.corners, box_area(truth, protocol),
        sizes(truth, protocol), roles(truth, protocol),
        labels=len(truth.classes),
        images=len(truth.images),
        pixel=0.0 if protocol.overlap == "box" else 1.0,
        touching=protocol.overlap == "inclusive-touching",
        even_if_taken=protocol.claim == "any",
        prefer_counted=protocol.ignored_last,
        last_of_equals=protocol.equal_overlaps == "last",
        strict=protocol.compare == ">",
        ignore_outside=protocol.outside == "ignored",
        closed_ranges=protocol.area_ends == "closed",
        cap=max(protocol.max_detections, default=2**31 - 1),
        tie_rule=tie_rule,
        thresholds=np.minimum(protocol.iou, protocol.iou_ceiling),
        lowest=np.array([a.low for a in protocol.areas], np.float64),
        highest=np.array([a.high for a in protocol.areas], np.float64),
        first=first, row=row, image=image, score=score, tie=tie, rank=rank, hits=hits, ignored=ignored,
        object=paired, overlap=overlap, counted=counted, to_find=to_find.reshape(-1), cut=cut,
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
        counted,
        to_find,
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
