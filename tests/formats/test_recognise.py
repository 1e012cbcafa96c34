"""Recognition by content: every real file set by its right name, with and without extensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from boxscore.formats.files import Files, open_files
from boxscore.formats.recognise.evidence import recognised

DATUMARO = "datumaro_assets/tests_assets_annotations_only.tar.gz"
REVIEW = "padilla_review/database_gts_dets.tar.gz"
TOY = "padilla_review/toyexample.tar.gz"
ODM = "padilla_odm/samples_and_gt_det.tar.gz"
MMDET = "mmdet_tests/mmdet_tests_openimages_crowdhuman_widerface.tar.gz"
STUDIO = "label_studio/label-studio-converter_tests_data.tar.gz"
REAL = [  # path, what is inside an archive, format
    ("bad_real_files/adam-zaidi_vott_csv_named_as_openimages.csv", "", "vott-csv"),
    ("bad_real_files/apsgokulag_xlsx_named_csv.csv", "", "xlsx"),
    ("bad_real_files/sigalahr_openimages_header_but_absolute_xyxy.csv", "", "open-images"),
    ("bad_real_files/via_coco_export_string_image_ids_flat_segmentation.json", "", "coco"),
    ("bccd/BCCD_voc.tar.gz", "", "voc-xml"),
    ("bccd/test.csv", "", "tf-csv"),
    ("coco_val2017_boxes/co24428_detection-results_txt_letterbox416_bug.tar.gz", "", "text"),
    ("coco_val2017_boxes/co24428_ground-truth_txt.tar.gz", "", "text"),
    ("coco_val2017_boxes/derived/instances_val2017_boxes.json", "", "coco"),
    ("coco_val2017_boxes/hunglc007_val2017_keras_yolo3_format.txt", "", "keras-yolo3"),
    ("coco_val2017_boxes/image_sizes.json", "", "sizes"),
    ("coco_val2017_boxes/marinamsm_YOLO/instances_val2017_results.json", "", "coco"),
    ("coco_val2017_boxes/yolact_web_dets/yolact_base.json", "", "coco"),
    ("cocoapi_val2014_100/instances_val2014_100.json", "", "coco"),
    ("cocoapi_val2014_100/instances_val2014_fakebbox100_results.json", "", "coco"),
    ("cocoapi_val2014_100/instances_val2014_fakesegm100_results.json", "", "coco"),
    ("cocoapi_val2014_100/person_keypoints_val2014_fakekeypoints100_results.json", "", "coco"),
    ("cvat/kgcraig_urban_for_images_masks_tags.xml.gz", "", "cvat"),
    ("cvat/obedalfred_traffic_for_video_1.1.xml", "", "cvat-video"),
    ("detectron2_logged_ap/BT_MaskRCNN/valid__annotations.coco.json", "", "coco"),
    ("detectron2_logged_ap/Fruit/output_inference_coco_instances_results.json", "", "coco"),
    ("detectron2_logged_ap/Elevator_masks/output_mixed_test_coco_format.json", "", "coco"),
    ("dota_example/labelTxt", "", "dota"),
    ("kitti_tracking/kitti_tracking_label.tar.gz", "", "kitti"),
    ("kitti_tracking/pointrcnn_Car_val.tar.gz", "", "kitti"),
    ("label_studio/brunocouto_label_studio_export.json.gz", "", "label-studio"),
    (STUDIO, "test_export_yolo/data.json", "label-studio"),
    (STUDIO, "test_import_yolo_data", "yolo"),
    ("labelme/labelme_examples_json_voc.tar.gz", "bbox_detection/data_annotated", "labelme"),
    ("labelme/labelme_examples_json_voc.tar.gz", "bbox_detection/data_dataset_voc", "voc-xml"),
    ("labelme/labelme_examples_json_voc.tar.gz", "instance_segmentation/data_annotated", "labelme"),
    ("labelme/labelme_examples_json_voc.tar.gz", "primitives", "labelme"),
    ("lvis_val_100/lvis_val_100.json", "", "coco"),
    (MMDET, "OpenImages/annotations/oidv6-train-annotations-bbox.csv", "open-images"),
    (MMDET, "OpenImages/annotations/annotations-human-imagelabels-boxable.csv", "image-labels"),
    (MMDET, "OpenImages/annotations/bbox_labels_600_hierarchy.json", "hierarchy"),
    (MMDET, "OpenImages/annotations/class-descriptions-boxable.csv", "descriptions"),
    (MMDET, "OpenImages/challenge2019/class_label_tree.np", "numpy"),
    (MMDET, "crowdhuman_dataset/test_annotation_train.odgt", "crowdhuman"),
    (MMDET, "crowdhuman_dataset/id_hw_train.json", "sizes"),
    (MMDET, "WIDERFace/WIDER_train", "voc-xml"),
    (MMDET, "vis_sample.json", "coco"),
    (MMDET, "Objects365/unsorted_obj365_sample.json", "coco"),
    ("mot15_train/TUD-Campus/gt.txt", "", "mot"),
    ("mot15_train/mot15_train_gt_det.tar.gz", "", "mot"),
    ("mot15_train/sort_tracker_results.tar.gz", "", "mot"),
    ("open_images/zfturbo_annotations.csv", "", "open-images"),
    ("open_images/bbox_labels_600_hierarchy.json", "", "hierarchy"),
    ("open_images/class-descriptions-boxable.csv", "", "descriptions"),
    ("open_images/mscoco_label_map.pbtxt", "", "label-map"),
    ("open_images/mscoco_minival_ids.txt", "", "list"),
    (ODM, "groundtruths", "text"),
    (ODM, "detections", "text"),
    (ODM, "groundtruths_rel", "text"),
    (ODM, "detections_rel", "text"),
    (REVIEW, "dets/abs_xywh", "text"),
    (REVIEW, "dets/abs_xyx2y2", "text"),
    (REVIEW, "dets/rel_xywh", "yolo"),
    (REVIEW, "dets/coco_format", "coco"),
    (REVIEW, "gts/coco_format_v1", "coco"),
    (REVIEW, "gts/coco_format_v2", "coco"),
    (REVIEW, "gts/cvat_format", "cvat"),
    (REVIEW, "gts/imagenet_format", "voc-xml"),
    (REVIEW, "gts/labelme_format", "labelme"),
    (REVIEW, "gts/openimages_format", "open-images"),
    (REVIEW, "gts/pascalvoc_format", "voc-xml"),
    (REVIEW, "gts/tfrecord_format", "tfrecord"),
    (REVIEW, "gts/yolo_format", "yolo"),
    ("padilla_review/database_images.tar.gz", "", "images"),
    ("padilla_review/tests_data.tar.gz", "tube/example_anno.json", "stt"),
    ("padilla_review/tests_data.tar.gz", "tube/example_preds.json", "stt"),
    ("padilla_review/tests_data.tar.gz", "test_case_1/gts", "text"),
    ("padilla_review/tests_data.tar.gz", "test_case_1/dets", "text"),
    ("padilla_review/tests_data.tar.gz", "test_coco_eval/dets", "coco"),
    (TOY, "dets_classid_abs_xywh", "text"),
    (TOY, "dets_classid_rel_xcycwh", "yolo"),
    (TOY, "dets_classname_abs_xyx2y2", "text"),
    (TOY, "dets_classname_rel_xcycwh", "text"),
    (TOY, "dets_coco_format", "coco"),
    (TOY, "gts_vocpascal_format", "voc-xml"),
    ("panoptic/panopticapi_sample_data_no_jpg.tar.gz", "panoptic_examples.json", "coco-panoptic"),
    ("raccoon/annotations_voc_xml.tar.gz", "", "voc-xml"),
    ("raccoon/raccoon_labels.csv", "", "tf-csv"),
    ("raccoon/test.record", "", "tfrecord"),
    ("roboflow/breastcancer_valid_annotations.coco.json", "", "coco"),
    ("roboflow/kongsberg_test_annotations.csv", "", "tf-csv"),
    ("sahi/dataset.json", "", "coco"),
    ("sahi/result.json", "", "coco"),
    ("ultralytics_txl_pbc/labels_val_test.tar.gz", "", "yolo"),
    ("ultralytics_txl_pbc/predict_txt_noconf.tar.gz", "", "yolo"),
    ("ultralytics_txl_pbc/val_predictions.json", "", "coco"),
    ("via/egutierrezc93_via_export_coco.json", "", "coco"),
    ("via/egutierrezc93_via_export_csv.csv", "", "via-csv"),
    ("via/egutierrezc93_via_export_json.json", "", "via-json"),
    ("via/fabioaraujopt_fire_polygons_via_region_data.json", "", "via-json"),
    ("visdrone/VisDrone2019-DET-val_annotations.tar.gz", "", "yolo"),
    ("visdrone/val_yolo_labels.tar.gz", "", "yolo"),
    ("voc2007_test/VOC2007_test_Annotations_xml.tar.gz", "", "voc-xml"),
    ("voc2007_test/VOC2007_test_yolo_labels.tar.gz", "", "yolo"),
    ("voc2007_test/test.txt", "", "list"),
    ("voc2007_test/voc.names", "", "list"),
    ("voc2007_test/yolov2_htt1084/results_000150.tar.gz", "", "voc-results"),
    ("voc2007_test/yolov2_htt1084/results_final_19classes.tar.gz", "", "voc-results"),
    ("vott/antonmu_Annotations-export.csv", "", "vott-csv"),
    ("vott/antonmu_Detection_Results.csv", "", "tf-csv"),
    ("vott/antonmu_keras_yolo3_data_train.txt", "", "keras-yolo3"),
    ("yolo_pose/coco_val2017_pose_labels_2346.tar.gz", "", "yolo"),
    (DATUMARO, "coco_dataset/coco_instances", "coco"),
    (DATUMARO, "coco_dataset/coco_roboflow", "coco"),
    (DATUMARO, "coco_dataset/coco_panoptic", "coco-panoptic"),
    (DATUMARO, "coco_dataset/coco_captions", "coco-captions"),
    (DATUMARO, "coco_dataset/coco_image_info/annotations/image_info_train.json", "coco"),
    (DATUMARO, "cvat_dataset/for_images/export_task", "cvat"),
    (DATUMARO, "cvat_dataset/for_images/export_project/annotations.xml", "cvat"),
    (DATUMARO, "cvat_dataset/for_video", "cvat-video"),
    (DATUMARO, "datumaro_dataset/legacy", "datumaro"),
    (DATUMARO, "dota_dataset/train", "dota"),
    (DATUMARO, "kaggle_dataset/relaxed_coco", "coco"),
    (DATUMARO, "kaggle_dataset/relaxed_voc2", "voc-xml"),
    (DATUMARO, "kaggle_dataset/relaxed_yolo", "yolo"),
    (DATUMARO, "kaggle_dataset/image_csv_det/ann.csv", "tf-csv"),
    (DATUMARO, "kitti_dataset/kitti_detection", "kitti"),
    (DATUMARO, "kitti_dataset/kitti_raw", "kitti-raw"),
    (DATUMARO, "labelme_dataset", "labelme-xml"),
    (DATUMARO, "mot_dataset/mot_seq", "mot"),
    (DATUMARO, "mot_dataset/mot_seq_with_seqinfo", "mot"),
    (DATUMARO, "mpii_dataset", "matlab"),
    (DATUMARO, "open_images_dataset/v6/annotations/test-annotations-bbox.csv", "open-images"),
    (DATUMARO, "open_images_dataset/v6/annotations/test-annotations-human-imagelabels.csv", "image-labels"),
    (DATUMARO, "open_images_dataset/v6/annotations/train-annotations-object-segmentation.csv", "open-images"),
    (DATUMARO, "roboflow_dataset/coco", "coco"),
    (DATUMARO, "roboflow_dataset/createml", "createml"),
    (DATUMARO, "roboflow_dataset/tfrecord", "tfrecord"),
    (DATUMARO, "roboflow_dataset/voc", "voc-xml"),
    (DATUMARO, "roboflow_dataset/yolo", "yolo"),
    (DATUMARO, "roboflow_dataset/yolo_obb", "dota"),
    (DATUMARO, "sly_pointcloud_dataset/ds0/ann", "supervisely"),
    (DATUMARO, "sly_pointcloud_dataset/meta.json", "supervisely"),
    (DATUMARO, "tf_detection_api_dataset", "tfrecord"),
    (DATUMARO, "voc_dataset/voc_dataset1", "voc-xml"),
    (DATUMARO, "voc_dataset/voc_dataset2", "voc-xml"),
    (DATUMARO, "vott_csv_dataset/dataset", "vott-csv"),
    (DATUMARO, "vott_json_dataset/dataset", "vott-json"),
    (DATUMARO, "widerface_dataset", "wider-face"),
    (DATUMARO, "yolo_dataset/strict", "yolo"),
    (DATUMARO, "yolo_dataset/labels", "yolo"),
    (DATUMARO, "yolo_dataset/annotations", "yolo"),
]  # fmt: skip
NOTHING = [  # neither read nor known by name
    ("detectron2_logged_ap/Fruit/output_metrics.json", ""),
    ("ultralytics_txl_pbc/results.csv", ""),
    ("bccd/LICENSE", ""),
    (DATUMARO, "rise"),
    (DATUMARO, "tabular_dataset"),
    (DATUMARO, "mnist_csv_dataset"),
]
_ARCHIVES: dict[Path, Files] = {}


def files_of(data: Path, path: str, inside: str) -> Files:
    """The files of a set; archives are kept open."""
    place = data / "data" / path
    files = _ARCHIVES.setdefault(place, open_files(place)) if path.endswith(".tar.gz") else open_files(place)
    if not inside:
        return files
    start = next((p[: p.index(inside)] for p in files.paths if f"/{inside}" in f"/{p}"), None)
    assert start is not None, f"{inside} is not in {path}"
    return files.one(start + inside) if start + inside in files.paths else files.below(start + inside)


def bare(files: Files) -> Files:
    """The same files without their extensions, and the archive or file without its own; no name tells anything."""
    if "[Content_Types].xml" in files.paths:  # what is inside of a sheet has no names that a user gives
        return files
    names: dict[str, bytes] = {}
    for path in files.paths:
        folder, _, name = path.rpartition("/")
        stem = f"{folder}/{name.partition('.')[0]}" if folder else name.partition(".")[0]
        while stem in names:
            stem += "_"
        names[stem] = files.source(path).bytes()
    return Files("x", tuple(sorted(names)), None, names)


@pytest.mark.parametrize(("path", "inside", "name"), REAL, ids=lambda value: str(value).rpartition("/")[2])
def test_real_files_are_recognised(data: Path, path: str, inside: str, name: str) -> None:
    found = recognised(files_of(data, path, inside)).candidates
    assert found
    assert found[0].name == name


@pytest.mark.parametrize(("path", "inside", "name"), REAL, ids=lambda value: str(value).rpartition("/")[2])
def test_real_files_are_recognised_without_extensions(data: Path, path: str, inside: str, name: str) -> None:
    found = recognised(bare(files_of(data, path, inside))).candidates
    assert found
    assert found[0].name == name


@pytest.mark.parametrize(("path", "inside"), NOTHING)
def test_what_is_no_annotation_fits_nothing(data: Path, path: str, inside: str) -> None:
    assert recognised(files_of(data, path, inside)).candidates == ()
