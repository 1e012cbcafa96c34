"""The doctor on files that others published: the right diagnosis, and a copy whose score is the one that is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import boxscore as bs
from archived import unpacked
from boxscore.checkup.classes import COCO_IDS


def codes(made: bs.Checkup, severity: str = "warning") -> list[str]:
    return [one.code for one in made.at_least(severity)]


def score(made: bs.Checkup, name: str = "AP", **how: Any) -> float:
    """Of the corrected copies."""
    assert made.fixed is not None
    return round(bs.evaluate(*made.fixed, **how)[name], 4)


def test_marinamsm_swaps_axes(data: Path) -> None:
    folder = data / "data/coco_val2017_boxes"
    truth, found = folder / "derived/instances_val2017_boxes.json", folder / "marinamsm_YOLO"
    made = bs.doctor(truth, found / "instances_val2017_results.json")
    assert codes(made) == ["BOX101"]
    assert made.diagnoses[0].evidence[0].then > 10 * made.diagnoses[0].evidence[0].now
    assert (score(made), score(made, "AP50")) == (0.1808, 0.2936)
    for name in ("yolo_corrected_val2017_results.json", "yolo_608_instances_val2017_results.json"):
        good = bs.doctor(truth, found / name)
        assert codes(good) == []
        assert "SCR105" in codes(good, "note")  # cut at 0.6


def test_co24428_leaves_boxes_in_the_letterbox(data: Path) -> None:
    folder = data / "data/coco_val2017_boxes"
    found = folder / "co24428_detection-results_txt_letterbox416_bug.tar.gz"
    made = bs.doctor(folder / "derived/instances_val2017_boxes.json", found, detections_box="xyxy")
    assert codes(made) == ["BOX108", "CLS104"]
    assert "416 × 416" in made.diagnoses[0].text
    assert score(made, "AP50") == 0.1028
    same = bs.doctor(folder / "co24428_ground-truth_txt.tar.gz", found, box="xyxy", sizes=folder / "image_sizes.json")
    assert codes(same) == ["BOX108"]


def test_txl_pbc_counts_classes_from_1(data: Path) -> None:
    folder = data / "data/ultralytics_txl_pbc"
    how = {"sizes": folder / "image_sizes.json", "classes": ["WBC", "RBC", "Platelet"]}
    made = bs.doctor(folder / "labels_val_test.tar.gz", folder / "val_predictions.json", split="val", **how)
    assert codes(made) == []
    assert "CLS006" in [f.code for f in made.findings]
    assert (score(made), score(made, "AP50")) == (0.8406, 0.9748)
    # The names of val and test are the same: boxes of the one fit the other no better than by chance.
    mixed = bs.doctor(folder / "labels_val_test.tar.gz", folder / "test_predictions.json", split="val", **how)
    assert codes(mixed)[0] == "IMG108"


def test_brain_tumours_have_an_annotation_0(data: Path) -> None:
    folder = data / "data/detectron2_logged_ap/BT_MaskRCNN"
    truth, found = folder / "valid__annotations.coco.json", folder / "coco_eval_coco_instances_results.json"
    made = bs.doctor(truth, found)
    assert codes(made) == ["ID001"]
    assert (round(bs.evaluate(truth, found)["AP"], 6), score(made)) == (0.441335, 0.4484)


def test_open_images_header_over_corners_in_pixels(data: Path) -> None:
    made = bs.doctor(data / "data/bad_real_files/sigalahr_openimages_header_but_absolute_xyxy.csv")
    assert codes(made) == ["FIL102", "BOX115"]
    assert made.diagnoses[0].option == "--coords absolute"
    assert made.unreadable
    assert made.fixed is not None
    corners = made.fixed.truth.corners
    assert (corners[:, 2:] > corners[:, :2]).all()
    assert corners.max() <= 1920


def test_a_workbook_called_csv(data: Path) -> None:
    made = bs.doctor(data / "data/bad_real_files/apsgokulag_xlsx_named_csv.csv")
    assert codes(made) == ["FIL101"]
    assert "Excel workbook" in made.diagnoses[0].text
    assert made.tables is None


def test_a_vott_file_named_as_one_of_open_images(data: Path) -> None:
    path = data / "data/bad_real_files/adam-zaidi_vott_csv_named_as_openimages.csv"
    made = bs.doctor(path)
    assert codes(made) == []
    assert made.tables is not None
    assert made.tables.truth.format == "vott-csv"
    stated = bs.doctor(path, truth_format="open-images")
    assert codes(stated) == ["FIL102"]


def test_a_coco_export_of_via(data: Path) -> None:
    made = bs.doctor(data / "data/bad_real_files/via_coco_export_string_image_ids_flat_segmentation.json")
    assert codes(made) == ["ID001"]
    assert [finding.code for finding in made.findings][:2] == ["ID004", "ID003"]


GOOD: list[tuple[str, str]] = [
    ("detectron2_logged_ap/Fruit/output_inference_fruit_val_coco_format.json",
     "detectron2_logged_ap/Fruit/output_inference_coco_instances_results.json"),
    ("detectron2_logged_ap/Elevator_masks/output_mixed_test_coco_format.json",
     "detectron2_logged_ap/Elevator_masks/output_coco_instances_results.json"),
    ("cocoapi_val2014_100/instances_val2014_100.json",
     "cocoapi_val2014_100/instances_val2014_fakebbox100_results.json"),
    ("voc2007_test/VOC2007_test_Annotations_xml.tar.gz", "voc2007_test/yolov2_htt1084/results_000150.tar.gz"),
    ("voc2007_test/VOC2007_test_Annotations_xml.tar.gz", "voc2007_test/yolov2_htt1084/results_final_19classes.tar.gz"),
    ("sahi/dataset.json", "sahi/result.json"),
]  # fmt: skip


@pytest.mark.parametrize(("truth", "found"), GOOD, ids=[f.rpartition("/")[2] for _, f in GOOD])
def test_good_results_are_left_alone(data: Path, truth: str, found: str) -> None:
    made = bs.doctor(data / "data" / truth, data / "data" / found)
    assert codes(made) == [], made


@pytest.mark.parametrize("model", ["base", "darknet53", "im700", "resnet50"])
def test_detections_of_a_hundred_images_of_five_thousand(data: Path, model: str) -> None:
    """The only thing to say: the other images have none."""
    boxes = data / "data" / "coco_val2017_boxes"
    made = bs.doctor(boxes / "derived/instances_val2017_boxes.json", boxes / f"yolact_web_dets/yolact_{model}.json")
    assert codes(made) == ["IMG104"], made


@pytest.mark.parametrize("found", ["abs_xywh", "abs_xyx2y2", "coco_format"])
@pytest.mark.long
@pytest.mark.parametrize("truth", ["pascalvoc_format", "coco_format_v2", "cvat_format", "labelme_format"])
def test_good_results_in_other_formats(data: Path, tmp_path_factory: Any, truth: str, found: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "review"
    if not folder.exists():
        unpacked(data, "padilla_review/database_gts_dets.tar.gz", "data/database", folder)
    how = {"abs_xywh": {"box": "xywh"}, "abs_xyx2y2": {"box": "xyxy"}}.get(found, {})
    names = data / "data" / "voc2007_test" / "voc.names"
    database = folder / "data" / "database"
    made = bs.doctor(database / "gts" / truth, database / "dets" / found, detections_classes=names, **how)
    assert [d for d in made.diagnoses if d.severity != "note" and d.code != "ID001"] == [], made


def test_sizes_that_are_not_those_of_the_images(tmp_path: Path) -> None:
    truth = {
        "images": [{"id": i, "file_name": f"{i}.png", "width": 64, "height": 32} for i in (1, 2)],
        "annotations": [{"id": i, "image_id": i, "category_id": 1, "bbox": [1, 2, 10, 12]} for i in (1, 2)],
        "categories": [{"id": 1, "name": "cat"}],
    }
    for name, size in (("1", (64, 32)), ("2", (32, 64))):
        Image.new("L", size).save(tmp_path / f"{name}.png")
    made = bs.doctor(truth, images=tmp_path)
    assert [(d.code, d.count) for d in made.diagnoses] == [("SIZ001", 1)]
    assert "2.png: 64 x 32" in made.diagnoses[0].text


def test_the_numbers_of_coco(data: Path) -> None:
    truth, _ = bs.read_truth(data / "data/coco_val2017_boxes/derived/instances_val2017_boxes.json")
    assert truth.classes.id == COCO_IDS


# What is really wrong with some of the other files.
WRONG = {
    "panopticapi_sample_data_no_jpg.tar.gz": ["ID001"], "BCCD_voc.tar.gz": ["BOX001"], "test.csv": ["BOX001"],
    "valid__annotations.coco.json": ["ID001"], "breastcancer_valid_annotations.coco.json": ["ID001"],
    "egutierrezc93_via_export_coco.json": ["ID001"], "pointrcnn_Car_val.tar.gz": ["BOX001"],
}  # fmt: skip


@pytest.mark.long
def test_good_annotations_are_left_alone(data: Path) -> None:
    """Every file that is read without a statement."""
    looked = 0
    for path in sorted((data / "data").rglob("*")):
        if "bad_real_files" in path.parts or not path.is_file():
            continue
        try:
            truth, _ = bs.read_truth(path)
        except bs.BoxscoreError:
            continue
        looked += 1
        assert codes(bs.doctor(truth)) == WRONG.get(path.name, []), path
    assert looked > 30
