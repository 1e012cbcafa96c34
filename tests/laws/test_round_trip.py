"""What is evaluated after a conversion is what was evaluated before, bit for bit, or the loss is listed."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.holding import HELD, losses
from boxscore.formats.io.same_images import known_names
from boxscore.formats.io.writing import Writing, write
from boxscore.formats.registry import formats, lookup
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.joining.read_back import changes
from boxscore.joining.units import in_one_unit
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth
from boxscore.tables.shapes import Shape, ShapesMaker
from effort import examples

PROTOCOLS = ["coco", "coco-fixed", "voc2007", "voc2012", "tf-voc", "lvis"]
# Losses that no protocol above sees; each of the others may change numbers.
HARMLESS = {
    HELD[name].text
    for name in ("extensions", "folders", "sizes", "image_ids", "class_ids", "object_ids", "polygon", "pieces")
} | {"polygons: only the box is written"}  # fmt: skip
KEYS = ["a.jpg", "s/a.jpg", "two words.v2.png", "ü/猫.jpg", "x.y/b.jpg", ".hidden/c.jpg", "d.jpg"]
PLAIN = ["a.jpg", "b_c.v2.png", "ü.jpg", "x/d.jpg"]
ODD = [0.1, 0.30000000000000004, 1 / 3, 1e-9, 123.456789012345678, 2**-40, 10.0, 64.0, 33.3]
WRITABLE = [
    *((form.name, "truth") for form in formats() if form.write_truth),
    *((form.name, "detections") for form in formats() if form.write_detections),
]
ROUNDED = (
    "yolo", "tfrecord", "label-studio",  # normalized instead of pixels, of centres, with 32 bits or in percent
    "dota",  # boxes around corners never end before they begin, as some here do; `formats/test_dota.py` has the law
)  # fmt: skip
IN_VIDEO = ("stt", "cvat-video", "youtube-vis", "mot")


@st.composite
def scenes(draw: st.DrawFn, plain: bool = False) -> tuple[Truth, Detections]:
    """Both sides over the same images, made to be hard to write; of plain ones only the boxes are.

    There every format keeps all the rest: every class and image has an object, and both come sorted.
    """
    keys = draw(st.lists(st.sampled_from(PLAIN if plain else KEYS), min_size=1, max_size=4, unique=True).map(
        lambda some: sorted(some) if plain else some
    ))  # fmt: skip
    numbers = None if plain else draw(st.one_of(st.none(), st.permutations(range(1, len(keys) + 1))))
    names = ("cat", "dog") if plain else draw(st.sampled_from([("cat", "dog"), ("zebra", "an ant"), ("b",)]))
    sides = np.full(len(keys), 640.0), np.full(len(keys), 480.0)
    images = Images(keys, None if numbers is None else np.array(numbers, np.int64), *sides)
    classes = Classes(names, draw(st.sampled_from([names, tuple(range(1, len(names) + 1))])))
    place, side = st.sampled_from([-3.7, 0.0, *ODD]), st.sampled_from([0.0, *ODD])

    def rows(n: int) -> dict[str, Any]:
        box = st.one_of(st.tuples(place, place, side, side), st.tuples(*[st.floats(0, 300)] * 4))
        boxes = np.array(draw(st.lists(box, min_size=n, max_size=n)), np.float64).reshape(-1, 4)
        corners, area = to_corners(boxes, draw(st.sampled_from(["xywh", "xyxy"])))
        return {
            "images": images, "classes": classes,
            "image": np.array(draw(st.lists(st.integers(0, len(keys) - 1), min_size=n, max_size=n)), np.int32),
            "label": np.array(draw(st.lists(st.integers(0, len(names) - 1), min_size=n, max_size=n)), np.int32),
            "corners": corners, "box_area": area, "position": np.arange(n),
        }  # fmt: skip

    n = len(keys) * len(names) if plain else draw(st.integers(1, 6))
    ours = rows(n)
    if plain:
        ours["image"], ours["label"] = (np.repeat(np.arange(len(keys)), 2), np.tile([0, 1], len(keys)))
        ours["image"], ours["label"] = ours["image"].astype(np.int32), ours["label"].astype(np.int32)
    parts = ShapesMaker()
    for row in range(n):
        x0, y0, x1, y1 = ours["corners"][row].tolist()
        match 0 if plain else draw(st.integers(0, 3)):
            case 1:  # gives the box
                parts.add(row, Shape.POLYGON, [x0, y0, x1, y0, x1, y1])
            case 2:  # does not
                parts.add(row, Shape.POLYGON, [x0, y0, x1 + 5, y0, x1, y1 + 0.25])
    area = np.where(np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))), ours["box_area"] * 0.7, np.nan)
    flag = st.sampled_from([0, 0, 0, Flag.CROWD, Flag.DIFFICULT, Flag.IGNORE])
    flags = np.array(draw(st.lists(flag, min_size=n, max_size=n)), np.uint16)
    if plain:
        area, flags = np.full(n, np.nan), np.zeros(n, np.uint16)
    truth = Truth(**ours, area=area, flags=flags, shapes=parts.shapes(n))
    found = rows(m := draw(st.integers(2 if plain else 1, 8)))  # one box alone does not tell that pixels were whole
    copied = min(n, m)  # some that find something
    for name in ("image", "label"):
        found[name][:copied] = truth.__dict__[name][:copied]
    found["corners"][:copied], found["box_area"][:copied] = truth.corners[:copied], truth.box_area[:copied]
    score = st.one_of(st.sampled_from([0.5, 0.25]), st.floats(0, 1))  # equal ones, and ones of 17 digits
    return truth, Detections(**found, score=np.array(draw(st.lists(score, min_size=m, max_size=m)), np.float64))


def numbers(truth: Truth, detections: Detections) -> dict[str, Any]:
    """All numbers of all protocols, n/a as its reason."""
    made = {}
    for result in bs.evaluate_many(truth, detections, PROTOCOLS):
        values = {name: float(value) for name, value in result.metrics.items()}
        made[result.protocol.name] = {name: None if np.isnan(value) else value for name, value in values.items()}
    return made


def back(table: Any, form: str, root: str, other: Any) -> Any:
    """A table as somebody finds it who reads the files, with the other side at hand."""
    box = {"box": "xywh", "coords": "absolute"} if form == "text" else {}
    if isinstance(table, Truth):
        read, _ = read_truth(Path(root, "out"), Reading(truth_format=form, **box))
        read = replace(read, images=replace(read.images, key=known_names(read.images.key, table.images.key)))
        sized = replace(other, images=table.images)
        return in_one_unit(read, sized, Reading())[0] if read.relative else read
    confidence = "last" if form == "yolo" else None
    return read_detections(Path(root, "out"), Reading(detections_format=form, confidence=confidence, **box), other)[0]


@pytest.mark.parametrize(("form", "side"), [pair for pair in WRITABLE if pair[0] not in IN_VIDEO])
@settings(max_examples=examples(20), phases=(Phase.explicit, Phase.generate))
@given(scene=st.booleans().flatmap(scenes))
def test_the_same_numbers_or_a_listed_loss(form: str, side: str, scene: tuple[Truth, Detections]) -> None:
    truth, found = scene
    table: Any = truth if side == "truth" else found
    with tempfile.TemporaryDirectory() as root:
        try:
            write(table, Path(root, "out"), form)
        except InputError:
            return  # it says what it cannot hold
        lost = [text for text, _ in losses(table, lookup(form), measured=True)]
        lost += [text for text, _ in changes(table, Path(root, "out"), form, Writing())]
        if {*lost} - HARMLESS:
            return
        again = back(table, form, root, found if side == "truth" else truth)
    before = numbers(truth, found)
    assert before == (numbers(again, found) if side == "truth" else numbers(truth, again))


def related(table: Any) -> Any:
    """Each box in a relation with itself, so that the box around both is the same; it ends after it begins."""
    pairs = np.sort(table.corners.reshape(-1, 2, 2), axis=1).reshape(-1, 4)
    corners, area = to_corners(pairs, "xyxy")
    ends = {"end_boxes": np.hstack([corners] * 2), "end_labels": np.stack([table.label] * 2, axis=1)}
    return replace(table, corners=corners, box_area=area, **ends, end_classes=table.classes)


@pytest.mark.parametrize(("form", "side"), [pair for pair in WRITABLE if pair[0] not in (*IN_VIDEO, *ROUNDED)])
@settings(max_examples=10, phases=(Phase.explicit, Phase.generate))
@given(scene=scenes(plain=True))
def test_whole_pixels_lose_nothing(
    tmp_path_factory: Any, form: str, side: str, scene: tuple[Truth, Detections]
) -> None:
    """So that the law above is not kept by listing everything."""
    table: Any = scene[0] if side == "truth" else scene[1]
    corners, area = to_corners(np.round(np.abs(table.corners)), "xyxy")
    order = np.lexsort((np.arange(len(table)), table.image))  # as files by image have them
    table = replace(bs.select(table, order), position=np.arange(len(table)))
    table = replace(table, corners=corners[order], box_area=area[order])
    if "relations" in lookup(form).keeps:
        table = related(table)
    path = tmp_path_factory.mktemp("made") / "out"
    write(table, path, form)
    lost = [text for text, _ in changes(table, path, form, Writing())]
    if form == "voc-results":  # files by class
        lost = [text for text in lost if "in their order" not in text]
    assert lost == []
