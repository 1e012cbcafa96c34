"""Parts add up to the gap, and a rule that is said not to matter changes nothing in any mixture."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import effort
from boxscore import evaluate, protocols
from boxscore.analysis import shapley
from boxscore.analysis.differences import differences, mixture
from boxscore.analysis.explain import explain_tables
from boxscore.analysis.headlines import comparable, headlines
from boxscore.analysis.inert import INERT, LAST_BITS, NOTHING, ROUNDING, Facts, why_not
from boxscore.errors import UsageError
from boxscore.evaluation.memo import Shared
from boxscore.joining.align import Aligned, align
from boxscore.metrics.summary import rows
from boxscore.protocols import Protocol
from boxscore.protocols.rules import names_of, rule_fields
from boxscore.tables.model import Classes, Flag, ImageLabels
from boxscore.testing import Detection, Object, Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_BOXES, OF_SCENES

NAMES = [
    name
    for name in (*OF_BOXES, *(n for n in OF_SCENES if n not in OF_BOXES))
    if rows(protocols.get(name))[0].expression.name == "AP"
]
KINDS = {"plain": (), "flags": (Flag.CROWD, Flag.DIFFICULT, Flag.GROUP_OF, Flag.IGNORE), "crowds": (Flag.CROWD,)}


def scene(seed: int, flags: tuple[Flag, ...], ties: bool) -> Scene:
    """Two classes in four images; objects that overlap, detections that are cut or moved, some on nothing."""
    chance = random.Random(seed)
    objects, found = [], []
    for image in range(1, 5):
        for label in (1, 2):
            x, y, w, h = (chance.uniform(low, low + 60) for low in (0, 0, 20, 20))
            for _ in range(chance.randint(1, 3)):
                x += w / 3
                flag = chance.choice([Flag(0), *flags])
                objects.append(Object(image, label, (x, y, w, h), len(objects) + (not ties), w * h, flag))
                for _ in range(chance.randint(0, 2)):
                    box = (x + chance.choice([0, w / 10, w / 3]), y, w * chance.uniform(0.6, 1), h)
                    score = chance.randint(1, 9) / 10 if ties else chance.random()
                    found.append(Detection(image, label, box, score))
            found.append(Detection(image, label, (x + 300, y, w, h), chance.random()))
    return Scene((1, 2, 3, 4), ((1, "a"), (2, "b")), tuple(objects), tuple(found))


SCENES = [align(*scene(i, flags, ties=i == 1).tables()) for i, flags in enumerate(KINDS.values())]


@given(scenes(), hybrids(), hybrids(), st.randoms(use_true_random=False))
@settings(max_examples=examples(60))
def test_mixtures_share_no_more_than_is_the_same(drawn: Scene, a: Protocol, b: Protocol, chance: random.Random) -> None:
    aligned = align(*drawn.tables())
    apart = differences(a, b)
    some = [mixture(a, b, [d for d in apart if chance.random() < 0.5]) for _ in range(12)]
    for p, made in zip(some, headlines(aligned, some, threads=1), strict=True):
        (alone,) = headlines(aligned, [p], threads=1)
        assert np.array(made.value).tobytes() == np.array(alone.value).tobytes()
        assert made.classes.tobytes() == alone.classes.tobytes()
        assert made.reason == alone.reason


def test_a_memory_with_little_room_forgets_what_was_asked_for_longest_ago() -> None:
    shared, columns, made = Shared(room=2), (np.zeros(1),), list[int]()
    for number in (1, 2, 1, 3, 1, 2):
        shared.once(("kind", number), columns, lambda number=number: made.append(number) or number)
        shared.once(("other kind",), columns, lambda: made.append(0) or 1)
    assert made == [1, 0, 2, 3, 2]


@pytest.mark.parametrize("to", NAMES)
@pytest.mark.parametrize("aligned", SCENES, ids=KINDS)
def test_parts_add_up_between_every_two_protocols(aligned: Aligned, to: str) -> None:
    others = NAMES[: NAMES.index(to)] if effort.long and to in OF_BOXES else ("coco", "voc2012")  # all pairs: too long
    for from_ in others:
        made = explain_tables(aligned, protocols.get(from_), protocols.get(to), threads=1)
        assert math.fsum(p.part for p in made.parts) == pytest.approx(made.after - made.before, abs=1e-12, rel=0)
        for c in made.per_class:
            assert math.fsum(c.parts) == pytest.approx(c.after - c.before, abs=1e-12, rel=0)
        assert made.exact == (made.orders == 0)
        assert not made.exact or not any(p.error for p in made.parts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("aligned", SCENES, ids=KINDS)
def test_the_ends_are_the_numbers_of_an_evaluation(aligned: Aligned, name: str) -> None:
    """Bit for bit: only the headline's size range is matched, and the table that is printed is exchanged."""
    protocol = protocols.get(name)
    (made,) = headlines(aligned, [comparable(protocol)], threads=1)
    result = evaluate(aligned.truth, aligned.detections, protocol=protocol, threads=1)
    assert made.value == next(iter(result.metrics.values()))
    np.testing.assert_array_equal(made.classes, [next(iter(c.metrics.values())) for c in result.per_class])


def test_explaining_is_symmetric() -> None:
    there, back = (explain_tables(SCENES[2], protocols.get(a), protocols.get(b)) for a, b in
                   (("coco", "voc2012"), ("voc2012", "coco")))  # fmt: skip
    assert there.exact
    assert {p.rule: p.note for p in there.parts} == {p.rule: p.note for p in back.parts}
    parts = {p.rule: p.part for p in back.parts}
    for p in there.parts:
        assert p.part == pytest.approx(-parts[p.rule], abs=1e-12, rel=0)


def rich(scene: Scene, chance: random.Random) -> Aligned:
    """The scene with what files say of whole images and of classes above classes."""
    truth, detections = scene.tables()
    if chance.random() < 0.3 and len(scene.images) > 1:  # the truth does not know an image
        truth = replace(scene, images=scene.images[:-1]).tables()[0]
        truth = replace(truth, classes=detections.classes)
    n, k = len(truth.images), len(truth.classes)
    if chance.random() < 0.4:
        cells = [(i, c) for i in range(n) for c in range(k) if chance.random() < 0.6]
        marks = [chance.choice([1, 2, 4, 8, 5]) for _ in cells]
        image, label = (np.array([cell[axis] for cell in cells], np.int32) for axis in (0, 1))
        truth = replace(truth, labels=ImageLabels(image, label, np.array(marks, np.uint8)))
    if chance.random() < 0.5:
        parents = tuple((chance.randrange(c),) if c and chance.random() < 0.8 else () for c in range(k))
        classes = Classes(truth.classes.name, truth.classes.id, parents=parents)
        truth, detections = replace(truth, classes=classes), replace(detections, classes=classes)
    some = detections.image < len(truth.images)
    assume(not len(detections) or some.any())
    return align(truth, detections)


@settings(max_examples=examples(150))
@given(scenes(crowded=False), hybrids(), hybrids(), st.integers(0, 10**6))
def test_a_rule_that_cannot_matter_changes_nothing_in_any_mixture(
    scene: Scene, a: Protocol, b: Protocol, seed: int
) -> None:
    """Whatever the other rules are: bit-equal without anything to apply to, below 1e-12 where only bits round."""
    chance = random.Random(f"{seed} {len(scene.objects)} {len(scene.detections)}")
    # Pairs that differ in a few rules only, as related protocols do.
    kept = [name for name in names_of(Protocol) if chance.random() < 0.6]
    b = replace(b, **{name: getattr(a, name) for name in kept})
    a, b = (comparable(replace(p, summary="voc", headline_max=0)) for p in (a, b))
    aligned = rich(scene, chance)
    apart, facts = differences(a, b), Facts(aligned, a, b)
    notes = {d.rule: why_not(d.rule, facts) for d in apart}
    assume(any(notes.values()))
    for d in apart:
        if not notes[d.rule]:
            continue
        others = [o for o in apart if o is not d and chance.random() < 0.5]
        without, with_it = headlines(aligned, [mixture(a, b, others), mixture(a, b, [*others, d])], threads=1)
        if notes[d.rule] == NOTHING:
            assert np.float64(without.value).tobytes() == np.float64(with_it.value).tobytes(), d
            np.testing.assert_array_equal(without.classes, with_it.classes, err_msg=d.rule)
        else:
            assert notes[d.rule] == LAST_BITS
            assert with_it.value == pytest.approx(without.value, abs=1e-12, rel=0, nan_ok=True), d


@settings(max_examples=examples(60))
@given(scenes(crowded=False), hybrids(), hybrids())
def test_parts_add_up_between_any_two_mixtures(scene: Scene, a: Protocol, b: Protocol) -> None:
    names = names_of(Protocol)
    b = replace(
        b, **{name: getattr(a, name) for name in names[::3]}, **{name: getattr(a, name) for name in names[1::3]}
    )
    a, b = (replace(p, summary="voc") for p in (a, b))
    try:
        made = explain_tables(align(*scene.tables()), a, b, threads=1)
    except UsageError as error:
        assume("undefined" not in str(error) and "no object is left" not in str(error))
        raise
    assert math.fsum(p.part for p in made.parts) == pytest.approx(made.gap, abs=1e-12, rel=0)


def test_every_field_is_part_of_one_rule() -> None:
    rule_of = {f.name: f.metadata["of"] or f.name for f in rule_fields(Protocol)}
    assert all(rule_of[rule] == rule for rule in rule_of.values())
    assert set(INERT) | set(ROUNDING) <= set(rule_of.values())


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_exact_parts_are_the_mean_over_all_orders(n: int) -> None:
    chance = random.Random(n)
    values = {subset: np.array([chance.random(), chance.random()]) for subset in shapley.subsets(n)}
    gains = np.zeros((n, 2))
    for order in permutations(range(n)):
        for place, i in enumerate(order):
            gains[i] += values[frozenset(order[: place + 1])] - values[frozenset(order[:place])]
    np.testing.assert_allclose(shapley.exact_parts(values, n), gains / math.factorial(n), atol=1e-15, rtol=0)


def test_sampled_parts_add_up_and_come_near_the_exact_ones() -> None:
    n, chance = 11, random.Random(3)
    weights = [chance.uniform(-1, 1) for _ in range(n)]
    values = {s: np.array([sum(weights[i] for i in s) ** 2]) for s in shapley.subsets(n)}
    orders = shapley.sampled_orders(n)
    assert orders == shapley.sampled_orders(n)
    parts, errors = shapley.sampled_parts({s: values[s] for s in shapley.visited(orders)}, orders)
    whole = values[frozenset(range(n))] - values[frozenset()]
    assert parts.sum() == pytest.approx(whole[0], abs=1e-12, rel=0)
    assert (np.abs(parts - shapley.exact_parts(values, n)) <= 4 * errors).all()


@pytest.mark.parametrize(("n", "exact"), [(0, True), (1, True), (6, True), (9, True), (10, False)])
def test_all_mixtures_where_that_is_no_dearer(n: int, exact: bool) -> None:
    assert shapley.exact_is_cheaper(n) == exact
