"""Draws one picture per geometry: a made-up scene, its ground truth, and detections beside it.

python docs/scenes.py
"""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from boxscore.cli import main as boxscore

WIDTH, HEIGHT = 480, 320
FIGURES = Path(__file__).parent / "geometries"
BLOBS = [
    (110, 190, 60, 38, 0.2, 1),
    (170, 205, 45, 60, 0.0, 1),
    (330, 150, 70, 30, -0.4, 2),
    (400, 230, 36, 36, 0.0, 2),
]
BOATS = [(90, 90, 90, 26, 0.5), (210, 120, 110, 30, -0.3), (330, 80, 80, 22, 1.2), (150, 240, 120, 34, 0.0)]
# Shares of a person's height and width: nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles.
POSE = [
    (0.5, 0.08), (0.54, 0.06), (0.46, 0.06), (0.6, 0.07), (0.4, 0.07), (0.7, 0.2), (0.3, 0.2), (0.85, 0.36),
    (0.15, 0.36), (0.8, 0.5), (0.2, 0.5), (0.62, 0.52), (0.38, 0.52), (0.66, 0.74), (0.34, 0.74), (0.64, 0.96),
    (0.36, 0.96),
]  # fmt: skip


def ellipse(x: float, y: float, a: float, b: float, angle: float, n: int = 28) -> list[float]:
    """The corners of a polygon that is nearly an ellipse."""
    turns = [2 * math.pi * k / n for k in range(n)]
    cos, sin = math.cos(angle), math.sin(angle)
    points = [(x + a * math.cos(t) * cos - b * math.sin(t) * sin, y + a * math.cos(t) * sin + b * math.sin(t) * cos)
              for t in turns]  # fmt: skip
    return [round(value, 1) for point in points for value in point]


def background(polygons: list[list[float]], seed: int) -> Image.Image:
    """A soft ground with the objects on it."""
    rng = np.random.default_rng(seed)
    rows = np.linspace(0, 1, HEIGHT)[:, None, None]
    sky, ground = np.array([176, 196, 208]), np.array([128, 122, 104])
    image = Image.fromarray(np.broadcast_to(sky * (1 - rows) + ground * rows, (HEIGHT, WIDTH, 3)).astype(np.uint8))
    canvas = ImageDraw.Draw(image)
    for polygon in polygons:
        tone = int(rng.integers(60, 170))
        canvas.polygon(polygon, fill=(tone, tone - 15, tone - 30))
    return image.filter(ImageFilter.GaussianBlur(1.5))


def record(k: int, polygon: list[float], label: int, **more: Any) -> dict[str, Any]:
    """An annotation around a polygon."""
    x, y = polygon[::2], polygon[1::2]
    box = [min(x), min(y), max(x) - min(x), max(y) - min(y)]
    return {"id": k, "image_id": 1, "category_id": label, "bbox": box, "area": box[2] * box[3] / 2, "iscrowd": 0,
            "segmentation": [polygon], **more}  # fmt: skip


def truth(annotations: list[dict[str, Any]], names: tuple[str, ...]) -> dict[str, Any]:
    """A COCO file of one image."""
    categories = [{"id": k, "name": name} for k, name in enumerate(names, 1)]
    images = [{"id": 1, "file_name": "scene.png", "width": WIDTH, "height": HEIGHT}]
    return {"images": images, "categories": categories, "annotations": annotations}


def found(row: dict[str, Any], score: float, move: float = 0.0, **more: Any) -> dict[str, Any]:
    """A detection of an object, a little beside it."""
    shifted = [[value + move for value in polygon] for polygon in row["segmentation"]]
    box = [row["bbox"][0] + move, row["bbox"][1] + move, *row["bbox"][2:]]
    kept = {key: row[key] for key in ("image_id", "category_id")}
    return {**kept, "bbox": box, "segmentation": shifted, "score": score, **more}


def masks() -> tuple[dict[str, Any], list[dict[str, Any]], list[list[float]]]:
    """Two classes, an overlap, a crowd as runs, a tiny object."""
    polygons = [ellipse(*blob[:5]) for blob in BLOBS]
    rows = [record(k, p, blob[5]) for k, (p, blob) in enumerate(zip(polygons, BLOBS, strict=True), 1)]
    tiny = ellipse(60, 280, 4, 3, 0)
    rows.append(record(5, tiny, 1))
    crowd = np.zeros((HEIGHT, WIDTH), bool)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    heads = [(205 + 16 * k, 50 + 9 * (k % 3)) for k in range(7)]
    for a, b in heads:
        crowd |= (x - a) ** 2 / 81 + (y - b) ** 2 / 196 <= 1
    flat = np.concatenate([[False], crowd.T.ravel(), [True]])
    counts = np.diff(np.append(0, np.flatnonzero(flat[1:] != flat[:-1]))).tolist()
    rows.append({**record(6, [200, 30, 300, 30, 300, 80, 200, 80], 2, iscrowd=1),
                 "segmentation": {"size": [HEIGHT, WIDTH], "counts": counts}})  # fmt: skip
    results = [found(rows[0], 0.9, 4), found(rows[1], 0.8, -3), found(rows[2], 0.7, 22), found(rows[4], 0.6, 1)]
    return truth(rows, ("cat", "dog")), results, [*polygons, tiny, *(ellipse(a, b, 9, 14, 0) for a, b in heads)]


def boats() -> tuple[dict[str, Any], list[dict[str, Any]], list[list[float]]]:
    """Oriented boxes."""
    quads = []
    for x, y, w, h, angle in BOATS:
        cos, sin = math.cos(angle), math.sin(angle)
        ends = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
        quads.append([round(v, 1) for a, b in ends for v in (x + a * cos - b * sin, y + a * sin + b * cos)])
    rows = [record(k, quad, 1 + k % 2) for k, quad in enumerate(quads, 1)]
    results = [found(rows[0], 0.9, 3), found(rows[1], 0.8, -2), found(rows[2], 0.6, 17)]
    return truth(rows, ("ship", "harbor")), results, quads


def persons() -> tuple[dict[str, Any], list[dict[str, Any]], list[list[float]]]:
    """Persons with COCO's points; of the second, some are hidden or not labelled."""
    rows, polygons = [], []
    for k, (x, y, w, h) in enumerate(((70, 40, 110, 250), (260, 60, 120, 220), (420, 200, 30, 80)), 1):
        seen = [2 if k != 2 or i not in (8, 10) else 1 for i in range(17)]
        seen = [0 if k == 2 and i in (13, 15) else v for i, v in enumerate(seen)]
        points = [
            v for (a, b), s in zip(POSE, seen, strict=True) for v in ((x + a * w, y + b * h, s) if s else (0, 0, 0))
        ]
        body = ellipse(x + w / 2, y + h / 2, w / 2.6, h / 2, 0)
        polygons.append(body)
        rows.append(
            {**record(k, body, 1, keypoints=points, num_keypoints=sum(s > 0 for s in seen)), "bbox": [x, y, w, h]}
        )
        del rows[-1]["segmentation"]
    return truth(rows, ("person",)), [], polygons


def main() -> None:
    """Write all pictures."""
    for name, scene, protocol in (
        ("masks", masks, "coco-segm"),
        ("rotated", boats, "coco-obb"),
        ("keypoints", persons, ""),
    ):
        objects, results, polygons = scene()
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            (place / "images").mkdir()
            background(polygons, 3).save(place / "images" / "scene.png")
            (place / "truth.json").write_text(json.dumps(objects))
            (place / "found.json").write_text(json.dumps(results))
            common = ["--images", str(place / "images"), "-q"]
            boxscore(["draw", str(place / "truth.json"), *common, "-o", str(place / "truth")])
            _keep(place / "truth" / "scene.png", f"{name}.png")
            if results:
                sides = [str(place / "truth.json"), str(place / "found.json")]
                more = ["--protocol", protocol, "--score", "0.5", "-o", str(place / "both")]
                boxscore(["draw", *sides, *common, *more])
                _keep(place / "both" / "scene.png", f"{name}_found.png")


def _keep(path: Path, name: str) -> None:
    """With few colours: pictures of pages are small."""
    Image.open(path).quantize(256, dither=Image.Dither.NONE).save(FIGURES / name, optimize=True)


if __name__ == "__main__":
    main()
