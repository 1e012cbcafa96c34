"""Real JSON files that are COCO or look like it: each is read in full, or refused with a message that names it."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path

import pytest

import boxscore as bs
from boxscore.joining.read import Reading, read_detections, read_truth

ALL = Reading(truth_format="coco", detections_format="coco", shapes=True)
PLAIN = Reading(truth_format="coco", detections_format="coco")
READ = {"truth": read_truth, "detections": read_detections}
ARCHIVES = {
    "datumaro": "datumaro_assets/tests_assets_annotations_only.tar.gz",
    "mmdet": "mmdet_tests/mmdet_tests_openimages_crowdhuman_widerface.tar.gz",
    "padilla": "padilla_review/database_gts_dets.tar.gz",
    "tests": "padilla_review/tests_data.tar.gz",
    "toy": "padilla_review/toyexample.tar.gz",
    "panoptic": "panoptic/panopticapi_sample_data_no_jpg.tar.gz",
    "studio": "label_studio/label-studio-converter_tests_data.tar.gz",
}

# file, side, images, rows, classes, shapes, findings
TRUTH = "truth"
FOUND = "detections"
FILES = [
    ("cocoapi_val2014_100/instances_val2014_100.json", TRUTH, 100, 839, 80, 948, []),
    ("cocoapi_val2014_100/instances_val2014_fakebbox100_results.json", FOUND, 99, 734, 75, 0, []),
    ("cocoapi_val2014_100/instances_val2014_fakesegm100_results.json", FOUND, 99, 734, 75, 734, ["BOX010"]),
    ("cocoapi_val2014_100/person_keypoints_val2014_fakekeypoints100_results.json", FOUND, 47, 125, 1, 125, ["BOX010"]),
    ("coco_val2017_boxes/derived/instances_val2017_boxes.json", TRUTH, 5000, 36781, 80, 0, []),
    ("coco_val2017_boxes/marinamsm_YOLO/instances_val2017_results.json", FOUND, 4572, 10897, 75, 0, []),
    ("coco_val2017_boxes/marinamsm_YOLO/yolo_608_instances_val2017_results.json", FOUND, 4584, 12457, 75, 0, []),
    ("coco_val2017_boxes/marinamsm_YOLO/yolo_corrected_val2017_results.json", FOUND, 4572, 10897, 75, 0, []),
    ("coco_val2017_boxes/yolact_web_dets/yolact_base.json", FOUND, 100, 3380, 74, 3380, []),
    ("coco_val2017_boxes/yolact_web_dets/yolact_darknet53.json", FOUND, 100, 3545, 76, 3545, []),
    ("coco_val2017_boxes/yolact_web_dets/yolact_im700.json", FOUND, 100, 2766, 76, 2766, []),
    ("coco_val2017_boxes/yolact_web_dets/yolact_resnet50.json", FOUND, 100, 3834, 77, 3834, []),
    ("detectron2_logged_ap/BT_MaskRCNN/coco_eval_coco_instances_results.json", FOUND, 201, 588, 1, 588, []),
    ("detectron2_logged_ap/BT_MaskRCNN/valid__annotations.coco.json", TRUTH, 201, 128, 2, 128, ["CLS002"]),
    ("detectron2_logged_ap/Elevator_masks/output_coco_instances_results.json", FOUND, 22, 838, 2, 838, []),
    ("detectron2_logged_ap/Elevator_masks/output_mixed_test_coco_format.json", TRUTH, 22, 846, 2, 846, []),
    ("detectron2_logged_ap/Fruit/output_inference_coco_instances_results.json", FOUND, 3, 65, 3, 0, []),
    ("detectron2_logged_ap/Fruit/output_inference_fruit_val_coco_format.json", TRUTH, 3, 28, 3, 0, []),
    ("lvis_val_100/lvis_val_100.json", TRUTH, 100, 977, 1230, 1135, []),
    ("roboflow/breastcancer_valid_annotations.coco.json", TRUTH, 122, 430, 6, 0, []),
    ("sahi/dataset.json", TRUTH, 2, 249, 80, 0, []),
    ("sahi/result.json", FOUND, 2, 89, 4, 0, []),
    ("sahi/visdrone2019-det-train-first50image.json", TRUTH, 50, 3326, 2, 0, []),
    ("ultralytics_txl_pbc/val_predictions.json", FOUND, 288, 15046, 3, 0, []),
    ("ultralytics_txl_pbc/test_predictions.json", FOUND, 144, 7401, 3, 0, []),
    ("via/egutierrezc93_via_export_coco.json", TRUTH, 6, 18, 3, 18, ["ID004", "ID003"]),
    ("bad_real_files/via_coco_export_string_image_ids_flat_segmentation.json", TRUTH, 6, 18, 3, 18, ["ID004", "ID003"]),
    ("padilla:data/database/gts/coco_format_v1/instances_default.json", TRUTH, 100, 273, 20, 0, []),
    ("padilla:data/database/gts/coco_format_v2/instances_v2.json", TRUTH, 100, 273, 20, 273, []),
    ("padilla:data/database/dets/coco_format/coco_dets.json", FOUND, 98, 452, 20, 0, []),
    ("tests:tests/test_coco_eval/cocoapi_results.json", FOUND, 99, 734, 75, 0, []),
    ("tests:tests/test_coco_eval/dets/sampled_bbox_results.json", FOUND, 100, 734, 80, 0, []),
    ("tests:tests/test_coco_eval/gts/sampled_gts_bbox_area.json", TRUTH, 100, 830, 80, 0, []),
    ("toy:./toyexample/dets_coco_format/coco_dets.json", FOUND, 10, 12, 1, 0, []),
    ("toy:./toyexample/gts_coco_format/toy_example_coco.JSON", TRUTH, 10, 12, 1, 0, []),
    ("panoptic:sample_data/panoptic_coco_detection_format.json", TRUTH, 2, 50, 133, 50, []),
    ("mmdet:./tests/data/Objects365/unsorted_obj365_sample.json", TRUTH, 4, 8, 2, 1, []),
    ("mmdet:./tests/data/coco_wrong_format_sample.json", TRUTH, 1, 2, 1, 0, []),
    ("mmdet:./tests/data/mot_sample.json", TRUTH, 5, 12, 2, 0, []),
    ("mmdet:./tests/data/vis_sample.json", TRUTH, 2, 3, 2, 3, []),
    ("datumaro:assets/coco_dataset/coco/annotations/image_info_train.json", TRUTH, 1, 0, 0, 0, []),
    ("datumaro:assets/coco_dataset/coco/annotations/instances_train.json", TRUTH, 1, 1, 3, 0, []),
    ("datumaro:assets/coco_dataset/coco/annotations/instances_val.json", TRUTH, 1, 2, 3, 2, []),
    ("datumaro:assets/coco_dataset/coco/annotations/person_keypoints_val.json", TRUTH, 1, 2, 2, 4, []),
    ("datumaro:assets/coco_dataset/coco/annotations/stuff_val.json", TRUTH, 1, 1, 2, 1, []),
    ("datumaro:assets/coco_dataset/coco_roboflow/train/_annotations.coco.json", TRUTH, 1, 1, 3, 0, []),
    ("datumaro:assets/coco_dataset/mmdet_coco/annotations/instances_val.json", TRUTH, 1, 2, 3, 2, []),
    ("datumaro:assets/kaggle_dataset/relaxed_coco/annotations.json", TRUTH, 2, 2, 2, 0, []),
    ("datumaro:assets/roboflow_dataset/coco/train/_annotations.coco.json", TRUTH, 2, 2, 2, 0, []),
    ("datumaro:assets/roboflow_dataset/coco/val/_annotations.coco.json", TRUTH, 1, 2, 2, 0, []),
]

# file, side, part of the message
REFUSED = [
    ("label_studio/brunocouto_label_studio_export.json.gz", TRUTH, "an export of Label Studio"),
    ("studio:tests/data/test_export_yolo/data.json", TRUTH, "an export of Label Studio"),
    ("via/egutierrezc93_via_export_json.json", TRUTH, "an export of VIA"),
    ("via/fabioaraujopt_fire_polygons_via_region_data.json", TRUTH, "an export of VIA"),
    ("panoptic:sample_data/panoptic_examples.json", TRUTH, "COCO panoptic segmentation"),
    ("panoptic:sample_data/images_info_examples.json", TRUTH, "no `annotations`"),
    ("datumaro:assets/coco_dataset/coco/annotations/panoptic_val.json", TRUTH, "COCO panoptic segmentation"),
    ("datumaro:assets/coco_dataset/coco/annotations/captions_val.json", TRUTH, "COCO captions"),
    ("datumaro:assets/coco_dataset/coco/annotations/labels_val.json", TRUTH, "none of the 2 annotations has a `bbox`"),
    ("datumaro:assets/mapillary_vistas_dataset/val/v1.2/panoptic/panoptic_2018.json", TRUTH, "COCO panoptic"),
    ("datumaro:assets/datumaro_dataset/legacy/annotations/train.json", TRUTH, "a file of Datumaro"),
    ("datumaro:assets/roboflow_dataset/createml/train/_annotations.createml.json", TRUTH, "CreateML"),
    ("datumaro:assets/segment_anything_dataset/a.json", TRUTH, "Segment Anything"),
    ("datumaro:assets/vott_json_dataset/dataset/train-export.json", TRUTH, "an export of VoTT"),
    ("datumaro:assets/mpii_json_dataset/dataset_wo_numpy_files/mpii_annotations.json", FOUND, "first: dataset"),
    ("tests:tests/tube/example_anno.json", TRUTH, "tubes of videos"),
    ("tests:tests/tube/example_preds.json", FOUND, "tubes of videos"),
    ("detectron2_logged_ap/BT_MaskRCNN/output_metrics.json", FOUND, "none of the 54 results has a `bbox`"),
    ("cocoapi_val2014_100/instances_val2014_fakebbox100_results.json", TRUTH, "were they swapped?"),
    ("cocoapi_val2014_100/instances_val2014_100.json", FOUND, "were they swapped?"),
    ("open_images/bbox_labels_600_hierarchy.json", TRUTH, "no `images` (its keys: LabelName, Subcategory)"),
    ("coco_val2017_boxes/yolact_web_dets/yolact_base.json", TRUTH, "no `annotations`"),
]


def stored(data: Path, tmp_path: Path, name: str) -> Path:
    """A file of the data, taken out of its archive if it is in one."""
    archive, _, member = name.rpartition(":")
    if not archive:
        return data / "data" / name
    with tarfile.open(data / "data" / ARCHIVES[archive]) as packed:
        content = packed.extractfile(member)
        assert content is not None
        path = tmp_path / Path(member).name
        path.write_bytes(content.read())
    return path


def records(path: Path, side: str) -> int:
    """How many the file has, counted by hand."""
    data = json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    if isinstance(data, dict) and "annotations" not in data:
        return sum(len(image["dets"]) for image in data["images"])
    return len(data["annotations"] if isinstance(data, dict) else data)


@pytest.mark.parametrize(("name", "side", "images", "rows", "classes", "parts", "codes"), FILES)
def test_read_in_full(data, tmp_path, name, side, images, rows, classes, parts, codes):
    path = stored(data, tmp_path, name)
    assert records(path, side) == rows
    for how in (ALL, PLAIN):
        table, findings = READ[side](path, how)
        assert (len(table.images), len(table), len(table.classes)) == (images, rows, classes)
        assert table.rejected == ()
        assert [found.code for found in findings] == codes
        assert (0 if table.shapes is None else len(table.shapes.kind)) == (parts if how is ALL else 0)


@pytest.mark.parametrize(("name", "side", "message"), REFUSED)
def test_refused_by_name(data, tmp_path, name, side, message):
    for how in (ALL, PLAIN):
        with pytest.raises(bs.InputError) as caught:
            READ[side](stored(data, tmp_path, name), how)
        assert message in str(caught.value)


@pytest.mark.parametrize(("model", "known"), [
    ("base", 0.3981), ("darknet53", 0.3801), ("im700", 0.4199), ("resnet50", 0.3587),
])  # fmt: skip
def test_yolact_has_its_known_scores(data, tmp_path, model, known):
    folder = data / "data/coco_val2017_boxes"
    found, _ = read_detections(folder / f"yolact_web_dets/yolact_{model}.json")
    truth = json.loads((folder / "derived/instances_val2017_boxes.json").read_text())
    ids = {*map(int, found.images.key)}
    part = {
        "images": [image for image in truth["images"] if image["id"] in ids],
        "annotations": [row for row in truth["annotations"] if row["image_id"] in ids],
        "categories": truth["categories"],
    }
    assert round(bs.evaluate(part, folder / f"yolact_web_dets/yolact_{model}.json")["AP"], 4) == known


def test_padillas_detections_join_by_name(data, tmp_path):
    """The same 452 detections as a COCO file with numbers of its own, and as text: the same score."""
    truth = stored(data, tmp_path, "padilla:data/database/gts/coco_format_v1/instances_default.json")
    found = stored(data, tmp_path, "padilla:data/database/dets/coco_format/coco_dets.json")
    listed = {image["id"]: image["file_name"] for image in json.loads(truth.read_text())["images"]}
    own = {image["id"]: image["file_name"] for image in json.loads(found.read_text())["images"]}
    assert any(listed.get(key) != name for key, name in own.items())  # numbers would mislead
    with tarfile.open(data / "data" / ARCHIVES["padilla"]) as packed:
        packed.extractall(tmp_path / "all", filter="data")
    folder = tmp_path / "all/data/database"
    names = tuple((folder / "voc.names").read_text().split())
    text = bs.evaluate(truth, folder / "dets/abs_xyx2y2", protocol="voc2012", detections_box="xyxy", classes=names)
    assert bs.evaluate(truth, found, protocol="voc2012")["mAP"] == text["mAP"]


def test_boxes_of_masks_are_pycocotools_own(data):
    official = pytest.importorskip("pycocotools.mask")
    path = data / "data/cocoapi_val2014_100/instances_val2014_fakesegm100_results.json"
    found, _ = read_detections(path)
    boxes = official.toBbox([record["segmentation"] for record in json.loads(path.read_text())])
    assert found.corners.tolist() == [[x, y, x + w, y + h] for x, y, w, h in boxes.tolist()]


def test_videos_and_tracks(data, tmp_path):
    truth, _ = read_truth(stored(data, tmp_path, "mmdet:./tests/data/mot_sample.json"), ALL)
    raw = json.loads((tmp_path / "mot_sample.json").read_text())
    names = {video["id"]: video["name"] for video in raw["videos"]}
    assert list(truth.images.video) == [names[image["video_id"]] for image in raw["images"]]
    assert truth.images.frame.tolist() == [image["frame_id"] for image in raw["images"]]
    assert truth.track.tolist() == [row["instance_id"] for row in raw["annotations"]]
