"""Shapes and attributes follow their rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore.tables.shapes import Attributes, Shape, Shapes, ShapesMaker

WHOLE = st.integers(0, 99).map(float)
PARTS = st.lists(
    st.sampled_from(Shape).flatmap(  # a mask always has height and width
        lambda kind: st.tuples(st.just(kind), st.lists(WHOLE, min_size=2 * (kind == Shape.RLE), max_size=6))
    ),
    max_size=3,
)


@given(st.lists(PARTS, min_size=1, max_size=6), st.data())
def test_rows_of_shapes(rows, data):
    maker = ShapesMaker()
    for row, parts in enumerate(rows):
        for kind, values in parts:
            maker.add(row, kind, values)
    shapes = maker.shapes(len(rows))
    if shapes is None:
        assert not any(rows)
        return
    assert list(shapes) == rows
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    assert list(shapes.take(np.array(chosen, np.int64))) == [rows[i] for i in chosen]
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    assert list(Shapes.joined([(shapes, len(rows)), (None, 1), (shapes, len(rows))]) or []) == [*rows, [], *rows]
    assert list(shapes.take(mask)) == [row for row, kept in zip(rows, mask, strict=True) if kept]


def test_attributes_of_some_rows():
    said = Attributes(np.array([0, 2, 2]), ("colour", "colour", "side"), ("red", "blue", "left"))
    kept = said.take(np.array([False, True, True]), 3)
    assert (kept.row.tolist(), kept.name, kept.value) == ([1, 1], ("colour", "side"), ("blue", "left"))
