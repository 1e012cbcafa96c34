"""Scenes that TensorFlow's own evaluators were given, and what they say of them."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from boxscore import Result, protocols
from boxscore.protocols import Protocol
from boxscore.tables.model import Flag, Mark, Table
from boxscore.tables.shapes import Shapes, ShapesMaker
from small_tables import Found, Object, tables

SEEDS = ("seed0", "seed1", "seed2_ties")
COCO_NAMES = {
    "Precision/mAP": "AP", "Precision/mAP@.50IOU": "AP50", "Precision/mAP@.75IOU": "AP75",
    "Precision/mAP (small)": "APs", "Precision/mAP (medium)": "APm", "Precision/mAP (large)": "APl",
    "Recall/AR@1": "AR1", "Recall/AR@10": "AR10", "Recall/AR@100": "AR100",
    "Recall/AR@100 (small)": "ARs", "Recall/AR@100 (medium)": "ARm", "Recall/AR@100 (large)": "ARl",
}  # fmt: skip
ENTRY = re.compile(r"(?P<name>\w+)(?:\[(?P<bounds>.+)\])?(?:@(?P<iou>[\d.]+))?(?:\+(?P<option>.+))?")


@dataclass(frozen=True)
class Case:
    """A generated scene, and what the official code says of it."""

    folder: Path
    scene: dict[str, Any]
    output: dict[str, Any]

    @property
    def classes(self) -> list[str]:
        return [c["name"] for c in self.scene["categories"]]

    def tables(self, group_flag: Flag = Flag.GROUP_OF, difficult_flag: Flag = Flag.DIFFICULT) -> Any:
        """Both sides of the scene; what its two flags become is the caller's choice."""
        images, names = self.scene["images"], {c["id"]: c["name"] for c in self.scene["categories"]}
        objects = [
            Object(
                i["id"],
                names[o["class"]],
                turned(o["bbox"]),
                difficult_flag * bool(o["difficult"]) | group_flag * bool(o["group_of"]),
            )
            for i in images
            for o in i["gt"]
        ]
        found = [Found(i["id"], names[d["class"]], turned(d["bbox"]), d["score"]) for i in images for d in i["dets"]]
        said = [
            (i["id"], names[label["class"]], Mark.POSITIVE if label["confidence"] else Mark.NEGATIVE)
            for i in images
            for label in i["image_labels"]
        ]
        return tables(objects, found, images=[i["id"] for i in images], classes=self.classes, said=said)

    def masked(self, group_flag: Flag = Flag.GROUP_OF, difficult_flag: Flag = Flag.DIFFICULT) -> Any:
        """Both sides with their masks; some objects have none."""
        truth, detections = self.tables(group_flag, difficult_flag)
        return with_masks(truth, self.rows("gt")), with_masks(detections, self.rows("dets"))

    def rows(self, side: str) -> list[dict[str, Any]]:
        return [row for image in self.scene["images"] for row in image[side]]


def with_masks(table: Table, records: list[dict[str, Any]]) -> Table:
    made = ShapesMaker()
    for row, mask in enumerate(record["mask"] for record in records):
        if mask is not None:
            made.add_mask(row, *mask["size"], text=mask["counts"].encode())
    shapes = made.shapes(len(table))
    assert isinstance(shapes, Shapes)
    return replace(table, shapes=shapes)


def turned(box: list[float]) -> list[float]:
    """TensorFlow writes ymin, xmin, ymax, xmax."""
    return [box[1], box[0], box[3], box[2]]


def load(data: Path, seed: str) -> Case:
    folder = data / "reference" / "tensorflow_od" / seed
    return Case(folder, *(json.loads((folder / name).read_text()) for name in ("input.json", "output.json")))


def rules(entry: str) -> Protocol:
    """The protocol behind the name of an entry."""
    form = ENTRY.fullmatch(entry)
    assert form is not None
    changes: dict[str, Any] = {}
    if form["bounds"]:
        changes["recall_bounds"] = tuple(map(float, form["bounds"].split(",")))
    if form["iou"]:
        changes["iou"] = (float(form["iou"]),)
    if form["option"] == "skip_unlabeled":
        changes["unverified"] = "dropped"
    elif form["option"] and form["option"].startswith("group_of_weight"):
        changes["absorbed_weight"] = float(form["option"].removeprefix("group_of_weight"))
    return replace(protocols.get(form["name"]), **changes)


def close(value: float, expected: float | None) -> bool:
    return math.isnan(value) if expected is None else value == expected


def check(result: Result, metrics: dict[str, float | None]) -> None:
    """Every number of the official output, by its official name."""
    for key, expected in metrics.items():
        kind, _, label = key.partition("IOU/")
        name = kind.rpartition("/")[2].split("@")[0].removeprefix("mean")
        made = result[f"{name}[class={label}]" if label else name]
        assert close(made, expected), (key, made, expected)


# Which files, whether boxscore follows the hierarchy, and which official output that must give.
FILES = pytest.mark.parametrize(
    ("ending", "hierarchy", "output"),
    [("", True, "expanded"), ("", False, "unexpanded"), ("_expanded", False, "expanded")],
    ids=["expanded here", "not expanded", "expanded by the official tool"],
)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
