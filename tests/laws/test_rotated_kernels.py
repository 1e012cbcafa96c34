"""Areas and intersections of quadrilaterals: the kernels equal their definitions, exact arithmetic and shapely."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import _core, _reference
from boxscore.overlaps.boxes import shared_area
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Floats
from boxscore.tables.oriented import box_around, corners_of, oriented_of

Corner = tuple[Fraction, Fraction]
CLOSE = 1e-12  # of the smaller area: a few roundings of numbers as large as the longer side squared

grid = st.integers(-3, 3).map(float)  # few values, so that corners repeat, edges cross, touch and coincide
coordinates = st.one_of(grid, st.floats(-1e4, 1e4), st.sampled_from([1e6 + 0.1, 1e9, -1e-9, 1e160, -1e300, 1.7e308]))
quads = st.lists(st.tuples(*[grid] * 8), min_size=1, max_size=6)
any_quads = st.lists(st.tuples(*[coordinates] * 8), min_size=1, max_size=6)


def areas(of: Floats, threads: int = 1) -> Floats:
    made = np.empty(len(of))
    _core.quad_areas(of, made, threads)
    return made


def pairwise(a: Floats, b: Floats, threads: int = 1) -> Floats:
    rows, made = np.arange(len(a)), np.empty(len(a))
    _core.quad_intersections(a, b, rows, rows, made, threads)
    return made


def all_pairs(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    return np.repeat(np.array(a), len(b), axis=0), np.tile(np.array(b), (len(a), 1))


def turned(rng: np.random.Generator, n: int, spread: float = 60) -> Floats:
    """Boxes turned by any angle, some of them thin."""
    centres, sides = rng.uniform(-spread, spread, (n, 2)), np.exp(rng.uniform(0, 5, (n, 2)))
    return corners_of(np.column_stack([centres, sides, rng.uniform(-np.pi, np.pi, n)]))


@given(any_quads, any_quads, st.integers(1, 3))
def test_kernels_equal_their_definitions(a: list[Sequence[float]], b: list[Sequence[float]], threads: int) -> None:
    detections, objects = np.array(a), np.array(b)
    detection, object_ = (part.reshape(-1) for part in np.mgrid[: len(a), : len(b)])
    made, defined = (np.empty(len(detection)) for _ in range(2))
    _core.quad_intersections(detections, objects, detection, object_, made, threads)
    _reference.quad_intersections(detections, objects, detection, object_, defined)
    np.testing.assert_array_equal(made, defined)
    assert not np.isnan(made).any()
    whole = np.empty(len(a))
    _reference.quad_areas(detections, whole)
    np.testing.assert_array_equal(areas(detections, threads), whole)
    assert not np.isnan(whole).any()


@given(any_quads, any_quads)
def test_either_way_round(a: list[Sequence[float]], b: list[Sequence[float]]) -> None:
    first, second = all_pairs(a, b)
    np.testing.assert_array_equal(pairwise(first, second), pairwise(second, first))


def signed_triangles(quad: Sequence[float]) -> list[tuple[list[Corner], int]]:
    """The triangles that edges make with the origin, each with its direction; as polyiou takes polygons apart."""
    exact = [Fraction(value) for value in quad]
    at = list(zip(exact[::2], exact[1::2], strict=True))
    if sum(cross((Fraction(0), Fraction(0)), p, q) for p, q in zip(at, at[1:] + at[:1], strict=True)) < 0:
        at.reverse()
    zero = Fraction(0), Fraction(0)
    made = []
    for p, q in zip(at, at[1:] + at[:1], strict=True):
        turn = cross(zero, p, q)
        if turn:
            made.append(([zero, p, q] if turn > 0 else [zero, q, p], 1 if turn > 0 else -1))
    return made


def cross(a: Corner, b: Corner, p: Corner) -> Fraction:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def clipped_area(polygon: list[Corner], by: list[Corner]) -> Fraction:
    for a, b in zip(by, by[1:] + by[:1], strict=True):
        kept: list[Corner] = []
        for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            of_p, of_q = cross(a, b, p), cross(a, b, q)
            if of_p >= 0:
                kept.append(p)
            if of_p * of_q < 0:
                t = of_p / (of_p - of_q)
                kept.append((p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t))
        polygon = kept
    return sum((cross(polygon[0], p, q) for p, q in itertools.pairwise(polygon)), Fraction(0)) / 2


def exact_shared(a: Sequence[float], b: Sequence[float]) -> Fraction:
    pairs = [(one, other) for one in signed_triangles(a) for other in signed_triangles(b)]
    return sum((s * t * clipped_area(p, q) for (p, s), (q, t) in pairs), Fraction(0))


@given(quads, quads)
def test_any_four_corners_are_as_the_signed_triangles_of_polyiou(
    a: list[Sequence[float]], b: list[Sequence[float]]
) -> None:
    first, second = all_pairs(a, b)
    exact = [float(exact_shared(p, q)) for p, q in zip(first.tolist(), second.tolist(), strict=True)]
    np.testing.assert_allclose(pairwise(first, second), exact, rtol=1e-14, atol=1e-14)


def test_turned_boxes_are_as_in_exact_arithmetic() -> None:
    rng = np.random.default_rng(5)
    a = turned(rng, 300)
    b = np.concatenate([turned(rng, 150), a[150:] + rng.choice([1e-3, 1e-9, 1e-13], (150, 8)) * rng.normal(size=8)])
    exact = np.array([float(exact_shared(p, q)) for p, q in zip(a.tolist(), b.tolist(), strict=True)])
    for shift in (0.0, 4096.0, 2.0**21):  # far from zero nothing is lost but the digits of the coordinates
        moved = [np.rint(quad * 2**20) / 2**20 + shift for quad in (a, b)]
        again = [quad - shift for quad in moved]
        np.testing.assert_array_equal(pairwise(*moved), pairwise(*again))
    assert (np.abs(pairwise(a, b) - exact) <= CLOSE * np.minimum(areas(a), areas(b))).all()


def test_shapely_finds_the_same() -> None:
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(7)
    n = 20_000
    a, other = turned(rng, n), turned(rng, n)
    along = a.reshape(-1, 4, 2)
    edge = np.repeat(along[:, 1:2] - along[:, :1], 4, axis=1).reshape(-1, 8)
    cases = {
        "anywhere": other,
        "nearly the same": a + rng.normal(size=a.shape) * 1e-10,
        "moved along an edge": a + edge * rng.uniform(0, 1, (n, 1)),
        "one edge in common": a + edge,
        "one corner in common": other - np.tile(other[:, :2] - a[:, 4:6], 4),
        "the same from another corner": np.roll(a, 2, axis=1),
        "the same the other way round": along[:, ::-1].reshape(-1, 8).copy(),
    }
    for name, b in cases.items():
        polygons = [shapely.polygons(quad.reshape(-1, 4, 2)) for quad in (a, b)]
        found = shapely.area(shapely.intersection(*polygons))
        np.testing.assert_array_less(np.abs(pairwise(a, b) - found), CLOSE * np.minimum(areas(a), areas(b)), name)
        np.testing.assert_allclose(areas(b), shapely.area(polygons[1]), rtol=CLOSE)


@given(st.integers(0, 2**32))
def test_no_overlap_exceeds_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for a in (turned(rng, 50), np.rint(turned(rng, 50)), turned(rng, 50) + 1e6):
        for b in (a, np.roll(a, 2, axis=1), a.reshape(-1, 4, 2)[:, ::-1].reshape(-1, 8).copy()):
            np.testing.assert_array_equal(pairwise(a, b), areas(a))
        near = a + rng.normal(size=a.shape) * 1e-14
        both = pairwise(a, near)
        assert (both / (areas(a) + areas(near) - both) <= 1 + 1e-15).all()


@given(st.lists(st.tuples(coordinates, coordinates, coordinates, coordinates), min_size=2, max_size=8))
def test_plain_boxes_have_the_bits_of_plain_boxes(some: list[Sequence[float]]) -> None:
    boxes = np.array([(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in some])
    quads = np.ascontiguousarray(boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]])
    first, second = np.repeat(np.arange(len(boxes)), len(boxes)), np.tile(np.arange(len(boxes)), len(boxes))
    with np.errstate(over="ignore", invalid="ignore"):
        plain = shared_area(boxes[first].T, boxes[second].T)
        whole = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    whole[np.isnan(whole)] = 0  # infinite times nothing
    for turns in range(4):
        for way in (quads, quads.reshape(-1, 4, 2)[:, ::-1].reshape(-1, 8).copy()):
            moved = np.ascontiguousarray(np.roll(way, 2 * turns, axis=1))
            np.testing.assert_array_equal(pairwise(quads[first], moved[second]), plain)
            np.testing.assert_array_equal(areas(moved), whole)
            np.testing.assert_array_equal(box_around(moved), boxes)


@pytest.mark.parametrize(
    ("quad", "area", "shared"),
    [
        ((1, 1, 1, 1, 1, 1, 1, 1), 0, 0),  # a point
        ((0, 0, 4, 4, 0, 0, 4, 4), 0, 0),  # a line, there and back
        ((0, 0, 4, 0, 4, 4, 4, 4), 8, 8),  # a triangle, with a corner twice
        ((0, 0, 4, 0, 0, 4, 1, 1), 6, 6),  # concave, an arrow
        ((0, 0, 4, 4, 4, 0, 0, 4), 0, 0),  # a bow tie of equal halves, which cancel
        ((0, 0, 4, 4, 4, 0, 0, 2), 4, 4),  # of unequal parts, 16/3 and 4/3, of which the smaller is negative
    ],
)
def test_odd_corners(quad: Sequence[float], area: float, shared: float) -> None:
    a, square = np.array([quad], np.float64), np.array([[0.0, 0, 4, 0, 4, 4, 0, 4]])
    assert areas(a)[0] == area
    assert pairwise(a, square)[0] == pytest.approx(float(exact_shared(quad, square[0].tolist())), abs=1e-14)
    assert pairwise(a, square)[0] == pytest.approx(shared, abs=1e-14)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    rng = np.random.default_rng(11)
    a, b = turned(rng, 100_000), turned(rng, 100_000)
    assert pairwise(a, b, 1).tobytes() == pairwise(a, b, 4).tobytes()
    assert areas(a, 1).tobytes() == areas(a, 4).tobytes()


@given(
    st.lists(
        st.tuples(*[st.floats(-1e4, 1e4)] * 2, *[st.floats(1e-3, 1e4)] * 2, st.floats(-7, 7)), min_size=1, max_size=4
    )
)
def test_corners_of_oriented_boxes_and_back(some: list[Sequence[float]]) -> None:
    boxes = np.array(some)
    corners = corners_of(boxes)
    back = oriented_of(corners)
    np.testing.assert_allclose(back[:, :4], boxes[:, :4], rtol=1e-9, atol=1e-9)
    reach = np.abs(boxes[:, :4]).max(axis=1, keepdims=True)
    np.testing.assert_array_less(np.abs(corners_of(back) - corners), 1e-13 * np.broadcast_to(reach, corners.shape))
    upright = np.column_stack([boxes[:, :4], np.zeros(len(boxes))])
    plain, _ = to_corners(boxes[:, :4].copy(), "cxcywh")
    np.testing.assert_array_equal(corners_of(upright), plain[:, [0, 1, 2, 1, 2, 3, 0, 3]])
    for degrees in (90, -90, 180, 270, 360, 450):  # right angles stay right
        upright[:, 4] = np.radians(degrees)
        around = box_around(corners_of(upright))
        sides = upright[:, [0, 1, 3, 2]] if degrees % 180 else upright[:, :4]
        np.testing.assert_array_equal(around, to_corners(np.ascontiguousarray(sides), "cxcywh")[0])


@pytest.mark.parametrize("case", ["obb_11", "obb_12", "obb_13"])
def test_pairs_of_the_dota_development_kit(data: Path, case: str) -> None:
    held = json.loads((data / "reference" / "cases" / "obb" / f"{case}.json").read_text())
    objects = {image["name"]: [o["quad"] for o in image["objects"]] for image in held["input"]["images"]}
    detections = [one["quad"] for one in held["input"]["detections"]]
    rows = held["expected"]["pair_iou"]
    a = np.array([detections[d] for _, _, d, _ in rows])
    b = np.array([objects[name][o] for name, o, _, _ in rows])
    both = pairwise(a, b)
    expected = [overlap for *_, overlap in rows]
    np.testing.assert_allclose(both / (areas(a) + areas(b) - both), expected, rtol=0, atol=1e-12)
