"""Published files whose sides name images and classes differently."""

from __future__ import annotations

import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Images, Truth

CELLS = ("WBC", "RBC", "Platelet")


def unpacked(archive: Path, into: Path) -> Path:
    with tarfile.open(archive) as opened:
        opened.extractall(into, filter="data")
    return into


def codes(result: bs.Result) -> list[str]:
    return [f.code for f in result.ledger.findings]


def cells(data: Path, *splits: str) -> Truth:
    """The cells of some splits as YOLO has them: shares of images whose sizes it does not say."""
    files = open_files(data / "data/ultralytics_txl_pbc/labels_val_test.tar.gz")
    paths = [path for path in files.paths if path.split("/")[-2] in splits]
    rows = [
        [i, *map(float, line.split())] for i, p in enumerate(paths) for line in files.bytes(p).decode().splitlines()
    ]
    table = np.array(rows)
    corners, area = to_corners(table[:, 2:].copy(), "cxcywh")
    keys = ["/".join(path.split("/")[-2:])[:-4] + ".jpg" for path in paths]
    if len(splits) == 1:
        keys = [key.partition("/")[2] for key in keys]
    n = len(table)
    return Truth(
        Images(keys), Classes(CELLS, (0, 1, 2)), table[:, 0].astype(np.int32), table[:, 1].astype(np.int32),
        corners, area, np.arange(n), "labels", "yolo", relative=True, area=np.full(n, np.nan),
        flags=np.zeros(n, np.uint16),
    )  # fmt: skip


def test_cells_by_stem_with_sizes_of_a_table_and_a_class_map(data: Path, tmp_path: Path) -> None:
    folder = data / "data/ultralytics_txl_pbc"
    shifted = tmp_path / "map.txt"
    shifted.write_text("\n".join(f"{i + 1} = {name}" for i, name in enumerate(CELLS)))
    how: dict[str, Any] = {"sizes": folder / "image_sizes.json", "split": "val", "protocol": "coco-fixed"}
    results = folder / "val_predictions.json"
    result = bs.evaluate(cells(data, "val"), results, map_classes=shifted, **how)
    assert round(result["AP"], 4) == 0.8406  # as INDEX.md has it
    assert round(result["AP50"], 4) == 0.9748
    assert codes(result)[:2] == ["IMG002", "MAP001"]
    assert result.ledger.images.to_dict() == {
        "truth": 288, "detections": 288, "matched": 288, "only_truth": 0, "only_detections": 0,
    }  # fmt: skip
    # Without the map, ids up to 3 beside three classes of YOLO can only be counted from 1, which is told.
    as_is = bs.evaluate(cells(data, "val"), results, **how)
    assert as_is["AP"] == result["AP"]
    assert codes(as_is)[:2] == ["IMG002", "CLS006"]
    # Beside other truths, ids are taken for what the truth calls so, and the one that is left over is warned of.
    other = bs.evaluate(replace(cells(data, "val"), format="arrays"), results, **how)
    assert round(other["AP"], 4) == 0.0122
    assert "CLS001" in codes(other)


def test_cells_of_two_splits_share_their_names(data: Path) -> None:
    both = cells(data, "val", "test")
    results = data / "data/ultralytics_txl_pbc/val_predictions.json"
    found, findings = read_detections(results, Reading(), both)
    doubts = [f for f in findings if f.code == "IMG003"]
    assert len(doubts) == 1
    shared = {k.partition("/")[2] for k in both.images.key if k.startswith("val/")} & {
        k.partition("/")[2] for k in both.images.key if k.startswith("test/")
    }
    assert doubts[0].count == len(shared) == 144
    assert set(found.images.key) & set(both.images.key) == {
        k for k in both.images.key if k.startswith("val/") and k.partition("/")[2] not in shared
    }


def test_hyphens_are_suggested_and_mapped_only_when_asked(data: Path, tmp_path: Path) -> None:
    folder = data / "data/coco_val2017_boxes"
    truth = folder / "derived/instances_val2017_boxes.json"
    lines = unpacked(folder / "co24428_detection-results_txt_letterbox416_bug.tar.gz", tmp_path / "d")
    found = next(path for path in lines.rglob("*") if path.is_dir() and next(path.glob("*.txt"), None))
    objects, _ = read_truth(truth)
    how = Reading(box="xyxy")
    before, findings = read_detections(found, how, objects)
    suggested = next(f for f in findings if f.code == "CLS004").text.partition("--map-classes: ")[2].split("; ")
    assert {"aeroplane = airplane", "tvmonitor = tv", "motorbike = motorcycle", "sofa = couch"} < {*suggested}
    assert {"diningtable = dining table", "pottedplant = potted plant", "stop-sign = stop sign"} < {*suggested}
    strange = {*before.classes.name} - {*objects.classes.name}
    assert strange == {line.partition(" = ")[0] for line in suggested}  # all of them, and nothing was changed
    (tmp_path / "map.txt").write_text("\n".join(suggested))
    after, findings = read_detections(found, Reading(box="xyxy", map_classes=tmp_path / "map.txt"), objects)
    assert {*after.classes.name} <= {*objects.classes.name}
    renamed = next(f for f in findings if f.code == "MAP001")
    assert renamed.count == sum(before.classes.name[k] in strange for k in before.label)
    assert len(after) == len(before)


def test_detections_by_stem_against_the_truths_of_the_toolkit(data: Path, tmp_path: Path) -> None:
    """The same objects in four formats, and numbers that a list of names explains: the same result."""
    whole = unpacked(data / "data/padilla_review/database_gts_dets.tar.gz", tmp_path) / "data/database"
    names = data / "data/voc2007_test/voc.names"
    voc, imagenet = (whole / "gts" / name for name in ("pascalvoc_format", "imagenet_format/Annotations"))
    coco = [next((whole / "gts" / name).glob("*.json")) for name in ("coco_format_v1", "coco_format_v2")]
    seen = set()
    for truth in (voc, imagenet, *coco):
        for found, how in (("abs_xywh", {"detections_box": "xywh"}), ("abs_xyx2y2", {"detections_box": "xyxy"})):
            how |= {"protocol": "toolkit-voc", "detections_classes": names}
            result = bs.evaluate(truth, whole / "dets" / found, **how)
            images = result.ledger.images
            assert (images.truth, images.detections, images.matched) == (100, 98, 98)
            assert (images.only_truth, images.only_detections) == (2, 0)
            assert not {"CLS001", "CLS004", "IMG001", "IMG003"} & {*codes(result)}
            seen.add(round(result["mAP"], 12))
    assert len(seen) == 1
