"""What comes before matching: rows left out are rows that were never there, and every one of them is accounted for."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate, metrics, overlaps, protocols
from boxscore.evaluation.curves import largest_cap
from boxscore.evaluation.kernel_inputs import TREATED
from boxscore.evaluation.prepare import matched, prepare
from boxscore.evaluation.sizes import sizes
from boxscore.evaluation.tally import Tally
from boxscore.joining.align import align
from boxscore.metrics import Numbers
from boxscore.overlaps.sigmas import COCO_SIGMAS
from boxscore.protocols import Protocol
from boxscore.tables.model import Classes, Detections, Mark, Truth, select
from boxscore.testing import protocols as hybrids
from boxscore.testing import scenes
from effort import examples
from protocol_names import OF_SCENES
from small_tables import Found, Object, image_labels, tables

NAMES = ("AP", "AR", "TP", "FP", "FN", "precision", "recall", "F1")
Sides = tuple[Truth, Detections]
weighted = st.builds(
    lambda p, weight: replace(p, group_of="absorbs", absorbed_weight=weight),
    hybrids(image_sizes=True),
    st.sampled_from((0.0, 0.3, 0.5, 1.0)),
)
registered = st.sampled_from([protocols.get(name) for name in OF_SCENES])
rules = st.one_of(hybrids(image_sizes=True), weighted, registered).map(lambda p: replace(p, headline_max=0))


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    """Both sides of a scene, with statements about images and with classes above classes, in circles too."""
    truth, detections = draw(scenes(crowded=False, strangers=True)).tables()
    place, number = st.integers(0, len(truth.images) - 1), st.integers(0, len(truth.classes) - 1)
    said = draw(st.lists(st.tuples(place, number, st.sampled_from([*Mark, Mark(6), Mark(15)])), max_size=12))
    above = draw(st.lists(st.lists(number, max_size=2), min_size=len(truth.classes), max_size=len(truth.classes)))
    classes = replace(truth.classes, parents=tuple(map(tuple, above)) if draw(st.booleans()) else None)
    return replace(truth, classes=classes, labels=image_labels(said)), replace(detections, classes=classes)


def numbers(result: Result, cap: int | None = None) -> dict[tuple[str, str], float | str]:
    """All metrics, over all classes and of each; undefined ones as text, so that they can be equal."""
    of_caps = [] if cap is None else [f"max={cap}"]
    made: dict[tuple[str, str], float | str] = {}
    for label in ("", *(c.name for c in result.per_class)):
        keys = ",".join([*of_caps, f"class={label}"] if label else of_caps)
        for name in NAMES:
            try:
                value = result[f"{name}[{keys}]" if keys else name]
            except metrics.NotEvaluated:
                made[label, name] = "n/a"
            else:
                made[label, name] = "nan" if np.isnan(value) else value
    return made


def cells(table: Any) -> list[tuple[int, int]]:
    return list(zip(table.image.tolist(), table.label.tolist(), strict=True))


def marked(truth: Truth, mark: Mark) -> set[tuple[int, int]]:
    """Images and classes of which this is said."""
    if truth.labels is None:
        return set()
    return {cell for cell, m in zip(cells(truth.labels), truth.labels.mark.tolist(), strict=True) if m & mark}


@settings(max_examples=examples(200))
@given(sides(), rules)
def test_every_box_is_accounted_for(given: Sides, protocol: Protocol) -> None:
    truth, detections = given
    result = evaluate(truth, detections, protocol=protocol, threads=1)
    for account, table in ((result.ledger.objects, truth), (result.ledger.detections, detections)):
        added = sum(row.count for row in account.rows if row.fate == "added")
        assert account.read == len(table)
        assert sum(row.count for row in account.rows if row.fate != "added") == len(table) + added
        assert added == 0 or protocol.hierarchy != "unused" or protocol.repeated_ids == "last"
    tally = result.tally
    assert result.ledger.objects.evaluated == int(tally.to_find[:, 0].sum())
    judged = ((tally.ignored[:, 0] & 1) == 0) & (tally.rank < largest_cap(protocol))
    pooled = protocol.averaging == "pooled" and protocol.empty_class == "zero"
    if not pooled and protocol.empty_class != "pooled":
        judged &= tally.to_find[tally.label, 0] > 0
    assert result.ledger.detections.evaluated == int(judged.sum())


@settings(max_examples=examples(80))
@given(sides(), rules, st.sampled_from((0.0, 0.3, 0.5)))
def test_a_floor_of_scores(given: Sides, protocol: Protocol, floor: float) -> None:
    truth, detections = given
    one = evaluate(truth, detections, protocol=replace(protocol, score_floor=floor))
    other = evaluate(
        truth, select(detections, detections.score > floor), protocol=replace(protocol, score_floor=-np.inf)
    )
    assert numbers(one) == numbers(other)


@pytest.mark.parametrize("rule", ["sides", "size"])
@settings(max_examples=examples(80))
@given(given=sides(), protocol=rules)
def test_boxes_without_extent(rule: str, given: Sides, protocol: Protocol) -> None:
    """Where caps hold for cells; others choose the best before anybody looks at their extent."""
    truth, detections = given
    changes: dict[str, Any] = {"area_unit": "pixels", "max_per": "cell", "repeated_ids": "ordinary"}
    protocol = replace(protocol, **changes)

    def has_extent(table: Truth | Detections) -> np.ndarray:
        sides = table.corners[:, 2:] - table.corners[:, :2]
        if rule == "sides":
            return (sides > 0).all(axis=1)
        if overlaps.needed([protocol]) or protocol.size_from not in ("annotation", "box"):  # sizes of more than boxes
            return sizes(table, protocol) > 0
        size = table.box_area if protocol.box_area == "source" else sides.prod(axis=1)
        return (table.area if isinstance(table, Truth) and protocol.size_from == "annotation" else size) > 0

    one = evaluate(truth, detections, protocol=replace(protocol, flat_objects=rule, flat_detections=rule))
    cut = (select(table, has_extent(table)) for table in (truth, detections))
    other = evaluate(*cut, protocol=replace(protocol, flat_objects="counted", flat_detections="counted"))
    assert numbers(one) == numbers(other)


@settings(max_examples=examples(200))
@given(sides(), rules)
def test_classes_that_nobody_verified(given: Sides, protocol: Protocol) -> None:
    truth, detections = given
    changes: dict[str, Any] = {"hierarchy": "unused", "max_per": "cell", "repeated_ids": "ordinary"}
    # An object that is left out verifies nothing.
    changes |= {"unlabelled_objects": "counted", "maskless_objects": "refused"}
    changes |= {field: "ignored" for field in TREATED if getattr(protocol, field) == "dropped"}
    protocol = replace(protocol, flat_objects="counted", unverified="dropped", **changes)
    known = marked(truth, Mark.POSITIVE | Mark.NEGATIVE) | set(cells(truth))
    kept = np.array([cell in known for cell in cells(detections)], np.bool_)
    other = evaluate(truth, select(detections, kept), protocol=replace(protocol, unverified="counted"))
    assert numbers(evaluate(truth, detections, protocol=protocol)) == numbers(other)


@settings(max_examples=examples(80))
@given(sides(), rules)
def test_blacklisted_images_and_classes(given: Sides, protocol: Protocol) -> None:
    truth, detections = given
    changes: dict[str, Any] = {"hierarchy": "unused", "max_per": "cell", "repeated_ids": "ordinary", "classes": "each"}
    protocol = replace(protocol, blacklist="ignored", **changes)
    if protocol.area_unit == "quantile":  # the edges are those of all objects
        protocol = replace(protocol, area_unit="pixels")
    if protocol.outside == "nearest":  # an object that is ignored speaks for detections of other classes, too
        protocol = replace(protocol, outside="ignored")
    if protocol.empty_class == "zero-if-undetected":  # a class has detections even if all of them are ignored
        protocol = replace(protocol, empty_class="undefined")
    black = marked(truth, Mark.BLACKLISTED)
    cut = (select(t, np.array([cell not in black for cell in cells(t)], np.bool_)) for t in given)
    # A class of which an image has a box is verified there, blacklisted or not: no cell is left with one side only.
    other = evaluate(*cut, protocol=replace(protocol, blacklist="ordinary"))
    assert numbers(evaluate(truth, detections, protocol=protocol)) == numbers(other)


@settings(max_examples=examples(80))
@given(sides(), rules)
def test_classes_that_are_not_boxed_exhaustively(given: Sides, protocol: Protocol) -> None:
    """What is found stays found; what is not, is ignored there."""
    truth, detections = given
    protocol = replace(protocol, hierarchy="unused", classes="each", not_exhaustive="ignored")
    lenient, strict = (
        evaluate(truth, detections, protocol=replace(protocol, not_exhaustive=how)).tally
        for how in ("ignored", "counted")
    )
    np.testing.assert_array_equal(lenient.hits, strict.hits)
    order = np.argsort(truth.images.order, kind="stable")  # a tally counts images in the official order
    partly = marked(truth, Mark.NOT_EXHAUSTIVE)
    at = zip(order[strict.image].tolist(), strict.label.tolist(), strict=True)
    excused = np.array([cell in partly for cell in at], np.bool_)
    every = strict.hits.dtype.type((1 << len(protocol.iou)) - 1)
    expected = np.where(excused[:, None], ~strict.hits & every, strict.ignored)
    np.testing.assert_array_equal(lenient.ignored, expected)


@settings(max_examples=examples(80))
@given(sides(), rules)
def test_all_classes_as_one(given: Sides, protocol: Protocol) -> None:
    changes: dict[str, Any] = {"hierarchy": "unused", "max_per": "cell", "repeated_ids": "ordinary"}
    changes["unlabelled_objects"] = "counted"
    protocol = replace(protocol, **changes, unverified="counted", not_exhaustive="counted", blacklist="ordinary")

    def relabelled(table: Any) -> Any:
        ordered = select(table, np.argsort(table.label, kind="stable"))
        return replace(ordered, classes=ONE, label=np.minimum(ordered.label, 0))

    one = evaluate(*given, protocol=replace(protocol, classes="agnostic"))
    other = evaluate(*map(relabelled, given), protocol=replace(protocol, classes="each"))
    assert numbers(one) == numbers(other)


ONE = Classes(("object",), (1,))


@pytest.mark.parametrize("per", ["image", "class"])
@settings(max_examples=examples(80))
@given(given=sides(), protocol=rules, cap=st.sampled_from((1, 2, 4)))
def test_caps_for_images_and_classes(per: str, given: Sides, protocol: Protocol, cap: int) -> None:
    """As if only the best had been handed in, those of unlisted classes and later left out ones among them."""
    truth, detections = given
    protocol = replace(protocol, hierarchy="unused")
    if protocol.empty_class == "zero-if-undetected":  # a class has detections even if one of two caps leaves none
        protocol = replace(protocol, empty_class="undefined")
    capped = replace(protocol, max_per=per, max_detections=(cap, cap + 3))
    group = (detections.image if per == "image" else detections.label).tolist()
    sign = -1 if protocol.matched_first == "last" else 1
    order = sorted(range(len(detections)), key=lambda r: (-detections.score[r], sign * r))
    for k in (cap, cap + 3)[protocol.greedy_by != "score" :]:  # pairs by overlap: others may have taken objects
        best = [r for i, r in enumerate(order) if [group[q] for q in order[:i]].count(group[r]) < k]
        other = evaluate(
            truth, select(detections, np.array(sorted(best), np.int64)),
            protocol=replace(protocol, max_per="cell", max_detections=()),
        )  # fmt: skip
        assert numbers(evaluate(truth, detections, protocol=capped), k) == numbers(other)


def tally(protocol: Protocol, truth: Truth, detections: Detections) -> Tally:
    prepared = prepare(align(truth, detections), protocol)
    return Tally.of(matched(prepared, threads=1), prepared.truth, prepared.protocol)


@settings(max_examples=examples(120))
@given(sides(), rules, st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_parts_merge_to_the_whole(given: Sides, protocol: Protocol, part: list[int]) -> None:
    """Of rules that look at one image at a time: caps per class, ids and quantiles do not.

    Nor do sigmas that nobody states: they are those of the objects, and a part without objects has none.
    """
    if protocol.overlap == "keypoints":
        protocol = replace(protocol, sigmas=COCO_SIGMAS)
    per = "image" if protocol.max_per == "class" else protocol.max_per
    unit = "pixels" if protocol.area_unit == "quantile" else protocol.area_unit
    protocol = replace(protocol, max_per=per, area_unit=unit, repeated_ids="ordinary")
    of_image = np.array([*part[: len(given[0].images)], 0])
    parts = [
        tally(protocol, *(select(t, of_image[t.image] == p) for t in given)) for p in sorted(set(of_image.tolist()))
    ]
    whole, merged = tally(protocol, *given), reduce(lambda a, b: b + a, parts)
    for f in fields(Tally):
        if isinstance(getattr(whole, f.name), np.ndarray) and not f.name.startswith("object_"):
            np.testing.assert_array_equal(getattr(merged, f.name), getattr(whole, f.name), err_msg=f.name)
    for name in NAMES:
        assert value(whole, name) == value(merged, name), name


def value(tally: Tally, name: str) -> bytes:
    """A metric to the last bit; empty where the protocol leaves it undefined."""
    try:
        return np.float64(metrics.evaluate(Numbers(tally, threads=1), metrics.parse(name))).tobytes()
    except metrics.NotEvaluated:
        return b""


def test_classes_as_one_merge_with_caps_for_images() -> None:
    here, nowhere = (0, 0, 20, 20), (300, 300, 320, 320)
    protocol = replace(protocols.get("lvis"), classes="agnostic", unverified="counted")
    one = tally(protocol, *tables([Object(1, "a", here)], [Found(1, "b", nowhere, 0.5), Found(1, "a", here, 0.5)]))
    none = tally(protocol, *tables([], []))
    before, after = (metrics.evaluate(Numbers(t), metrics.parse("AP")) for t in (one, one + none))
    assert before == after
