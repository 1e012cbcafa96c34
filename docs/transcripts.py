"""Writes docs/transcripts.md: python docs/transcripts.py.

Ten sessions as people have them, on a terminal of 80 columns. Files are generated here with fixed numbers; what the
commands print is what they print, and a test runs them again.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from PIL import Image

from boxscore.cli import main as boxscore

FOLDER = Path(__file__).parent
COLUMNS = 80
SCREEN = {"COLUMNS": str(COLUMNS), "LINES": "60", "TERM": "dumb"}
WIDTH, HEIGHT = 640, 480
NAMES = ("cat", "dog", "owl")
START = f"""# Transcripts

What people type and see, on a terminal of {COLUMNS} columns. `docs/transcripts.py` generates the files, runs the
commands and writes this page; a test keeps it true.
"""


class Session(NamedTuple):
    """A heading, what a reader should know, what makes the files, and the commands."""

    title: str
    about: str
    files: Callable[[Path], None]
    commands: tuple[str, ...]


class Box(NamedTuple):
    """A box of an image in pixels; a score of 0 is that of an object."""

    image: int
    label: int
    x: float
    y: float
    w: float
    h: float
    score: float = 0.0


def scene(images: int = 24, seed: int = 7) -> tuple[list[Box], list[Box]]:
    """Objects, and what a fair detector finds of them."""
    rng, objects, found = np.random.default_rng(seed), list[Box](), list[Box]()
    for image in range(images):
        for _ in range(int(rng.integers(1, 6))):
            w, h = rng.uniform(24, 200, 2)
            x, y = rng.uniform(0, WIDTH - w), rng.uniform(0, HEIGHT - h)
            one = Box(image, int(rng.integers(3)), *(round(float(v), 1) for v in (x, y, w, h)))
            objects.append(one)
            if rng.random() < 0.85:
                moved = np.array(one[2:6]) + rng.normal(0, 0.05, 4) * np.array([w, h, w, h])
                label = one.label if rng.random() < 0.93 else int(rng.integers(3))
                score = float(np.clip(rng.normal(0.7, 0.17), 0.26, 0.99))
                found.append(Box(image, label, *(round(float(v), 1) for v in moved), round(score, 3)))
        for _ in range(int(rng.integers(0, 3))):
            w, h = rng.uniform(24, 120, 2)
            x, y, score = rng.uniform(0, WIDTH - w), rng.uniform(0, HEIGHT - h), rng.uniform(0.25, 0.6)
            found.append(Box(image, int(rng.integers(3)), *(round(float(v), 1) for v in (x, y, w, h, score))))
    found = [box._replace(score=round(box.score, 3)) for box in found]
    return objects, sorted(found, key=lambda box: (box.image, -box.score))


def line(box: Box, scored: bool) -> str:
    """A line of YOLO, with six digits."""
    shares = ((box.x + box.w / 2) / WIDTH, (box.y + box.h / 2) / HEIGHT, box.w / WIDTH, box.h / HEIGHT)
    numbers = [f"{value:.6g}" for value in (*shares, *((box.score,) if scored else ()))]
    return " ".join([str(box.label), *numbers]) + "\n"


def write(root: Path, name: str, content: str) -> None:
    """A file with the folders above it."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(content)


def labels(root: Path, folder: str, boxes: list[Box], images: int = 24) -> None:
    """A folder of YOLO labels, with a confidence where boxes have a score."""
    for image in range(images):
        rows = [line(box, box.score > 0) for box in boxes if box.image == image]
        write(root, f"{folder}/img{image:03}.txt", "".join(rows))


def ultralytics(root: Path) -> None:
    """A data set and the runs on it, as `yolo val` and `yolo predict` leave them."""
    objects, found = scene()
    labels(root, "pets/labels/val", objects)
    labels(root, "pets/labels/train", objects[:5], 2)
    for image in range(24):
        path = root / f"pets/images/val/img{image:03}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (WIDTH, HEIGHT)).save(path)
    write(root, "pets/data.yaml", "path: .\ntrain: images/train\nval: images/val\nnames: [cat, dog, owl]\n")
    labels(root, "runs/detect/predict/labels", found)
    rows = [
        {"image_id": f"img{box.image:03}", "category_id": box.label + 1, "bbox": box[2:6], "score": box.score}
        for box in found
    ]
    write(root, "runs/detect/val/predictions.json", json.dumps(rows))


def coco(root: Path) -> None:
    """COCO files: truth.json, and the results of two models."""
    objects, found = scene()
    truth = {
        "images": [
            {"id": k + 1, "file_name": f"img{k:03}.jpg", "width": WIDTH, "height": HEIGHT} for k in range(24)
        ],
        "annotations": [
            {"id": k + 1, "image_id": box.image + 1, "category_id": box.label + 1, "bbox": box[2:6],
             "area": box.w * box.h, "iscrowd": 0}
            for k, box in enumerate(objects)
        ],
        "categories": [{"id": k + 1, "name": name} for k, name in enumerate(NAMES)],
    }  # fmt: skip
    write(root, "truth.json", json.dumps(truth))
    write(root, "small.json", json.dumps([result(box) for box in found[::2]]))
    write(root, "large.json", json.dumps([result(box) for box in found]))


def result(box: Box) -> dict[str, object]:
    """A row of a COCO results list."""
    return {"image_id": box.image + 1, "category_id": box.label + 1, "bbox": box[2:6], "score": box.score}


def swapped(root: Path) -> None:
    """COCO files whose detections have x and y exchanged."""
    coco(root)
    rows = json.loads((root / "large.json").read_text())
    for row in rows:
        x, y, w, h = row["bbox"]
        row["bbox"] = [y, x, h, w]
    write(root, "bad.json", json.dumps(rows))


def undecided(root: Path) -> None:
    """Two detections that can be read with the confidence first or last, and a truth that neither lies on."""
    write(root, "labels/a.txt", "0 0.1 0.1 0.1 0.1\n")
    write(root, "predicted/a.txt", "0 0.5 0.45 0.3 0.2 0.4\n0 0.4 0.5 0.2 0.3 0.5\n")


def broken(root: Path) -> None:
    """A data.yaml whose folder is not there."""
    write(root, "pets/data.yaml", "path: pets-v2\nval: images/val\nnames: [cat, dog, owl]\n")
    write(root, "found.json", "[]")


SESSIONS = (
    Session("A YOLO data set to numbers",
            "`data.yaml` is the ground truth, and the labels that `yolo predict save_txt save_conf` wrote are the\n"
            "detections. Image sizes are read from the images.",
            ultralytics, ("boxscore eval pets/data.yaml runs/detect/predict/labels",)),
    Session("predictions.json of Ultralytics",
            "`yolo val save_json` names images by their stems and counts classes from 1.",
            ultralytics, ("boxscore eval pets/data.yaml runs/detect/val/predictions.json",)),
    Session("A question instead of a guess",
            "Nothing in these lines tells which number is the confidence, so boxscore asks.",
            undecided, ("boxscore eval labels predicted",)),
    Session("A data.yaml whose folder is not there", "The message says where it looked.",
            broken, ("boxscore eval pets/data.yaml found.json",)),
    Session("A wrong file, and its repair",
            "Somebody wrote y x height width. `doctor` finds out and writes a corrected copy.",
            swapped, ("boxscore doctor truth.json bad.json --fix good.json",
                      "boxscore eval truth.json good.json")),
    Session("A gate in a pipeline", "The exit code is 1 where a number is too low.",
            coco, ('boxscore eval truth.json small.json --require "AP50>=0.6" --format github -q',)),
    Session("A threshold for use", "The score from which on at least 90 % of the detections are right.",
            coco, ("boxscore threshold truth.json large.json --precision 0.9",)),
    Session("Two protocols, two numbers, and why", "The gap between COCO's AP50 and VOC's mAP, rule by rule.",
            coco, ("boxscore explain truth.json large.json --from coco --to voc2012",)),
    Session("What is in these files?", "", ultralytics, ("boxscore formats runs/detect/predict/labels",)),
)  # fmt: skip

NOTEBOOK = """## In a notebook

Tensors, dictionaries of torchvision and Hugging Face, arrays whose columns are stated, data frames, `Detections` of
supervision and `Results` of Ultralytics are taken as they are.

```python
>>> import boxscore as bs, numpy as np
>>> truth = [{"boxes": [[10, 10, 50, 50], [60, 20, 90, 70]], "labels": [1, 2]}]
>>> predicted = [np.array([[11, 10, 50, 52, 0.9, 1], [60, 24, 88, 70, 0.8, 2]])]
>>> r = bs.evaluate(truth, predicted, truth_box="xyxy", classes={1: "cat", 2: "dog"},
...                 detections_columns="x1 y1 x2 y2 score label")
>>> round(r["AP"], 4), round(r["AP50"], 4), round(r["AP[class=cat]"], 4)
(0.85, 1.0, 0.9)
>>> bs.evaluate(truth, predicted)
Traceback (most recent call last):
boxscore.errors.InputError: truth: the form of the boxes is not stated; expected box='xywh', box='xyxy' or box='cxcywh'

```
"""


class Terminal(io.TextIOWrapper):
    """A screen that remembers what was written on it."""

    def isatty(self) -> bool:
        """Whether somebody looks."""
        return True


def folded(line: str) -> str:
    """A line as a terminal breaks it: at its last column."""
    line = line.rstrip()
    return "\n".join(line[at : at + COLUMNS].rstrip() for at in range(0, max(len(line), 1), COLUMNS))


def run(command: str) -> str:
    """What a command prints on a terminal, and its exit code where that is not 0."""
    written = io.BytesIO()
    screen = Terminal(written, "utf-8", write_through=True)
    with redirect_stdout(screen), redirect_stderr(screen):
        code = boxscore(shlex.split(command)[1:])
    text = "\n".join(map(folded, [f"$ {command}", *written.getvalue().decode().rstrip().split("\n")]))
    return f"{text}\n" + (f"$ echo $?\n{code}\n" if code else "")


def transcript(session: Session) -> str:
    """The section of a session."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as root, patch.dict(os.environ, SCREEN):
        session.files(Path(root))
        os.chdir(root)
        try:
            shown = "\n".join(run(command) for command in session.commands)
        finally:
            os.chdir(before)
    about = f"{session.about}\n\n" if session.about else ""
    return f"## {session.title}\n\n{about}```console\n{shown}```\n"


def page() -> str:
    """All of docs/transcripts.md."""
    return "\n".join([START, *map(transcript, SESSIONS), NOTEBOOK])


if __name__ == "__main__":
    (FOLDER / "transcripts.md").write_text(page(), encoding="utf-8")
