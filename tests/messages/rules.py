"""Names, options, protocols and metrics that do not exist or do not fit, and sides with nothing in common."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import boxscore as bs
from boxscore import metrics, protocols
from boxscore.formats.registry import names
from boxscore.joining.read import Reading
from boxscore.protocols import Area, variant
from boxscore.tables.box_forms import to_corners
from small_coco import RESULTS, results, truth


def small(**fields: Any) -> bs.Result:
    rules = replace(protocols.get("coco"), **fields)
    return bs.evaluate(truth()[0], results(RESULTS)[0], protocol=rules)


def with_frequencies() -> bs.Result:
    rare = truth()[0]
    rare = replace(rare, classes=replace(rare.classes, frequency=("r",) * len(rare.classes)))
    return bs.evaluate(rare, results(RESULTS)[0])


COCO = protocols.get("coco")
RULES = list(COCO.rules())

CASES: list[tuple[str, Callable[..., Any]]] = [
    # how to read
    ("box='xyhw'; expected one of xywh, xyxy, cxcywh", lambda: Reading(box="xyhw")),
    ("coords='percent'; expected one of absolute, relative", lambda: Reading(coords="percent")),
    ("image_size=(640, 0); expected width and height, both above 0", lambda: Reading(image_size=(640, 0))),
    ("classes has 'cat' twice; expected different names", lambda: Reading(classes=("cat", "dog", "cat"))),
    (
        f"unknown truth_format 'voc'; did you mean 'voc-xml'? ({len(names('truth'))} known; `boxscore formats` lists "
        "them)",
        lambda: Reading(truth_format="voc"),
    ),
    (
        f"unknown detections_format 'voc-xlm'; did you mean 'voc-xml'? ({len(names('detections'))} known; `boxscore "
        "formats` lists them)",
        lambda: Reading(detections_format="voc-xlm"),
    ),
    ("threads=-1; expected a whole number from 0 (0 for all cores)", lambda: Reading(threads=-1)),
    ("evaluate: threads=2.0; expected a whole number", lambda: bs.evaluate([], [], threads=2.0)),
    (
        "threads=-3; expected a whole number from 0 (0 for all cores)",
        lambda: bs.match(truth()[0], results(RESULTS)[0], COCO, threads=-3),
    ),
    ("hierarchy=5; expected the path of a file", lambda: Reading(hierarchy=5)),
    ("blacklist=''; expected the path of a file", lambda: Reading(blacklist="")),
    (
        "classes and label_map both list the classes; expected one of them",
        lambda: Reading(classes=("cat",), label_map="m.pbtxt"),
    ),
    ("classes=5; expected names, or the path of a file that lists them", lambda: Reading(classes=5)),
    ("image_size='640,480'; expected width and height, both above 0", lambda: Reading(image_size="640,480")),
    ("image_size=('a', 'b'); expected width and height, both above 0", lambda: Reading(image_size=("a", "b"))),
    ("box=['xyxy']; expected one of xywh, xyxy, cxcywh", lambda: Reading(box=["xyxy"])),
    # protocols by values of other types
    ("iou=0.5; expected a tuple, each a number", lambda: replace(COCO, iou=0.5)),
    ("areas='all'; expected a tuple, each an Area", lambda: replace(COCO, areas="all")),
    ("max_detections=1.5; expected a whole number", lambda: replace(COCO, max_detections=(1.5,))),
    ("recall_levels='11'; expected a whole number", lambda: replace(COCO, recall_levels="11")),
    ("ignored_last='yes'; expected True or False", lambda: replace(COCO, ignored_last="yes")),
    (
        "recall_bounds=0.5; expected two recalls, the lower one first",
        lambda: replace(COCO, recall_bounds=(0.5,)),
    ),
    ("variant: protocol='coco'; expected a Protocol", lambda: variant("coco", iou="0.5")),
    ("max_detections=100; expected text such as '1,10,100'", lambda: variant(COCO, max_detections=100)),
    ("box='yxyx'; expected xywh, xyxy or cxcywh", lambda: to_corners(np.zeros((1, 4)), "yxyx")),
    # alignment
    (
        "r.json: none of its 5 images is in the ground truth (images here: 100001, 100002, 100003 and 2 "
        "more); expected images of the ground truth: 1, 2\n  The image ids or names must be the same on both "
        "sides; here they follow different rules.",
        lambda: bs.evaluate(truth()[0], results([{**RESULTS[0], "image_id": 100001 + i} for i in range(5)])[0]),
    ),
    (
        "r.json: its only class is not in the ground truth (classes here: 0); expected classes of the "
        "ground truth: cat\n  Class numbers get their names from a list, in the order of the numbers: "
        "--detections-classes FILE.",
        lambda: bs.evaluate(truth()[0], results([{**RESULTS[0], "category_id": 0}])[0]),
    ),
    (
        "r.json: its only image is not in the ground truth (images here: 1); expected images of the ground "
        "truth: it has none\n  The image ids or names must be the same on both sides; here they follow "
        "different rules.",
        lambda: bs.evaluate(truth({"images": [], "annotations": [], "categories": []})[0], results(RESULTS)[0]),
    ),
    # protocols
    (
        f"unknown protocol 'coc'; did you mean 'coco' or 'tf-coco'? ({len(protocols.names()) + len(protocols.GROUPS)} "
        "known; `boxscore protocols` lists them)",
        lambda: protocols.get("coc"),
    ),
    (
        "protocol 'coco[iou'; expected NAME or NAME[field=value,…] such as coco[iou=0.5]",
        lambda: protocols.get("coco[iou"),
    ),
    (
        f"unknown protocol field 'iuo'; did you mean 'iou'? ({len(RULES)} known; `boxscore rule` lists them)",
        lambda: variant(protocols.get("coco"), iuo="0.5"),
    ),
    (
        "iou=half; expected 0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05",
        lambda: variant(protocols.get("coco"), iou="half"),
    ),
    (
        "iou=0.9:0.5:0.1; expected 0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05",
        lambda: variant(protocols.get("coco"), iou="0.9:0.5:0.1"),
    ),
    (
        "max_detections=many; expected whole numbers such as 1,10,300, or none",
        lambda: variant(protocols.get("coco"), max_detections="many"),
    ),
    (
        "areas=tiny; expected ranges such as tiny:0-256,rest:256-",
        lambda: variant(protocols.get("coco"), areas="tiny"),
    ),
    ("ignored_last=perhaps; expected yes or no", lambda: variant(protocols.get("coco"), ignored_last="perhaps")),
    ("precision_epsilon=nan; expected a number", lambda: variant(protocols.get("coco"), precision_epsilon="nan")),
    ("compare='<'; expected one of >=, >", lambda: variant(protocols.get("coco"), compare="<")),
    (
        "signature of 'coco': 'colour:red' is not a rule of this version",
        lambda: protocols.from_signature("coco", "iou:0.5|colour:red"),
    ),
    (
        "signature of 'coco': iou:half; expected 0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05",
        lambda: protocols.from_signature("coco", "iou:half"),
    ),
    (
        "signature of 'coco': does not state all rules of this version",
        lambda: protocols.from_signature("coco", "iou:0.5"),
    ),
    ("iou has 0 thresholds; expected 1 to 64", lambda: small(iou=())),
    ("iou=0.5,0.9,0.5; expected different thresholds", lambda: small(iou=(0.5, 0.9, 0.5))),
    ("iou=0.5,1.5; expected thresholds above 0 and up to 1", lambda: small(iou=(0.5, 1.5))),
    ("max_detections=10,1; expected whole numbers from 1, ascending", lambda: small(max_detections=(10, 1))),
    (
        "areas=all:0-1,all:1-2; expected 1 to 64 ranges with different names",
        lambda: small(areas=(Area("all", 0, 1), Area("all", 1, 2))),
    ),
    ("areas=a:b:0-1; expected names without any of , : | = [ ]", lambda: small(areas=(Area("a:b", 0, 1),))),
    ("areas=all:2-1; expected ranges from low to high", lambda: small(areas=(Area("all", 2, 1),))),
    ("recall_levels=1; expected 0 (all points) or at least 2", lambda: small(recall_levels=1)),
    # metrics
    ("metric 'AP['; expected Name or Name[key=value,…] such as AP[iou=0.5,area=small]", lambda: metrics.parse("AP[")),
    ("metric 'AP[iou]': 'iou'; expected key=value", lambda: metrics.parse("AP[iou]")),
    (
        "unknown metric key 'iuo'; did you mean 'iou'? (known: iou, area, max, score, class, beta, frequency)",
        lambda: metrics.parse("AP[iuo=0.5]"),
    ),
    ("metric 'AP[iou=half]': iou=half; expected a number", lambda: metrics.parse("AP[iou=half]")),
    (
        f"unknown metric 'APP'; did you mean 'AP' or 'mAP'? ({len(metrics.REGISTRY)} known; `boxscore rule` lists "
        "them)",
        lambda: small()["APP"],
    ),
    ("no size range 'tiny' in this protocol (it has all, small, medium, large)", lambda: small()["AP[area=tiny]"]),
    ("a limit of 50 is not among max_detections (1, 10, 100)", lambda: small()["AR[max=50]"]),
    (
        "IoU 0.3 is not among the protocol's thresholds (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)",
        lambda: small()["AP[iou=0.3]"],
    ),
    ("unknown class 'dog' (known: cat)", lambda: small()["AP[class=dog]"]),
    ("the ground truth does not state how frequent its classes are", lambda: small()["AP[frequency=rare]"]),
    (
        "unknown frequency 'rar'; did you mean 'rare'? (known: rare, common, frequent)",
        lambda: with_frequencies()["AP[frequency=rar]"],
    ),
    (
        "the boxes are needed, but a stored result keeps only the verdicts; evaluate again",
        lambda: pickle.loads(pickle.dumps(small()))["CorLoc"],
    ),
    (
        "recall_bounds=0.7,0.2; expected two recalls, the lower one first",
        lambda: protocols.variant(COCO, recall_bounds="0.7,0.2"),
    ),
    ("recall_bounds=0.7; expected two recalls such as 0.2,0.7", lambda: protocols.variant(COCO, recall_bounds="0.7")),
    ("iou_margin=-1.0; expected pixels, 0 or more", lambda: protocols.variant(COCO, iou_margin="-1")),
    ("absorbed_weight=2.0; expected a weight from 0 to 1", lambda: protocols.variant(COCO, absorbed_weight="2")),
]
