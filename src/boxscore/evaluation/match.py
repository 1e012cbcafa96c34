"""Matches detections to objects by the rules of a protocol."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core, overlaps
from boxscore.evaluation.cells import Grouped, grouped
from boxscore.evaluation.cuts import Cuts, between, cuts, least_limits
from boxscore.evaluation.kernel_inputs import IGNORED, limits, roles
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.nearest import with_nearest
from boxscore.evaluation.pairs import Within, area_column, measured
from boxscore.evaluation.quantities import apart, united
from boxscore.evaluation.ranking import Order, order_of, ties, turns
from boxscore.evaluation.sizes import outside_ignored, size_column, unbounded
from boxscore.evaluation.verdicts import Verdicts
from boxscore.evaluation.verdicts import word_type as word_type
from boxscore.overlaps import BoxRule
from boxscore.protocols import Protocol
from boxscore.protocols.parts import Limits
from boxscore.tables.arguments import a, checked
from boxscore.tables.model import Bools, Detections, Floats, Indices, Ints, Truth, thread_count

NO_CAP = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Matching:
    """The verdict on every detection, in the order (class, image, descending score, position).

    `hits` and `ignored` have a column per size range and in each word a bit per threshold. `object` and `overlap` (per
    detection, range, threshold; -1 and nan where there is none) are there only if pairs were asked for.
    """

    row: npt.NDArray[np.uint32]  # detection row
    image: Indices  # rank of its image in the official order
    score: Floats
    tie: Ints | None  # what decides between equal scores of a class; None where the order of rows does
    rank: Indices  # when the turn of the detection comes in its image and class; from the cap on it does not count
    first: Ints  # (classes + 1,) where the verdicts of each class begin
    hits: npt.NDArray[np.unsignedinteger[Any]]
    ignored: npt.NDArray[np.unsignedinteger[Any]]
    credits: npt.NDArray[np.unsignedinteger[Any]] | None  # hits that are an absorbing object's; None without such
    object_row: npt.NDArray[np.uint32]  # objects in the order (class, image, row)
    object_image: Indices  # rank of their images
    object_label: Indices
    counted: npt.NDArray[np.unsignedinteger[Any]]  # per object: bit for each range in which it is to be found
    to_find: Ints  # (classes, ranges) how many objects those are
    absorbing: Ints | None  # (classes, ranges) how many of them are absorbing
    partly: npt.NDArray[np.uint8] | None  # (n, ranges) which count by a share where they are false; None without such
    cut: int  # detections beyond the cap
    object: Indices | None = None
    overlap: Floats | None = None
    order: Order | None = None  # the rows of each class as they are ranked; None: not sorted yet


@checked(truth=a("a Truth", Truth), detections=a("Detections", Detections), protocol=a("a Protocol", Protocol))
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
    if any(area.of for area in protocol.areas):
        again = partial(match, truth, detections, excused=excused, blacklisted=blacklisted, pairs=pairs)
        return united([(again(one, threads=threads, shared=shared), places) for one, places in apart(protocol)])
    by_cell, position = grouped(truth, detections, shared, threads), detections.position
    truth = by_cell.truth
    role = roles(truth, protocol)
    if blacklisted is not None:
        role[blacklisted[by_cell.object_row] if by_cell.laid_out else blacklisted] |= IGNORED
    if excused is not None and by_cell.laid_out:
        excused = excused[by_cell.row]
    if shared.several and overlaps.get(protocol).in_kernel is not None:
        shared.once(("meets",), (by_cell.cells,), partial(_find_meets, by_cell, shared, threads))
    rules = _rules(protocol, by_cell, bool(role.any()))
    columns = _columns(by_cell, protocol, shared)
    rank = turns(by_cell, rules["last_first"], shared, threads)
    alike = (p for p in shared.protocols if p.overlap == protocol.overlap)
    caps = cell_cap(protocol), max(map(cell_cap, (protocol, *alike)))
    pairs_measured = measured(by_cell, protocol, role, shared, threads, Within(rank, *caps))
    limit = least_limits(truth, protocol, shared, threads)
    at = cuts(protocol)
    # Protocols that decide by the same rules over the same columns share their verdicts: if they have the same cuts, or
    # if nothing lies between these. Whatever else the kernel gets is part of the key.
    decided = ("verdicts", *rules.items(), *map(len, at), role.tobytes())
    plain = excused is None and not pairs
    seen = (by_cell.cells, *columns.values(), *pairs_measured.values(), limit)
    known: list[tuple[Cuts, Verdicts]] = shared.once(decided, seen, list)
    columns |= {"o_role": role, **pairs_measured}
    verdicts = next((v for cuts_, v in known if plain and _alike(cuts_, at, by_cell, columns, rules, threads)), None)
    shape = (len(by_cell.row), len(protocol.areas), len(protocol.iou))
    object_ = np.full(math.prod(shape), -1, np.int32) if pairs else None
    overlap = np.full(math.prod(shape), np.nan) if pairs else None
    if verdicts is None:
        cleared = excused is None and not outside_ignored(protocol)
        verdicts = Verdicts.empty(by_cell, protocol, role, cleared)
        _core.match(
            by_cell.cells,
            **columns,
            **by_cell.rows_in_tables(),
            d_role=excused,
            d_score=by_cell.score,
            o_limit=limit,
            **rules,
            **at.columns(),
            cleared=cleared,
            **verdicts.flat(),
            object=object_,
            overlap=overlap,
            threads=thread_count(threads),
        )
        if plain:
            known.append((at, verdicts))
    # In ranges without bounds, too: an object that is ignored there leaves out what is nearest to it.
    if protocol.outside == "nearest":
        verdicts = with_nearest(verdicts, by_cell, protocol, threads)
    tie = ties(by_cell, position, protocol, shared, threads)
    later, cap = protocol.later_image_first, cell_cap(protocol)
    return Matching(
        by_cell.row,
        by_cell.image,
        by_cell.score,
        tie,
        rank,
        by_cell.first,
        **verdicts._asdict(),
        object_row=by_cell.object_row,
        object_image=by_cell.object_image,
        object_label=by_cell.object_label,
        cut=int((rank >= cap).sum()) if cap < by_cell.cells.largest else 0,
        object=None if object_ is None else np.append(by_cell.object_row, -1).astype(np.int32)[object_].reshape(shape),
        overlap=None if overlap is None else overlap.reshape(shape),
        order=order_of(by_cell.first, by_cell.score, by_cell.image, tie, later, shared, threads),
    )


def _columns(by_cell: Grouped, protocol: Protocol, shared: Shared) -> dict[str, Any]:
    """What overlaps and sizes are made from; areas and sizes that are those of the corners need no columns."""
    sides: dict[str, Truth | Detections] = {"d": by_cell.detections, "o": by_cell.truth}
    return {
        **{f"{s}_corners": table.corners for s, table in sides.items()},
        **{f"{s}_area": area_column(table, protocol, shared) for s, table in sides.items()},
        **{f"{s}_size": size_column(table, protocol, shared) for s, table in sides.items()},
    }


def _alike(a: Cuts, b: Cuts, by_cell: Grouped, columns: dict[str, Any], rules: dict[str, Any], threads: int) -> bool:
    """Whether nothing lies between the cuts of two protocols that are the same otherwise."""
    if a == b or not by_cell.laid_out:
        return a == b
    overlaps, sizes = between(a, b)
    where = {"pixel": rules["pixel"], "touching": rules["touching"], "overlaps": overlaps, "sizes": sizes}
    alike: bool = by_cell.cells.none_within(**columns, **where, threads=thread_count(threads))
    return alike


def _find_meets(by_cell: Grouped, shared: Shared, threads: int) -> bool:
    """Has the cells remember which boxes may overlap by the lowest threshold that anybody will ask for."""
    truth, detections = by_cell.truth, by_cell.detections
    by_cell.cells.find_meets(
        detections.corners, detections.box_area, truth.corners, truth.box_area, _floor(truth, shared, threads),
        (truth.flags != 0).view(np.uint8), threads=thread_count(threads),
    )  # fmt: skip
    return True


def cell_cap(protocol: Limits) -> int:
    """How many detections of a cell take part."""
    return max(protocol.max_detections, default=NO_CAP) if protocol.max_per == "cell" else NO_CAP


def _rules(protocol: Protocol, by_cell: Grouped, any_role: bool) -> dict[str, Any]:
    """The rules as the kernel takes them; one that cannot matter here is as if it were not there."""
    bounded = not unbounded(protocol)
    return {
        **asdict(overlaps.get(protocol).in_kernel or BoxRule()),
        "by_overlap": protocol.greedy_by != "score",
        "by_object": protocol.greedy_by == "object",
        "even_if_taken": protocol.claim == "any",
        "shared": protocol.claim == "shared",
        "prefer_counted": protocol.ignored_last and (bounded or any_role),
        "last_of_equals": protocol.equal_overlaps == "last",
        "slack": protocol.iou_slack,
        "last_first": protocol.matched_first == "last" and by_cell.tied,
        "ignore_outside": outside_ignored(protocol),
        "credit_floor": protocol.absorbed_floor,
        # Where detections choose by score, those beyond a cap come last and change nothing for the others.
        "cap": min(cell_cap(protocol), by_cell.cells.largest) if protocol.greedy_by != "score" else NO_CAP,
    }


def _floor(truth: Truth, shared: Shared, threads: int) -> Floats:
    """The lowest threshold of each object under any of the protocols to come."""
    floor = np.full(len(truth), shared.least)
    for protocol in shared.lowering:
        lowered = limits(truth, protocol, shared, threads)
        floor = floor if lowered is None else np.minimum(floor, lowered)
    return floor
