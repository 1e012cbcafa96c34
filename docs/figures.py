"""Writes docs/figures.md and its pictures: python docs/figures.py.

The numbers are those of the worked examples that `boxscore demo` shows, and of generated detections.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import boxscore as bs
from boxscore.demo import examples
from boxscore.protocols import get, variant
from boxscore.report.figures import module
from boxscore.report.figures.making import made
from boxscore.report.figures.saving import as_bytes
from boxscore.tables.model import Classes, Images

FOLDER = Path(__file__).parent
NAMES = (
    "person", "car", "bicycle", "dog", "cat", "bus", "train", "truck", "boat", "bird", "horse", "sheep", "cow",
    "bottle", "chair", "sofa", "plant", "table", "tv", "motorbike",
)  # fmt: skip
SETS = ("yolov8n", "rt-detr", "faster-rcnn", "centernet", "dino", "ssd300")

START = """# Figures

Every figure of `boxscore plot KIND TRUTH DETECTIONS… -o FILE` (PNG, SVG, PDF), of `bs.plot.KIND([result, …])` and of
`result.plot.KIND()`, made by `docs/figures.py`. `pip install "boxscore[plot]"` brings matplotlib.

* Numbers are those of `boxscore eval` with the same protocol; what is undefined is n/a, not drawn as 0.
* Widths are those of papers: `--width 3.5` for a column, 7 for a page. Text then has 7 to 8 points; do not scale it.
* Every line has a colour and a dash of its own: figures can be read in grey print and with every kind of colour vision.
* Names of classes are written with an installed font that has the glyphs; a character that none has becomes its code.
* The same input gives the same bytes. `-o FILE` replaces that file only; `--all -o FOLDER` wants a new or empty folder.
* Functions return matplotlib axes, in a new figure or in the place of `ax=`; a notebook shows them by itself.

In Python:

    >>> import boxscore as bs
    >>> from boxscore.demo import examples
    >>> persons = examples()[1]
    >>> voc = bs.protocols.variant(bs.protocols.get("toolkit-voc"), iou="0.3")
    >>> result = bs.evaluate(persons.truth, persons.detections, protocol=voc)
    >>> ax = result.plot.pr("person")  # shows itself in a notebook
    >>> ax.texts[1].get_text(), round(result["mAP"], 4)
    ('person, AP 0.2457', 0.2457)
    >>> ax = bs.plot.score([result, result], width=7)  # several results in one figure
    >>> ax.figure.savefig("scores.pdf")  # doctest: +SKIP

`boxscore plot --all TRUTH DETECTIONS -o FOLDER` writes a curve per class, all classes in one figure, the class
distribution, and `results.txt` with AP, precisions and recalls of each class.
"""


class Shown(NamedTuple):
    """A figure of the page."""

    file: str
    title: str
    command: str
    kind: str
    results: Sequence[bs.Result]
    options: dict[str, Any]
    width: float | None = 3.5


def shown() -> list[Shown]:
    """All figures of the page."""
    cats, persons = examples()
    paper = bs.evaluate(persons.truth, persons.detections, protocol=variant(get("toolkit-voc"), iou="0.3"))
    twelve = {
        iou: bs.evaluate(cats.truth, cats.detections, protocol=variant(get("toolkit-voc"), iou=iou))
        for iou in ("0.5", "0.75")
    }
    some = generated(NAMES, len(SETS))
    many = generated([f"class {k:03}" for k in range(80)], 1)
    voc = "--protocol toolkit-voc --iou 0.3"
    return [
        Shown("pr_raw", "The 24 detections of the 2020 paper: the raw curve", f"pr … {voc} --interpolation raw", "pr",
              [paper], {"interpolation": "raw"}),
        Shown("pr_11", "Its interpolation by 11 points", f"pr … {voc} --interpolation 11", "pr", [paper],
              {"interpolation": "11"}),
        Shown("pr_all", "By all points: four areas that add up to AP", f"pr … {voc}", "pr", [paper], {}),
        Shown("ranking", "The table behind it", f"ranking … {voc}", "ranking", [paper], {}),
        Shown("pr_cats_50", "The twelve cats of the 2021 paper at IoU 0.5", "pr … --protocol toolkit-voc", "pr",
              [twelve["0.5"]], {}),
        Shown("pr_cats_75", "And at IoU 0.75", "pr … --protocol toolkit-voc --iou 0.75", "pr", [twelve["0.75"]], {}),
        Shown("pr_classes", "All classes", "pr …", "pr", some[:1], {}),
        Shown("pr_sets", "Several detectors", "pr TRUTH A B C …", "pr", some, {}),
        Shown("score", "Precision, recall, F1 by score", "score …", "score", some[:1], {}),
        Shown("score_sets", "F1 of several detectors by score", "score TRUTH A B C …", "score", some, {}),
        Shown("recall_iou_sets", "Recall by IoU", "recall-iou TRUTH A B C …", "recall-iou", some, {}),
        Shown("classes", "AP of each class", "classes …", "classes", some[:1], {}),
        Shown("classes_sets", "AP of each class, several detectors", "classes TRUTH A B C …", "classes", some[:4], {}),
        Shown("classes_80", "AP of 80 classes", "classes …", "classes", many, {}, 7.0),
        Shown("confusion", "Confusion matrix", "confusion … --score 0.5", "confusion", generated(NAMES[:6], 1),
              {"score": 0.5}),
        Shown("confusion_20", "Confusion matrix of more classes: squares by count", "confusion …", "confusion",
              some[:1], {}),
        Shown("counts", "Boxes per class", "counts …", "counts", some[:1], {}),
        Shown("sizes", "Box sizes", "sizes …", "sizes", some[:1], {}),
        Shown("sizes_sets", "Box sizes of several detectors", "sizes TRUTH A B C …", "sizes", some, {}, 7.0),
        Shown("timeline", "When the objects of a video are found", "timeline …", "timeline", [video()], {}),
    ]  # fmt: skip


def video() -> bs.Result:
    """An evaluation of a generated video: five objects, each found a few frames late and lost now and then."""
    rng, frames = np.random.default_rng(5), 40
    images = Images([f"street#{f}" for f in range(frames)], video=["street"] * frames, frame=np.arange(frames))
    there = [(t, f) for t in range(5) for f in range(4 * t, 4 * t + 22)]
    track, frame = np.array(there).T
    corner = np.c_[100.0 * track + frame, 20.0 * track]
    corners = np.c_[corner, corner + 60]
    kept = (frame - 4 * track >= track) & (rng.random(len(track)) < 0.85)
    common = {"images": images, "classes": Classes(("car",), (1,))}

    def rows(some: Any) -> dict[str, Any]:
        n = int(some.sum())
        return {"image": frame[some].astype(np.int32), "label": np.zeros(n, np.int32), "corners": corners[some],
                "box_area": np.full(n, 3600.0), "position": np.arange(n)}  # fmt: skip

    every = np.ones(len(track), np.bool_)
    truth = bs.Truth(**common, **rows(every), track=track + 1, area=np.full(len(track), np.nan),
                     flags=np.zeros(len(track), np.uint16))  # fmt: skip
    found = bs.Detections(**common, **rows(kept), score=rng.uniform(0.4, 1, int(kept.sum())))
    return bs.evaluate(truth, found, protocol="voc2012")


def generated(names: Sequence[str], sets: int) -> list[bs.Result]:
    """Evaluations of generated boxes: few frequent and many rare classes, detectors of falling quality."""
    rng, n_classes, images = np.random.default_rng(7), len(names), 200
    often = 1 / np.arange(1, n_classes + 1) ** 0.7
    n = 1500
    label, image = rng.choice(n_classes, n, p=often / often.sum()), rng.integers(0, images, n)
    corner, side = rng.uniform(0, 500, (n, 2)), np.exp(rng.normal(4, 0.8, (n, 2)))
    hard = rng.beta(2, 3, n_classes)[label]
    reading = bs.ReadOptions(box="xywh")
    truth, _ = bs.read_truth(
        {"images": list(range(images)), "image": image, "boxes": np.c_[corner, side],
         "labels": [names[k] for k in label]}, reading,
    )  # fmt: skip
    made = []
    for k in range(sets):
        kept = rng.random(n) < 0.97 - 0.05 * k - 0.4 * hard
        wrong = rng.random(n) < 0.05 + 0.03 * k
        given = np.where(wrong, (label + rng.integers(1, 3, n)) % n_classes, label)[kept]
        noise = 0.06 + 0.02 * k
        boxes = np.c_[corner[kept] + rng.normal(0, 60 * noise, (kept.sum(), 2)),
                      side[kept] * np.exp(rng.normal(0, noise, (kept.sum(), 2)))]  # fmt: skip
        extra = n // 2
        rows = {
            "image": np.r_[image[kept], rng.integers(0, images, extra)],
            "boxes": np.r_[boxes, np.c_[rng.uniform(0, 500, (extra, 2)), np.exp(rng.normal(4, 0.8, (extra, 2)))]],
            "labels": [names[k] for k in np.r_[given, rng.choice(n_classes, extra, p=often / often.sum())]],
            "scores": np.r_[
                np.clip(rng.beta(5, 2, kept.sum()) - 0.3 * hard[kept] - 0.2 * wrong[kept], 0.01, 1),
                rng.beta(1.5, 5, extra),
            ].round(4),
        }
        found, _ = bs.read_detections(rows, reading, truth)
        made.append(bs.evaluate(truth, replace(found, name=SETS[k])))
    return made


def page(figures: Sequence[Shown]) -> str:
    """The page as text."""
    parts = [
        f"## {f.title}\n\n![{f.title}](figures/{f.file}.png)\n\n    boxscore plot {f.command} -o {f.file}.pdf\n"
        for f in figures
    ]
    return "\n".join([START, *parts])


def main() -> None:
    """Write the page and its pictures."""
    (FOLDER / "figures").mkdir(exist_ok=True)
    figures = shown()
    for f in figures:
        view = module(f.kind, "views").view(list(f.results), **f.options)
        content = as_bytes(made(f.kind, view, f.width).figure, "png", 144)
        (FOLDER / "figures" / f"{f.file}.png").write_bytes(content)
    (FOLDER / "figures.md").write_text(page(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
