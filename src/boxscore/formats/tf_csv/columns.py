"""Which column of a CSV file of boxes is what: by its name, or by the rows where a file has no header."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from boxscore.errors import InputError
from boxscore.formats.io.csv_table import Header, marked, read_header
from boxscore.formats.io.source import Source
from boxscore.formats.words import SCORE_COLUMNS, as_number

# Names as files have them; the first that is there counts. Case does not matter, and spaces and hyphens are as "_".
SYNONYMS: dict[str, tuple[str, ...]] = {
    "image": (
        "filename", "file_name", "file", "image", "image_name", "imagename", "image_file", "img", "img_name",
        "image_id", "imageid", "image_path", "img_path", "file_path", "filepath", "path",
    ),
    "class": (
        "class", "label", "class_name", "classname", "label_name", "labelname", "cell_type", "category",
        "category_name", "object", "object_name", "name", "class_id", "category_id",
    ),
    "score": SCORE_COLUMNS,
    "x0": ("xmin", "x_min", "x1", "x0", "left", "minx", "min_x", "bbox_x1", "bbox_xmin", "x_from"),
    "y0": ("ymin", "y_min", "y1", "y0", "top", "miny", "min_y", "bbox_y1", "bbox_ymin", "y_from"),
    "x1": ("xmax", "x_max", "x2", "right", "maxx", "max_x", "bbox_x2", "bbox_xmax", "x_to"),
    "y1": ("ymax", "y_max", "y2", "bottom", "maxy", "max_y", "bbox_y2", "bbox_ymax", "y_to"),
    "x": ("x", "bbox_x", "box_x"),
    "y": ("y", "bbox_y", "box_y"),
    "cx": ("cx", "xc", "x_center", "x_centre", "center_x", "centre_x", "xcenter"),
    "cy": ("cy", "yc", "y_center", "y_centre", "center_y", "centre_y", "ycenter"),
    "w": ("w", "bbox_width", "bbox_w", "box_width", "box_w", "width"),
    "h": ("h", "bbox_height", "bbox_h", "box_height", "box_h", "height"),
    "width": ("image_width", "img_width", "im_width", "x_size", "width"),
    "height": ("image_height", "img_height", "im_height", "y_size", "height"),
    "bbox": ("bbox", "box", "bounding_box"),
    "set": ("set", "split", "ml_use"),
}  # fmt: skip
FORMS = {"xyxy": ("x0", "y0", "x1", "y1"), "cxcywh": ("cx", "cy", "w", "h"), "xywh": ("x", "y", "w", "h")}
_SETS = ("train", "training", "validate", "validation", "val", "test", "unassigned")
_INDEX = re.compile("|unnamed.*|index|id|#")  # columns that number rows
EXPECTED = "a header with filename, class, xmin, ymin, xmax, ymax, or rows path,x1,y1,x2,y2,class"
_WITHOUT = {  # names of columns in files without a header
    6: ("path", "x1", "y1", "x2", "y2", "class"),  # keras-retinanet
    7: ("path", "x1", "y1", "x2", "y2", "class", "score"),
    11: ("set", "path", "label", "x_min", "y_min", "", "", "x_max", "y_max", "", ""),  # AutoML and Vertex
}


@dataclass(frozen=True)
class Roles:
    """Which column is what; `form` is how boxes are written, empty where four numbers stand in one column."""

    header: Header
    form: str
    at: dict[str, int] = field(default_factory=dict)
    relative: bool = False  # the format itself says that boxes are relative
    unused: tuple[str, ...] = ()

    def places(self, *names: str) -> list[int]:
        """The places of columns, if all of them are there."""
        return [self.at[name] for name in names] if all(name in self.at for name in names) else []


def fits(header: Header) -> int:
    """Whether the columns of a file are an image and a box."""
    return int(_named(header) is not None)


def find_roles(source: Source) -> Roles:
    """What the columns of a file are; an error says what was found instead."""
    header = read_header(source)
    roles = _named(header) or _unnamed(source, header)
    if roles is None:
        raise InputError(f"{source.name}:1", f"the columns {', '.join(header.names)}", EXPECTED)
    return roles


def _named(header: Header) -> Roles | None:
    names = [re.sub(r"[\s-]+", "_", name.strip().casefold()) for name in header.names]

    def find(role: str, taken: Sequence[int] = ()) -> int | None:
        there = (names.index(name) for name in SYNONYMS[role] if name in names)
        return next((at for at in there if at not in taken), None)

    image = find("image")
    if image is None:
        return None
    at = {"image": image}
    form = ""
    for candidate, parts in FORMS.items():
        found = [find(part) for part in parts]
        if candidate == "xywh" and None in found:
            found = [find(part) for part in ("x0", "y0", "w", "h")]  # the corner by its other names
        if None not in found:
            form = candidate
            at |= {part: place for part, place in zip(parts, found, strict=True) if place is not None}
            break
    if not form:
        box = find("bbox")
        if box is None:
            return None
        at["bbox"] = box
    for role in ("class", "score", "set"):
        if (place := find(role, [*at.values()])) is not None:
            at[role] = place
    sides = [find(role, [*at.values()]) for role in ("width", "height")]
    if sides[0] is not None and sides[1] is not None:
        at |= {"width": sides[0], "height": sides[1]}
    rest = (name for k, name in enumerate(header.names) if k not in at.values())
    return Roles(header, form, at, unused=tuple(name for name in rest if not _INDEX.fullmatch(name.casefold())))


def _unnamed(source: Source, first: Header) -> Roles | None:
    """Files whose first line is a row: a path, a box and a class (and a score), or those of AutoML."""
    names, row = _WITHOUT.get(len(first.names)), first.names
    if names is None:
        return None
    automl = len(row) == 11
    if automl and row[0].casefold() not in _SETS:
        return None
    if not automl and not all(map(_is_number, row[1:5] + row[6:])) and any(row[1:]):
        return None
    header = Header(source.name, names, first.delimiter, marked(source), lines=0)
    roles = _named(header)
    assert roles is not None
    return Roles(header, roles.form, roles.at, relative=automl)


def _is_number(text: str) -> bool:
    value = as_number(text.replace(",", "."))
    return value is not None and math.isfinite(value)
