"""Hypothesis strategies for tables to write: names in any script, images without boxes, flags and statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from boxscore.tables.model import Classes, Detections, Flag, ImageLabels, Images, Mark, Truth
from boxscore.tables.shapes import Attributes

# Anything that a file name or a class may have, with blanks at either end, quotes and marks of XML.
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\\\ufffe\uffff"), min_size=1, max_size=8
)
odd = st.sampled_from(["a b", " x ", "q\"<&>'", "ü/猫.jpg", "é", "ab;1,2", "0"])
names = st.one_of(odd, texts)
places = st.one_of(st.integers(-20, 700).map(float), st.floats(-1e4, 1e4), st.sampled_from([0.1, 1 / 3, 1e-300]))


@st.composite
def tables(draw: Any, kind: type, flags: Sequence[Flag] = (), sizes: bool = True, marks: Sequence[Mark] = ()) -> Any:
    """A table of a few images, classes and rows; every box may be anything."""
    keys = draw(st.lists(names, max_size=4, unique=True))
    classes = tuple(draw(st.lists(names, min_size=1, max_size=3, unique=True)))
    n = draw(st.integers(0, 6)) if keys else 0
    rows = {
        "image": np.sort(draw(st.lists(st.integers(0, max(len(keys) - 1, 0)), min_size=n, max_size=n))).astype(
            np.int32
        ),
        "label": np.array(draw(st.lists(st.integers(0, len(classes) - 1), min_size=n, max_size=n)), np.int32),
        "corners": np.array(draw(st.lists(places, min_size=4 * n, max_size=4 * n)), np.float64).reshape(-1, 4),
    }
    box = rows["corners"]
    side = st.integers(1, 5000).map(float)
    width, height = (np.array(draw(st.lists(side, min_size=len(keys), max_size=len(keys)))) for _ in range(2))
    images = Images(keys, None, width, height) if sizes else Images(keys)
    common = {
        "images": images, "classes": Classes(classes, classes), **rows, "position": np.arange(n),
        "box_area": (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1]), "source": "table",
    }  # fmt: skip
    if kind is Detections:
        score = draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
        return Detections(**common, score=np.array(score, np.float64))
    word = st.lists(st.sampled_from([0, *map(int, flags)]), max_size=2).map(
        lambda f: int(np.bitwise_or.reduce(f or [0]))
    )
    flag = np.array(draw(st.lists(word, min_size=n, max_size=n)), np.uint16)
    labels = draw(statements(len(keys), len(classes), marks)) if marks and keys else None
    return Truth(**common, area=np.full(n, np.nan), flags=flag, labels=labels)


@st.composite
def statements(draw: Any, images: int, classes: int, marks: Sequence[Mark]) -> ImageLabels | None:
    """What is said of whole images, each once."""
    one = st.tuples(st.integers(0, images - 1), st.integers(0, classes - 1), st.sampled_from([*map(int, marks)]))
    rows = sorted(draw(st.lists(one, max_size=4, unique=True)))
    if not rows:
        return None
    image, label, mark = np.array(rows).T
    return ImageLabels(image.astype(np.int32), label.astype(np.int32), mark.astype(np.uint8))


@st.composite
def attributes(draw: Any, n: int) -> Attributes | None:
    """Further statements about some rows, each name once for a row."""
    name = st.one_of(st.sampled_from(["source", "z_order", "colour"]), names.map("x".__add__))
    value = st.one_of(st.sampled_from(["", "auto", "3", "a\nb", " \t"]), texts)
    made = [(row, *pair) for row in range(n) for pair in draw(st.dictionaries(name, value, max_size=2)).items()]
    if not made:
        return None
    row, name_of, value_of = zip(*made, strict=True)
    return Attributes(np.array(row, np.int64), name_of, value_of)


def named_rows(table: Truth | Detections) -> list[tuple[str, str, tuple[float, ...]]]:
    """Image, class and box of every row."""
    return [
        (table.images.key[image], table.classes.name[label], tuple(box))
        for image, label, box in zip(table.image, table.label, table.corners.tolist(), strict=True)
    ]


def said(table: Truth | Detections) -> list[tuple[int, str, str]]:
    """The further statements in an order of their own."""
    if table.attributes is None:
        return []
    return sorted(zip(table.attributes.row.tolist(), table.attributes.name, table.attributes.value, strict=True))


def said_of_images(truth: Truth) -> list[tuple[str, str, int]]:
    """The statements about whole images, one mark each, in an order of their own."""
    if truth.labels is None:
        return []
    return sorted(
        (truth.images.key[image], truth.classes.name[label], bit)
        for image, label, mark in zip(truth.labels.image, truth.labels.label, truth.labels.mark, strict=True)
        for bit in map(int, Mark)
        if mark & bit
    )
