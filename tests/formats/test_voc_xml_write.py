"""VOC XML, written: what is kept comes back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.holding import losses
from boxscore.formats.io.files import Files
from boxscore.formats.io.writing import made, write
from boxscore.formats.registry import lookup
from boxscore.formats.voc import xml as voc_xml
from boxscore.joining.read import Reading
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth
from boxscore.tables.shapes import Attributes, Shape, ShapesMaker

ALL = Reading(shapes=True)
characters = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="/\ufffe\uffff")
names = st.text(characters, max_size=5)
texts = st.one_of(names, st.sampled_from(["a&b", "<x>", "]]>", '"', "'", " a ", "a\r\nb", "\t", "", "&amp;"]))
labels = st.text(characters, min_size=1, max_size=5).map(lambda name: " ".join(name.split())).filter(bool)
numbers = st.one_of(st.floats(-1e9, 1e9), st.integers(-5, 2000).map(float), st.sampled_from([-0.0, 5e-324, 1e150]))
FLAGS = (0, *(int(f) for f in (Flag.DIFFICULT, Flag.TRUNCATED, Flag.OCCLUDED | Flag.GENERATED)))
POSES = st.sampled_from(["Left", "Unspecified", " Left", ""])


@st.composite
def truths(draw: st.DrawFn) -> Truth:
    """Images with and without objects, under any names; objects with everything that the format keeps."""
    extensions = st.sampled_from(["", ".jpg", ".PNG", ".heic", ".tar.gz"])
    stems = draw(st.lists(names.map("n{}".format), min_size=1, max_size=4, unique=True))
    keys = sorted(draw(st.sampled_from(["", "x/", "x y/ä/"])) + stem + draw(extensions) for stem in stems)
    classes = tuple(sorted(draw(st.sets(labels, min_size=1, max_size=3))))
    n = draw(st.integers(0, 6))
    image = np.sort(np.array(draw(st.lists(st.integers(0, len(keys) - 1), min_size=n, max_size=n)), np.int32))
    label = np.array(draw(st.lists(st.integers(0, len(classes) - 1), min_size=n, max_size=n)), np.int32)
    corners = np.array(draw(st.lists(numbers, min_size=4 * n, max_size=4 * n)), np.float64).reshape(-1, 4)
    made, said = ShapesMaker(), list[tuple[int, str, str]]()
    for row in range(n):
        if draw(st.booleans()):
            made.add(row, Shape.POLYGON, draw(st.lists(numbers, min_size=3, max_size=3)) * 2)
        if draw(st.integers(0, 3)) == 0:
            place, sides = (draw(st.lists(some, min_size=2, max_size=2)) for some in (numbers, st.floats(1e-3, 1e6)))
            made.add(row, Shape.ORIENTED, [*place, *sides, draw(st.floats(-6.2, 6.2))])
        said += [(row, *pair) for pair in draw(st.lists(st.tuples(texts, texts), max_size=2))]
        said += [(row, "pose", pose) for pose in draw(st.lists(POSES, max_size=2))]
    attributes = Attributes(np.array([r for r, _, _ in said], np.int64), *(tuple(s[k] for s in said) for k in (1, 2)))
    sides = st.lists(st.sampled_from([np.nan, 500.0, 37.5]), min_size=len(keys), max_size=len(keys)).map(np.array)
    return Truth(
        Images(keys, None, draw(sides), draw(sides)), Classes(classes, classes), image, label, corners,
        (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]), np.arange(n), shapes=made.shapes(n),
        track=np.array([draw(st.integers(-1, 2**53 - 1)) for _ in range(n)], np.int64), attributes=attributes,
        area=np.full(n, np.nan), flags=np.array([draw(st.sampled_from(FLAGS)) for _ in range(n)], np.uint16),
    )  # fmt: skip


def as_files(table: Truth | Detections) -> Files:
    contents = dict(made(table, "voc-xml"))
    return Files("t", tuple(sorted(contents)), None, contents)


def rows(table: Any) -> list[Any]:
    shapes = list(table.shapes) if table.shapes is not None else [[]] * len(table)
    track = table.track.tolist() if table.track is not None else [-1] * len(table)
    return [(*row.items(), kinds, number) for row, kinds, number in zip(table, shapes, track, strict=True)]


def said(table: Any) -> Counter[tuple[int, str, str]]:
    """What is said of rows, but for the pose that says nothing."""
    if table.attributes is None:
        return Counter()
    return Counter(zip(table.attributes.row.tolist(), table.attributes.name, table.attributes.value, strict=True))


@given(truths())
def test_what_is_written_is_read(table):
    files = as_files(table)
    read, findings = voc_xml.read_truth(files, ALL)
    assert findings == []
    assert sorted(read.images.key) == sorted(table.images.key)
    place = [list(read.images.key).index(key) for key in table.images.key]
    for side in ("width", "height"):
        assert np.array_equal(getattr(read.images, side)[place], getattr(table.images, side), equal_nan=True)
    by_image = sorted(range(len(read)), key=lambda row: place.index(read.image[row]))
    assert repr([rows(read)[row] for row in by_image]) == repr(rows(table))
    back = {row: i for i, row in enumerate(by_image)}
    expected = Counter({s: n for s, n in said(table).items() if s[1:] != ("pose", "Unspecified")})
    got = Counter({(back[r], *s): n for (r, *s), n in said(read).items() if tuple(s) != ("pose", "Unspecified")})
    assert got == expected


@given(truths())
def test_the_quick_reader_finds_the_same(table):
    files = as_files(table)
    quick, slow = (voc_xml.read_truth(files, Reading(shapes=shapes))[0] for shapes in (False, True))
    assert repr(rows(quick)) == repr(rows(replace(slow, shapes=None)))
    assert (list(quick.images.key), quick.classes) == (list(slow.images.key), slow.classes)


@given(truths())
def test_nothing_is_lost_but_what_is_said(table):
    lost = dict(losses(table, lookup("voc-xml")))
    assert lost.keys() <= {"classes without boxes"}
    read, _ = voc_xml.read_truth(as_files(table), ALL)
    assert len(table.classes) - len(read.classes) == lost.get("classes without boxes", 0)


@given(truths(), st.data())
def test_detections(table, data):
    score = np.array([data.draw(numbers) for _ in range(len(table))])
    columns = (table.images, table.classes, table.image, table.label, table.corners, table.box_area, table.position)
    found, _ = voc_xml.read_detections(as_files(Detections(*columns, score=score)), Reading())
    assert sorted(repr(list(row.items())) for row in found) == sorted(
        repr(list(row.items())) for row in Detections(*columns, score=score)
    )


def test_a_file_as_written(tmp_path):
    shapes = ShapesMaker()
    shapes.add(0, Shape.QUAD, [0, 0, 2, 0, 2, 1, 0, 1.5])
    table = Truth(
        Images(["x/a & b.jpg", "c.png"], None, np.array([500, np.nan]), np.array([375.5, np.nan])),
        Classes(("<cat>",), (1,)), np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([[1, 2.5, 30, 0.1]]),
        np.ones(1), np.arange(1), shapes=shapes.shapes(1), track=np.array([7]), area=np.full(1, np.nan),
        flags=np.array([int(Flag.DIFFICULT | Flag.GENERATED)], np.uint16),
    )  # fmt: skip
    write(table, tmp_path / "t", "voc-xml")
    assert (tmp_path / "t" / "c.xml").read_text() == (
        "<annotation>\n\t<folder></folder>\n\t<filename>c.png</filename>\n</annotation>\n"
    )
    polygon = "<x1>0</x1><y1>0</y1><x2>2</x2><y2>0</y2><x3>2</x3><y3>1</y3><x4>0</x4><y4>1.5</y4>"
    assert (tmp_path / "t" / "x" / "a & b.xml").read_text().split("\n") == [
        "<annotation>",
        "\t<folder>x</folder>",
        "\t<filename>a &amp; b.jpg</filename>",
        "\t<size>",
        "\t\t<width>500</width>",
        "\t\t<height>375.5</height>",
        "\t\t<depth>3</depth>",
        "\t</size>",
        "\t<object>",
        "\t\t<name>&lt;cat&gt;</name>",
        "\t\t<pose>Unspecified</pose>",
        "\t\t<difficult>1</difficult>",
        "\t\t<truncated>0</truncated>",
        "\t\t<generated>1</generated>",
        "\t\t<trackid>7</trackid>",
        "\t\t<bndbox><xmin>1</xmin><ymin>2.5</ymin><xmax>30</xmax><ymax>0.1</ymax></bndbox>",
        f"\t\t<polygon>{polygon}</polygon>",
        "\t</object>",
        "</annotation>",
        "",
    ]
