"""JSON files by their keys: a table of what the outline of each format has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from boxscore.formats.recognise.answer import BOTH, DETECTIONS, LIKELY, POSSIBLE, SURE, TRUTH
from boxscore.formats.recognise.json_keys import Outline, has


class Sign(NamedTuple):
    """What the outline of a format has; the first sign of the table that is met counts."""

    name: str
    paths: tuple[str, ...]
    sides: tuple[str, ...] = TRUTH
    level: str = SURE
    unless: tuple[str, ...] = ()


class Seen(NamedTuple):
    """A format that a file fits, and the reason."""

    name: str
    level: str
    reason: str
    sides: tuple[str, ...]


SIGNS = (
    Sign("boxscore", ("schema", "results")),
    Sign("coco-panoptic", ("annotations[].segments_info",)),
    Sign("coco-captions", ("annotations[].caption",), unless=("annotations[].bbox",)),
    Sign("stt", ("videos", "annotations[].track")),
    Sign("stt", ("[].track[].frame", "[].video_id"), DETECTIONS),
    Sign("youtube-vis", ("videos", "annotations[].bboxes")),
    Sign("coco", ("images[].dets",), DETECTIONS),
    Sign("coco", ("annotations[].bbox", "annotations[].score"), BOTH),
    Sign("coco", ("images[].id", "annotations")),
    Sign("coco", ("annotations[].image_id", "annotations[].bbox")),
    Sign("coco", ("images[].id",), level=LIKELY),
    Sign("coco", ("images", "annotations")),
    Sign("coco", ("annotations", "categories"), level=LIKELY),
    Sign("coco", ("[].image_id", "[].score"), DETECTIONS),
    Sign("coco", ("[].image_id", "[].bbox"), BOTH, LIKELY),
    Sign("labelme", ("shapes[].score", "imagePath"), BOTH),
    Sign("labelme", ("shapes", "imagePath")),
    Sign("labelme", ("shapes", "imageHeight")),
    Sign("labelme", ("shapes[].points", "shapes[].label"), level=LIKELY),
    Sign("vott-json", ("assets", "tags")),
    Sign("vott-json", ("asset", "regions")),
    Sign("vott-json", ("frames", "inputTags")),
    Sign("via-json", ("*.regions[].region_attributes.score", "*.filename"), BOTH),
    Sign("via-json", ("_via_img_metadata",)),
    Sign("via-json", ("*.regions", "*.filename")),
    Sign("via3", ("project", "metadata", "view")),
    Sign("label-studio", ("[].data", "[].annotations")),
    Sign("label-studio", ("[].data", "[].completions")),
    Sign("label-studio", ("[].data", "[].predictions")),
    Sign("label-studio", ("[].annotator",)),
    Sign("label-studio", ("[].annotations[].result",)),
    Sign("datumaro", ("items", "categories")),
    Sign("supervisely", ("objects[].classTitle",)),
    Sign("supervisely", ("objects[].classId", "tags")),
    Sign("supervisely", ("objects", "size.height", "size.width")),
    Sign("supervisely", ("classes[].title", "tags")),
    Sign("supervisely", ("objects", "figures")),
    Sign("createml", ("[].annotations[].coordinates",)),
    Sign("createml", ("[].annotation[].coordinates",)),
    Sign("darknet-json", ("[].frame_id", "[].objects")),
    Sign("crowdhuman", ("ID", "gtboxes")),
    Sign("bdd100k", ("[].labels[].box2d",)),
    Sign("bdd100k", ("frames[].labels",)),
    Sign("hierarchy", ("LabelName", "Subcategory")),
)
_COCO = ("images", "annotations", "categories")
NEEDED = {  # what is told of formats that a file does not fit
    "coco": "`images` and `annotations`, or a list of records with `image_id` and `score`",
    "labelme": "`shapes` and `imagePath`",
    "vott-json": "`assets` and `tags`",
    "via-json": "records with `filename` and `regions`",
    "stt": "`videos` and annotations with a `track`",
}


def signs(seen: Outline, end: str = "") -> list[Seen]:
    """The formats that an outline fits, the best first; `end` is how the file ends."""
    if '"segments_info"' in end:
        return [Seen("coco-panoptic", SURE, "it ends with records of panoptic segments", TRUTH)]
    for sign in SIGNS:
        if all(has(seen.value, path) for path in sign.paths) and not any(has(seen.value, path) for path in sign.unless):
            name = sign.name
            if name == "coco" and sign.paths[0] == "images[].id" and _without_boxes(seen):
                name = "coco-images"
            return [Seen(name, sign.level, f"it has {_listed(sign.paths)}", sign.sides)]
    if _are_sizes(seen.value):
        return [Seen("sizes", LIKELY, "names with two numbers each", TRUTH)]
    if _maybe_coco(seen.value):
        return [Seen("coco", POSSIBLE, f"it is JSON with {keys(seen.value)}", BOTH)]
    return []


def keys(value: Any) -> str:
    """The keys of an outline, in words."""
    if isinstance(value, dict):
        some = [f"`{key[:30]}`" for key in value]
        return f"the keys {_few(some)}" if some else "no keys"
    if isinstance(value, list):
        inner = value[0] if value else None
        if isinstance(inner, dict):
            return f"a list of records with {_few([f'`{key[:30]}`' for key in inner])}"
        return "a list of values" if value else "an empty list"
    return "a single value"


def _few(words: Sequence[str]) -> str:
    return ", ".join(words[:6]) + (", …" if len(words) > 6 else "")


def _listed(paths: Sequence[str]) -> str:
    words = [f"`{path}`" for path in paths]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _without_boxes(seen: Outline) -> bool:
    """Whether a COCO file that was seen as a whole has no annotations."""
    return seen.complete and "annotations" not in seen.value


def _are_sizes(value: Any) -> bool:
    """Names with two numbers each, or parts of such tables; an outline has the first number of each."""
    if not isinstance(value, dict) or not value:
        return False
    first = next(iter(value.values()))
    table = first if isinstance(first, dict) else value
    return bool(table) and all(
        isinstance(size, list) and len(size) == 1 and isinstance(size[0], float) for size in table.values()
    )


def _maybe_coco(value: Any) -> bool:
    """What the reader of COCO can say more about than recognition: empty and broken files, parts of a file."""
    if isinstance(value, dict):
        return not value or any(key in value for key in _COCO)
    if isinstance(value, list):
        inner = value[0] if value else {}
        return isinstance(inner, dict) and (not inner or any(k in inner for k in ("image_id", "bbox", "score")))
    return value is None
