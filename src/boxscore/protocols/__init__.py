"""The registry of protocols: `get("coco")`, `names()`, `variant(protocol, iou="0.3")`."""

from __future__ import annotations

import re

from boxscore.errors import UnknownName, UsageError
from boxscore.protocols.coco import COCO, COCO_FIXED
from boxscore.protocols.imagenet import IMAGENET_DET, IMAGENET_LOC, IMAGENET_VID, IMAGENET_VID_MOTION
from boxscore.protocols.keypoints import COCO_KEYPOINTS
from boxscore.protocols.lvis import LVIS, LVIS_FIXED, LVIS_POOL
from boxscore.protocols.oriented import COCO_OBB, DOTA, DOTA_ALL
from boxscore.protocols.presets import DETECTRON2, FIFTYONE, TORCHMETRICS, ULTRALYTICS
from boxscore.protocols.record import Protocol
from boxscore.protocols.relations import OPENIMAGES_VRD, OPENIMAGES_VRD_PHRASE, OPENIMAGES_VRD_RELATION
from boxscore.protocols.segmentation import COCO_BOUNDARY, COCO_SEGM, LVIS_SEGM, VOC_SEGM
from boxscore.protocols.tensorflow import (
    OPENIMAGES_CHALLENGE,
    OPENIMAGES_CHALLENGE_SEGM,
    OPENIMAGES_V2,
    TF_COCO,
    TF_COCO_SEGM,
    TF_PRECISION_AT_RECALL,
    TF_VOC,
    TF_VOC_SEGM,
    TF_WEIGHTED_VOC,
    TF_WEIGHTED_VOC_SEGM,
)
from boxscore.protocols.toolkit import TOOLKIT_COCO, TOOLKIT_VOC, TOOLKIT_VOC11
from boxscore.protocols.track_ap import TAO, YOUTUBE_VIS
from boxscore.protocols.tubes import AVERAGE_DELAY, STT_AP, STT_AP_RANKED, STT_AP_RANKED_ANY, STT_AP_TOOLKIT
from boxscore.protocols.values import Area, Deviation
from boxscore.protocols.variants import from_signature, variant
from boxscore.protocols.voc import VOC11_EXACT, VOC2007, VOC2012
from boxscore.tables.arguments import TEXT, a, checked

__all__ = [
    "ALIASES",
    "GROUPS",
    "REGISTRY",
    "Area",
    "Deviation",
    "Protocol",
    "deviation",
    "expand",
    "from_signature",
    "get",
    "listed",
    "names",
    "variant",
]

REGISTRY: dict[str, Protocol] = {
    p.name: p
    for p in (
        *(COCO, COCO_FIXED, COCO_SEGM, COCO_BOUNDARY, COCO_KEYPOINTS, LVIS, LVIS_SEGM, LVIS_FIXED, LVIS_POOL),
        *(VOC2007, VOC2012, VOC11_EXACT, VOC_SEGM),
        *(TF_VOC, TF_WEIGHTED_VOC, TF_PRECISION_AT_RECALL, TF_COCO, OPENIMAGES_V2, OPENIMAGES_CHALLENGE),
        *(TF_VOC_SEGM, TF_WEIGHTED_VOC_SEGM, TF_COCO_SEGM, OPENIMAGES_CHALLENGE_SEGM),
        *(OPENIMAGES_VRD_RELATION, OPENIMAGES_VRD_PHRASE, OPENIMAGES_VRD),
        *(IMAGENET_DET, IMAGENET_VID, IMAGENET_VID_MOTION, IMAGENET_LOC, TOOLKIT_VOC, TOOLKIT_VOC11, TOOLKIT_COCO),
        *(DOTA, DOTA_ALL, COCO_OBB),
        *(STT_AP, STT_AP_TOOLKIT, STT_AP_RANKED, STT_AP_RANKED_ANY, AVERAGE_DELAY),
        *(TAO, YOUTUBE_VIS),
        *(ULTRALYTICS, TORCHMETRICS, FIFTYONE, DETECTRON2),
    )
}

# The names that TensorFlow's configuration files use (`metrics_set`), older ones too.
ALIASES: dict[str, str] = {
    "pascal_voc_detection_metrics": "tf-voc",
    "weighted_pascal_voc_detection_metrics": "tf-weighted-voc",
    "precision_at_recall_detection_metrics": "tf-precision-at-recall",
    "coco_detection_metrics": "tf-coco",
    "oid_V2_detection_metrics": "openimages-v2",
    "open_images_V2_detection_metrics": "openimages-v2",
    "oid_challenge_detection_metrics": "openimages-challenge",
    "oid_challenge_object_detection_metrics": "openimages-challenge",
    "pascal_voc_instance_segmentation_metrics": "tf-voc-segm",
    "weighted_pascal_voc_instance_segmentation_metrics": "tf-weighted-voc-segm",
    "coco_mask_metrics": "tf-coco-segm",
    "oid_challenge_segmentation_metrics": "openimages-challenge-segm",
}

# Names that people say of several protocols whose numbers differ: they have to say which.
AMBIGUOUS: dict[str, tuple[str, ...]] = {
    "voc": ("voc2007", "voc2012", "tf-voc"),
    "pascal": ("voc2007", "voc2012", "tf-voc"),
    "pascal-voc": ("voc2007", "voc2012", "tf-voc"),
    "pascalvoc": ("voc2007", "voc2012", "toolkit-voc"),
    "openimages": ("openimages-v2", "openimages-challenge"),
    "open-images": ("openimages-v2", "openimages-challenge"),
    "imagenet": ("imagenet-det", "imagenet-vid", "imagenet-loc"),
    "ilsvrc": ("imagenet-det", "imagenet-vid", "imagenet-loc"),
}

# Names that stand for several protocols at once.
GROUPS: dict[str, tuple[str, ...]] = {"toolkit": ("toolkit-coco", "toolkit-voc")}


def names() -> list[str]:
    """All protocol names, in the order of the documentation."""
    return list(REGISTRY)


@checked(name=a("the name of a protocol or a Protocol", str, Protocol))
def get(name: str | Protocol) -> Protocol:
    """The protocol of that name, or a variant by its text; a protocol is returned as it is.

    >>> get("voc2007").recall_levels
    11
    >>> get("coco[iou=0.5,max_detections=1,10,300]").max_detections
    (1, 10, 300)
    """
    if isinstance(name, Protocol):
        return name
    base, bracket, changed = name.partition("[")
    if bracket:
        return variant(get(base), **_assignments(name, changed))
    known = _spelled(name)
    if known not in REGISTRY:
        raise UnknownName("protocol", name, [*REGISTRY, *GROUPS])
    return REGISTRY[known]


def listed(text: str) -> list[str]:
    """The names in a list with commas; those within brackets belong to a variant.

    >>> listed("coco, voc2012[iou=0.5,0.75]")
    ['coco', 'voc2012[iou=0.5,0.75]']
    """
    return [name.strip() for name in re.split(r",(?![^\[]*\])", text)]


def _spelled(name: str) -> str:
    """The name of the registry that a name stands for, whatever its case and hyphens; else the name as it is."""
    if name in REGISTRY or name in ALIASES:
        return ALIASES.get(name, name)
    folded = name.casefold().replace("_", "-").replace(" ", "-")
    if folded in AMBIGUOUS:
        lines = "".join(f"\n  {one:22}{REGISTRY[one].about}" for one in AMBIGUOUS[folded])
        raise UsageError(f"protocol '{name}' can mean several, whose numbers differ; name one of them:{lines}")
    aliases = {alias.casefold().replace("_", "-"): target for alias, target in ALIASES.items()}
    return aliases.get(folded, folded if folded in REGISTRY else name)


def _assignments(name: str, changed: str) -> dict[str, str]:
    """The fields of `NAME[field=value,…]`; values may hold commas."""
    parts = [part.partition("=") for part in re.split(r",(?=[a-z_]+=)", changed.removesuffix("]"))]
    if not changed.endswith("]") or not all(field and equals for field, equals, _ in parts):
        raise UsageError(f"protocol '{name}'; expected NAME or NAME[field=value,…] such as coco[iou=0.5]")
    return {field: value for field, _, value in parts}


@checked(name=TEXT)
def expand(name: str) -> list[Protocol]:
    """The protocols that a name or the name of a group stands for."""
    return [get(n) for n in GROUPS.get(name.casefold(), (name,))]


@checked(code=TEXT)
def deviation(code: str) -> Deviation | None:
    """The deviation with that code, if there is one."""
    return next((d for p in REGISTRY.values() for d in p.deviations if d.code == code.upper()), None)
