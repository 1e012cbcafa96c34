"""The protocols in families, for lists that people read."""

from __future__ import annotations

from boxscore.protocols import REGISTRY, Protocol

OTHERS = "Other tools"
# The beginnings of names by family; the longest one that fits a name decides.
FAMILIES: dict[str, tuple[str, ...]] = {
    "COCO": ("coco",),
    "LVIS": ("lvis",),
    "PASCAL VOC": ("voc",),
    "The 2021 toolkit": ("toolkit",),
    "TensorFlow Object Detection API": ("tf-",),
    "Open Images": ("openimages",),
    "ImageNet": ("imagenet",),
    "Oriented boxes": ("dota", "coco-obb"),
    "Tubes and tracks in videos": ("stt-", "tao", "youtube-vis", "average-delay", "imagenet-vid-motion"),
    OTHERS: ("ultralytics", "torchmetrics", "fiftyone", "detectron2"),
}


def family(name: str) -> str:
    """The family of a protocol.

    >>> family("coco-segm"), family("coco-obb")
    ('COCO', 'Oriented boxes')
    """
    starts = [(len(start), title) for title, some in FAMILIES.items() for start in some if name.startswith(start)]
    return max(starts)[1] if starts else OTHERS


def families() -> dict[str, list[Protocol]]:
    """All protocols by family, both in the order of the documentation."""
    made: dict[str, list[Protocol]] = {title: [] for title in FAMILIES}
    for protocol in REGISTRY.values():
        made[family(protocol.name)].append(protocol)
    return {title: some for title, some in made.items() if some}
