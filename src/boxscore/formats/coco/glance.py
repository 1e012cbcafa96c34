"""COCO at first sight: by the first and last bytes of a file, by values in memory, by what little a broken file has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boxscore.formats.io.ends import beginning, end
from boxscore.formats.io.files import Files
from boxscore.formats.io.json_keys import has, outline

if TYPE_CHECKING:
    from boxscore.formats.io.source import Source

_BYTES = 1 << 12  # that show most files to be such
_KEYS = {"info", "licenses", "type", "images", "annotations", "categories"}
_STARTS = ("images[].id", "annotations[].image_id", "categories[].id")
_NOT_STARTS = ("images[].dets", "annotations[].track", "annotations[].segments_info", "annotations[].caption")
_ENDS = ('"bbox"', '"category_id"', '"supercategory"', '"categories"', '"neg_category_ids"')
_NOT_ENDS = ('"segments_info"', '"isthing"', '"track"', '"frame"', '"bboxes"', '"caption"', '"dets"')


def is_coco(files: Files) -> bool:
    """Whether beginning and end alone show a COCO file or COCO results, as they nearly always do."""
    start = beginning(files, "", _BYTES).decode("utf-8-sig", "replace").lstrip()
    if start[:1] not in ("{", "["):
        return False
    seen, complete, _ = outline(start)
    if start[:1] == "[":
        return all(has(seen, path) for path in ("[].image_id", "[].score", "[].bbox"))
    if not any(has(seen, path) for path in _STARTS) or not set(seen) <= _KEYS:
        return False
    if complete and "annotations" not in seen:
        return False
    if any(has(seen, path) for path in _NOT_STARTS):
        return False
    last = end(files, "", _BYTES)
    shown = has(seen, "annotations[].bbox") or any(word in last for word in _ENDS)
    return shown and not any(word in last for word in _NOT_ENDS)


def maybe_coco(value: Any) -> bool:
    """What the reader can say more about than recognition: empty and broken files, parts of a file."""
    if isinstance(value, dict):
        return not value or any(key in value for key in ("images", "annotations", "categories"))
    if isinstance(value, list):
        inner = value[0] if value else {}
        return isinstance(inner, dict) and (not inner or any(k in inner for k in ("image_id", "bbox", "score")))
    return value is None


def in_memory(name: str, side: Any) -> Source | None:
    """A source of what a COCO file or a list of its records holds that somebody has loaded already."""
    if isinstance(side, Mapping):
        if "annotations" not in side:
            return None
    else:
        if not isinstance(side, Sequence) or not side or not isinstance(side[0], Mapping):
            return None
        if not {"image_id", "category_id"} <= set(side[0]) or np.ndim(side[0]["category_id"]) != 0:
            return None
    from boxscore.formats.coco.memory import Values  # not needed for files

    return Values(name, None, value=side)
