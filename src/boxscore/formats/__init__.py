"""Reading of both sides: paths by format, COCO as Python values, tables as they are, arrays through `arrays`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.findings import finding
from boxscore.formats import arrays, coco, text
from boxscore.formats.array_columns import is_sheet
from boxscore.formats.joining import joined
from boxscore.formats.reading import Reading
from boxscore.formats.source import Source, open_source
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, Truth

__all__ = ["Reading", "read_detections", "read_truth"]

_EXPECTED = "a path, a table, a mapping of columns, a data frame, or a list with one mapping per image"


def read_truth(side: Any, how: Reading | None = None) -> tuple[Truth, list[Finding]]:
    """The truth behind a path, a table, COCO values or arrays, and what is odd about it."""
    how = how or Reading()
    if isinstance(side, Truth):
        return side, []
    if isinstance(side, Detections):
        raise InputError("truth", "a table of detections", "a table of objects (Truth)")
    source = _source(side, "truth")
    if isinstance(source, Source):
        truth, findings = coco.read_truth(source, how.threads, how.truth_box or "xywh")
        findings += _unused(how, how.truth_box, source.name)
    elif isinstance(source, Path):
        truth, findings = text.read_truth(source, how)
    else:
        truth, findings = arrays.read_truth(side, how)
    return truth, [*findings, *_repeated_names(truth)]


def read_detections(
    side: Any, how: Reading | None = None, truth: Truth | None = None
) -> tuple[Detections, list[Finding]]:
    """The detections behind a path, a table, COCO values or arrays, and what is odd about them.

    `truth` is a help, not a condition: with it, images and classes that are all its own are joined at once.
    """
    how = how or Reading()
    if isinstance(side, Detections):
        return side, []
    if isinstance(side, Truth):
        raise InputError("detections", "a table of objects", "a table of detections (Detections)")
    source = _source(side, "detections")
    if isinstance(source, Source):
        detections, findings = coco.read_results(source, truth, how.threads, how.detections_box or "xywh")
        findings += _unused(how, how.detections_box, source.name)
    elif isinstance(source, Path):
        detections, findings = text.read_detections(source, how, truth)
    else:
        detections, findings = arrays.read_detections(side, how, truth)
    detections, more = joined(detections, truth)
    return detections if truth is None else _with_used_classes(detections, truth), [*findings, *more]


def _source(side: Any, name: str) -> Source | Path | None:
    """What to read: COCO from a file or from values, a folder of text files, or (None) arrays."""
    if isinstance(side, (str, os.PathLike)):
        path = os.fspath(side)
        if "\0" in path or not path:
            raise InputError(name, f"the path {path!r}", "the path of a file or folder")
        return Path(path) if path != "-" and _is_folder(Path(path)) else open_source(path)
    if _is_coco(side):
        return Source(name, None, _as_json(side, name))
    if is_sheet(side) or (isinstance(side, Sequence) and not isinstance(side, (bytes, bytearray))):
        return None
    raise InputError(name, f"a value of type {type(side).__name__}", _EXPECTED)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})") from None


def _is_coco(side: Any) -> bool:
    """A COCO file, or a list of its records, that somebody has loaded already."""
    if isinstance(side, Mapping):
        return "annotations" in side
    if not isinstance(side, Sequence) or not side or not isinstance(side[0], Mapping):
        return False
    return {"image_id", "category_id"} <= set(side[0]) and np.ndim(side[0]["category_id"]) == 0


def _as_json(side: Any, name: str) -> bytes:
    def plain(value: Any) -> Any:
        return dict(value) if isinstance(value, Mapping) else value.tolist()

    try:
        return json.dumps(side, default=plain).encode()
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(name, f"values that JSON cannot hold ({error})", "the content of a COCO file") from None


def _unused(how: Reading, stated: str | None, name: str) -> list[Finding]:
    """What was said of boxes in general, and does not hold for a file that says it itself."""
    said = [f"box={how.box}"] if stated is None and how.box not in (None, "xywh") else []
    said += ["coords=relative"] if how.coords == "relative" else []
    detail = f"{name} is COCO, whose boxes are x y width height in pixels; {' and '.join(said)} was not used for it"
    return [finding("BOX004", len(said), detail)] if said else []


def _with_used_classes(detections: Detections, truth: Truth) -> Detections:
    """The detections without listed classes that none of them has: only what is there can be unknown to the truth."""
    if detections.classes is truth.classes:
        return detections
    names, keys = detections.classes.name, detections.classes.id
    used = np.zeros(len(names), np.bool_)
    used[detections.label] = True
    kept = np.flatnonzero(used).tolist()
    classes = Classes(tuple(names[k] for k in kept), tuple(keys[k] for k in kept))
    label = (np.cumsum(used) - 1).astype(np.int32)[detections.label]
    return replace(detections, classes=classes, label=label)


def _repeated_names(truth: Truth) -> list[Finding]:
    names = truth.classes.name
    if len(set(names)) == len(names):
        return []
    repeated = sorted({name for name in names if names.count(name) > 1})
    return [finding("CLS002", len(names) - len(set(names)), first_few(repeated, len(repeated)))]
