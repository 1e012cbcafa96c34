"""Reading of both sides: paths by format, COCO as Python values, tables as they are, arrays through `arrays`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.findings import finding
from boxscore.formats import arrays
from boxscore.formats.array_columns import is_sheet
from boxscore.formats.joining import joined
from boxscore.formats.reading import Reading
from boxscore.formats.recognise import FOLDERS, misfit, recognise
from boxscore.formats.source import Source, open_source
from boxscore.formats.unused import OF_BOTH, OF_TRUTH, unused_boxes, unused_files
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, ImageLabels, Truth

__all__ = ["Reading", "read_detections", "read_truth"]

_EXPECTED = "a path, a table, a mapping of columns, a data frame, or a list with one mapping per image"
# The module and the function that read a format; imported when needed.
TRUTH = {
    "coco": ("coco", "truth_of"),
    "text": ("text", "read_truth"),
    "open-images": ("open_images", "read_truth"),
    "voc-xml": ("voc_xml", "read_truth"),
}
DETECTIONS = {
    "coco": ("coco", "results_of"),
    "text": ("text", "read_detections"),
    "open-images": ("open_images", "read_detections"),
    "voc-results": ("voc_results", "read_detections"),
    "imagenet-det": ("imagenet", "read_det"),
    "imagenet-loc": ("imagenet", "read_loc"),
}


def _reader(module: str, function: str) -> Callable[..., Any]:
    read: Callable[..., Any] = getattr(import_module(f"boxscore.formats.{module}"), function)
    return read


def read_truth(side: Any, how: Reading | None = None) -> tuple[Truth, list[Finding]]:
    """The truth behind a path, a table, COCO values or arrays, and what is odd about it."""
    how = how or Reading()
    if isinstance(side, Detections):
        raise InputError("truth", "a table of detections", "a table of objects (Truth)")
    source, form = _source(side, "truth", how.truth_format)
    if source is not None:
        truth, findings = _reader(*TRUTH[form])(source, how)
        findings += unused_boxes(how, "truth", form, truth.source)
    elif isinstance(side, Truth):
        truth, findings = side, []
    else:
        truth, findings = arrays.read_truth(side, how)
    if how.image_labels is not None and form == "voc-xml":
        truth = _with_labels(truth, _reader("image_classes", "read_image_classes")(how.image_labels, truth))
    if how.blacklist is not None:
        truth = _with_labels(truth, _reader("blacklist", "read_blacklist")(how.blacklist, truth))
    if side is not truth:
        findings += _repeated_names(truth)
    return truth, [*findings, *unused_files(how, OF_TRUTH, form)]


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
    source, form = _source(side, "detections", how.detections_format)
    if source is not None:
        detections, findings = _reader(*DETECTIONS[form])(source, how, truth)
        findings += unused_boxes(how, "detections", form, detections.source)
    else:
        detections, findings = arrays.read_detections(side, how, truth)
    findings += unused_files(how, OF_BOTH, form, "" if truth is None else truth.format)
    detections, more = joined(detections, truth)
    return detections if truth is None else _with_used_classes(detections, truth), [*findings, *more]


def _source(side: Any, name: str, stated: str | None) -> tuple[Source | Path | None, str]:
    """What to read, and in which format: a file, a folder, COCO values, or (None) a table or arrays."""
    if isinstance(side, (str, os.PathLike)):
        path = os.fspath(side)
        if "\0" in path or not path:
            raise InputError(name, f"the path {path!r}", "the path of a file or folder")
        if path == "-" and stated in FOLDERS:
            raise misfit("standard input", "a file", stated)  # before anything waits for it
        source = Path(path) if path != "-" and _is_folder(Path(path)) else open_source(path)
        return source, recognise(source, name, stated)
    if isinstance(side, Truth):
        return None, ""
    if _is_coco(side):
        return Source(name, None, _as_json(side, name)), "coco"
    if is_sheet(side) or (isinstance(side, Sequence) and not isinstance(side, (bytes, bytearray))):
        return None, ""
    raise InputError(name, f"a value of type {type(side).__name__}", _EXPECTED)


def _with_labels(truth: Truth, more: ImageLabels) -> Truth:
    """The truth with further statements about images, after those that it has."""
    parts = [more] if truth.labels is None else [truth.labels, more]
    columns = (np.concatenate([getattr(part, name) for part in parts]) for name in ("image", "label", "mark"))
    return replace(truth, labels=ImageLabels(*columns))


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
