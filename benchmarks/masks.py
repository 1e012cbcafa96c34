"""Measures the kernels of masks beside pycocotools, on the hundred images of the COCO API.

python benchmarks/masks.py FOLDER    # the folder that holds instances_val2014_100.json and its fakesegm100 results
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from pycocotools import mask as official

from boxscore import _core

TIMES = 10  # the masks of the hundred images, so often


def best(work: Callable[[], object], rounds: int = 30) -> float:
    """The least processor time of several rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def packed(texts: list[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Letters, begin and end."""
    end = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return np.frombuffer(b"".join(texts), np.uint8), np.append(0, end[:-1]), end


def main(folder: Path) -> None:
    """Print a line per kernel."""
    truth = json.loads((folder / "instances_val2014_100.json").read_text())
    results = json.loads((folder / "instances_val2014_fakesegm100_results.json").read_text())
    sizes = {image["id"]: (image["height"], image["width"]) for image in truth["images"]}
    checking(results)
    polygons(truth, sizes)
    intersections(truth, results, sizes)
    boundaries(results)


def checking(results: list[dict]) -> None:
    """Characters per second."""
    texts = [one["segmentation"]["counts"].encode() for one in results] * TIMES
    masks = packed(texts)
    height, width = np.array([one["segmentation"]["size"] for one in results] * TIMES).T.copy()
    n = len(texts)
    out = np.empty(n), np.empty((n, 4)), np.empty(n, np.uint8)
    seconds = best(lambda: _core.rle_check(*masks, height, width, *out, 1))
    assert not out[2].any()
    print(f"rle_check: {n:,} masks, {len(masks[0]) / n:.0f} characters each: {len(masks[0]) / seconds / 1e6:.0f} MB/s")
    seconds = best(lambda: _core.rle_counts(*masks))
    print(f"rle_counts: {len(masks[0]) / seconds / 1e6:.0f} MB/s")


def polygons(truth: dict, sizes: dict[int, tuple[int, int]]) -> None:
    """Polygons per second."""
    drawn = [
        (p, *sizes[a["image_id"]]) for a in truth["annotations"] if not a["iscrowd"] for p in a["segmentation"]
    ]  # fmt: skip
    n = len(drawn) * 10
    value = np.cumsum([0, *(len(p) for p, _, _ in drawn * 10)], dtype=np.int64)
    values = np.array([v for p, _, _ in drawn * 10 for v in p], np.float64)
    height, width = (np.array([row[i] for row in drawn * 10]) for i in (1, 2))
    none = np.zeros(n, np.int64)
    arguments = (np.arange(n + 1), np.ones(n, np.uint8), value, values, none, none, np.zeros(0, np.uint8))
    seconds = best(lambda: _core.rle_join(*arguments, height, width, 1)) / n
    theirs = best(lambda: [official.frPyObjects([p], h, w) for p, h, w in drawn], 3) / len(drawn)
    print(f"polygons: {seconds * 1e6:.2f} µs each, pycocotools {theirs * 1e6:.1f} µs")


def intersections(truth: dict, results: list[dict], sizes: dict[int, tuple[int, int]]) -> None:
    """Pairs per second: all of a cell whose boxes meet, as COCO's evaluation has them."""
    cells: dict[tuple[int, int], tuple[list, list]] = defaultdict(lambda: ([], []))
    for a in truth["annotations"]:
        h, w = sizes[a["image_id"]]
        given = a["segmentation"]
        mask = official.frPyObjects(given, h, w)
        mask = official.merge(mask) if isinstance(given, list) else mask
        cells[a["image_id"], 0][1].append(mask)  # all classes together: more pairs
    for r in results:
        cells[r["image_id"], 0][0].append(r["segmentation"])
    detections, objects, pairs = [], [], []
    for d, o in cells.values():
        if not d or not o:
            continue
        boxes = official.iou(official.toBbox(d), official.toBbox(o), [0] * len(o))
        pairs.append(np.argwhere(boxes > 0) + np.array([len(detections), len(objects)]))
        detections += d
        objects += o
    k = np.concatenate(pairs)
    d_pairs, o_pairs = (np.tile(k[:, i], TIMES) for i in (0, 1))
    sides = [packed([m["counts"].encode() if isinstance(m["counts"], str) else m["counts"] for m in side])
             for side in (detections, objects)]  # fmt: skip
    size = [np.array([m["size"] for m in side]) for side in (detections, objects)]
    shared, union = np.empty(len(d_pairs)), np.empty(len(d_pairs))
    work = (*sides[0], *sides[1], *size, d_pairs, o_pairs, shared)
    seconds = best(lambda: _core.mask_intersections(*work, None, 1)) / len(d_pairs)
    walked = best(lambda: _core.mask_intersections(*work, union, 1), 3) / len(d_pairs)
    theirs = best(lambda: [official.iou(d, o, [0] * len(o)) for d, o in cells.values() if d and o], 3) / len(k)
    print(f"intersections: {len(k):,} pairs, {seconds * 1e9:.0f} ns each, as pycocotools walks {walked * 1e9:.0f} ns, "
          f"pycocotools' iou {theirs * 1e9:.0f} ns")  # fmt: skip


def boundaries(results: list[dict]) -> None:
    """Masks per second."""
    masks = packed([one["segmentation"]["counts"].encode() for one in results])
    height, width = np.array([one["segmentation"]["size"] for one in results]).T.copy()
    seconds = best(lambda: _core.mask_boundaries(*masks, height, width, 0.02, 1)) / len(results)
    print(f"boundaries: {seconds * 1e6:.1f} µs each")
    pixels = np.stack([official.decode(r["segmentation"]) for r in results if r["segmentation"]["size"] == [480, 640]])
    pixels = np.ascontiguousarray(pixels)
    seconds = best(lambda: _core.rle_of_bitmaps(pixels, 1)) / len(pixels)
    columns = np.asfortranarray(pixels.transpose(1, 2, 0))
    theirs = best(lambda: official.encode(columns), 3) / len(pixels)
    print(f"bitmaps of 480 x 640: {seconds * 1e6:.1f} µs each, pycocotools {theirs * 1e6:.1f} µs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
