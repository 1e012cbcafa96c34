"""Masks and oriented boxes in memory that are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from boxscore.joining.align import align
from boxscore.joining.geometry import with_geometry
from boxscore.joining.read import ReadOptions, read_detections, read_truth

RLE = '{"size": [height, width], "counts"}'
KINDS = "expected bitmaps (n, height, width), COCO's run lengths, or polygons"
POLYGON = "expected x and y of at least three corners, flat or of shape (corners, 2)"
PIXELS = "expected bitmaps of 0 and 1 (or 255), one for each object, or shares from 0 to 1"
ALL = ReadOptions(shapes=True, box="xyxy")


def masks(value: Any, n: int = 1, **more: Any) -> Any:
    """An image without objects, and one whose objects have such masks."""
    return read_truth([{"boxes": [], "labels": []}, {"masks": value, "labels": [1] * n, **more}], ALL)


def rle(size: Any = (2, 2), counts: Any = (1, 3)) -> Any:
    return masks([{"size": size, "counts": counts}])


def boxes(value: Any, **more: Any) -> Any:
    return read_truth([{"boxes": value, "labels": [1], **more}], ALL)


def polygons(how: ReadOptions, relative: bool = False) -> Any:
    """Polygons to be drawn, and nothing that says how large their images are."""
    truth, _ = read_truth([{"masks": [[[0, 0, 1, 0, 1, 1]]], "labels": [1]}], how)
    found, _ = read_detections([{"boxes": [[0, 0, 1, 1]], "labels": [1], "scores": [1.0]}], how, truth)
    truth, found = replace(truth, relative=relative), replace(found, relative=relative)
    return with_geometry(align(truth, found), ["masks"], False, 1)


SIZES = "Pass --images FOLDER, --sizes FILE or --image-size WIDTH,HEIGHT (images=, sizes=, image_size= in Python)."
CASES: list[tuple[str, Callable[..., Any]]] = [
    (f"truth[1]: masks: an array of shape (4, 5); {KINDS}", lambda: masks(np.zeros((4, 5)))),
    (f"truth[1]: masks: values from 0 to 7; {PIXELS}", lambda: masks(np.arange(8, dtype=np.uint8).reshape(1, 2, 4))),
    (f"truth[1]: masks: values from -3.0 to 0.0; {PIXELS}", lambda: masks(np.array([[[0.0, -3.0]]]))),
    (f"truth[1]: masks: values that are not finite; {PIXELS}", lambda: masks(np.full((1, 2, 2), np.nan))),
    (f"truth[1]: masks: values of type complex128; {KINDS}", lambda: masks(np.zeros((1, 2, 2), complex))),
    ("truth[1]: masks: 2 values; expected one per row (1)", lambda: masks(np.ones((2, 3, 3), bool))),
    (
        "truth[1]: masks: masks of different sizes (2 x 2 and 3 x 3); expected masks of the size of their image",
        lambda: masks([np.ones((2, 2), bool), np.ones((3, 3), bool)], 2),
    ),
    (
        "truth[1]: image_size: 3 x 2, and masks of 2 x 2; expected masks of the size of their image (width x height)",
        lambda: masks(np.ones((1, 2, 2), bool), image_size=(3, 2)),
    ),
    (
        "truth[1]: image_size: [3, 0]; expected width and height of the image, both above 0",
        lambda: masks(np.ones((1, 2, 2), bool), image_size=(3, 0)),
    ),
    (f"truth[1]: masks: a mapping with size; expected {RLE}", lambda: masks([{"size": [2, 2]}])),
    (f"truth[1]: masks: size: [2, 0]; expected height and width in {RLE}", lambda: rle([2, 0])),
    (f"truth[1]: masks: size: [2.0, 2]; expected height and width in {RLE}", lambda: rle([2.0, 2])),
    (
        "truth[1]: masks: counts: [1, -1, 4]; expected runs, as whole numbers or as COCO's text",
        lambda: rle(counts=[1, -1, 4]),
    ),
    (
        "truth[1]: masks: counts: [1.5]; expected runs, as whole numbers or as COCO's text",
        lambda: rle(counts=[1.5]),
    ),
    (
        "truth[1]: masks[1]: `counts`: runs of 5 pixels, and a size of 2 x 2; expected runs of 4 pixels in all",
        lambda: masks([{"size": [2, 2], "counts": [4]}, {"size": [2, 2], "counts": [5]}], 2),
    ),
    (
        "truth[1]: masks: `counts`: it ends in the middle of a number; expected runs of 4 pixels in all",
        lambda: rle(counts=b"5P"),
    ),
    (f"truth[1]: masks[0]: 4 numbers; {POLYGON}", lambda: masks([[[0, 0, 1, 1]]])),
    (f"truth[1]: masks[0][1]: 7 numbers; {POLYGON}", lambda: masks([[[0, 0, 1, 1, 2, 3], [1] * 7]])),
    (f"truth[1]: masks[0]: an array of shape (4, 3); {POLYGON}", lambda: masks([np.zeros((4, 3))])),
    (
        "truth[1]: masks[0][0]: nan; expected finite numbers",
        lambda: masks([[[np.nan, 0, 1, 1, 2, 3]]]),
    ),
    (
        f"truth[1]: masks[0]: no `boxes`, and nothing to put one around; {KINDS}",
        lambda: masks([None]),
    ),
    (
        "truth[0]: boxes: an array of shape (1, 6); expected shape (n, 4), or of oriented boxes (n, 5) or (n, 8)",
        lambda: boxes([[1, 2, 3, 4, 5, 6]]),
    ),
    (
        "truth[0]: boxes[0]: [1.0, 2.0, -3.0, 4.0, 0.0]; expected cx cy width height angle (radians)",
        lambda: boxes([[1, 2, -3, 4, 0]]),
    ),
    (
        "truth[0]: quads: an array of shape (1, 6); expected four corners, shape (n, 8) or (n, 4, 2)",
        lambda: boxes([[0, 0, 1, 1]], quads=np.zeros((1, 6))),
    ),
    (
        "truth[0]: `boxes` and `quads`; expected one shape for each row",
        lambda: boxes([[1, 2, 3, 4, 0]], quads=np.zeros((1, 8))),
    ),
    (
        "truth: boxes in some mappings only; expected `boxes` in each mapping or in none",
        lambda: read_truth(
            [{"masks": np.ones((1, 2, 2)), "labels": [1]}, {"xmin": [0], "ymin": [0], "xmax": [1], "ymax": [1],
              "labels": [1]}], ALL),
    ),
    (
        "truth[0]: no `class_id`; expected the class of each detection",
        lambda: read_truth([SimpleNamespace(xyxy=np.zeros((1, 4)), confidence=None, class_id=None)], ALL),
    ),
    (
        "truth[0]: neither `boxes` nor `obb`; expected results of detection, segmentation, pose or OBB models",
        lambda: read_truth([SimpleNamespace(boxes=None, obb=None, orig_shape=(1, 1), names={})], ALL),
    ),
    (
        "truth: masks or oriented boxes in relative coordinates; expected coordinates in pixels",
        lambda: read_truth([{"boxes": [[1, 2, 3, 4, 0]], "labels": [1]}], ReadOptions(shapes=True, coords="relative")),
    ),
    (
        "truth: unknown size of images with polygons (0); expected image sizes, to rasterize them\n"
        f"  {SIZES}",
        lambda: polygons(ALL),
    ),
    (
        f"truth: polygons in normalized coordinates; expected image sizes, to rasterize them\n  {SIZES}",
        lambda: polygons(ALL, relative=True),
    ),
]  # fmt: skip
