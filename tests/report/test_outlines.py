"""What is drawn of masks, polygons, keypoints and oriented boxes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageColor

from boxscore import read_truth
from boxscore.report.contours import contours
from boxscore.report.drawing import Mark, Style, _strokes, drawn
from boxscore.report.outlines import Figure, Pixels, figure_of
from boxscore.tables.shapes import Shape, ShapesMaker

BLUE = Style("x", "#0072B2")


def area(path) -> float:
    points = [*path, path[0]]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(points)) / 2


@given(arrays(np.bool_, st.tuples(st.integers(1, 8), st.integers(1, 8))))
def test_contours_enclose_the_pixels(pixels):
    paths = contours(pixels)
    assert sum(map(area, paths)) == pixels.sum()  # holes go the other way
    for path in paths:
        for (x0, y0), (x1, y1) in zip(path, [*path[1:], path[0]], strict=True):
            assert (x0 == x1) != (y0 == y1)


def test_pixels_that_meet_at_a_corner_stay_apart():
    assert len(contours(np.eye(3, dtype=np.bool_))) == 3


def figure(*parts):
    maker = ShapesMaker()
    for kind, values in parts:
        maker.add(0, kind, values)
    table, _ = read_truth([{"boxes": [[1, 1, 5, 5]], "labels": [1]}], box="xyxy")
    return figure_of(replace(table, shapes=maker.shapes(1)), 0)


def test_figures_of_shapes():
    assert figure_of(read_truth([{"boxes": [[1, 1, 5, 5]], "labels": [1]}], box="xyxy")[0], 0) is None
    made = figure((Shape.POLYGON, [0, 0, 4, 0, 4, 3]), (Shape.POLYGON, [6, 6, 8, 6, 8, 8]))
    assert made == Figure((((0, 0), (4, 0), (4, 3)), ((6, 6), (8, 6), (8, 8))), filled=True)
    made = figure((Shape.RLE, [3, 3, 4, 1, 4]))
    assert made.paths == (((1, 1), (2, 1), (2, 2), (1, 2)),)
    assert (made.pixels.left, made.pixels.top, made.pixels.inside.tolist()) == (1, 1, [[True]])
    assert figure((Shape.RLE, [3, 3, 9])) == Figure(boxed=True)
    assert figure((Shape.QUAD, [0, 0, 4, 0, 4, 3, 0, 3])).filled is False
    assert np.allclose(figure((Shape.ORIENTED, [5, 5, 4, 2, math.pi / 2])).paths, [[(6, 3), (6, 7), (4, 7), (4, 3)]])
    assert len(figure((Shape.CIRCLE, [5, 5, 2])).paths[0]) == 64
    assert figure((Shape.ELLIPSE, [5, 5, 2, 1, 0])).paths[0][0] == (7, 5)
    assert figure((Shape.POINTS, [5, 5])).points == ((5, 5, 2),)


def test_limbs_between_points_that_are_there():
    points = [value for k in range(17) for value in (k, k, 2)]
    assert len(figure((Shape.KEYPOINTS, points)).limbs) == 19
    points[2] = 0  # the nose, which two limbs have
    assert len(figure((Shape.KEYPOINTS, points)).limbs) == 17
    assert figure((Shape.KEYPOINTS, [1, 1, 2, 3, 3, 2])).limbs == []


def test_a_fill_lets_the_image_through():
    inside = np.ones((40, 40), np.bool_)
    square = ((20, 20), (60, 20), (60, 60), (20, 60))
    for one in (Figure((square,), Pixels(20, 20, inside), True), Figure((square,), filled=True)):
        made = drawn(Image.new("RGB", (100, 100), "white"), [Mark((20, 20, 60, 60), "", BLUE, one)])
        colour = made.getpixel((40, 40))
        assert colour not in ((255, 255, 255), ImageColor.getrgb(BLUE.colour))
        assert made.getpixel((80, 80)) == (255, 255, 255)
    beyond = Figure((((-50, -50), (-20, -50), (-20, -20)),), filled=True)
    drawn(Image.new("RGB", (10, 10)), [Mark((0, 0, 5, 5), "x", BLUE, beyond)])


def test_normalized_shapes_are_drawn_in_pixels():
    made = Figure((((0.5, 0.5), (1, 0.5), (1, 1)),), points=((0.5, 0.25, 2),)).scaled(10, 20)
    assert made.paths == (((5, 10), (10, 10), (10, 20)),)
    assert made.points == ((5, 5, 2),)


@given(st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 1e4)), min_size=2, max_size=9))
def test_dashes_are_shorter_than_the_path(path):
    whole = sum(math.dist(a, b) for a, b in pairwise(path))
    drawn_length = sum(math.dist(a, b) for a, b in _strokes(tuple(path), (10.0, 6.0)))
    assert drawn_length <= whole + 1e-6
    assert drawn_length >= min(whole, 10.0) - 1e-2
