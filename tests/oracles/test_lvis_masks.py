"""LVIS masks: the stored cases, and the package `lvis` itself over scenes of bitmaps; difference 0."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import Result, evaluate
from digests import digest
from lvis_official import official, run
from mask_scenes import bitmaps

ArraysOf = Callable[[Result], dict[str, np.ndarray]]
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_stored_cases(data: Path, seed: int, arrays_of: ArraysOf, tmp_path: Path) -> None:
    case = json.loads((data / "reference" / "cases" / "lvis" / f"lvis_{seed}_segm.json").read_text())
    result, expected = evaluated(tmp_path, case["input"]["ground_truth"], case["input"]["results"]), case["expected"]
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


def evaluated(folder: Path, truth: dict[str, Any], results: list[dict[str, Any]]) -> Result:
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "r.json").write_text(json.dumps(results))
    return evaluate(folder / "t.json", folder / "r.json", protocol="lvis-segm")


def scene(seed: int, boxed: bool) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Objects are bitmaps; detections are the same, moved, or others. Detections have boxes or not, all or none."""
    encode = pytest.importorskip("pycocotools.mask").encode
    rng, n_images, n_classes = np.random.default_rng(seed), 4, 3
    height, width = 40, 48

    def written(mask: np.ndarray) -> dict[str, Any]:
        made = encode(np.asfortranarray(mask))
        return {"size": made["size"], "counts": made["counts"].decode()}

    def box(mask: np.ndarray) -> list[float]:
        rows, columns = np.nonzero(mask)
        if not len(rows):
            return [0.0, 0.0, 0.0, 0.0]
        return [
            float(v) for v in (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1 + int(seed % 2))
        ]  # that of every other scene is a row too high, as annotated boxes may be

    masks = bitmaps(rng, 32, height, width)
    objects = [
        {
            "id": i + 1, "image_id": int(rng.integers(1, n_images + 1)),
            "category_id": int(rng.integers(1, n_classes + 1)),
            "segmentation": written(mask), "area": float(mask.sum()), "bbox": box(mask),
        }
        for i, mask in enumerate(masks)
    ]  # fmt: skip
    results = []
    for i in range(60):
        k = int(rng.integers(len(masks)))
        mask = (
            np.roll(masks[k], rng.integers(-2, 3, 2), axis=(0, 1)) if i % 5 else bitmaps(rng, 8, height, width)[i % 8]
        )
        results.append(
            {
                "image_id": objects[k]["image_id"],
                "category_id": objects[k]["category_id"] if i % 4 else int(rng.integers(1, n_classes + 1)),
                "segmentation": written(mask), "score": float(rng.integers(1, 12)) / 12,
                **({"bbox": box(mask)} if boxed else {}),
            }
        )  # fmt: skip
    images = [
        {
            "id": i, "width": width, "height": height, "neg_category_ids": rng.integers(1, n_classes + 1, 2).tolist(),
            "not_exhaustive_category_ids": rng.integers(1, n_classes + 1, 1).tolist(), "file_name": f"{i}.jpg",
            "coco_url": "",
        }
        for i in range(1, n_images + 1)
    ]  # fmt: skip
    categories = [{"id": k, "name": f"c{k}", "frequency": "rcf"[k % 3]} for k in range(1, n_classes + 1)]
    return {"images": images, "annotations": objects, "categories": categories}, results


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_scenes(lvis: Any, arrays_of: ArraysOf, tmp_path: Path, seed: int, boxed: bool) -> None:
    truth, results = scene(seed, boxed)
    result = evaluated(tmp_path, truth, results)
    expected = run(lvis, truth, results, "segm")
    assert official(result.metrics) == dict(expected.results)
    arrays = arrays_of(result)
    for name in ("precision", "recall"):
        np.testing.assert_array_equal(arrays[name][..., 0], expected.eval[name], err_msg=name)
