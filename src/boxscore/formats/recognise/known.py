"""The formats that recognition tells apart: those that are read, and others that are refused by their right name."""

from __future__ import annotations

from typing import NamedTuple

JSON, XML, CSV, TEXT, RECORD, PICTURE, OTHER = "JSON", "XML", "CSV", "text", "record", "picture", "other"
IMAGE, FILE, CLASS, PARTS = "image", "file", "class", "parts"


class Known(NamedTuple):
    """A format: what its files are, and whether there is one for each image, each class, or the whole set."""

    name: str
    kind: str
    per: str


class Foreign(NamedTuple):
    """What is no input here, and what to do with it; `name` goes after "this is"."""

    name: str
    title: str
    advice: str


READ = (
    Known("coco", JSON, FILE),
    Known("labelme", JSON, IMAGE),
    Known("vott-json", JSON, PARTS),
    Known("via-json", JSON, FILE),
    Known("stt", JSON, FILE),
    Known("voc-xml", XML, IMAGE),
    Known("cvat", XML, FILE),
    Known("cvat-video", XML, FILE),
    Known("open-images", CSV, FILE),
    Known("tf-csv", CSV, FILE),
    Known("vott-csv", CSV, FILE),
    Known("via-csv", CSV, FILE),
    Known("tfrecord", RECORD, PARTS),
    Known("voc-masks", PICTURE, IMAGE),
    Known("yolo", TEXT, IMAGE),
    Known("text", TEXT, IMAGE),
    Known("voc-results", TEXT, CLASS),
    Known("dota", TEXT, IMAGE),
    Known("imagenet-det", TEXT, FILE),
    Known("imagenet-loc", TEXT, FILE),
)
PER = {known.name: known.per for known in READ}
KIND = {known.name: known.kind for known in READ}

_TO_COCO = "Convert it to COCO JSON; Datumaro, for one, reads it."
FOREIGN = (
    # JSON
    Foreign("label-studio", "an export of Label Studio", "Export it from there as COCO, YOLO or Pascal VOC XML."),
    Foreign("datumaro", "Datumaro JSON", "Convert it with `datum convert -f coco`."),
    Foreign("supervisely", "Supervisely JSON", "Export it from there as COCO or Pascal VOC."),
    Foreign("createml", "CreateML JSON", "Convert it to COCO JSON; x and y are centres there. Roboflow exports both."),
    Foreign("coco-panoptic", "COCO panoptic JSON", "Use the file of instances of the same images, instances_….json."),
    Foreign("coco-captions", "COCO captions", "Use the file of instances of the same images, instances_….json."),
    Foreign("coco-images", "a list of images as COCO JSON, without boxes", "Give the file with annotations."),
    Foreign("youtube-vis", "YouTube-VIS JSON", "Convert it to tubes (STT JSON): boxes of an object in a list `track`."),
    Foreign("via3", "a project of VIA 3", "Export its annotations as COCO, or make it with VIA 2."),
    Foreign("darknet-json", "darknet's result.json", "Run `darknet detector valid` for COCO or VOC results instead."),
    Foreign("crowdhuman", "CrowdHuman's odgt", "Convert it to COCO JSON, `fbox` as bbox and `mask` as iscrowd."),
    Foreign("bdd100k", "BDD100K or Scalabel JSON", "Convert it with bdd100k.label.to_coco."),
    Foreign("hierarchy", "a class hierarchy of Open Images", "It goes with the boxes: state it with --hierarchy."),
    Foreign("sizes", "a table of image sizes", "It goes with the boxes: state it with --sizes."),
    Foreign("boxscore", "a report that boxscore wrote", "Give the truth and the detections that it was made from."),
    # XML
    Foreign("labelme-xml", "LabelMe XML (of MIT's tool)", "If CVAT wrote it: that exports `CVAT for images` too."),
    Foreign("kitti-raw", "KITTI tracklets", _TO_COCO),
    # CSV
    Foreign("vrd", "Open Images' visual relationships", "Only boxes are evaluated; give the CSV file of boxes."),
    Foreign("image-labels", "labels of whole images", "They go with the boxes: state them with --image-labels."),
    Foreign("descriptions", "names of Open Images' classes", "Give the CSV file of boxes."),
    # text
    Foreign("mot", "MOTChallenge", "Convert it to tubes (STT JSON), or to COCO JSON with frames as images."),
    Foreign("mots", "MOTS", "Convert it to COCO JSON with frames as images."),
    Foreign("visdrone", "VisDrone", "Convert it to COCO JSON; score 0 and category 0 are to be ignored there."),
    Foreign("kitti", "KITTI", f"{_TO_COCO} DontCare is iscrowd there."),
    Foreign("wider-face", "WIDER FACE", f"{_TO_COCO} `invalid` is to be ignored there."),
    Foreign("keras-yolo3", "the list of keras-yolo3", "Write it as CSV: filename,xmin,ymin,xmax,ymax,class."),
    Foreign("list", "a list of names", "Give what holds the boxes; a list goes with --classes or --image-list."),
    Foreign("label-map", "a label map of TensorFlow", "It goes with the boxes: state it with --label-map."),
    # others
    Foreign("parquet", "Parquet", "Write it as CSV, or give the data frame to boxscore.evaluate in Python."),
    Foreign("xlsx", "an Excel sheet", "Save it as CSV."),
    Foreign(
        "pickle", "pickled Python objects, which can run code and are never opened",
        "Write COCO results: Detectron2 leaves coco_instances_results.json beside it, MMDetection has outfile_prefix.",
    ),
    Foreign("numpy", "a NumPy file", "Load it and give the arrays to boxscore.evaluate in Python."),
    Foreign("matlab", "a MATLAB file", "Write it as CSV."),
    Foreign("hdf5", "an HDF5 file", "Write it as CSV, or give the arrays to boxscore.evaluate in Python."),
    Foreign("images", "nothing but images", "Give their annotations; the folder of images goes with --images."),
)  # fmt: skip
FOREIGN_BY_NAME = {foreign.name: foreign for foreign in FOREIGN}
