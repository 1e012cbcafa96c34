"""Folders of YOLO predictions as many detectors write them, made up, with the truth about where the confidence is.

Each folder has its own seed and style: how rows are sorted, digits, boxes that are clipped or not, how sure and how
good the detector is, how many images and boxes there are. Development looked at even seeds only; what is reported
are odd ones (`python -m pytest tests/formats/test_yolo_confidence.py`, or this file as a script).
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ORDERS = ("falling", "rising", "class", "x", "y", "area", "area up", "none", "appended")
DIGITS = ("%.6f", "%g", "%.4f", "%.17g")
KINDS = ("box", "box", "box", "box", "box", "segment", "pose", "track")


class Style(NamedTuple):
    """How a detector writes, and how good it is."""

    place: str
    order: str
    digits: str
    score_digits: str
    kind: str
    clipped: bool
    images: int
    rows: int  # per image, at most
    truth: str  # "none", "yolo"
    skill: float  # share of boxes that lie on objects
    scores: tuple[float, float]  # of a beta distribution
    size: float  # typical share of the image
    empty: float  # share of rows without width or height
    background: float  # images without objects


def style_of(seed: int) -> Style:
    """The style of a folder."""
    pick = np.random.default_rng(seed)
    kind = str(pick.choice(KINDS))
    return Style(
        place="last" if kind != "box" else str(pick.choice(["first", "last"])),
        order=str(pick.choice(ORDERS)),
        digits=str(pick.choice(DIGITS)),
        score_digits=str(pick.choice(["%.6f", "%g", "%.2f", "%.3f"])),
        kind=kind,
        clipped=bool(pick.random() < 0.7),
        images=int(pick.choice([1, 2, 5, 20, 60])),
        rows=int(pick.choice([1, 3, 8, 30])),
        truth=str(pick.choice(["none", "yolo", "yolo"])),
        skill=float(pick.choice([0.05, 0.3, 0.6, 0.9])),
        scores=[(2.0, 2.0), (5.0, 1.0), (1.0, 4.0), (0.5, 0.5), (8.0, 8.0)][int(pick.integers(5))],
        size=float(pick.choice([0.02, 0.1, 0.3, 0.6])),
        empty=float(pick.choice([0.0, 0.0, 0.05, 0.3])),
        background=0.2,
    )


def _boxes(pick: np.random.Generator, n: int, size: float, clipped: bool) -> Any:
    wh = np.clip(pick.lognormal(np.log(size), 0.5, (n, 2)), 0.005, 1.2)
    centre = pick.uniform(0, 1, (n, 2))
    low, high = centre - wh / 2, centre + wh / 2
    if clipped:
        low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
    else:  # a detector leaves the image by little
        low, high = np.clip(low, -0.08 - 0.2 * wh, 1), np.clip(high, 0, 1.08 + 0.2 * wh)
    return np.concatenate([(low + high) / 2, high - low], axis=1)


def _order(style: Style, pick: np.random.Generator, boxes: Any, score: Any, label: Any) -> Any:
    n = len(score)
    return {
        "falling": lambda: np.argsort(-score, kind="stable"), "rising": lambda: np.argsort(score, kind="stable"),
        "class": lambda: np.lexsort([-score, label]), "x": lambda: np.argsort(boxes[:, 0]),
        "y": lambda: np.argsort(boxes[:, 1]), "area": lambda: np.argsort(-boxes[:, 2] * boxes[:, 3]),
        "area up": lambda: np.argsort(boxes[:, 2] * boxes[:, 3]), "none": lambda: pick.permutation(n),
        "appended": lambda: np.tile(np.argsort(-score, kind="stable"), 2),
    }[style.order]()  # fmt: skip


def write_folder(root: Path, seed: int) -> Style:
    """Writes `truth` and `found`; the style that they were written in."""
    style, pick = style_of(seed), np.random.default_rng(seed + 10**6)
    (root / "found").mkdir(parents=True)
    (root / "truth").mkdir()
    (root / "truth" / "classes.txt").write_text("a\nb\nc\n")
    written = 0
    for image in range(style.images):
        n = int(pick.integers(1, style.rows + 1))
        objects = _boxes(pick, 0 if pick.random() < style.background else n, style.size, True)
        lines = [f"{int(pick.integers(3))} {' '.join(f'{v:.6f}' for v in box)}\n" for box in objects.tolist()]
        (root / "truth" / f"{image:04}.txt").write_text("".join(lines))
        boxes = _boxes(pick, n, style.size, style.clipped)
        for row in range(min(n, len(objects))):
            if pick.random() < style.skill:
                boxes[row] = objects[row] + pick.normal(0, 0.06, 4) * np.tile(objects[row, 2:], 2)
                boxes[row, 2:] = np.maximum(boxes[row, 2:], 0.004)
        boxes[pick.random(n) < style.empty, 2 + int(pick.integers(2))] = 0.0
        score = np.clip(pick.beta(*style.scores, n), 0.001, 0.999)
        label = pick.integers(0, 3, n)
        rows = []
        for k in _order(style, pick, boxes, score, label).tolist():
            values = [style.digits % v for v in _geometry(style, pick, boxes[k])]
            sure = style.score_digits % score[k]
            words = [sure, *values] if style.place == "first" else [*values, sure]
            rows.append(" ".join([str(label[k]), *words, *([str(k + 1)] if style.kind == "track" else [])]) + "\n")
        if rows and (pick.random() < 0.95 or not written):
            written += 1
            (root / "found" / f"{image:04}.txt").write_text("".join(rows))
    return style


def _geometry(style: Style, pick: np.random.Generator, box: Any) -> list[float]:
    cx, cy, w, h = box.tolist()
    if style.kind == "segment":
        turn = np.sort(pick.uniform(0, 2 * np.pi, int(pick.integers(5, 12))))
        points = np.stack([cx + w / 2 * np.cos(turn), cy + h / 2 * np.sin(turn)], axis=1)
        return [float(v) for v in np.clip(points, 0, 1).ravel()]
    if style.kind == "pose":
        points = np.stack([cx + w * pick.uniform(-0.5, 0.5, 17), cy + h * pick.uniform(-0.5, 0.5, 17)], axis=1)
        seen = pick.uniform(0, 1, 17)
        return [cx, cy, w, h, *np.concatenate([np.clip(points, 0, 1), seen[:, None]], axis=1).ravel().tolist()]
    return [cx, cy, w, h]


def outcome(seed: int) -> tuple[Style, str]:
    """What reading makes of a folder: `right`, `refused` or `wrong`."""
    import boxscore as bs

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        style = write_folder(root, seed)
        truth = bs.read_truth(root / "truth", truth_format="yolo")[0] if style.truth == "yolo" else None
        try:
            made, _ = bs.read_detections(root / "found", truth=truth, detections_format="yolo")
        except bs.InputError as error:
            return style, "refused" if "whether the confidence" in str(error) else f"error: {error}"
        meant, _ = bs.read_detections(
            root / "found", truth=truth, detections_format="yolo", confidence=style.place
        )  # fmt: skip
        same = np.array_equal(made.score, meant.score) and np.array_equal(made.corners, meant.corners)
        return style, "right" if same else "wrong"


def measured(seeds: range) -> dict[str, Counter[str]]:
    """Outcomes of many folders, by kind of rows, with and without a ground truth beside them."""
    counts: dict[str, Counter[str]] = {}
    for seed in seeds:
        style, result = outcome(seed)
        if result.startswith(("wrong", "error")):
            print(seed, style, result)
        beside = "with truth" if style.truth != "none" else "alone"
        small = "up to 10 rows" if style.images * style.rows <= 10 else "more rows"
        counts.setdefault(f"{style.kind:8} {beside:11} {small}", Counter())[result] += 1
    return counts


if __name__ == "__main__":
    which, count = (sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 2 else ("odd", 2000)
    table = measured(range(int(which == "odd"), 2 * count, 2))
    whole: Counter[str] = sum(table.values(), Counter())
    for name in sorted(table):
        print(f"{name:40}", *(f"{key} {n}" for key, n in sorted(table[name].items())), sep="  ")
    print("all", dict(whole))
