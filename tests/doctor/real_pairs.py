"""How far the doctor is to be trusted: mistakes put into the outputs of real detectors and into their ground truth.

`python tests/doctor/real_pairs.py [half] [words]` prints, for one half of the pairs (`develop`, `hold`) or all of them,
how often a mistake is named and repaired, and what must never happen: a wrong repair, or the all-clear for a score that
nothing explains. The pairs are read from the folder that BOXSCORE_DATA names.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from boxscore.checkup import examine
from boxscore.checkup.images import joined
from boxscore.diagnostics.diagnoses import Checkup, Tables
from boxscore.errors import InputError
from boxscore.evaluation.run import evaluate_tables
from boxscore.joining.align import align
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.protocols import get, variant
from boxscore.tables.model import Classes, Detections, Images, select

# What was looked at while the rules were made, and what was held back to measure them.
HALVES = {
    "develop": ("cotton", "medwaste", "tooth", "breast", "mask"),
    "hold": ("retail", "weed", "balloon", "bloodtask", "manhole_retina"),
    "further": ("yolact", "yolov2", "voc", "elevator", "tumour", "fruit", "val2014"),
}
_COCO = "coco_val2017_boxes/derived/instances_val2017_boxes.json"
_VOC = "voc2007_test/VOC2007_test_Annotations_xml.tar.gz"
_LOGGED = "detectron2_logged_ap"
FURTHER = {
    "yolact": (_COCO, "coco_val2017_boxes/yolact_web_dets/yolact_im700.json"),
    "yolov2": (_COCO, "coco_val2017_boxes/marinamsm_YOLO/yolo_608_instances_val2017_results.json"),
    "voc": (_VOC, "voc2007_test/yolov2_htt1084/results_000150.tar.gz"),
    "elevator": (f"{_LOGGED}/Elevator_masks/output_mixed_test_coco_format.json",
                 f"{_LOGGED}/Elevator_masks/output_coco_instances_results.json"),
    "tumour": (f"{_LOGGED}/BT_MaskRCNN/valid__annotations.coco.json",
               f"{_LOGGED}/BT_MaskRCNN/coco_eval_coco_instances_results.json"),
    "fruit": (f"{_LOGGED}/Fruit/output_inference_fruit_val_coco_format.json",
              f"{_LOGGED}/Fruit/output_inference_coco_instances_results.json"),
    "val2014": ("cocoapi_val2014_100/instances_val2014_100.json",
                "cocoapi_val2014_100/instances_val2014_fakebbox100_results.json"),
}  # fmt: skip
MOST = 300  # images of a pair
FIFTY = variant(get("coco-fixed"), iou="0.5")
FLOOR = 0.05  # AP50 below which the all-clear is never given
HARM = 0.05  # by so much AP50 must fall for a mistake to be harmful
STRUCTURE = ("BOX", "CLS", "IMG", "SCR107")  # codes whose repair claims to raise AP50

Random = np.random.Generator
Change = Callable[[Tables, Random], Tables]


class Mistake(NamedTuple):
    """A mistake: the codes that name it, the side it is put into ("" where nothing can undo it), how it gets in."""

    name: str
    codes: tuple[str, ...]
    side: str
    put: Change
    classical: bool = True  # whether it is one of the whole file that everybody knows
    base: Change | None = None  # what nothing undoes, beneath it


def _forms() -> dict[str, tuple[tuple[str, ...], Callable[[np.ndarray, np.ndarray], np.ndarray]]]:
    def sides(c: np.ndarray) -> np.ndarray:
        return np.tile(c[:, 2:] - c[:, :2], 2)

    def letterbox(c: np.ndarray, s: np.ndarray, side: float = 640.0) -> np.ndarray:
        ratio = side / s.max(axis=1, keepdims=True)
        return c * ratio + np.tile((side - s * ratio) / 2, 2)

    return {
        "axes swapped": (("BOX101",), lambda c, s: c[:, [1, 0, 3, 2]]),
        "xyxy as xywh": (("BOX102",), lambda c, s: np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1)),
        "xywh as xyxy": (("BOX103",), lambda c, s: np.concatenate([c[:, :2], c[:, 2:] - c[:, :2]], 1)),
        "centre as corner": (("BOX104",), lambda c, s: c + sides(c) / 2),
        "corner as centre": (("BOX105",), lambda c, s: c - sides(c) / 2),
        "normalized": (("BOX106",), lambda c, s: c / np.tile(s, 2)),
        "percent": (("BOX107",), lambda c, s: 100 * c / np.tile(s, 2)),
        "letterbox 640": (("BOX108", "BOX109"), letterbox),
        "letterbox 416": (("BOX108", "BOX109"), lambda c, s: letterbox(c, s, 416.0)),
        "resized 512": (("BOX109", "BOX108"), lambda c, s: c * np.tile(512.0 / s, 2)),
        "half size": (("BOX109", "BOX108"), lambda c, s: c / 2),
        "y flipped": (("BOX111",), lambda c, s: np.stack([c[:, 0], s[:, 1] - c[:, 3], c[:, 2], s[:, 1] - c[:, 1]], 1)),
        "x flipped": (("BOX114",), lambda c, s: np.stack([s[:, 0] - c[:, 2], c[:, 1], s[:, 0] - c[:, 0], c[:, 3]], 1)),
        "swapped corners": (
            ("BOX101", "BOX102"),
            lambda c, s: np.concatenate([c[:, [1, 0]], c[:, [1, 0]] + c[:, [3, 2]]], 1),
        ),
    }


def _boxes(side: str, change: Callable[[np.ndarray, np.ndarray], np.ndarray], half: bool = False) -> Change:
    def put(tables: Tables, random: Random) -> Tables:
        table = tables.truth if side == "truth" else tables.detections
        images = tables.truth.images
        rows = table.image >= len(images) // 2 if half else np.ones(len(table), np.bool_)
        sizes = np.stack([images.width, images.height], axis=1)[table.image]
        corners = np.where(rows[:, None], change(table.corners, sizes), table.corners)
        area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
        made = replace(table, corners=corners, box_area=area)
        return Tables(made, tables.detections) if side == "truth" else Tables(tables.truth, made)

    return put


def _without_area(put: Change) -> Change:
    def then(tables: Tables, random: Random) -> Tables:
        made = put(tables, random)
        return Tables(replace(made.truth, area=np.full(len(made.truth), np.nan)), made.detections)

    return then


def _detections(change: Callable[[Detections, Tables, Random], Detections]) -> Change:
    return lambda tables, random: Tables(tables.truth, change(tables.detections, tables, random))


def _class_ids(found: Detections, tables: Tables, random: Random) -> Detections:
    ids = tuple(int(key) + 1 for key in tables.truth.classes.id)
    return replace(found, classes=Classes(tuple(map(str, ids)), ids))


def _permuted(found: Detections, tables: Tables, random: Random) -> Detections:
    order = np.roll(np.arange(len(found.classes)), 1)
    return replace(found, label=order[found.label].astype(np.int32))


def _random_classes(found: Detections, tables: Tables, random: Random) -> Detections:
    return replace(found, label=random.integers(0, len(found.classes), len(found)).astype(np.int32))


def _image_ids(by: int) -> Callable[[Detections, Tables, Random], Detections]:
    def change(found: Detections, tables: Tables, random: Random) -> Detections:
        ids = tables.truth.images.id + by
        return replace(found, images=Images([str(i) for i in ids], ids))

    return change


def _shuffled(found: Detections, tables: Tables, random: Random) -> Detections:
    return replace(found, image=random.permutation(len(tables.truth.images))[found.image].astype(np.int32))


def _garbage(found: Detections, tables: Tables, random: Random) -> Detections:
    """Boxes at random, of random sizes."""
    images = tables.truth.images
    size = np.stack([images.width, images.height], axis=1)[found.image]
    side = size * random.uniform(0.02, 0.6, (len(found), 2))
    corner = random.uniform(0, 1, (len(found), 2)) * (size - side)
    return replace(
        found, corners=np.concatenate([corner, corner + side], 1), box_area=side[:, 0] * side[:, 1],
        score=random.random(len(found)),
    )  # fmt: skip


def _rearranged(found: Detections, tables: Tables, random: Random) -> Detections:
    """The boxes of the detector, each on an image at random."""
    order = random.permutation(len(found))
    return replace(found, corners=found.corners[order], box_area=found.box_area[order])


def _crops(found: Detections, tables: Tables, random: Random) -> Detections:
    """Boxes of crops: each image was cut somewhere else, and nobody knows where."""
    images = tables.truth.images
    offset = random.uniform(0.1, 0.6, (len(images), 2)) * np.stack([images.width, images.height], axis=1)
    return replace(found, corners=found.corners - np.tile(offset[found.image], 2))


def _shuffled_columns(found: Detections, tables: Tables, random: Random) -> Detections:
    """Every box with its four numbers in another order."""
    order = random.permuted(np.tile(np.arange(4), (len(found), 1)), axis=1)
    corners = np.take_along_axis(found.corners, order, axis=1)
    a, b = corners[:, :2], corners[:, 2:]
    corners = np.concatenate([np.minimum(a, b), np.maximum(a, b)], 1)
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    return replace(found, corners=corners, box_area=area)


def _other_set(name: str) -> Callable[[Detections, Tables, Random], Detections]:
    """The detections of another data set, on images with the same ids."""

    def change(found: Detections, tables: Tables, random: Random) -> Detections:
        other = pair(name).detections
        images = tables.truth.images
        keep = other.image < len(images)
        other = select(other, keep)
        label = other.label % len(tables.truth.classes)
        return replace(other, images=images, classes=tables.truth.classes, label=label.astype(np.int32))

    return change


def _both(*changes: Change) -> Change:
    def put(tables: Tables, random: Random) -> Tables:
        for change in changes:
            tables = change(tables, random)
        return tables

    return put


def mistakes() -> Iterator[Mistake]:
    """All mistakes: those that can be undone, in either side, and those that nothing undoes."""
    forms = _forms()
    for name, (codes, change) in forms.items():
        yield Mistake(name, codes, "detections", _boxes("detections", change))
        yield Mistake(f"{name}, half", codes, "detections", _boxes("detections", change, True), False)
    for name, (codes, change) in forms.items():
        yield Mistake(f"truth: {name}", codes, "truth", _boxes("truth", change), False)
        yield Mistake(f"truth: {name}, no area", codes, "truth", _without_area(_boxes("truth", change)), False)
    shifted, corners = _detections(_class_ids), _boxes("detections", forms["xyxy as xywh"][1])
    yield Mistake("class ids + 1", ("CLS101", "CLS103"), "detections", shifted)
    yield Mistake("classes permuted", ("CLS103", "CLS101"), "detections", _detections(_permuted))
    for by in (1, -1, 1000):
        yield Mistake(f"image ids {by:+}", ("IMG101", "IMG103"), "detections", _detections(_image_ids(by)))
    yield Mistake("scores reversed", ("SCR107",), "detections",
                  _detections(lambda d, t, r: replace(d, score=1 - d.score)))  # fmt: skip
    yield Mistake("xyxy and class ids", ("BOX102",), "detections", _both(corners, shifted))
    yield Mistake("letterbox and class ids", ("BOX108", "BOX109", "CLS101"), "detections",
                  _both(_boxes("detections", forms["letterbox 640"][1]), shifted))  # fmt: skip
    yield Mistake("image ids and xyxy", ("IMG101",), "detections", _both(corners, _detections(_image_ids(1000))))
    yield Mistake("normalized and class ids", ("BOX106",), "detections",
                  _both(_boxes("detections", forms["normalized"][1]), shifted))  # fmt: skip
    for name, change in {
        "images shuffled": _shuffled, "garbage": _garbage, "boxes rearranged": _rearranged, "crops": _crops,
        "columns at random": _shuffled_columns, "classes at random": _random_classes,
        "another set (cotton)": _other_set("cotton"), "another set (tooth)": _other_set("tooth"),
        "another set (retail)": _other_set("retail"), "another set (mask)": _other_set("mask"),
    }.items():  # fmt: skip
        yield Mistake(name, (), "", _detections(change), False)
        if not name.startswith("another"):
            base = _detections(change)
            yield Mistake(f"{name}, as corners", ("BOX102",), "detections", corners, False, base)


@cache
def pair(name: str) -> Tables:
    """A real detector's output with its ground truth; of large sets the first images that have detections."""
    folder = Path(os.environ["BOXSCORE_DATA"]) / "data"
    paths = FURTHER.get(name, (f"real_pairs/{name}_gt.json.gz", f"real_pairs/{name}_dt.json.gz"))
    truth, _ = read_truth(str(folder / paths[0]), Reading())
    found, _ = read_detections(str(folder / paths[1]), Reading(), truth)
    aligned = align(truth, found)
    truth, found = aligned.truth, aligned.detections
    if name not in FURTHER:
        return Tables(truth, found)
    some = np.unique(found.image[found.image < aligned.known_images])[:MOST]
    place = np.full(len(truth.images) + 1, -1, np.int32)
    place[some] = np.arange(len(some))
    old = truth.images
    images = Images([old.key[i] for i in some.tolist()], np.arange(1, len(some) + 1), old.width[some], old.height[some])
    truth, found = (select(t, place[t.image] >= 0) for t in (truth, found))
    truth, found = (replace(t, images=images, image=place[t.image]) for t in (truth, found))
    ids = tuple(range(1, len(truth.classes) + 1))
    classes = Classes(truth.classes.name, ids)
    return Tables(replace(truth, classes=classes), replace(found, classes=classes))


def ap50(tables: Tables) -> float:
    """AP50 of all images, 0 where nothing joins."""
    try:
        value = float(evaluate_tables(align(tables.truth, tables.detections), FIFTY)["AP"])
    except InputError:
        return 0.0
    return 0.0 if np.isnan(value) else value


class Outcome(NamedTuple):
    """What the doctor made of a mistake in a pair."""

    pair: str
    mistake: Mistake
    clean: float  # AP50 without the mistake
    wrong: float  # with it
    fixed: float  # of the corrected copies
    codes: tuple[str, ...]  # of errors and warnings
    repaired: tuple[str, ...]  # the sides that a corrected copy would change for the sake of AP50
    named: bool
    silent: bool  # whether the all-clear was given

    @property
    def harmful(self) -> bool:
        return self.wrong < self.clean - HARM

    @property
    def bad(self) -> str:
        """What must not happen, if it did."""
        side = self.mistake.side
        if self.repaired and self.fixed < self.wrong + 0.005:
            return "no gain"
        if self.repaired and self.harmful and not side:
            return "wrong repair"
        if self.repaired and side and side not in self.repaired and not self._symmetric:
            return "other side"
        if "truth" in self.repaired and side != "truth":
            return "truth rewritten"
        if self.repaired and self.fixed < 0.7 * self.clean and self.harmful:
            return "poor repair"
        if self.silent and self.wrong < FLOOR:
            return "all-clear"
        return ""

    @property
    def _symmetric(self) -> bool:
        """Whether the other side read so gives the same score: then nothing in the data tells which is wrong."""
        return self.repaired == ("detections",) and self.fixed > self.clean - 0.02


def outcome(name: str, mistake: Mistake) -> Outcome:
    """A mistake put into a pair, and what the doctor says."""
    tables = pair(name) if mistake.base is None else mistake.base(pair(name), np.random.default_rng(len(name)))
    wrong = mistake.put(tables, np.random.default_rng(len(name)))
    made: Checkup = examine(wrong)
    grave = made.at_least("warning")
    mended = [d for d in made if d.fix is not None and d.mends and d.code.startswith(STRUCTURE)]
    options = [d for d in grave if d.option and d.code.startswith("BOX")]
    codes = tuple(d.code for d in grave)
    assert made.fixed is not None
    return Outcome(
        name, mistake, ap50(tables), ap50(wrong), ap50(made.fixed), codes,
        tuple(sorted({d.side for d in (*mended, *options)})), any(c in mistake.codes for c in codes), not grave,
    )  # fmt: skip


def run(names: tuple[str, ...], words: list[str]) -> list[Outcome]:
    """All mistakes in some pairs."""
    chosen = [m for m in mistakes() if not words or any(word in m.name for word in words)]
    done = []
    for name in names:
        for mistake in chosen:
            if mistake.name.endswith(f"({name})") or (len(pair(name).truth.classes) < 2 and "class" in mistake.name):
                continue
            if joined(pair(name)) is not None:
                done.append(outcome(name, mistake))
    return done


def main(words: list[str]) -> None:
    """Prints what was counted."""
    halves = [w for w in words if w in HALVES] or list(HALVES)
    verbose = "-v" in words
    words = [w for w in words if w not in HALVES and w != "-v"]
    done = run(tuple(name for half in halves for name in HALVES[half]), words)
    for one in done:
        if one.bad or (verbose and one.harmful and one.mistake.codes and not one.named):
            print(f"{one.pair:15} {one.mistake.name:28} {one.bad or 'not named':16} AP50 {one.clean:.3f} -> "
                  f"{one.wrong:.3f} -> {one.fixed:.3f}  {','.join(one.codes)}  changes {one.repaired}")  # fmt: skip
    harmful = [one for one in done if one.harmful]
    known = [one for one in harmful if one.mistake.codes]
    classical = [one for one in known if one.mistake.classical]
    count = Counter(one.bad for one in done if one.bad)
    print(f"{', '.join(halves)}: {len(done)} cases, {len(harmful)} harmful")
    for title, some in (("with a code", known), ("classical, whole file", classical)):
        right = sum(one.named for one in some)
        back = sum(one.fixed > one.clean - 0.02 for one in some)
        print(f"  {title}: {right} of {len(some)} named ({right / max(len(some), 1):.1%}), {back} repaired")
    print(f"  must be 0: {dict(count)}")


if __name__ == "__main__":
    main(sys.argv[1:])
