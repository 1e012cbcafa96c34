"""A small data set with images: two models, one class whose name is markup, and numbers that are easy to see."""

from __future__ import annotations

import json
import os
from multiprocessing.connection import Connection
from pathlib import Path

from PIL import Image, ImageDraw
from starlette.testclient import TestClient

from boxscore.app.folders import Folders
from boxscore.app.form import Form, Model
from boxscore.app.server import application
from boxscore.app.workspace import Workspace

MARKUP = "<img src=x onerror=alert(1)>"
CLASSES = ("cat", "dog", MARKUP)
COLOURS = ("#c96f4a", "#4a7fc9", "#7a9a4a")
SIZE = (160, 120)
TOKEN = "the-token"


def make(folder: Path, images: int = 12) -> Path:
    """Writes truth.json, a.json, b.json and the folder pictures."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True)
    annotations, found = [], {"a": list[dict[str, object]](), "b": list[dict[str, object]]()}
    for i in range(images):
        picture = Image.new("RGB", SIZE, "#d8d4c8")
        pen = ImageDraw.Draw(picture)
        for k in range(1 + i % 3):
            box = [10 + 48 * k, 20 + 5 * (i % 4), 36, 60]
            label = (i + k) % len(CLASSES)
            pen.rectangle([box[0], box[1], box[0] + box[2], box[1] + box[3]], fill=COLOURS[label])
            annotations.append({"id": len(annotations) + 1, "image_id": i + 1, "category_id": label + 1, "bbox": box,
                                "area": box[2] * box[3], "iscrowd": 0})  # fmt: skip
            score = 0.95 - 0.06 * i - 0.02 * k
            found["a"].append(
                {"image_id": i + 1, "category_id": label + 1, "bbox": [box[0] + 2, *box[1:]], "score": score}
            )
            if (i + k) % 2:
                found["b"].append({"image_id": i + 1, "category_id": label + 1, "bbox": box, "score": score / 2 + 0.3})
        false = {"image_id": i + 1, "category_id": 1 + i % 3, "bbox": [100, 90, 30, 20]}
        found["a"].append({**false, "score": 0.2 + 0.05 * (i % 9)})
        picture.save(pictures / f"scene {i + 1:02}.png")
    document = {
        "images": [
            {"id": i + 1, "file_name": f"scene {i + 1:02}.png", "width": SIZE[0], "height": SIZE[1]}
            for i in range(images)
        ],
        "categories": [{"id": k + 1, "name": name} for k, name in enumerate(CLASSES)],
        "annotations": annotations,
    }  # fmt: skip
    (folder / "truth.json").write_text(json.dumps(document))
    for name, rows in found.items():
        (folder / f"{name}.json").write_text(json.dumps(rows))
    return folder


def form(folder: Path, protocols: tuple[str, ...] = ("coco", "voc2012")) -> Form:
    """What the page would send to open it."""
    models = tuple(Model(str(folder / f"{name}.json")) for name in "ab")
    return Form(str(folder / "truth.json"), models, {"images": str(folder / "pictures")}, protocols)


def evaluated(folder: Path, protocols: tuple[str, ...] = ("coco", "voc2012")) -> Workspace:
    """A workspace in which it is open."""
    workspace = Workspace(Folders.of([folder]), form(folder, protocols))
    job = workspace.start("evaluate")
    job.listener.join(120)
    assert job.state == "done", job.text
    return workspace


def asking(workspace: Workspace) -> TestClient:
    """A client with the token."""
    app = application(workspace, TOKEN)
    return TestClient(app, "http://127.0.0.1:8765", headers={"x-boxscore-token": TOKEN}, follow_redirects=False)


def endless(connection: Connection, kind: str, form: Form) -> None:
    """Never listens and never ends."""
    connection.send(("progress", ("at it", 1, 3)))
    while True:
        pass


def dying(connection: Connection, kind: str, form: Form) -> None:
    """As a process that the system kills."""
    os._exit(9)
