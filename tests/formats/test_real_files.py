"""Every real file set: read in full as one of its sides, or refused with a message that tells why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.recognise import recognise
from boxscore.formats.registry import find, lookup
from boxscore.joining.read import Reading
from real_files import REAL, files_of

# What a user must say of some, because the content does not.
STATED: dict[str, dict[str, Any]] = {
    "co24428_detection-results_txt_letterbox416_bug.tar.gz": {"box": "xyxy"},
    "co24428_ground-truth_txt.tar.gz": {"box": "xyxy"},
    "dets/abs_xyx2y2": {"box": "xyxy"},
    "dets_classname_abs_xyx2y2": {"box": "xyxy"},
    "labels_val_test.tar.gz": {"split": "val"},
    "fabioaraujopt_fire_polygons_via_region_data.json": {"classes": ("fire",)},
    "sigalahr_openimages_header_but_absolute_xyxy.csv": {"coords": "absolute"},
}
PARTS = (
    "coco_instances", "coco_roboflow", "datumaro_dataset/legacy", "roboflow_dataset/coco", "roboflow_dataset/tfrecord",
    "roboflow_dataset/voc", "roboflow_dataset/yolo", "roboflow_dataset/yolo_obb", "tf_detection_api_dataset",
    "vott_csv_dataset/dataset", "yolo_dataset/labels",
)  # fmt: skip
# Boxes as counted by whoever published them, or by another reader.
COUNTS = {
    "VOC2007_test_Annotations_xml.tar.gz": (4952, 14976), "VOC2007_test_yolo_labels.tar.gz": (4952, 12032),
    "BCCD_voc.tar.gz": (364, 4888), "annotations_voc_xml.tar.gz": (200, 217), "test.record": (40, 44),
    "co24428_ground-truth_txt.tar.gz": (5000, 36781), "labels_val_test.tar.gz": (288, 5334),
    "kgcraig_urban_for_images_masks_tags.xml.gz": (20, 313), "zfturbo_annotations.csv": (3520, 36191),
    "lvis_val_100.json": (100, 977), "instances_val2014_100.json": (100, 839),
    "coco_val2017_pose_labels_2346.tar.gz": (2346, 6352),
}  # fmt: skip


def read(files: Files, side: str, how: Reading) -> Any:
    taken = recognise(files, side, None, how.split)
    form = lookup(taken.form)
    source = taken.files.source() if form.folder is False else taken.files
    return form.reader(side)(*((source, how.of(side)) if side == "truth" else (source, how.of(side), None)))[0]


@pytest.mark.parametrize(("path", "inside", "name"), REAL, ids=lambda value: str(value).rpartition("/")[2])
def test_read_in_full_or_refused(data: Path, path: str, inside: str, name: str) -> None:
    what = inside or path.rpartition("/")[2]
    stated = next((value for key, value in STATED.items() if what.endswith(key)), {})
    if what.endswith(PARTS):
        stated = {"split": "train"}
    tables, refused = [], []
    for side in ("truth", "detections"):
        try:
            tables.append(read(files_of(data, path, inside), side, Reading(**stated)))
        except InputError as error:
            refused.append(str(error))
    if find(name) is None:
        assert not tables
        assert all("which is not read\n  " in text for text in refused)
        return
    assert tables, refused
    assert all("; expected" in text or "which is not read" in text for text in refused)
    key = path.rpartition("/")[2]
    if key in COUNTS and not inside:
        assert (len(tables[0].images), len(tables[0])) == COUNTS[key]
