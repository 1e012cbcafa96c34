"""The compiled matching equals its definition in plain Python: equal arrays, not close ones."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass, fields, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import _reference, evaluate, evaluate_many, protocols
from boxscore.evaluation.cells import Grouped, grouped
from boxscore.evaluation.match import Matching, match, word_type
from boxscore.evaluation.memo import Shared
from boxscore.overlaps import REGISTRY, Measured, Overlap
from boxscore.overlaps.boxes import INCLUSIVE
from boxscore.protocols import Protocol, parts
from boxscore.tables.masks import Masks
from boxscore.tables.model import Detections, Flag, Ints, Truth
from boxscore.tables.runs import Runs
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from definitions import definitions
from effort import examples
from protocol_names import OF_SCENES

MODULE = importlib.import_module("boxscore.evaluation.match")


def assert_same(made: Matching, defined: Matching) -> None:
    for f in fields(Matching):
        a, b = getattr(made, f.name), getattr(defined, f.name)
        assert (a is None) == (b is None), f.name
        if isinstance(a, int):
            assert a == b, f.name
        elif a is not None:
            assert a.dtype == b.dtype, f.name
            np.testing.assert_array_equal(a, b, err_msg=f.name, strict=True)


def both(scene: Scene, protocol: Protocol, pairs: bool = True) -> tuple[Matching, Matching]:
    truth, detections = scene.tables()
    excused = np.arange(len(detections)) % 3 == 1 if pairs else None
    leaving = np.arange(len(detections)) % 5 == 2  # what these find stays free
    bits = None if excused is None else excused.astype(np.uint8) | leaving.astype(np.uint8) << 1
    roles: dict[str, Any] = {"excused": bits}
    roles["blacklisted"] = np.arange(len(truth)) % 5 == 3 if pairs else None
    made = match(truth, detections, protocol, pairs=pairs, threads=2, **roles)
    with definitions():
        return made, match(truth, detections, protocol, pairs=pairs, **roles)


@settings(max_examples=examples(250))
@given(scenes(crowded=False, strangers=True), hybrids(image_sizes=True), st.booleans())
def test_any_mixture_of_rules(scene: Scene, protocol: Protocol, pairs: bool) -> None:
    assert_same(*both(scene, protocol, pairs))


@pytest.mark.parametrize("name", OF_SCENES)
@settings(max_examples=examples(25))
@given(scene=scenes(objects=5, detections=4))
def test_named_protocols_and_full_cells(name: str, scene: Scene) -> None:
    assert_same(*both(scene, protocols.get(name)))


@settings(max_examples=examples(150))
@given(scenes(crowded=False), hybrids(image_sizes=True), st.lists(st.integers(0, 31), min_size=8, max_size=8))
def test_any_roles_of_objects(scene: Scene, protocol: Protocol, roles: list[int]) -> None:
    with patch.object(MODULE, "roles", lambda truth, _: np.array(roles[: len(truth)], np.uint8)):
        assert_same(*both(scene, protocol))


@settings(max_examples=examples(150))
@given(scenes(images=2, classes=2, objects=8, crowded=False, huge=True), hybrids(image_sizes=True))
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of hybrids that no official code is like
def test_infinite_areas(scene: Scene, protocol: Protocol) -> None:
    assert_same(*both(scene, protocol))


@settings(max_examples=examples(60))
@given(scenes(images=1, classes=1, objects=12, detections=30, crowded=False), hybrids(image_sizes=True))
def test_one_cell_with_many_objects(scene: Scene, protocol: Protocol) -> None:
    assert_same(*both(scene, protocol))


@settings(max_examples=examples(60))
@given(scenes(strangers=True), st.lists(hybrids(image_sizes=True), min_size=2, max_size=4))
def test_what_is_shared_changes_nothing(scene: Scene, some: list[Protocol]) -> None:
    truth, detections = scene.tables()
    shared = Shared(some)
    for protocol in (*some, *some[::-1]):
        made = match(truth, detections, protocol, threads=2, shared=shared)
        order, alone = made.order, match(truth, detections, protocol, threads=1)
        assert_same(replace(made, order=None), alone)
        assert (order is None) == (protocol.overlap == "single")  # what pairs can reach is known of doubles only
        if order is None:
            continue
        defined, tied = np.empty_like(order.row), np.empty_like(order.tied)
        later = protocol.later_image_first
        _reference.rank(made.first, made.score, made.image, made.tie, later, None, defined, tied)
        np.testing.assert_array_equal(order.row, defined)
        np.testing.assert_array_equal(order.tied, tied)


@settings(max_examples=examples(120))
@given(
    scenes(objects=4, detections=4), hybrids(image_sizes=True), st.lists(st.integers(-1, 1), min_size=64, max_size=64)
)
def test_protocols_a_hair_apart(scene: Scene, protocol: Protocol, nudges: list[int]) -> None:
    """Thresholds a double to the left or right, ends in or out: verdicts are shared only where they may be."""
    truth, detections = scene.tables()
    moved = tuple(math.nextafter(t, 2 * n) if n else t for t, n in zip(protocol.iou, nudges, strict=False))
    near = [
        protocol,
        replace(protocol, iou=tuple(min(max(t, 0.0), 1.0) for t in moved)),
        replace(protocol, compare=">" if protocol.compare == ">=" else ">="),
        replace(protocol, area_ends="closed" if protocol.area_ends == "half-open" else "half-open"),
    ]
    shared = Shared(near)
    for one in (*near, *near[::-1]):
        made = match(truth, detections, one, threads=2, shared=shared)
        assert_same(replace(made, order=None), match(truth, detections, one, threads=1))


def test_protocols_with_nothing_between_them_share_their_verdicts() -> None:
    truth, detections = tables([[0, 0, 31, 40]], [[0, 0, 31, 39]])
    coco, fixed = (protocols.get(name) for name in ("coco", "coco-fixed"))
    shared = Shared((coco, fixed))
    made = [match(truth, detections, p, shared=shared).hits for p in (coco, fixed)]
    assert made[0] is made[1]
    # An object of 32 x 32 pixels is small and medium for the one, medium for the other.
    truth, detections = tables([[0, 0, 32, 32]], [[0, 0, 31, 39]])
    shared = Shared((coco, fixed))
    counted = [match(truth, detections, p, shared=shared).counted.tolist() for p in (coco, fixed)]
    assert counted == [[0b0111], [0b0101]]


def test_detections_on_unknown_images_are_left_out_once() -> None:
    truth = {"image_id": [1, 2], "category_id": [1, 1], "boxes": [[0, 0, 31, 40]] * 2}
    found = {"image_id": [1, 2, 3], "category_id": [1] * 3, "boxes": [[0, 0, 31, 39]] * 3, "scores": [0.5, 0.6, 0.7]}
    names = ("coco", "coco-fixed")
    together = evaluate_many(truth, found, names, box="xywh")
    assert together[0].tally.hits is together[1].tally.hits
    for result, name in zip(together, names, strict=True):
        alone = evaluate(truth, found, protocol=name, box="xywh")
        assert result.ledger == alone.ledger
        np.testing.assert_equal(result.metrics, alone.metrics)


def test_other_flags_are_other_tables() -> None:
    truth, detections = tables([[0, 0, 31, 40]], [[0, 0, 31, 39]])
    shared = Shared([protocols.get("coco")] * 2)
    crowd = replace(truth, flags=np.full(len(truth), int(Flag.CROWD), np.uint16))
    made = [match(t, detections, protocols.get("coco"), shared=shared).to_find[:, 0].tolist() for t in (truth, crowd)]
    assert made == [[1], [0]]


def tables(objects: list[list[int]], found: list[list[int]]) -> tuple[Truth, Detections]:
    """Of one image and class, boxes as x y width height."""
    given_ = {"image_id": [1] * len(objects), "category_id": [1] * len(objects), "boxes": objects}
    result = evaluate(
        {**given_, "area": [w * h for _, _, w, h in objects]},
        {"image_id": [1] * len(found), "category_id": [1] * len(found), "boxes": found, "scores": [0.5] * len(found)},
        box="xywh",
    )
    prepared = result.numbers.prepared
    return prepared.truth, prepared.detections


def _some_pairs(made: Grouped, direct: bool | None) -> tuple[Any, Any, Any, None, bool]:
    """Pairs that were measured before, with any values; none where it is not said whether these are overlaps."""
    if direct is None:
        return None, None, None, None, False
    first, object_ = made.cells.find_pairs(None, None, None, None, None, None, None, None, threads=2)
    return first, object_, np.resize([0.25, 0.5, 0.75, 0.0, 1.0, 300.0], len(object_)), None, direct


ends = st.one_of(st.sampled_from([0.0, 0.5, 1.0, 16.0, 1024.0, math.nan]), st.floats(0, 2000))


@settings(max_examples=examples(80))
@given(
    scenes(), st.lists(st.tuples(ends, ends)), st.lists(st.tuples(ends, ends)), st.integers(0, 1),
    st.sampled_from([None, False, True]),
)  # fmt: skip
def test_what_lies_between(
    scene: Scene,
    overlaps: list[tuple[float, float]],
    sizes: list[tuple[float, float]],
    pixel: int,
    measured: bool | None,
) -> None:
    truth, detections = scene.tables()
    assume(bool(np.all(np.diff(truth.images.order) > 0)))
    made = grouped(truth, detections, Shared(), 1)
    areas = [None if pixel else table.box_area for table in (made.detections, made.truth)]
    role = np.arange(len(made.truth), dtype=np.uint8) % 32
    arguments = [
        made.detections.corners, areas[0], None, made.truth.corners, areas[1], made.truth.box_area, role,
        *_some_pairs(made, measured),
        float(pixel), not pixel, *(np.array(some, np.float64).reshape(-1, 2) for some in (overlaps, sizes)),
    ]  # fmt: skip
    defined = _reference.cells(
        detections.label, detections.image, detections.score, truth.label, truth.image, len(truth.classes),
        len(truth.images),
    )[0]  # fmt: skip
    assert made.cells.none_within(*arguments, threads=2) == defined.none_within(*arguments)


@settings(max_examples=examples(60))
@given(scenes(), hybrids(image_sizes=True), hybrids(image_sizes=True))
def test_what_is_shared_serves_strangers_as_well(scene: Scene, known: Protocol, stranger: Protocol) -> None:
    """Pairs are kept from the lowest threshold of the announced protocols on; others may look at more."""
    truth, detections = scene.tables()
    shared = Shared((known, known))
    match(truth, detections, known, shared=shared)
    made = match(truth, detections, stranger, shared=shared)
    assert_same(replace(made, order=None), match(truth, detections, stranger))


@pytest.mark.parametrize(
    ("bits", "dtype"),
    [(1, np.uint8), (8, np.uint8), (9, np.uint16), (16, np.uint16), (17, np.uint32), (33, np.uint64), (64, np.uint64)],
)
def test_words_are_as_narrow_as_the_thresholds_allow(bits: int, dtype: type) -> None:
    assert word_type(bits) is dtype


def test_every_threshold_of_64_has_its_own_bit() -> None:
    """Overlaps of exactly k/64: each detection passes exactly the first k thresholds."""
    protocol = Protocol("steps", iou=tuple(k / 64 for k in range(1, 65)))
    truth = [{"boxes": [[0, 0, 64, 1]], "labels": [0]} for _ in range(64)]
    found = [{"boxes": [[0, 0, k, 1]], "labels": [0], "scores": [1.0]} for k in range(1, 65)]
    hits = evaluate(truth, found, box="xywh", protocol=protocol).tally.hits[:, 0]
    assert hits.tolist() == [(1 << k) - 1 for k in range(1, 65)]


@settings(max_examples=examples(80))
@given(scenes(strangers=True), st.sampled_from(["all", "boxes", "rows", "floor"]), st.integers(0, 9))
def test_pairs_to_be_measured(scene: Scene, by: str, seed: int) -> None:
    truth, detections = scene.tables()
    made = grouped(truth, detections, Shared(), 1)
    given_: tuple[Any, ...] = (None,) * 8
    if by == "boxes":
        given_ = detections.corners[made.row], truth.corners[made.object_row], *given_[2:]
    elif by in ("rows", "floor"):
        given_ = detections.corners, truth.corners, made.row, made.object_row, *given_[4:]
    if by == "floor":  # areas of something in the boxes
        rng = np.random.default_rng(seed)
        areas = [table.box_area * rng.choice([1.0, 0.9, 0.5], len(table)) for table in (detections, truth)]
        floor, over = rng.choice([0.1, 0.5, 0.9], len(truth)), rng.integers(0, 2, len(truth)).astype(np.uint8)
        given_ = *given_[:4], *areas, floor, over
    place = np.append(truth.images.order.argsort(kind="stable").argsort(), -1).astype(np.int32)
    image, object_image = place[detections.image], place[truth.image]
    defined = _reference.cells(
        detections.label, image, detections.score, truth.label, object_image, len(truth.classes), len(truth.images)
    )[0]
    for a, b in zip(made.cells.find_pairs(*given_, threads=2), defined.find_pairs(*given_), strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


@settings(max_examples=examples(120))
@given(
    scenes(objects=6, detections=8), hybrids(image_sizes=True), st.booleans(), st.booleans(),
    st.sampled_from([0.0, math.nan]),
)  # fmt: skip
def test_measured_pairs(scene: Scene, protocol: Protocol, direct: bool, stated: bool, odd: float) -> None:
    """Whatever pairs share, and whether that is their overlap or a part of areas, kernel and definition agree."""

    def share(
        made: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
    ) -> Measured:
        values = np.array([0.3, 0.5, 0.55, 0.75, 0.95, 1.0, odd, 200.0, 40.0])
        overlap = values[(detection * 5 + object_ * 2) % 6] if stated else None
        return Measured(values[(detection * 7 + object_ * 3) % len(values)], overlap)

    overlap = Overlap("any", share, None if direct else INCLUSIVE.areas, direct=direct, bounds=None)
    with patch.dict(REGISTRY, {"box": overlap}):
        assert_same(*both(scene, replace(protocol, overlap="box", iou_margin=0.0)))


@dataclass(frozen=True)
class _Incomplete:
    """A scene in which some objects have no mask, or one without pixels."""

    scene: Scene
    without: list[bool]

    def tables(self) -> tuple[Truth, Detections]:
        truth, detections = self.scene.tables()
        assert truth.masks is not None
        gone = np.array(self.without[: len(truth)], np.bool_)
        runs, masks = truth.masks.runs, truth.masks
        made = Masks(
            Runs(runs.letters, runs.begin, np.where(gone, runs.begin, runs.end)),
            np.where(gone[:, None] & (np.arange(len(truth)) % 2 == 0)[:, None], 0, masks.size),
            np.where(gone, 0.0, masks.area), np.where(gone[:, None], 0.0, masks.box), masks.fault,
        )  # fmt: skip
        return replace(truth, masks=made), detections


@settings(max_examples=examples(150))
@given(
    scenes(images=2, classes=1, objects=8, detections=8, crowded=False), hybrids(image_sizes=True),
    st.lists(st.booleans(), min_size=8, max_size=8), st.sampled_from(["mask", "mask-single"]),
)  # fmt: skip
def test_objects_without_a_mask(scene: Scene, protocol: Protocol, without: list[bool], overlap: str) -> None:
    incomplete: Any = _Incomplete(scene, without)
    protocol = replace(protocol, overlap=overlap, iou_margin=0.0)
    if protocol.maskless_objects == "refused" and any(without):
        protocol = replace(protocol, maskless_objects="boxes")
    assert_same(*both(incomplete, protocol))
