"""CSV files by the names of their columns, or by what the columns hold where they have no names."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

from boxscore.formats.record import BOTH, DETECTIONS, LIKELY, POSSIBLE, SURE, TRUTH, Seen

_SYNONYMS = {  # of the columns of boxes in pixels
    "filename": (
        "filename", "image", "file", "image_name", "image_path", "path", "img", "img_path", "image_id", "file_name",
    ),
    "class": (
        "class", "label", "name", "category", "cell_type", "class_name", "label_name", "classname", "class_id",
    ),
    "xmin": ("xmin", "x_min", "x1", "left", "x0"),
    "ymin": ("ymin", "y_min", "y1", "top", "y0"),
    "xmax": ("xmax", "x_max", "x2", "right"),
    "ymax": ("ymax", "y_max", "y2", "bottom"),
}  # fmt: skip
_SCORE = ("confidence", "score", "conf", "probability")
_NUMBER = re.compile(r"-?\d+([.,]\d*)?([eE][-+]?\d+)?")
_ROWS = 200


class Sheet(NamedTuple):
    """The first rows of a CSV file."""

    header: tuple[str, ...]  # in lower case; empty where there is none
    rows: tuple[tuple[str, ...], ...]


def sheet(text: str) -> Sheet | None:
    """The rows of a text with the delimiter that its first line has most of; None if that is none."""
    lines = [line for line in text.splitlines()[: _ROWS + 1] if line.strip()]
    if not lines:
        return None
    delimiter = max(",;\t", key=lines[0].count)
    if not lines[0].count(delimiter):
        return None
    rows = [tuple(field.strip() for field in row) for row in csv.reader(lines, delimiter=delimiter)]
    first = tuple(field.strip(' "#').casefold() for field in rows[0])
    named = len(first) > 1 and all(field and not _NUMBER.fullmatch(field) for field in first)
    return Sheet(first, tuple(rows[1:])) if named and _known(first) else Sheet((), tuple(rows))


def signs(found: Sheet) -> list[Seen]:
    """The formats that a sheet fits, the best first."""
    names = set(found.header)
    if not names:
        return _by_values(found)
    if "region_shape_attributes" in names:
        return [Seen("via-csv", SURE, "its header has region_shape_attributes", TRUTH)]
    if "labelname1" in names:
        return [
            Seen("open-images-vrd", SURE, "its header has LabelName1", DETECTIONS if names & set(_SCORE) else TRUTH)
        ]
    if "maskpath" in names or {"imageid", "mask"} <= names:
        return [Seen("open-images", SURE, "its header has masks", DETECTIONS if "score" in names else TRUTH)]
    if {"imageid", "labelname"} <= names or "predictionstring" in names:
        return _open_images(found, names)
    scored = names & set(_SCORE)
    if names - scored == {"image", "xmin", "ymin", "xmax", "ymax", "label"}:
        sides = DETECTIONS if scored else TRUTH
        alike = Seen("tf-csv", POSSIBLE, "the same columns under other names", sides)
        reason = ", ".join(["its header is image, xmin, ymin, xmax, ymax, label", *sorted(scored)])
        return [Seen("vott-csv", SURE, reason, sides), alike]
    if not _lacking(names):
        score = next((name for name in _SCORE if name in names), "")
        reason = "its header has a file, a class and xmin, ymin, xmax, ymax" + f", and {score}" * bool(score)
        sure = SURE if {"filename", "class"} <= names or score else LIKELY
        return [Seen("tf-csv", sure, reason, DETECTIONS if score else TRUTH)]
    return []


def why_not(name: str, found: Sheet) -> str:
    """Why a sheet is not of a format."""
    names = set(found.header)
    lacks = {
        "open-images": [c for c in ("ImageID", "LabelName", "XMin") if c.casefold() not in names],
        "open-images-vrd": [c for c in ("ImageID", "LabelName1", "LabelName2") if c.casefold() not in names],
        "vott-csv": [c for c in ("image", "xmin", "ymin", "xmax", "ymax", "label") if c not in names],
        "via-csv": [c for c in ("filename", "region_shape_attributes") if c not in names],
        "tf-csv": _lacking(names),
    }[name]
    if not names:
        return "it has no header"
    if name == "vott-csv" and not lacks:
        return (
            f"it has further columns ({', '.join(sorted(names - {'image', 'xmin', 'ymin', 'xmax', 'ymax', 'label'}))})"
        )
    if not lacks:
        return "its columns are those of another"
    return f"its header lacks {', '.join(lacks)}"


def _lacking(names: set[str]) -> list[str]:
    return [what for what, known in _SYNONYMS.items() if not names & set(known)]


def _known(header: tuple[str, ...]) -> bool:
    """Whether a row is a header: at least two of its fields are names of columns that some format has."""
    words = {name for known in _SYNONYMS.values() for name in known} | set(_SCORE)
    words |= {"imageid", "labelname", "labelname1", "source", "predictionstring", "maskpath", "mask", "width", "height"}
    words |= {"region_shape_attributes", "region_attributes", "region_count", "bbox"}
    return len(words & set(header)) > 1


def _open_images(found: Sheet, names: set[str]) -> list[Seen]:
    if "predictionstring" in names:
        return [Seen("open-images", SURE, "its header has PredictionString", DETECTIONS)]
    if "xmin" not in names:
        return [Seen("image-labels", SURE, "its header has ImageID and LabelName, and no boxes", TRUTH)]
    at = [found.header.index(name) for name in ("xmin", "xmax", "ymin", "ymax") if name in names]
    texts = [row[i].replace(",", ".") for row in found.rows for i in at if i < len(row)]
    values = [float(text) for text in texts if _NUMBER.fullmatch(text)]
    beyond = sum(value > 1.5 for value in values)
    sides = DETECTIONS if "score" in names or "conf" in names else BOTH
    reason = "its header has ImageID, LabelName and XMin"
    if beyond * 10 > len(values):
        doubt = f"but {beyond} of {len(values)} coordinates are above 1.5, and normalized coordinates are expected"
        return [Seen("open-images", POSSIBLE, f"{reason}, {doubt}", sides)]
    return [Seen("open-images", SURE, reason, sides)]


def _by_values(found: Sheet) -> list[Seen]:
    rows = [row for row in found.rows if any(row)]
    if not rows or len({len(row) for row in rows}) > 1:
        return []
    width = len(rows[0])
    if all(row[0].startswith("/m/") or row[0].startswith("/g/") for row in rows) and width in (2, 3):
        return [Seen("descriptions", SURE, "rows of Open Images' ids with their names", TRUTH)]

    def numeric(column: int) -> bool:
        return all(_NUMBER.fullmatch(row[column]) or not row[column] for row in rows)

    if width == 6 and not numeric(0) and not numeric(5) and all(numeric(k) for k in range(1, 5)):
        reason = "no header; the columns are a path, four numbers and a class, as of keras-retinanet"
        return [Seen("tf-csv", POSSIBLE, reason, TRUTH)]
    return []
