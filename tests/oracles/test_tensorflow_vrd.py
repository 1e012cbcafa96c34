"""Relations equal TensorFlow's evaluators: recorded scenes, as CSV files and with the label maps that give ids."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from boxscore import evaluate, evaluate_many
from boxscore.formats.io.label_map import read_label_map

SCENES = ("seed0", "seed1", "seed2_ties")
KINDS = {"relation": "Relationships", "phrase": "Phrases"}


def folder(scene: str) -> Path:
    root = os.environ.get("BOXSCORE_DATA")
    if not root:
        pytest.skip("needs BOXSCORE_DATA")
    return Path(root) / "reference" / "tensorflow_od" / scene


def official(scene: str, kind: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((folder(scene) / "output.json").read_text())[f"vrd_{kind}"]
    return made


def reading(scene: str, listed: str = "") -> dict[str, Any]:
    here = folder(scene)
    more: dict[str, dict[str, Any]] = {
        "": {},
        "subjects and objects": {"label_map": here / "labelmap_vrd.pbtxt"},
        "relations": {"classes": read_label_map(here / "relations.pbtxt").name},
    }
    return {"image_labels": here / "vrd_labels.csv", **more[listed]}


@pytest.mark.parametrize("listed", ["", "subjects and objects", "relations"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scene", SCENES)
def test_every_number_is_the_official_one(scene: str, kind: str, listed: str) -> None:
    here = folder(scene)
    result = evaluate(
        here / "vrd.csv", here / "pred_vrd.csv", protocol=f"openimages-vrd-{kind}", **reading(scene, listed)
    )
    expected = official(scene, kind)
    prefix = f"VRDMetric_{KINDS[kind]}_"
    metrics = {name.removeprefix(prefix): value for name, value in expected["metrics"].items()}
    for name in ("weightedAP", "Recall@50", "Recall@100"):
        assert result[name] == metrics.pop(f"{name}@0.5IOU")
    # The official mean adds relations up in the order in which images name them.
    assert result["mAP"] == pytest.approx(metrics.pop("mAP@0.5IOU"), rel=0, abs=1e-12)
    with_ap = {row.name: row.metrics["AP"] for row in result.per_class if row.objects}
    assert with_ap == {name.removeprefix("AP@0.5IOU/"): value for name, value in metrics.items()}
    assert result["medianRank[max=50]"] == expected["median_rank_50"]
    assert result["medianRank[max=100]"] == expected["median_rank_100"]
    assert sum(row.objects for row in result.per_class) == expected["num_gt"]
    assert sorted(row.objects for row in result.per_class if row.objects) == sorted(
        expected["num_gt_per_relation"].values()
    )


@pytest.mark.parametrize("scene", SCENES)
def test_score_of_the_challenge(scene: str) -> None:
    here = folder(scene)
    result = evaluate(here / "vrd.csv", here / "pred_vrd.csv", protocol="openimages-vrd", **reading(scene))
    (expected,) = json.loads((here / "output.json").read_text())["vrd_challenge_score"]["metrics"].values()
    assert result["score"] == pytest.approx(expected, rel=0, abs=1e-12)  # of means, as above
    parts = result["mAP.relation"], result["Recall@50"], result["mAP.phrase"]
    assert result["score"] == 0.4 * parts[0] + 0.2 * parts[1] + 0.4 * parts[2]


@pytest.mark.parametrize("scene", SCENES)
def test_protocols_together_are_those_alone(scene: str) -> None:
    here, names = folder(scene), ["openimages-vrd-relation", "openimages-vrd-phrase", "openimages-vrd"]
    sides, more = (here / "vrd.csv", here / "pred_vrd.csv"), reading(scene)
    together = evaluate_many(*sides, names, **more)
    alone = [evaluate(*sides, protocol=name, **more) for name in names]
    assert [r.metrics for r in together] == [r.metrics for r in alone]
    assert repr([r.per_class for r in together]) == repr([r.per_class for r in alone])  # some are nan
