"""Masks, their measures, unions, intersections and polygons, against pycocotools; boundaries against Cheng et al."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boxscore import _core
from mask_scenes import NOTHING, bitmaps, joined_polygons, packed, polygons, same_size, unpacked

official = pytest.importorskip("pycocotools.mask")

# Its decoder has not heard of NumPy 2 yet.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

SIZES = [(1, 1), (1, 40), (40, 1), (7, 5), (31, 64), (64, 31), (48, 80), (120, 90)]


def scene(size: tuple[int, int], n: int, seed: int) -> tuple[list[bytes], np.ndarray, list[dict]]:
    pixels = bitmaps(np.random.default_rng(seed), n, *size)
    made = official.encode(np.asfortranarray(pixels.transpose(1, 2, 0)))
    return [one["counts"] for one in made], pixels, made


def areas(made: list[dict]) -> np.ndarray:
    # One by one: pycocotools cannot measure more than 255 masks at once with NumPy 2.
    return np.array([int(official.area(one)) for one in made], np.float64)


@pytest.mark.parametrize("size", SIZES)
def test_masks_and_measures(size: tuple[int, int]) -> None:
    texts, pixels, made = scene(size, 640, 1)
    assert unpacked(_core.rle_of_bitmaps(pixels, 2)) == texts
    assert unpacked(_core.rle_of_bitmaps(pixels * np.uint8(200), 1)) == texts
    letters, begin, end = packed(texts, np.random.default_rng(2))
    n = len(texts)
    area, box, fault = np.empty(n), np.empty((n, 4)), np.empty(n, np.uint8)
    _core.rle_check(letters, begin, end, same_size(n, *size), area, box, fault, 2)
    assert not fault.any()
    np.testing.assert_array_equal(area, areas(made))
    expected = official.toBbox(made)
    expected[:, 2:] += expected[:, :2]
    np.testing.assert_array_equal(box, expected)
    for i in range(0, n, 7):
        np.testing.assert_array_equal(_core.rle_bitmap(letters[begin[i] : end[i]], *size), official.decode(made[i]))
    assert unpacked(_core.rle_texts(*_core.rle_counts(letters, begin, end))) == texts


@pytest.mark.parametrize("size", SIZES)
def test_intersections(size: tuple[int, int]) -> None:
    texts, _, made = scene(size, 128, 3)
    expected = official.iou(made, made, [0] * len(made))
    n = len(texts)
    masks, sizes = packed(texts, np.random.default_rng(4)), same_size(n, *size)
    detection, object_ = (side.ravel() for side in np.mgrid[:n, :n])
    shared, walked, union = np.empty((3, n * n))
    _core.mask_intersections(*masks, *masks, sizes, sizes, detection, object_, shared, None, 2)
    _core.mask_intersections(*masks, *masks, sizes, sizes, detection, object_, walked, union, 2)
    np.testing.assert_array_equal(shared, walked)
    area = areas(made)
    np.testing.assert_array_equal(union, area[detection] + area[object_] - shared)
    np.testing.assert_array_equal(np.divide(shared, union, where=shared > 0, out=shared * 0), expected.ravel())


@pytest.mark.parametrize("size", SIZES)
def test_polygons(size: tuple[int, int]) -> None:
    drawn = list(polygons(np.random.default_rng(5), 640, *size))
    # The first one decides that all are polygons: four numbers alone would be read as a box.
    expected = official.frPyObjects([[0.0] * 6, *drawn], *size)[1:]
    assert joined_polygons(_core, drawn, *size) == [one["counts"] for one in expected]


@pytest.mark.parametrize("size", SIZES)
def test_unions(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(6)
    texts, _, made = scene(size, 400, 7)
    drawn = list(polygons(rng, 400, *size))
    outlines = official.frPyObjects([[0.0] * 6, *drawn], *size)[1:]
    rows = [[(int(rng.integers(1, 3)), int(rng.integers(400))) for _ in range(rng.integers(0, 5))] for _ in range(250)]
    expected = []
    for row in rows:
        parts = [outlines[i] if kind == 1 else made[i] for kind, i in row]
        expected.append(official.merge(parts)["counts"] if parts else b"")
    flat = [part for row in rows for part in row]
    letters, begin, end = packed([texts[i] if kind == 2 else b"" for kind, i in flat])
    values = [drawn[i] if kind == 1 else [] for kind, i in flat]
    value = np.cumsum([0, *map(len, values)], dtype=np.int64)
    part = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    flat_values = np.array([v for one in values for v in one], np.float64)
    joined = _core.rle_join(
        part, np.array([kind for kind, _ in flat], np.uint8), value, flat_values, None,
        begin, end, letters, same_size(250, *size), 2,
    )  # fmt: skip
    assert unpacked(joined) == expected


def test_masks_with_empty_runs() -> None:
    """pycocotools stops where both masks are at an empty run at once; its IoU then says what it has counted so far."""
    rng = np.random.default_rng(8)
    size, texts = (6, 7), []
    for _ in range(60):
        cuts = np.sort(rng.integers(0, 15, rng.integers(0, 9))) * 3
        runs = np.diff(np.concatenate([[0], np.minimum(cuts, 42), [42]])).astype(np.uint32)
        texts += unpacked(_core.rle_texts(runs, np.array([len(runs)])))
    made = [{"size": list(size), "counts": text} for text in texts]
    n = len(texts)
    masks, sizes = packed(texts), same_size(n, *size)
    detection, object_ = (side.ravel() for side in np.mgrid[:n, :n])
    shared, union, plain = np.empty((3, n * n))
    _core.mask_intersections(*masks, *masks, sizes, sizes, detection, object_, shared, union, 1)
    _core.mask_intersections(*masks, *masks, sizes, sizes, detection, object_, plain, None, 1)
    expected = official.iou(made, made, [0] * n).ravel()
    np.testing.assert_array_equal(np.divide(shared, union, where=shared > 0, out=shared * 0), expected)
    assert (shared != plain).any()
    pixels = np.stack([official.decode(one) for one in made]).reshape(n, -1).astype(float)
    np.testing.assert_array_equal(plain.reshape(n, n), pixels @ pixels.T)


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_boundaries(seed: int, data: Path) -> None:
    case = json.loads((data / f"reference/cases/boundary/boundary_{seed}.json").read_text())
    truth = case["input"]["ground_truth"]
    sizes = {image["id"]: (image["height"], image["width"]) for image in truth["images"]}
    texts, shapes = [], []
    for annotation in truth["annotations"]:
        height, width = sizes[annotation["image_id"]]
        given = annotation["segmentation"]
        if isinstance(given, list):
            text = official.merge(official.frPyObjects(given, height, width))["counts"]
        elif isinstance(given["counts"], list):
            text = official.frPyObjects(given, height, width)["counts"]
        else:
            text = given["counts"].encode()
        texts.append(text)
        shapes.append((height, width))
    made = _core.mask_boundaries(*packed(texts), np.array(shapes, np.int32), 0.02, 2)
    area = [
        int(official.area({"size": [h, w], "counts": text}))
        for text, (h, w) in zip(unpacked(made), shapes, strict=True)
    ]
    expected = case["expected"]["gt_boundary_pixels"]
    assert {str(a["id"]): n for a, n in zip(truth["annotations"], area, strict=True)} == expected


def test_nothing() -> None:
    assert unpacked(_core.rle_texts(np.zeros(0, np.uint32), np.zeros(0, np.int64))) == []
    assert joined_polygons(_core, [], 4, 4) == []
    assert unpacked(_core.rle_of_bitmaps(np.zeros((2, 0, 3), np.uint8), 1)) == [b"0", b"0"]
    assert len(_core.rle_counts(NOTHING, *np.zeros((2, 1), np.int64))[0]) == 0
