"""Whatever moves rows moves all of a row: columns, shapes, tracks, attributes."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.evaluation.cells import grouped
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.prepare import prepare
from boxscore.joining.align import align
from boxscore.protocols import Protocol, get
from boxscore.tables.model import Detections, Table, Truth, concatenate, select
from boxscore.tables.shapes import Attributes, Shape, ShapesMaker
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples


def marked(table: Table) -> Table:
    """A table whose rows all say in every way which row they are; the first has no shape, every third two."""
    n = len(table)
    shapes = ShapesMaker()
    for row in range(1, n):
        for part in range(1 + (row % 3 == 0)):
            shapes.add(row, Shape.POLYGON, [row, part] * (2 + row % 2))
    rows = np.repeat(np.arange(n), np.arange(n) % 3)
    said = Attributes(rows, tuple(f"n{k}" for k in range(len(rows))), tuple(str(row) for row in rows.tolist()))
    own: dict[str, Any] = {"track": np.arange(n), "shapes": shapes.shapes(n), "attributes": said}
    return replace(table, **own)


def rows_of(table: Truth | Detections) -> list[tuple[Any, ...]]:
    """Each row as a value, without its position."""
    statements: list[list[tuple[str, str]]] = [[] for _ in range(len(table))]
    if table.attributes is not None:
        for row, name, value in zip(table.attributes.row, table.attributes.name, table.attributes.value, strict=True):
            statements[row].append((name, value))
    columns = [f.name for f in fields(table) if isinstance(getattr(table, f.name), np.ndarray) and f.name != "position"]
    return [
        (
            *(np.asarray(getattr(table, name)[i]).tobytes() for name in columns),
            [] if table.shapes is None else table.shapes.of(i),
            statements[i],
        )
        for i in range(len(table))
    ]


@given(scenes(strangers=True), st.data())
def test_select_and_concatenate(scene: Scene, data: st.DataObject) -> None:
    for table in map(marked, scene.tables()):
        all_rows = rows_of(table)
        numbers = st.lists(st.integers(0, len(table) - 1)) if len(table) else st.just([])
        chosen = data.draw(numbers)  # in any order, some again
        assert rows_of(select(table, np.array(chosen, np.int64))) == [all_rows[i] for i in chosen]
        mask = np.arange(len(table)) % 2 == 0
        parts = [select(table, mask), select(table, ~mask), replace(select(table, mask), shapes=None, attributes=None)]
        joined = rows_of(concatenate(parts))
        assert joined == [row for part in parts for row in rows_of(part)]


@settings(max_examples=examples(60))
@given(scenes(strangers=True), hybrids(image_sizes=True))
def test_rules_before_matching(scene: Scene, protocol: Protocol) -> None:
    """Objects replaced by others with their id, copies, rows in the order of classes, and the layout by cells."""
    aligned = align(*map(marked, scene.tables()))
    prepared = prepare(aligned, protocol)
    before = {"truth": aligned.truth, "detections": aligned.detections}
    for side, rows in (("truth", prepared.object_row), ("detections", prepared.detection_row)):
        made, old = getattr(prepared, side), before[side]
        expected = old if rows is None else select(old, rows)
        # Rules give rows other images and labels (-1 for who is left out); nothing else of a row changes.
        same = {"image": made.image, "label": made.label, "images": made.images, "classes": made.classes}
        assert rows_of(replace(expected, **same)) == rows_of(made)
    by_cell = grouped(prepared.truth, prepared.detections, Shared([protocol, get("coco")]), 1)
    assert by_cell.laid_out
    assert rows_of(by_cell.detections) == rows_of(select(prepared.detections, by_cell.row))
    assert rows_of(by_cell.truth) == rows_of(select(prepared.truth, by_cell.object_row))
