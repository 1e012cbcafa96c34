"""Masks of every format that keeps them reach the evaluation: the same objects give the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import evaluate
from boxscore.cli import main
from boxscore.formats.registry import formats
from mask_scenes import bitmaps

HEIGHT, WIDTH = 24, 30
OF_VIDEOS = ("cvat-video", "youtube-vis")  # whose images are frames; tests of their own compare masks
KEEPING = [form.name for form in formats() if "rle" in form.keeps and form.truth and form.name not in OF_VIDEOS]


def scene() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    encode = pytest.importorskip("pycocotools.mask").encode
    rng = np.random.default_rng(5)
    masks = [one for one in bitmaps(rng, 40, HEIGHT, WIDTH) if one.any()]

    def segmentation(mask: np.ndarray) -> dict[str, Any]:
        made = encode(np.asfortranarray(mask))
        return {"size": made["size"], "counts": made["counts"].decode()}

    def box(mask: np.ndarray) -> list[float]:
        rows, columns = np.nonzero(mask)
        return [float(v) for v in (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)]

    objects = [
        {
            "id": i + 1, "image_id": i % 4 + 1, "category_id": i % 3 + 1, "bbox": box(mask), "area": float(mask.sum()),
            "iscrowd": 0, "segmentation": segmentation(mask),
        }
        for i, mask in enumerate(masks)
    ]  # fmt: skip
    found = [
        {
            "image_id": o["image_id"], "category_id": o["category_id"], "score": float(rng.random()),
            "segmentation": segmentation(np.roll(mask, i % 3, axis=i % 2)),
        }
        for i, (o, mask) in enumerate(zip(objects, masks, strict=True))
    ]  # fmt: skip
    images = [{"id": i, "file_name": f"{i}.jpg", "width": WIDTH, "height": HEIGHT} for i in range(1, 5)]
    categories = [{"id": k, "name": f"c{k}"} for k in range(1, 4)]
    return {"images": images, "annotations": objects, "categories": categories}, found


@pytest.mark.parametrize("form", KEEPING)
def test_the_same_numbers(tmp_path: Path, form: str) -> None:
    truth, found = scene()
    for item in found:  # files of other formats have no ids
        item["category_id"], item["image_id"] = f"c{item['category_id']}", f"{item['image_id']}"
    (tmp_path / "r.json").write_text(json.dumps(found))
    (tmp_path / "t.json").write_text(json.dumps(truth))
    expected = evaluate(tmp_path / "t.json", tmp_path / "r.json", protocol="coco-segm")
    assert 0.3 < expected["AP"] < 0.9
    target = tmp_path / "made"
    assert main(["convert", str(tmp_path / "t.json"), str(target), "--to", form, "--quiet"]) == 0
    made = evaluate(target, tmp_path / "r.json", protocol="coco-segm", truth_format=form)
    assert {name: made[name] for name in ("AP", "AP50", "AP75", "AR100")} == {
        name: expected[name] for name in ("AP", "AP50", "AP75", "AR100")
    }
