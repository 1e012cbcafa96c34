"""The ImageNet development kits under Octave: detection and localisation, every stored number."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import Result, evaluate, protocols
from boxscore.tables.model import Mark
from small_tables import Found, Object, tables

SEEDS = (11, 12, 13)


def load(data: Path, family: str, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    case = json.loads((data / "reference" / "cases" / family / f"{family}_{seed}.json").read_text())
    return case["input"], case["expected"]


def detection_tables(given: dict[str, Any]) -> Any:
    return tables(
        [Object(i["id"], o["class"], o["bbox"]) for i in given["images"] for o in i["objects"]],
        [Found(d["image_id"], d["class"], d["bbox"], d["score"]) for d in given["detections"]],
        images=[i["id"] for i in given["images"]],
        classes=given["classes"],
        said=[(b["image_id"], b["class"], Mark.BLACKLISTED) for b in given["blacklist"]],
    )


@pytest.mark.parametrize("protocol", ["imagenet-det", "imagenet-vid"])
@pytest.mark.parametrize("seed", SEEDS)
def test_detection(data: Path, seed: int, protocol: str) -> None:
    """Difference 0; seed 12 has equal scores."""
    given, expected = load(data, "ilsvrc_det", seed)
    result = evaluate(*detection_tables(given), protocol=protocol)
    made = {c.name: None if np.isnan(c.metrics["AP"]) else c.metrics["AP"] for c in result.per_class}
    assert made == expected["ap"]
    assert {c.name: c.objects for c in result.per_class} == expected["n_positive"]
    assert result.metrics == {"mAP": expected["mean_ap"], "medianAP": expected["median_ap"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_blacklisted_rows_are_in_the_ledger(data: Path, seed: int) -> None:
    given, expected = load(data, "ilsvrc_det", seed)
    ledger = evaluate(*detection_tables(given), protocol="imagenet-det").ledger
    black = {(b["image_id"], b["class"]) for b in given["blacklist"]}
    objects = sum((i["id"], o["class"]) in black for i in given["images"] for o in i["objects"])
    assert sum(row.count for row in ledger.objects.rows if row.reason == "blacklisted") == objects
    assert ledger.objects.evaluated == sum(expected["n_positive"].values())
    with_objects = {c for c, n in expected["n_positive"].items() if n}
    judged = [d for d in given["detections"] if d["class"] in with_objects and (d["image_id"], d["class"]) not in black]
    assert ledger.detections.evaluated == len(judged)


def localisation_tables(given: dict[str, Any]) -> Any:
    """An image has one label; the kit looks at no object of another class, and guesses are listed by confidence."""
    images = given["images"]
    return tables(
        [Object(i["id"], o["label"], o["bbox"]) for i in images for o in i["objects"]],
        [Found(i["id"], p["label"], p["bbox"], -float(n)) for i in images for n, p in enumerate(i["predictions"])],
        images=[i["id"] for i in images],
        classes=[int(key) for key in given["labels"]],
        said=[
            *((i["id"], i["gt_label"], Mark.POSITIVE) for i in images),
            *((i["id"], i["gt_label"], Mark.BLACKLISTED) for i in images if i["id"] in given["blacklist_image_ids"]),
        ],
    )


def not_found(result: Result, guesses: int) -> list[int]:
    """1 for each image in which none of the best guesses is right."""
    tally = result.tally
    hit = ((tally.hits[:, 0] & 1) != 0) & (tally.rank < guesses)
    wrong = np.ones(len(tally.images), np.int64)
    wrong[tally.image[hit]] = 0
    return wrong.tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_localisation(data: Path, seed: int) -> None:
    given, expected = load(data, "ilsvrc_loc", seed)
    sides = localisation_tables(given)
    result = evaluate(*sides, protocol="imagenet-loc")
    # The stored errors of single images do not know the blacklist.
    every = evaluate(*sides, protocol=replace(protocols.get("imagenet-loc"), blacklist="ordinary"))
    for guesses in (1, 5):
        kit = expected[f"top{guesses}"]
        assert result[f"top{guesses}_error"] == kit["clsloc_error"]
        assert result[f"top{guesses}_class_error"] == kit["cls_error"]
        assert not_found(every, guesses) == kit["per_image_loc_error"]
        black = np.isin(result.tally.images, given["blacklist_image_ids"])
        assert every[f"top{guesses}_error"] == np.mean(kit["per_image_loc_error"])
        wrong = np.array(not_found(result, guesses))
        assert wrong[~black].tolist() == np.array(kit["per_image_loc_error"])[~black].tolist()
    assert list(result.metrics) == ["top1_error", "top5_error", "top1_class_error", "top5_class_error"]


def test_the_blacklist_matters_in_some_case(data: Path) -> None:
    """Else the cases would say nothing about it."""
    given, expected = load(data, "ilsvrc_loc", 12)
    assert given["blacklist_image_ids"]
    assert expected["top1"]["clsloc_error"] != np.mean(expected["top1"]["per_image_loc_error"])


BOX = "<bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox>"


def localisation_files(given: dict[str, Any], folder: Path) -> dict[str, Path]:
    """The same as files of the development kit: XML, guesses, lists, labels and blacklist."""
    (folder / "xml").mkdir()
    names, wnids = [i["name"] for i in given["images"]], list(given["labels"].values())
    for image in given["images"]:
        objects = "".join(
            f"<object><name>{given['labels'][str(o['label'])]}</name>{BOX.format(*o['bbox'])}</object>"
            for o in image["objects"]
        )
        (folder / "xml" / f"{image['name']}.xml").write_text(f"<annotation>{objects}</annotation>")
    guesses = [[" ".join(map(str, (p["label"], *p["bbox"]))) for p in i["predictions"]] for i in given["images"]]
    lines = {
        "guesses": [" ".join(some) for some in guesses],
        "images": [f"{name} {i['id']}" for name, i in zip(names, given["images"], strict=True)],
        "classes": wnids,
        "labels": [str(i["gt_label"]) for i in given["images"]],
        "blacklist": [str(i) for i in given["blacklist_image_ids"]],
    }
    for name, content in lines.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in content))
    return {"xml": folder / "xml", **{name: folder / f"{name}.txt" for name in lines}}


@pytest.mark.parametrize("seed", SEEDS)
def test_localisation_from_files(data: Path, seed: int, tmp_path: Path) -> None:
    given, expected = load(data, "ilsvrc_loc", seed)
    files = localisation_files(given, tmp_path)
    result = evaluate(
        files["xml"], files["guesses"], protocol="imagenet-loc", image_list=files["images"],
        class_list=files["classes"], image_labels=files["labels"], blacklist=files["blacklist"],
    )  # fmt: skip
    for guesses in (1, 5):
        assert result[f"top{guesses}_error"] == expected[f"top{guesses}"]["clsloc_error"]
        assert result[f"top{guesses}_class_error"] == expected[f"top{guesses}"]["cls_error"]
