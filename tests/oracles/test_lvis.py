"""LVIS boxes: the stored cases, and the package `lvis` itself over scenes; difference 0."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import Flag, Result, evaluate
from boxscore.tables.model import Detections, Mark, Truth
from boxscore.testing import Detection, Object, Scene, scenes
from digests import digest
from effort import examples
from lvis_official import official, run
from odd_records import SPELLINGS, repeats, spelled
from small_tables import image_labels

SEEDS = (11, 12, 13)
ArraysOf = Callable[[Result], dict[str, np.ndarray]]


@dataclass(frozen=True)
class Federated:
    """A scene of which only some classes are verified in each image; by ids."""

    scene: Scene
    absent: tuple[tuple[int, int], ...]  # images and classes that are not there
    partly: tuple[tuple[int, int], ...]  # that are there, not every object with a box
    frequency: dict[int, str]

    def truth(self) -> dict[str, Any]:
        """The truth as LVIS writes it."""
        made = self.scene.truth()
        for image in made["images"]:
            for key, some in (("neg_category_ids", self.absent), ("not_exhaustive_category_ids", self.partly)):
                image[key] = [label for of, label in some if of == image["id"]]
        for category in made["categories"]:
            category["frequency"] = self.frequency[category["id"]]
        return made

    def tables(self) -> tuple[Truth, Detections]:
        truth, detections = self.scene.tables()
        assert truth.images.id is not None
        place = {key: i for i, key in enumerate(truth.images.id.tolist())}
        number = {key: k for k, key in enumerate(truth.classes.id)}
        marks = ((Mark.NEGATIVE, self.absent), (Mark.NOT_EXHAUSTIVE, self.partly))
        said = [(place[image], number[label], mark) for mark, some in marks for image, label in some]
        classes = replace(truth.classes, frequency=tuple(self.frequency[int(key)] for key in truth.classes.id))
        truth = replace(truth, classes=classes, labels=image_labels(said))
        return truth, replace(detections, classes=classes)


def stored(given: dict[str, Any]) -> Federated:
    """The input of a stored case."""
    truth = given["ground_truth"]
    scene = Scene(
        tuple(i["id"] for i in truth["images"]),
        tuple((c["id"], c["name"]) for c in truth["categories"]),
        tuple(
            Object(
                a["image_id"], a["category_id"], tuple(a["bbox"]), a["id"], a["area"],
                Flag.IGNORE if a.get("ignore") else Flag(0),
            )
            for a in truth["annotations"]
        ),
        tuple(Detection(r["image_id"], r["category_id"], tuple(r["bbox"]), r["score"]) for r in given["results"]),
    )  # fmt: skip
    absent, partly = (
        tuple((i["id"], label) for i in truth["images"] for label in i[key])
        for key in ("neg_category_ids", "not_exhaustive_category_ids")
    )
    return Federated(scene, absent, partly, {c["id"]: c["frequency"] for c in truth["categories"]})


@pytest.mark.parametrize("seed", SEEDS)
def test_stored_cases(data: Path, seed: int, arrays_of: ArraysOf) -> None:
    case = json.loads((data / "reference" / "cases" / "lvis" / f"lvis_{seed}_bbox.json").read_text())
    result, expected = evaluate(*stored(case["input"]).tables(), protocol="lvis"), case["expected"]
    assert official(result.metrics) == expected["results"]
    for row in result.per_class:
        one = {"AP": row.metrics["AP"], "AP50": result[f"AP50[class={row.name}]"]}
        assert official(one) == expected["per_class"][str(row.id)]
    assert len(result.per_class) == len(expected["per_class"])
    arrays = {name: values[..., 0] for name, values in arrays_of(result).items()}
    np.testing.assert_array_equal(arrays["recall"], expected["recall"])
    made, of_case = digest(arrays["precision"]), expected["precision_digest"]
    for key in ("sum", "sum_sq", "weighted_sum"):
        # The sums of the file were made by another order of addition; the hash below compares entry by entry.
        assert made.pop(key) == pytest.approx(of_case.pop(key), rel=1e-12)
    assert made == of_case


@pytest.mark.parametrize("seed", SEEDS)
def test_stored_cases_from_files(data: Path, seed: int, tmp_path: Path) -> None:
    case = json.loads((data / "reference" / "cases" / "lvis" / f"lvis_{seed}_bbox.json").read_text())
    truth, results = tmp_path / "truth.json", tmp_path / "results.json"
    truth.write_text(json.dumps(case["input"]["ground_truth"]))
    results.write_text(json.dumps(case["input"]["results"]))
    result = evaluate(truth, results, protocol="lvis")
    assert result.truth.format == "lvis"
    assert official(result.metrics) == case["expected"]["results"]


@st.composite
def federated(draw: st.DrawFn, **size: Any) -> Federated:
    """Scenes with random lists per image; in some an image has more than 300 detections."""
    scene = draw(scenes(min_detections=1, **size))
    # Each id once; what lvis does with repeated ones is among the quirks below.
    objects = tuple(replace(o, id=i + min(scene.objects, key=lambda o: o.id).id) for i, o in enumerate(scene.objects))
    cells = st.tuples(st.sampled_from(scene.images), st.sampled_from([key for key, _ in scene.classes]))
    absent, partly = (draw(st.lists(cells, max_size=8, unique=True)) for _ in range(2))
    found = scene.detections
    if draw(st.integers(0, 5)) == 0:
        some = draw(st.lists(st.sampled_from(found), min_size=3, max_size=6))
        image = draw(st.sampled_from(scene.images))
        found += tuple(
            replace(some[i % len(some)], image=image, score=some[i % len(some)].score + i % 7 / 8) for i in range(310)
        )
    frequency = {key: draw(st.sampled_from("rcf")) for key, _ in scene.classes}
    return Federated(replace(scene, objects=objects, detections=found), tuple(absent), tuple(partly), frequency)


@pytest.mark.parametrize("size", [(4, 3, 8, 10), (1, 1, 6, 12), (2, 4, 12, 20)])
@settings(max_examples=examples(150))
@given(data=st.data())
def test_scenes(lvis: Any, arrays_of: ArraysOf, size: tuple[int, ...], data: st.DataObject) -> None:
    images, classes, objects, detections = size
    scene = data.draw(federated(images=images, classes=classes, objects=objects, detections=detections, crowded=False))
    expected = run(lvis, scene.truth(), scene.scene.results())
    result = evaluate(*scene.tables(), protocol="lvis", threads=1)
    assert official(result.metrics) == dict(expected.results)
    arrays = arrays_of(result)
    for name in ("precision", "recall"):
        np.testing.assert_array_equal(arrays[name][..., 0], expected.eval[name], err_msg=name)


@settings(max_examples=examples(200))
@given(data=st.data())
def test_text_ids_and_repeated_records(
    lvis: Any, arrays_of: ArraysOf, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Of image and category records with one id the last one counts, lists and frequency included."""
    scene = data.draw(federated(images=5, crowded=False))
    spellings = (data.draw(st.sampled_from(sorted(SPELLINGS))) for _ in range(2))
    truth, results = spelled(scene.truth(), scene.scene.results(), *spellings)
    for section in ("images", "categories"):
        truth[section] = data.draw(repeats(truth[section]))
    expected = run(lvis, copy.deepcopy(truth), copy.deepcopy(results))
    folder = tmp_path_factory.mktemp("records")
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "r.json").write_text(json.dumps(results))
    result = evaluate(folder / "t.json", folder / "r.json", protocol="lvis", threads=1)
    assert official(result.metrics) == dict(expected.results)
    for name in ("precision", "recall"):
        np.testing.assert_array_equal(arrays_of(result)[name][..., 0], expected.eval[name], err_msg=name)


@settings(max_examples=examples(100))
@given(scene=federated(strangers=True, crowded=False))
def test_images_and_classes_that_are_not_listed(lvis: Any, scene: Federated) -> None:
    expected = run(lvis, scene.truth(), scene.scene.results())
    assert official(evaluate(*scene.tables(), protocol="lvis", threads=1).metrics) == dict(expected.results)


BOX, FAR = (0.0, 0.0, 20.0, 20.0), (100.0, 0.0, 20.0, 20.0)
TURNED = (50.0, 50.0, -5.0, -5.0)  # its area is above 0
QUIRKS: dict[str, tuple[tuple[Object, ...], tuple[Detection, ...]]] = {
    "a degenerate box": ((Object(1, 1, BOX, 1, 0.0), Object(1, 1, FAR, 2, 400.0)), (Detection(1, 1, FAR, 0.9),)),
    "a detection with two negative sides": (
        (Object(1, 1, BOX, 1, 400.0),),
        (Detection(1, 1, TURNED, 0.9), Detection(1, 1, BOX, 0.8)),
    ),
    "an object with two negative sides": (
        (Object(1, 1, BOX, 1, 400.0), Object(1, 1, TURNED, 2, 25.0)),
        (Detection(1, 1, TURNED, 0.9), Detection(1, 1, BOX, 0.8)),
    ),
    "300 detections of a class that is not listed": (
        (Object(1, 1, BOX, 1, 400.0),),
        (*(Detection(1, 77, BOX, 0.9) for _ in range(300)), Detection(1, 1, BOX, 0.8)),
    ),
    "two objects with one id": (
        (Object(1, 1, BOX, 5, 400.0), Object(1, 1, FAR, 5, 400.0)),
        (Detection(1, 1, FAR, 0.9),),
    ),
    "two objects with one id, the first without area": (
        (Object(1, 1, BOX, 5, 0.0), Object(1, 1, FAR, 5, 400.0)),
        (Detection(1, 1, FAR, 0.9),),
    ),
    "two objects with one id, the last without area": (
        (Object(1, 1, BOX, 5, 400.0), Object(1, 1, FAR, 5, 0.0)),
        (Detection(1, 1, FAR, 0.9),),
    ),
}


@pytest.mark.parametrize("name", QUIRKS)
def test_quirk(lvis: Any, name: str) -> None:
    scene = Federated(Scene((1, 2), ((1, "a"), (2, "b")), *QUIRKS[name]), (), (), {1: "r", 2: "f"})
    expected = run(lvis, scene.truth(), scene.scene.results())
    assert official(evaluate(*scene.tables(), protocol="lvis").metrics) == dict(expected.results)
