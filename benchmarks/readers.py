"""What reading costs: boxscore beside libraries that read the same files, each run in a fresh process.

python benchmarks/readers.py [--images 5000] [--rounds 3] [--python OTHER] [-o FILE]

COCO, PASCAL VOC, YOLO and Open Images are written once from one generated scene, with an image of a few bytes for
each annotation file, because most libraries ask the image for its size. `--python` runs the others in an environment
of their own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

FORMATS = ("coco", "voc", "yolo", "open-images")
PEERS = ("boxscore", "globox", "supervision", "datumaro")


def main() -> None:
    """Print a table of times, as multiples of boxscore's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--python", default=sys.executable, help="the Python that has the other libraries")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(_measured(*given.measure, given.folder)))
        return
    import report
    import workloads

    folder = given.folder or workloads.DEFAULT_FOLDER / f"readers-{given.images}"
    if not (folder / "done").exists():
        _write(folder, workloads.Size(given.images, 80, given.images * 7, given.images))
    taken: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for _ in range(given.rounds):
        for form in FORMATS:
            for peer in PEERS:
                python = sys.executable if peer == "boxscore" else given.python
                command = [python, __file__, "--measure", peer, form, "--folder", str(folder)]
                made = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
                last = made.stdout.strip().splitlines()[-1:] or [""]
                if made.returncode == 0 and last[0].startswith("{"):
                    taken.setdefault((peer, form), []).append(json.loads(last[0]))
                elif made.returncode:
                    print(f"{peer} {form}: {made.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    text = report.table(["reader", *FORMATS], [_row(peer, taken) for peer in PEERS])
    print(text)
    if given.output:
        given.output.write_text(text + "\n")


def _row(peer: str, taken: dict[tuple[str, str], list[dict[str, Any]]]) -> list[str]:
    cells = [peer]
    for form in FORMATS:
        runs = taken.get((peer, form))
        if not runs:
            cells.append("–")
            continue
        seconds = median(run["seconds"] for run in runs)
        base = median(run["seconds"] for run in taken["boxscore", form])
        times = "" if peer == "boxscore" else f" ({seconds / base:.0f}×)"
        cells.append(f"{seconds:.3f} s{times}, {runs[0]['boxes']:,} boxes")
    return cells


def _measured(peer: str, form: str, folder: Path) -> dict[str, Any]:
    read = READERS[peer].get(form)
    if read is None:
        raise SystemExit(0)
    run = read(folder)  # imports
    start = time.perf_counter()
    boxes = run()
    return {"seconds": time.perf_counter() - start, "boxes": boxes}


def _boxscore(path: str, **how: Any) -> Callable[[Path], Callable[[], int]]:
    def ready(folder: Path) -> Callable[[], int]:
        from boxscore import ReadOptions, read_truth

        places = {name: str(folder / value) if name == "images" else value for name, value in how.items()}
        return lambda: len(read_truth(folder / path, ReadOptions(**places))[0])

    return ready


def _globox(method: str, path: str, **how: str) -> Callable[[Path], Callable[[], int]]:
    def ready(folder: Path) -> Callable[[], int]:
        from globox import AnnotationSet

        places = {name: folder / value for name, value in how.items()}

        def run() -> int:
            return sum(len(one.boxes) for one in getattr(AnnotationSet, method)(folder / path, **places))

        return run

    return ready


def _supervision(method: str, *paths: str) -> Callable[[Path], Callable[[], int]]:
    def ready(folder: Path) -> Callable[[], int]:
        import supervision

        def run() -> int:
            made = getattr(supervision.DetectionDataset, method)(*(str(folder / path) for path in paths))
            return sum(len(found) for found in made.annotations.values())

        return run

    return ready


def _datumaro(path: str, form: str) -> Callable[[Path], Callable[[], int]]:
    def ready(folder: Path) -> Callable[[], int]:
        import logging

        from datumaro import AnnotationType, Dataset

        logging.disable(logging.CRITICAL)

        def run() -> int:
            made = Dataset.import_from(str(folder / path), form)
            return sum(a.type == AnnotationType.bbox for item in made for a in item.annotations)

        return run

    return ready


READERS: dict[str, dict[str, Callable[[Path], Callable[[], int]]]] = {
    "boxscore": {
        "coco": _boxscore("annotations/instances_val.json"),
        "voc": _boxscore("Annotations"),
        "yolo": _boxscore("labels", images="images", truth_format="yolo"),
        "open-images": _boxscore("boxes.csv", images="images"),
    },
    "globox": {
        "coco": _globox("from_coco", "annotations/instances_val.json"),
        "voc": _globox("from_pascal_voc", "Annotations"),
        "yolo": _globox("from_yolo_v5", "labels", image_folder="images"),
        "open-images": _globox("from_openimage", "boxes.csv", image_folder="images"),
    },
    "supervision": {
        "coco": _supervision("from_coco", "images", "annotations/instances_val.json"),
        "voc": _supervision("from_pascal_voc", "images", "Annotations"),
        "yolo": _supervision("from_yolo", "images", "labels", "data.yaml"),
    },
    "datumaro": {
        "coco": _datumaro("coco_root", "coco"),
        "voc": _datumaro("voc_root", "voc"),
        "yolo": _datumaro("yolo_root", "yolo"),
    },
}


def _write(folder: Path, size: Any) -> None:
    """The scene in all four formats; Open Images with the image's file name as its key, as globox wants it."""
    import numpy as np
    from PIL import Image

    import workloads

    scene = workloads.generate(size)
    names = [f"{number:012d}" for number in scene.image_id.tolist()]
    width, height = (
        dict(zip(scene.image_id.tolist(), scene.width.tolist(), strict=True)),
        dict(zip(scene.image_id.tolist(), scene.height.tolist(), strict=True)),
    )
    for place in ("annotations", "Annotations", "images", "labels", "coco_root/annotations", "voc_root/ImageSets/Main",
                  "yolo_root/obj_train_data"):  # fmt: skip
        (folder / place).mkdir(parents=True, exist_ok=True)
    place_of = {key: k for k, key in enumerate(scene.category_id.tolist())}
    rows: dict[int, list[tuple[int, list[float]]]] = {key: [] for key in scene.image_id.tolist()}
    columns = (scene.object_image.tolist(), scene.object_category.tolist(), scene.object_box.tolist())
    for image, category, box in zip(*columns, strict=True):
        rows[image].append((place_of[category], box))
    csv = [
        "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside"
    ]
    for key, name in zip(scene.image_id.tolist(), names, strict=True):
        w, h = width[key], height[key]
        Image.new("L", (w, h)).save(folder / "images" / f"{name}.jpg", quality=1)
        xml, yolo = (
            [
                f"<annotation><filename>{name}.jpg</filename><size><width>{w}</width><height>{h}</height><depth>3</depth></size>"
            ],
            [],
        )
        for k, (x, y, bw, bh) in rows[key]:
            xml.append(
                f"<object><name>class{k}</name><pose>Unspecified</pose><truncated>0</truncated><difficult>0</difficult>"
                f"<bndbox><xmin>{round(x) + 1}</xmin><ymin>{round(y) + 1}</ymin><xmax>{round(x + bw) + 1}</xmax>"
                f"<ymax>{round(y + bh) + 1}</ymax></bndbox></object>"
            )
            yolo.append(f"{k} {(x + bw / 2) / w:.6f} {(y + bh / 2) / h:.6f} {bw / w:.6f} {bh / h:.6f}")
            csv.append(
                f"{name}.jpg,xclick,class{k},1,{x / w:.6f},{(x + bw) / w:.6f},{y / h:.6f},{(y + bh) / h:.6f},0,0,0,0,0"
            )
        (folder / "Annotations" / f"{name}.xml").write_text("\n".join([*xml, "</annotation>"]))
        (folder / "labels" / f"{name}.txt").write_text("".join(line + "\n" for line in yolo))
    (folder / "boxes.csv").write_text("\n".join(csv) + "\n")
    classes = [f"class{k}" for k in range(len(scene.category_id))]
    (folder / "data.yaml").write_text("names:\n" + "".join(f"- {name}\n" for name in classes))
    import write_coco

    write_coco.truth(scene, folder / "annotations" / "instances_val.json")
    whole = json.loads((folder / "annotations" / "instances_val.json").read_text())
    for image, name in zip(whole["images"], names, strict=True):
        image["file_name"] = f"{name}.jpg"
    (folder / "annotations" / "instances_val.json").write_text(json.dumps(whole))
    (folder / "coco_root/annotations/instances_val.json").write_text(json.dumps(whole))
    (folder / "coco_root/images").symlink_to(folder / "images")
    (folder / "voc_root/Annotations").symlink_to(folder / "Annotations")
    (folder / "voc_root/JPEGImages").symlink_to(folder / "images")
    (folder / "voc_root/ImageSets/Main/val.txt").write_text("".join(f"{name}\n" for name in names))
    (folder / "voc_root/labelmap.txt").write_text(
        "# label:color_rgb:parts:actions\nbackground:0,0,0::\n"
        + "".join(f"{name}:{k + 1},{k + 1},{k + 1}::\n" for k, name in enumerate(classes))
    )
    root = folder / "yolo_root"
    (root / "obj.data").write_text(
        f"classes = {len(classes)}\ntrain = data/train.txt\nnames = data/obj.names\nbackup = backup/\n"
    )
    (root / "obj.names").write_text("".join(f"{name}\n" for name in classes))
    (root / "train.txt").write_text("".join(f"data/obj_train_data/{name}.jpg\n" for name in names))
    for name in names:
        (root / "obj_train_data" / f"{name}.jpg").hardlink_to(folder / "images" / f"{name}.jpg")
        (root / "obj_train_data" / f"{name}.txt").hardlink_to(folder / "labels" / f"{name}.txt")
    (folder / "done").write_text(str(np.__version__))


if __name__ == "__main__":
    main()
