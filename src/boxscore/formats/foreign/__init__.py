"""What is known by name and refused, with what to do instead."""

from __future__ import annotations

from itertools import count
from typing import Any

from boxscore.formats.record import CSV, JSON, LIKELY, OTHER, TEXT, XML, Foreign, Packed, Sign

_TO_COCO = "Convert it to COCO JSON; Datumaro, for one, reads it."
_PLACES = count(1000)  # in lists, as they stand here


def _foreign(
    kind: str, name: str, title: str, advice: str, **more: Any
) -> Foreign:  # fmt: skip
    return Foreign(
        name=name, title=title, home=__name__, kind=kind, advice=advice, listed=next(_PLACES), **more
    )  # fmt: skip


FORMATS = (
    _foreign(
        JSON,
        "supervisely",
        "Supervisely JSON",
        "Export it from there as COCO or Pascal VOC.",
        signs=(
            Sign(("objects[].classTitle",)),
            Sign(("objects[].classId", "tags")),
            Sign(("objects", "size.height", "size.width")),
            Sign(("classes[].title", "tags")),
            Sign(("objects", "figures")),
        ),
    ),
    _foreign(
        JSON,
        "coco-panoptic",
        "COCO panoptic JSON",
        "Use the file of instances of the same images, instances_….json.",
        signs=(
            Sign(("annotations[].segments_info",)),
            Sign(end='"segments_info"', far='"isthing"', reason="it ends with records of panoptic segments"),
        ),
        before="coco",
    ),
    _foreign(
        JSON,
        "coco-captions",
        "COCO captions",
        "Use the file of instances of the same images, instances_….json.",
        signs=(Sign(("annotations[].caption",), unless=("annotations[].bbox",)),),
        before="coco",
    ),
    _foreign(
        JSON,
        "coco-images",
        "a list of images as COCO JSON, without boxes",
        "Give the file with annotations.",
        signs=(Sign(("images[].id",), level=LIKELY, unless=("annotations", "images[].dets"), complete=True),),
        before="coco",
    ),
    _foreign(
        JSON,
        "via3",
        "a project of VIA 3",
        "Export its annotations as COCO, or make it with VIA 2.",
        signs=(Sign(("project", "metadata", "view")),),
    ),
    _foreign(
        JSON,
        "darknet-json",
        "darknet's result.json",
        "Run `darknet detector valid` for COCO or VOC results instead.",
        signs=(Sign(("[].frame_id", "[].objects")),),
    ),
    _foreign(
        JSON,
        "crowdhuman",
        "CrowdHuman's odgt",
        "Convert it to COCO JSON, `fbox` as bbox and `mask` as iscrowd.",
        signs=(Sign(("ID", "gtboxes")),),
    ),
    _foreign(
        JSON,
        "bdd100k",
        "BDD100K or Scalabel JSON",
        "Convert it with bdd100k.label.to_coco.",
        signs=(
            Sign(("[].labels[].box2d",)),
            Sign(("frames[].labels",)),
        ),
    ),
    _foreign(
        JSON,
        "hierarchy",
        "a class hierarchy of Open Images",
        "It goes with the boxes: state it with --hierarchy.",
        signs=(Sign(("LabelName", "Subcategory")),),
        companion=True,
    ),
    _foreign(
        JSON,
        "sizes",
        "a table of image sizes",
        "It goes with the boxes: state it with --sizes.",
        companion=True,
        look="tables:look_for_sizes",
    ),
    _foreign(
        JSON,
        "boxscore",
        "a report that boxscore wrote",
        "Give the truth and the detections that it was made from.",
        signs=(Sign(("schema", "results")),),
    ),
    _foreign(
        XML,
        "labelme-xml",
        "LabelMe XML (of MIT's tool)",
        "If CVAT wrote it: that exports `CVAT for images` too.",
        before="voc-xml",
        look="elements:look_for_labelme",
    ),
    _foreign(XML, "kitti-raw", "KITTI tracklets", _TO_COCO, look="elements:look_for_tracklets"),
    _foreign(
        CSV,
        "image-labels",
        "labels of whole images",
        "They go with the boxes: state them with --image-labels.",
        signs=(
            Sign(
                columns=("ImageID", "LabelName"),
                unless=("XMin",),
                reason="its header has ImageID and LabelName, and no boxes",
            ),
        ),
        companion=True,
    ),
    _foreign(
        CSV,
        "descriptions",
        "names of Open Images' classes",
        "Give the CSV file of boxes.",
        companion=True,
        look="tables:look_for_descriptions",
    ),
    _foreign(TEXT, "mots", "MOTS", "Convert it to COCO JSON with frames as images.", look="lines:MOTS"),
    _foreign(
        TEXT,
        "visdrone",
        "VisDrone",
        "Convert it to COCO JSON; score 0 and category 0 are to be ignored there.",
        before="mot",
        look="lines:VISDRONE",
    ),
    _foreign(
        TEXT, "wider-face", "WIDER FACE", f"{_TO_COCO} `invalid` is to be ignored there.", look="lines:WIDER_FACE"
    ),
    _foreign(
        TEXT,
        "keras-yolo3",
        "the list of keras-yolo3",
        "Write it as CSV: filename,xmin,ymin,xmax,ymax,class.",
        before="visdrone",
        look="lines:KERAS_YOLO3",
    ),
    _foreign(
        TEXT,
        "list",
        "a list of names",
        "Give what holds the boxes; a list goes with --classes or --image-list.",
        companion=True,
        look="lines:LIST",
        weak=True,
        told="beside:no_labels",
    ),
    _foreign(
        TEXT,
        "label-map",
        "a label map of TensorFlow",
        "It goes with the boxes: state it with --label-map.",
        companion=True,
        look="lines:LABEL_MAP",
    ),
    _foreign(OTHER, "parquet", "Parquet", "Write it as CSV, or give the data frame to boxscore.evaluate in Python."),
    _foreign(
        OTHER,
        "xlsx",
        "an Excel sheet",
        "Save it as CSV.",
        packed=(Packed(("xl/workbook.xml", "[Content_Types].xml"), "an Excel sheet"),),
    ),
    _foreign(
        OTHER,
        "pickle",
        "pickled Python objects, which can run code and are never opened",
        "Write COCO results: Detectron2 leaves coco_instances_results.json beside it, MMDetection has outfile_prefix.",
        packed=(Packed(("data.pkl",), "an archive of PyTorch"),),
    ),
    _foreign(OTHER, "numpy", "a NumPy file", "Load it and give the arrays to boxscore.evaluate in Python."),
    _foreign(OTHER, "matlab", "a MATLAB file", "Write it as CSV."),
    _foreign(OTHER, "hdf5", "an HDF5 file", "Write it as CSV, or give the arrays to boxscore.evaluate in Python."),
    _foreign(OTHER, "images", "nothing but images", "Give their annotations; the folder of images goes with --images."),
)
