"""Work that goes through every kernel with threads, and what becomes of it when threads or memory fail.

Run in a process of its own with `failing.c` preloaded: `every_kernel.py threads|memory FOLDER TASK…`. It says how often
each task was made to fail, and ends with 1 where a task gave other bits than without failures, or another error than
MemoryError.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import boxscore as bs
from boxscore import cli
from boxscore.analysis.explain import explain_tables
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.run import evaluate_tables
from boxscore.formats.io.image_sizes import read_images, sizes_of
from boxscore.formats.io.writing import Writing, write
from boxscore.protocols import get

FORMATS = {  # one for each kernel that reads, and how it is written
    "coco": {},
    "tf-csv": {},
    "yolo": {"confidence": "last"},
    "voc-xml": {},
}
GEOMETRIES = ("coco-segm", "coco-boundary", "coco-keypoints", "coco-obb")
SIGMAS = (0.05, 0.05, 0.1, 0.1)
DICTIONARIES = {"dictionaries": "coco-segm", "keypoint dictionaries": "coco-keypoints"}
TASKS = (
    *FORMATS, "images", "one protocol", "several protocols", "explain", "command line", *GEOMETRIES, *DICTIONARIES
)  # fmt: skip


def tables(rows: int, images: int, seed: int = 0) -> tuple[bs.Truth, bs.Detections]:
    """Truth and detections that find some of it; scores are tied now and then."""
    rng = np.random.default_rng(seed)
    names = bs.Images([f"{i:04}.jpg" for i in range(images)], None, np.full(images, 640.0), np.full(images, 480.0))
    classes = bs.Classes(("cat", "dog", "bird"), (1, 2, 3))
    n = rows // 3

    def columns(corners: Any, image: Any, label: Any) -> dict[str, Any]:
        area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
        common = {"images": names, "classes": classes, "position": np.arange(len(image)), "corners": corners}
        return {**common, "box_area": area, "image": image.astype(np.int32), "label": label.astype(np.int32)}

    image, label = np.sort(rng.integers(0, images, n)), rng.integers(0, 3, n)
    start = rng.uniform(0, 400, (n, 2)).round(1)
    corners = np.hstack([start, start + rng.uniform(5, 80, (n, 2)).round(1)])
    own = {"area": (a := columns(corners, image, label))["box_area"], "flags": np.zeros(n, np.uint8)}
    truth = bs.Truth(**a, **own, id=np.arange(1, n + 1))
    of = np.sort(rng.integers(0, n, rows))
    found = np.hstack([corners[of, :2], corners[of, 2:] + rng.uniform(0, 20, (rows, 2)).round(1)])
    score = rng.uniform(0.01, 1, rows).round(4)
    return truth, bs.Detections(**columns(found, image[of], label[of]), score=score)


def prepare(folder: Path) -> None:
    """Files of every format that a kernel reads."""
    truth, detections = tables(3000, 150)
    for name, how in FORMATS.items():
        write(truth, folder / f"{name} truth", name, Writing())
        write(detections, folder / f"{name} detections", name, Writing(**how))
    for side, document in zip(("truth", "detections"), shaped(truth, detections), strict=True):
        (folder / f"shapes {side}.json").write_text(json.dumps(document))
    (folder / "images").mkdir()
    from PIL import Image

    for i in range(150):
        Image.new("L", (100 + i, 50)).save(folder / "images" / f"{i:04}.png")


def shaped(truth: bs.Truth, detections: bs.Detections) -> tuple[Any, Any]:
    """The rows as COCO has them, each with a rhombus for its mask and the corners of its box for keypoints."""

    def rows(table: Any, **further: Any) -> list[dict[str, Any]]:
        made = []
        for i, (x0, y0, x1, y1) in enumerate(table.corners.tolist()):
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            common = {"image_id": int(table.image[i]), "category_id": 1, "bbox": [x0, y0, x1 - x0, y1 - y0]}
            shapes = {
                "segmentation": [[x, y0, x1, y, x, y1, x0, y]],
                "keypoints": [x0, y0, 2, x1, y0, 2, x1, y1, 2, x0, y1, 1],
            }
            made.append({**common, **shapes, **{key: column[i] for key, column in further.items()}})
        return made

    n = len(truth.image)
    images = [{"id": i, "file_name": name, "width": 640, "height": 480} for i, name in enumerate(truth.images.key)]
    annotations = rows(truth, id=range(1, n + 1), iscrowd=[0] * n, area=truth.area.tolist(), num_keypoints=[4] * n)
    categories = [{"id": 1, "name": "cat", "keypoints": ["a", "b", "c", "d"]}]
    whole = {"images": images, "annotations": annotations, "categories": categories}
    return whole, rows(detections, score=detections.score.tolist())


def bits(value: Any) -> bytes:
    """Everything that a value holds, down to the last bit."""
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if hasattr(value, "__dataclass_fields__"):
        return b"".join(bits(getattr(value, f.name)) for f in fields(value))
    if isinstance(value, (tuple, list)):
        return b"".join(map(bits, value))
    return repr(value).encode()


def read(folder: Path, threads: int, name: str) -> Any:
    """Both sides of a format."""
    how = bs.Reading(threads=threads, truth_format=name, detections_format=name, image_size=(640, 480))
    truth, said = bs.read_truth(folder / f"{name} truth", how)
    return truth, said, bs.read_detections(folder / f"{name} detections", how, truth)


def evaluated(aligned: Any, threads: int, names: tuple[str, ...]) -> str:
    """All numbers of several protocols, which share what they can."""
    protocols = [get(name) for name in names]
    shared = Shared(protocols)
    made = [evaluate_tables(aligned, p, [], ["F1max"], threads, shared) for p in protocols]
    return json.dumps([result.to_dict() for result in made])


def commanded(folder: Path, threads: int) -> bytes:
    """What the command line writes; being out of memory is told in a sentence, with exit code 3."""
    sides = [str(folder / f"coco {side}") for side in ("truth", "detections")]
    made, said = folder / "made.json", io.StringIO()
    made.unlink(missing_ok=True)
    with redirect_stderr(said):
        code = cli.main(["eval", *sides, "--threads", str(threads), "-q", "-o", str(made)])
    if (code, said.getvalue(), made.exists()) == (cli.INPUT, f"boxscore: {cli.OUT_OF_MEMORY}\n", False):
        raise MemoryError
    assert (code, said.getvalue()) == (0, ""), (code, said.getvalue())
    return made.read_bytes()


def shapes(folder: Path, threads: int, protocol: str) -> str:
    """All numbers of a protocol from files with masks and keypoints."""
    sides = [folder / f"shapes {side}.json" for side in ("truth", "detections")]
    rules = replace(get(protocol), sigmas=SIGMAS)
    return json.dumps(bs.evaluate(*sides, protocol=rules, threads=threads).to_dict())


def dictionaries(folder: Path, threads: int, protocol: str) -> Callable[[], str]:
    """Masks or keypoints in memory, which are read from Python's own values."""
    truth, found = (json.loads((folder / f"shapes {side}.json").read_text()) for side in ("truth", "detections"))
    rules = replace(get(protocol), sigmas=SIGMAS)
    return lambda: json.dumps(bs.evaluate(truth, found, protocol=rules, threads=threads).to_dict())


def tasks(folder: Path, threads: int = 3) -> dict[str, Callable[[], Any]]:
    """What is to be done, by name."""
    # Enough rows for two blocks of whatever a kernel does by rows.
    aligned, small = bs.align(*tables(70_000, 500)), bs.align(*tables(3000, 150))
    several = ("coco", "coco-fixed", "openimages-v2")
    return {
        **{name: partial(read, folder, threads, name) for name in FORMATS},
        "images": lambda: sizes_of(files := read_images(folder / "images"), files.paths, threads),
        "one protocol": partial(evaluated, aligned, threads, ("coco",)),
        "several protocols": partial(evaluated, aligned, threads, several),
        "explain": lambda: explain_tables(small, get("coco"), get("voc2012"), threads).to_dict(),
        "command line": partial(commanded, folder, threads),
        **{name: partial(shapes, folder, threads, name) for name in GEOMETRIES},
        **{name: dictionaries(folder, threads, protocol) for name, protocol in DICTIONARIES.items()},
    }


class Failures:
    """The numbers of failing.c for one kind of call."""

    def __init__(self, kind: str) -> None:
        self._of = {n: ctypes.c_long.in_dll(ctypes.CDLL(None), f"{kind}_{n}") for n in ("first", "last", "count")}

    def during(self, task: Callable[[], Any], first: int = 0, last: int = 0) -> tuple[str, int]:
        """The digest of what a task makes, or the error it ends in, and how many calls there were."""
        self._of["count"].value, self._of["last"].value = 0, last
        self._of["first"].value = first or 1 << 60
        try:
            made = hashlib.sha256(bits(task())).hexdigest()
        except MemoryError:
            made = "MemoryError"
        finally:
            self._of["first"].value = 1 << 60
        return made, self._of["count"].value


def main(kind: str, folder: str, *names: str) -> int:
    """Has each call of a kind fail once, and from each on all that follow."""
    failures, wrong = Failures(kind), 0
    for name in names:
        task = tasks(Path(folder))[name]
        failures.during(task)  # imports and what is made once
        right, n = failures.during(task)
        allowed = {right} if kind == "threads" else {right, "MemoryError"}
        steps = range(1, n + 1, max(1, n // 10))
        made = [failures.during(task, k, last)[0] for k in steps for last in (k, 1 << 60)]
        again = failures.during(task)[0]
        odd = {m for m in made if m not in allowed} | {again} - {right}
        wrong += len(odd)
        print(json.dumps({"task": name, "calls": n, "failed": made.count("MemoryError"), "odd": sorted(odd)}))
    return int(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]))
    else:
        sys.exit(main(*sys.argv[1:]))
