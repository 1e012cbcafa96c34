"""COCO JSON in the usual form: the columns of the kernel, or nothing where the careful reader must look."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from boxscore.formats.coco.columns import Columns
from boxscore.formats.coco.images import NAMES, by_file
from boxscore.formats.coco.lvis import name_in, usual_frequencies, usual_lists
from boxscore.formats.coco.usual_keypoints import (
    ANNOTATION_FIELDS,
    CATEGORY_FIELDS,
    RESULT_FIELDS,
    boxes_around_points,
    usual_keypoints,
    usual_sigmas,
)
from boxscore.formats.coco.usual_shapes import (
    Geometry,
    all_sound,
    boxes_around,
    fields_for,
    image_sizes,
    one_mask_each,
    usual_geometry,
)
from boxscore.tables.model import Floats, Ints, index_of
from boxscore.tables.shapes import Shapes
from boxscore.tables.strings import Names

TRUTH_LAYOUT = {
    "images": {
        "id": "integer", "file_name": "string", "im_name": "string", "coco_url": "string", "width": "number",
        "height": "number", "neg_category_ids": "integers", "not_exhaustive_category_ids": "integers",
    },
    "annotations": {
        "id": "integer", "image_id": "integer", "category_id": "integer", "bbox": "box", "area": "number",
        "iscrowd": "integer", "ignore": "integer",
    },
    "categories": {"id": "integer", "name": "string", "frequency": "string"},
}  # fmt: skip
_POLYGONS = re.compile(r'"segmentation"\s*:\s*\[')
RESULTS_LAYOUT = {"": {"image_id": "integer", "category_id": "integer", "bbox": "box", "score": "number"}}


def truth_layout(needs: tuple[str, ...], draw: bool | None = None) -> dict[str, dict[str, str]]:
    """What the kernel is asked for, where overlaps need so much besides boxes."""
    posed = "keypoints" in needs
    annotations = {**fields_for(needs, draw), **(ANNOTATION_FIELDS if posed else {})}
    return {
        "images": TRUTH_LAYOUT["images"],
        "annotations": {**TRUTH_LAYOUT["annotations"], **annotations},
        "categories": {**TRUTH_LAYOUT["categories"], **(CATEGORY_FIELDS if posed else {})},
    }


def results_layout(needs: tuple[str, ...], beginning: str, draw: bool | None = None) -> dict[str, dict[str, str]]:
    """What the kernel is asked for in results that begin so; polygons there wait for the sizes of images."""
    more = {"file_name": "string"} if '"file_name"' in beginning else {}
    posed, drawn = RESULT_FIELDS if "keypoints" in needs else {}, draw and not _POLYGONS.search(beginning)
    return {"": {**RESULTS_LAYOUT[""], **more, **posed, **fields_for(needs, drawn)}}


def usual_truth(tables: dict[str, dict[str, Any]] | None, threads: int = 0) -> Columns | None:
    """The columns of a file in the usual form; None sends it to the careful reader, which knows what to say."""
    if tables is None or set(tables) != set(TRUTH_LAYOUT):
        return None
    images, rows, categories = tables["images"], tables["annotations"], tables["categories"]
    required = (images["id"], rows["image_id"], rows["category_id"], rows["bbox"], categories["id"], categories["name"])
    if any(missing is not None for _, missing, _ in required):
        return None
    image_ids: Ints = images["id"][0]
    class_ids, class_names = categories["id"][0].tolist(), _strings(categories["name"])
    keys, frequency = _keys(images), usual_frequencies(categories["frequency"])
    if keys is None or class_names is None or frequency is None:
        return None
    if len(set(class_ids)) != len(class_ids) or _repeats(image_ids) or (not class_ids and len(rows["bbox"][0])):
        return None
    widths, heights = _optional(images["width"]), _optional(images["height"])
    geometry = usual_geometry(
        rows.pop("segmentation", None),
        lambda drawn: image_sizes(index_of(rows["image_id"][0], image_ids), widths, heights, drawn),
        threads,
    )
    posed = usual_keypoints(rows.pop("keypoints", None), rows.pop("num_keypoints", None))
    if geometry is None or posed is None:
        return None
    return Columns(
        keys=keys,
        image_ids=image_ids,
        index_ids=image_ids,
        widths=widths,
        heights=heights,
        class_ids=class_ids,
        class_names=list(class_names),
        image=rows["image_id"][0],
        label=rows["category_id"][0],
        boxes=rows["bbox"][0].reshape(-1, 4),
        area=_optional(rows["area"]),
        crowd=rows["iscrowd"][0],
        ignore=rows["ignore"][0],
        ids=rows["id"][0] if rows["id"][1] is None else None,
        lists=usual_lists(images),
        frequency=frequency,
        shapes=both_shapes(geometry.shapes, posed.shapes),
        masks=geometry.masks,
        sigmas=usual_sigmas(categories),
        labelled=posed.labelled,
    )


def both_shapes(drawn: Shapes | None, posed: Shapes | None) -> Shapes | None:
    """Masks or polygons and keypoints of the same records."""
    return drawn if posed is None else Shapes.beside(drawn, posed)


def usual_results(tables: dict[str, dict[str, Any]] | None, threads: int = 0) -> Columns | None:
    """The columns of results in the usual form; None sends them to the careful reader."""
    if tables is None:
        return None
    named, drawn = (tables[""].pop(name, None) for name in ("file_name", "segmentation"))
    masks = one_mask_each(drawn, threads)
    if masks is None:
        geometry = usual_geometry(
            drawn, lambda by_row: image_sizes(np.zeros(len(by_row), np.int32), None, None, by_row), threads
        )
    else:
        geometry = Geometry(masks=masks) if all_sound(masks) else None
    del drawn
    posed = usual_keypoints(tables[""].pop("keypoints", None))
    if geometry is None or posed is None:
        return None
    boxes, area, made = tables[""].pop("bbox"), None, 0
    if masks is not None and boxes[1] is not None and boxes[1].all():  # as pycocotools does, boxes are put around masks
        boxes, area, made = (boxes_around(masks), None, None), masks.area, len(masks)
    elif boxes[1] is not None and boxes[1].all() and geometry == Geometry():
        n = len(boxes[1])
        around = boxes_around_points(posed.shapes, n)
        boxes, made = boxes if around is None else (around, None, None), n
    if any(missing is not None for _, missing, _ in (*tables[""].values(), boxes)):
        return None
    rows = {name: values for name, (values, _, _) in tables[""].items()}
    keys, ids, image = None, rows["image_id"], rows["image_id"]
    if named is not None and len(image) and not (named[1] is not None and named[1].all()):
        names = _strings(named)
        if names is None:
            return None
        keys, ids, image = by_file(image, names)
    return Columns(
        keys=keys,
        image_ids=ids,
        image=image,
        label=rows["category_id"],
        boxes=boxes[0].reshape(-1, 4),
        boxes_made=made,
        area=area,
        score=rows["score"],
        shapes=both_shapes(geometry.shapes, posed.shapes),
        masks=geometry.masks,
    )


def _keys(images: dict[str, Any]) -> Sequence[str] | None:
    """Names of files or what addresses end with, if every image has one, else ids; None asks for a general reader."""
    for name in NAMES:
        if images[name][1] is None:
            return _strings(images[name])
    if images["coco_url"][1] is None:
        urls = _strings(images["coco_url"])
        names = None if urls is None else [name_in(url) for url in urls]
        if names is None or all(names):
            return names
    return [str(i) for i in images["id"][0].tolist()]


def _repeats(ids: Ints) -> bool:
    return not bool(np.all(ids[1:] > ids[:-1])) and len(np.unique(ids)) != len(ids)


def _optional(column: tuple[Floats, Any, Any]) -> Floats | None:
    """Numbers with nan where there are none; None where there are none at all."""
    values, missing, _ = column
    if missing is None:
        return values
    if missing.all():
        return None
    values[missing != 0] = np.nan
    return values


def _strings(column: tuple[Ints, Any, tuple[bytes, bool]]) -> Names | None:
    """Strings of a column; None where some are missing or need a general reader."""
    ends, missing, (text, escaped) = column
    if missing is not None:
        return None
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    if not escaped:
        return Names(text, ends)
    starts = [0, *ends.tolist()[:-1]]
    try:
        parts = [json.loads(b'"' + text[a:b] + b'"').encode() for a, b in zip(starts, ends.tolist(), strict=True)]
    except (json.JSONDecodeError, UnicodeEncodeError):
        return None
    return Names(b"".join(parts), np.cumsum([len(p) for p in parts], dtype=np.int64))
