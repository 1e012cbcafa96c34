"""The quirks of pycocotools one by one, each in the smallest scene that shows it; its answer is taken live."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from boxscore import Flag, evaluate, protocols
from boxscore.testing import Detection, Object, Scene

IMAGES, CLASSES = (1, 2), ((1, "a"), (2, "b"))
UNIT = (0.0, 0.0, 100.0, 20.0)
LEFT, RIGHT, MIDDLE = (0.0, 0.0, 100.0, 20.0), (10.0, 0.0, 100.0, 20.0), (5.0, 0.0, 100.0, 20.0)
FAR = (300.0, 300.0, 20.0, 20.0)


def truth(*boxes: Any, first_id: int = 1, area: float = 2000.0, flags: Flag = Flag(0)) -> tuple[Object, ...]:  # noqa: B008
    return tuple(Object(1, 1, box, first_id + i, area, flags) for i, box in enumerate(boxes))


def found(*boxes: Any, image: int = 1) -> tuple[Detection, ...]:
    return tuple(Detection(image, 1, box, 0.9 - 0.1 * i) for i, box in enumerate(boxes))


def cut(twentieths: int) -> tuple[float, float, float, float]:
    return (0.0, 0.0, 5.0 * twentieths, 20.0)


CASES: dict[str, tuple[tuple[Object, ...], tuple[Detection, ...]]] = {
    "a perfect detection scores less than 1": (truth(UNIT), found(UNIT)),
    "an overlap of exactly each threshold": (truth(UNIT), found(*(cut(k) for k in range(9, 21)))),
    "of equal overlaps the last object is taken": (truth(LEFT, RIGHT), found(MIDDLE, RIGHT)),
    "a second choice": (truth(LEFT, RIGHT), found(LEFT, LEFT, RIGHT)),
    "an object with id 0 is never found": (truth(UNIT, FAR, first_id=0), found(UNIT, FAR)),
    "an object with id 0 outside of the size range": (truth(UNIT, first_id=0, area=1e11), found(UNIT)),
    "a crowd takes many detections": (truth(UNIT, flags=Flag.CROWD) + truth(FAR, first_id=9), found(UNIT, cut(3), FAR)),
    "a crowd with id 0": (truth(UNIT, first_id=0, flags=Flag.CROWD) + truth(FAR), found(UNIT, FAR)),
    "an object before a crowd that overlaps more": (
        truth(UNIT, flags=Flag.CROWD) + truth(LEFT, first_id=5),
        found(cut(11)),
    ),
    "the ignore flag means nothing": (truth(UNIT, flags=Flag.IGNORE), found(UNIT)),
    "an area on the border of small and medium": (truth(UNIT, area=1024.0), found(UNIT)),
    "an area on the border of medium and large": (truth(UNIT, area=9216.0), found(UNIT, cut(9))),
    "an area beyond every range": (truth(UNIT, area=1.1e10) + truth(FAR, first_id=5), found(UNIT, FAR)),
    "degenerate boxes": (truth((5.0, 5.0, 0.0, 9.0), UNIT), found((5.0, 5.0, 0.0, 9.0), (0.0, 0.0, -5.0, 20.0))),
    "negative width and height": (truth((50.0, 50.0, -10.0, -10.0), UNIT), found((50.0, 50.0, -10.0, -10.0), UNIT)),
    "equal scores in two images": (
        truth(UNIT) + tuple(Object(2, 1, UNIT, 7, 2000.0) for _ in range(1)),
        tuple(Detection(image, 1, box, 0.5) for image, box in ((2, FAR), (1, UNIT), (2, UNIT), (1, FAR))),
    ),
    "exactly 7 of 20 objects, a recall of 0.35": (
        truth(*((30.0 * i, 0.0, 20.0, 20.0) for i in range(20))),
        found(*((30.0 * i, 0.0, 20.0, 20.0) for i in range(7))),
    ),
    "101 detections, the last of them right": (
        truth(UNIT),
        (*(Detection(1, 1, FAR, 0.9) for _ in range(100)), Detection(1, 1, UNIT, 0.8)),
    ),
    "two objects with one id": (truth(LEFT) + truth(FAR), found(LEFT, FAR)),
    "three objects with id 0": (truth(LEFT, first_id=0) * 2 + truth(FAR, first_id=0), found(LEFT, FAR)),
    "an id that a later object of another image has, and equal overlaps": (
        (Object(2, 1, FAR, 5, 81.0), Object(1, 1, LEFT, 5, 2000.0), Object(1, 1, RIGHT, 6, 2000.0)),
        found(MIDDLE, RIGHT),
    ),
    "an id that a later object of another class has": (
        (Object(1, 1, LEFT, 5, 2000.0), Object(1, 2, FAR, 5, 400.0)),
        (*found(LEFT), Detection(1, 2, FAR, 0.5)),
    ),
    "objects only": (truth(UNIT), found(FAR, image=2)),
    "detections only": ((), found(UNIT)),
    "negative scores and zeros": (
        truth(LEFT, FAR),
        tuple(Detection(1, 1, box, s) for box, s in ((LEFT, -1.0), (FAR, 0.0), (UNIT, -0.0), (FAR, 2.0))),
    ),
    "coordinates that no double holds exactly": (
        truth((0.1, 0.2, 0.3, 0.7), (0.30000000000000004, 0.1, 1 / 3, 2 / 3), area=0.21),
        found((0.1, 0.2, 0.3, 0.7), (0.3, 0.1, 1 / 3, 2 / 3), (0.1, 0.2, 0.15, 0.7)),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_quirk(pycocotools: Any, tmp_path: Path, name: str) -> None:
    scene = Scene(IMAGES, CLASSES, *CASES[name])
    official = pycocotools(scene.truth(), scene.results())
    result = evaluate(*scene.write(tmp_path), protocol="coco")
    official.check(result)
    official.check_arrays(result)
    official.check(
        evaluate(*scene.columns(), box="xywh", classes=scene.names), {name: key for key, name in scene.classes}
    )


def test_lists_that_repeat_images_and_categories(pycocotools: Any, tmp_path: Path) -> None:
    scene = Scene(IMAGES, CLASSES, truth(LEFT, RIGHT), found(MIDDLE, RIGHT))
    doubled = scene.truth()
    doubled["images"] *= 2
    doubled["categories"] *= 2
    (tmp_path / "truth.json").write_text(json.dumps(doubled))
    (tmp_path / "results.json").write_text(json.dumps(scene.results()))
    result = evaluate(tmp_path / "truth.json", tmp_path / "results.json")
    pycocotools(doubled, scene.results()).check(result)


def test_with_other_caps_there_is_no_ap(pycocotools: Any, tmp_path: Path) -> None:
    """The headline of pycocotools insists on 100 detections."""
    scene = Scene(IMAGES, CLASSES, truth(UNIT), found(UNIT))
    paths, caps = scene.write(tmp_path), {"max_detections": "1,10,300"}
    quirk = evaluate(*paths, protocol=protocols.variant(protocols.get("coco"), **caps))
    official = pycocotools(scene.truth(), scene.results(), maxDets=[1, 10, 300])
    assert official.stats["AP"] == -1.0
    assert math.isnan(quirk["AP"])
    assert "100" in quirk.reasons["AP"]
    assert list(official.stats.values())[1:] == [-1.0 if math.isnan(v) else v for v in list(quirk.metrics.values())[1:]]
    assert list(quirk.metrics)[6:9] == ["AR1", "AR10", "AR300"]
    assert evaluate(*paths, protocol=protocols.variant(protocols.get("coco-fixed"), **caps))["AP"] == 1.0


@pytest.mark.parametrize(
    ("name", "coco", "fixed"),
    [
        ("a perfect detection scores less than 1", {"AP": 0.9999999999999998}, {"AP": 1.0}),
        ("an object with id 0 is never found", {"AR100": 0.5}, {"AP": 1.0, "AR100": 1.0}),
        ("the ignore flag means nothing", {"AR100": 1.0}, {"AR100": None}),
        ("an area on the border of small and medium", {"ARs": 1.0, "ARm": 1.0}, {"ARs": None, "ARm": 1.0}),
        ("an area beyond every range", {"ARl": None}, {"ARl": 1.0}),
    ],
)
def test_what_coco_fixed_repairs(
    tmp_path: Path, name: str, coco: dict[str, float | None], fixed: dict[str, float | None]
) -> None:
    paths = Scene(IMAGES, CLASSES, *CASES[name]).write(tmp_path)
    for protocol, expected in (("coco", coco), ("coco-fixed", fixed)):
        metrics = evaluate(*paths, protocol=protocol).metrics
        assert {k: None if math.isnan(metrics[k]) else metrics[k] for k in expected} == expected
