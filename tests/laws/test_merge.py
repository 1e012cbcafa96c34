"""Parts of a data set, tallied apart and merged in any order, by any number of threads: the same bits."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import evaluate, metrics, protocols
from boxscore.evaluation.match import match
from boxscore.evaluation.tally import Tally
from boxscore.metrics import Numbers
from boxscore.protocols import Protocol
from boxscore.tables.model import Detections, Images, Truth, concatenate, select
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_SCENES

NAMES = ("AP", "AR", "TP", "FP", "FN", "precision", "recall", "F1")
OBJECTS = ("object_image", "object_label", "object_counted")
rules = st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in OF_SCENES]))


def tally(truth: Truth, detections: Detections, protocol: Protocol, threads: int = 1) -> Tally:
    return Tally.of(match(truth, detections, protocol, threads=threads), truth, protocol)


def numbers(t: Tally, threads: int = 1) -> list[bytes]:
    """All metrics, bit by bit; empty where the protocol leaves one undefined."""
    made = Numbers(t, threads=threads)

    def value(name: str) -> bytes:
        try:
            return np.float64(metrics.evaluate(made, metrics.parse(name))).tobytes()
        except metrics.NotEvaluated:
            return b""

    return [*map(value, NAMES)]


def assert_same(a: Tally, b: Tally, but: tuple[str, ...] = ()) -> None:
    for f in fields(Tally):
        x, y = getattr(a, f.name), getattr(b, f.name)
        if f.name not in but:
            assert type(x) is type(y), f.name
        if isinstance(x, np.ndarray) and f.name not in but:
            np.testing.assert_array_equal(x, y, err_msg=f.name, strict=True)
    assert numbers(a) == numbers(b)


def parts_of(truth: Truth, detections: Detections, part: list[int], own_lists: bool) -> list[tuple[Truth, Detections]]:
    """The tables of each part of the images; with `own_lists` a part lists its own images only."""
    made = []
    of_image = np.array([*part[: len(truth.images)], -1])
    for p in sorted(set(of_image[:-1].tolist())):
        t, d = select(truth, of_image[truth.image] == p), select(detections, of_image[detections.image] == p)
        if own_lists:
            kept = np.flatnonzero(of_image[:-1] == p)
            assert truth.images.id is not None
            images = Images([truth.images.key[i] for i in kept], truth.images.id[kept])
            place = np.full(len(of_image), -1, np.int32)
            place[kept] = np.arange(len(kept))
            t, d = (replace(table, images=images, image=place[table.image]) for table in (t, d))
        made.append((t, d))
    return made


@settings(max_examples=examples(200))
@given(
    scenes(images=6, crowded=False), rules, st.lists(st.integers(0, 3), min_size=6, max_size=6), st.booleans(),
    st.permutations(range(4)), st.booleans(),
)  # fmt: skip
def test_parts_merge_to_the_whole(
    scene: Scene, protocol: Protocol, part: list[int], own_lists: bool, order: list[int], to_the_left: bool
) -> None:
    truth, detections = scene.tables()
    whole = tally(truth, detections, protocol)
    tallies = [tally(t, d, protocol) for t, d in parts_of(truth, detections, part, own_lists)]
    in_order = reduce(lambda a, b: a + b, tallies)
    chosen = [tallies[i] for i in order if i < len(tallies)]
    shuffled = reduce(lambda a, b: a + b if to_the_left else b + a, chosen)
    assert_same(in_order, shuffled)
    # Objects stand class by class until the first merge sorts them by image; no number depends on it.
    assert_same(in_order, whole, but=OBJECTS)

    def objects(t: Tally) -> list[tuple[int, ...]]:
        return sorted(zip(*(getattr(t, name).tolist() for name in OBJECTS), strict=True))

    assert objects(whole) == objects(in_order)


@settings(max_examples=examples(60))
@given(scenes(), rules, st.integers(2, 5))
def test_any_number_of_threads(scene: Scene, protocol: Protocol, threads: int) -> None:
    truth, detections = scene.tables()
    one, many = (tally(truth, detections, protocol, n) for n in (1, threads))
    assert_same(one, many)
    assert numbers(one, 1) == numbers(many, threads)


def test_any_number_of_threads_over_many_blocks() -> None:
    """More cells than one thread takes at a time."""
    rng = np.random.default_rng(5)
    n = 20_000
    image = np.sort(rng.integers(0, 3000, n)).astype(np.int64)
    boxes = np.concatenate([rng.integers(0, 40, (n, 2)), rng.integers(5, 160, (n, 2))], axis=1).astype(np.float64)
    truth = {"image": image[::2], "labels": image[::2] % 7, "boxes": boxes[::2], "images": np.arange(3000)}
    found = {"image": image, "labels": image % 7, "boxes": boxes + 1, "scores": rng.integers(0, 50, n) / 50}

    results = [evaluate(truth, found, box="xywh", protocol="coco", threads=threads) for threads in range(1, 6)]
    for other in results[1:]:
        assert_same(results[0].tally, other.tally)
        assert other.metrics == results[0].metrics


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_merging_changes_neither_side(scene: Scene, protocol: Protocol) -> None:
    truth, detections = scene.tables()
    parts = [tally(t, d, protocol) for t, d in parts_of(truth, detections, [0, 1, 0, 1], True)]
    before = [[np.copy(getattr(p, f.name)) for f in fields(Tally) if _is_array(p, f.name)] for p in parts]
    reduce(lambda a, b: a + b, parts)
    after = [[getattr(p, f.name) for f in fields(Tally) if _is_array(p, f.name)] for p in parts]
    for x, y in zip(before, after, strict=True):
        for a, b in zip(x, y, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)


def _is_array(value: Any, name: str) -> bool:
    return isinstance(getattr(value, name), np.ndarray)


def test_what_does_not_fit_refuses_to_merge() -> None:
    scene = Scene((1, 2), ((1, "a"),), (), ())
    truth, detections = scene.tables()
    coco = tally(truth, detections, protocols.get("coco"))
    with pytest.raises(ValueError, match="do not merge"):
        coco + tally(truth, detections, protocols.get("voc2012"))
    other, none = Scene((1, 2), ((1, "b"),), (), ()).tables()
    with pytest.raises(ValueError, match="different classes"):
        coco + tally(other, none, protocols.get("coco"))


@settings(max_examples=examples(60))
@given(scenes(min_detections=1, crowded=False))
def test_an_image_is_never_counted_twice(scene: Scene) -> None:
    truth, detections = scene.tables()
    made = tally(truth, detections, protocols.get("coco"))
    with pytest.raises(ValueError, match="in both tallies"):
        made + made


@settings(max_examples=examples(100))
@given(scenes(strangers=True), rules, st.integers(0, 150))
def test_a_table_cut_and_concatenated_is_the_table(scene: Scene, protocol: Protocol, at: int) -> None:
    truth, detections = scene.tables()

    def again(table: Any) -> Any:
        rows = np.arange(len(table))
        parts = [select(table, rows < at), select(table, rows[at:])]  # a mask, and row numbers
        return concatenate([replace(part, position=np.arange(len(part))) for part in parts])

    for table in (truth, detections):
        joined = again(table)
        for f in fields(table):
            if _is_array(table, f.name) and f.name != "position":
                np.testing.assert_array_equal(getattr(joined, f.name), getattr(table, f.name), strict=True)
        assert np.all(np.diff(joined.position) > 0)
    before, after = tally(truth, detections, protocol), tally(again(truth), again(detections), protocol)
    assert_same(before, after, but=("tie",))
