"""CSV files with a box a row, as TensorFlow's Object Detection tools and many others have them; columns go by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.box_form import CLEARLY, not_corners, undecided
from boxscore.formats.io.csv_table import Columns, Texts, image_sizes, one_csv, read_columns
from boxscore.formats.io.delimited import Place, numbers
from boxscore.formats.io.files import Files
from boxscore.formats.io.listed_classes import by_list
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.tf_csv.columns import FORMS, Roles, find_roles, fits
from boxscore.tables.box_forms import scaled, to_corners
from boxscore.tables.model import Bools, Classes, Detections, Floats, Images, Indices, Ints, Truth

_ONE_CLASS = "object"  # where a file has no column of classes


@dataclass(frozen=True, eq=False)
class _Rows:
    """What both sides have in common."""

    columns: dict[str, Any]  # of Truth and Detections
    score: Floats
    findings: list[Finding]


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects; a row of an image without a box says that there is none in it."""
    rows = _read(files, how.of("truth"), scored=False)
    n = len(rows.columns["image"])
    return Truth(**rows.columns, area=np.full(n, np.nan), flags=np.zeros(n, np.uint16)), rows.findings


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: there must be a column of scores."""
    rows = _read(files, how.of("detections"), scored=True)
    return Detections(**rows.columns, score=rows.score), rows.findings


def _read(files: Files, how: ReadOptions, scored: bool) -> _Rows:
    source = one_csv(files, how.split, fits, "columns for an image and a box")
    roles = find_roles(source)
    if scored and "score" not in roles.at:
        found = f"no column of scores (columns: {', '.join(roles.header.names)})"
        raise InputError(f"{source.name}:1", found, "a column confidence or score")
    groups = {"box": roles.places(*FORMS.get(roles.form, ())), "size": roles.places("width", "height")}
    groups |= {"score": roles.places("score") if scored else []}
    groups = {name: places for name, places in groups.items() if places}
    texts = {name: roles.at[name] for name in ("image", "class", "bbox", "set") if name in roles.at}
    columns = read_columns(source, roles.header, [*groups.values()], [*texts.values()], how.threads, how.invalid)
    split = how.split if files.is_file and "set" in texts else None
    columns, chosen = _of_split(source, columns, [*texts].index("set"), split) if split else (columns, None)
    values, named = dict(zip(groups, columns.numbers, strict=True)), dict(zip(texts, columns.texts, strict=True))
    if (nameless := named["image"].rows_of("")) is not None:
        raise InputError(columns.place(int(nameless[0])), "no name of an image", "a name")
    keys: dict[str, int] = {}
    image = Texts([name.replace("\\", "/") for name in named["image"].name], named["image"].code).within(keys)
    width, height = (None, None)
    if "size" in values:
        width, height = image_sizes(image, len(keys), values["size"], columns.place)
    if width is None and how.image_size is not None:
        width, height = (np.full(len(keys), side, np.float64) for side in how.image_size)
    boxes = values["box"] if roles.form else _listed_boxes(named["bbox"], columns.place)
    kept = np.flatnonzero(_boxed(boxes, named.get("class"), columns.place))
    place = columns.take(kept).place
    image, score = image[kept], values["score"][kept, 0] if scored else np.zeros(0)
    if (missing := np.isnan(score)).any():
        raise InputError(place(int(missing.argmax())), "no score", "a number")
    corners, area, relative, findings = _boxes(source, roles, boxes[kept], _sizes(width, height, image), how, place)
    if roles.unused:
        findings.append(finding("COL001", len(roles.unused), first_few(roles.unused, len(roles.unused))))
    classes, label = _classes(named.get("class"), kept, how, place)
    return _Rows(
        {
            "images": Images([*keys], None, width, height), "classes": classes, "image": image, "label": label,
            "corners": corners, "box_area": area, "position": kept if chosen is None else chosen[kept],
            "source": source.name, "format": "tf-csv", "relative": relative,
        },
        score, findings,
    )  # fmt: skip


def _of_split(source: Source, columns: Columns, at: int, split: str) -> tuple[Columns, Ints]:
    """The rows of one set, and which those are."""
    sets = columns.texts[at]
    rows = np.flatnonzero(np.isin(sets.code, [k for k, name in enumerate(sets.name) if _same_set(name, split)]))
    if not len(rows):
        found = f"no rows of the set '{split}' (sets: {', '.join(sets.name)})"
        raise InputError(source.name, found, "one of these sets as split")
    return columns.take(rows), rows


def _same_set(name: str, split: str) -> bool:
    """Whether two names of sets are alike: `train` and `TRAINING` are."""
    short, long = sorted((name.casefold(), split.casefold()), key=len)
    return len(short) > 2 and long.startswith(short)


def _listed_boxes(texts: Texts, place: Place) -> Floats:
    """Boxes written as [1, 2, 3, 4] in one column."""
    made = np.full((len(texts.name), 4), np.nan)
    for k, text in enumerate(texts.name):
        if text:
            words = text.strip("[]() ").replace(",", " ").split()
            where = partial(_first, texts, k, place)
            if len(words) != 4:
                raise InputError(where(0), f"the box '{text[:40]}'", "four numbers")
            made[k] = numbers(words, where, "a number of the box")
    return made[texts.code]


def _first(texts: Texts, code: int, place: Place, _: int) -> str:
    return place(int((texts.code == code).argmax()))


def _boxed(boxes: Floats, classes: Texts | None, place: Place) -> Bools:
    """The rows with a box: all but those that name an image only."""
    empty = np.isnan(boxes)
    none, some = np.asarray(empty.all(axis=1)), np.asarray(empty.any(axis=1))
    wrong = some & ~none
    if classes is not None:
        wrong |= none != np.isin(classes.code, [k for k, name in enumerate(classes.name) if not name])
    if wrong.any():
        row = int(wrong.argmax())
        found = "no class" if not some[row] else "a class without a box" if none[row] else "a box without four numbers"
        raise InputError(place(row), found, "a class and four numbers, or neither for an image without objects")
    return ~none


def _sizes(width: Floats | None, height: Floats | None, image: Indices) -> Floats | None:
    """Width and height of the image of each row, if all are known."""
    if width is None or height is None:
        return None
    sizes = np.stack([width[image], height[image]], axis=1)
    return sizes if bool((sizes > 0).all()) else None


def _boxes(
    source: Source, roles: Roles, values: Floats, sizes: Floats | None, how: ReadOptions, place: Place
) -> tuple[Floats, Floats, bool, list[Finding]]:
    """Corners and areas, whether they are relative, and what was inferred."""
    findings, n = list[Finding](), len(values)
    relative = is_relative(roles, values, how)
    if relative and how.coords is None and not roles.relative:
        findings.append(finding("BOX020", n, source.name))
    limits = np.ones((1, 2)) if relative else sizes
    form = roles.form or how.box or _form_of_four(values, limits, place)
    if roles.form == "xywh" and how.box == "cxcywh":
        form = how.box  # the names of the columns do not tell a corner from a centre
    elif how.box not in (None, form):
        detail = f"{source.name} has columns for {form}; box={how.box} was not used for it"
        findings.append(finding("BOX004", 1, detail))
    elif form == "xywh" and how.box is None and n:
        _check_xywh(values, limits, place)
    if relative and sizes is not None:
        values, relative = scaled(values, sizes), False
    return (*to_corners(np.ascontiguousarray(values), form, threads=how.threads), relative, findings)


def is_relative(roles: Roles, values: Floats, how: ReadOptions) -> bool:
    """Whether boxes are relative: as stated, as the format has them, or because no number is above 1."""
    if how.coords is not None or roles.relative:
        return how.coords == "relative" or (how.coords is None and roles.relative)
    return bool(len(values) and values.min() >= 0 and values.max() <= 1.01)


def form_of(roles: Roles, how: ReadOptions) -> str:
    """How boxes that have been read are written; four numbers in one column are never inferred to be corners."""
    by_centre = roles.form == "xywh" and how.box == "cxcywh"  # the names of the columns do not tell
    return "cxcywh" if by_centre else roles.form or how.box or "xywh"


def _form_of_four(values: Floats, sizes: Floats | None, place: Place) -> str:
    """How four numbers in one column are meant: x y width height, if they cannot be corners or sizes stand beside them.

    With image sizes and no corners it is the form of Global Wheat.
    """
    no_corners = not_corners(values) / len(values) if len(values) else 1
    within = sizes is not None and bool((values[:, :2] + values[:, 2:] <= sizes * 1.01).all())
    if no_corners >= CLEARLY or within:
        return "xywh"
    raise undecided(place(0))


def _check_xywh(values: Floats, sizes: Floats | None, place: Place) -> None:
    """Refuses columns x, y, width, height that fit their images better as centres."""
    if sizes is None:
        return
    beyond = (values[:, :2] + values[:, 2:] > sizes * 1.01).any(axis=1)
    sides = values[:, 2:] / 2
    outside = (values[:, :2] - sides < -0.01 * sizes) | (values[:, :2] + sides > sizes * 1.01)
    if beyond.mean() >= CLEARLY and not outside.any():
        found = f"x, y, width, height that leave the image in {int(beyond.sum()):,} of {len(values):,} rows"
        expected = "--box cxcywh if x and y are the centre, else --box xywh (box= in Python)"
        raise InputError(place(int(beyond.argmax())), found, expected)


def _classes(texts: Texts | None, rows: Ints, how: ReadOptions, place: Place) -> tuple[Classes, Indices]:
    """Class names as they are written; with a list of names, whole numbers are lines of that list."""
    if texts is None:
        name = how.classes[0] if how.classes is not None and len(how.classes) == 1 else _ONE_CLASS
        return Classes((name,), (name,)), np.zeros(len(rows), np.int32)
    used, code = np.unique(texts.code[rows], return_inverse=True)
    written = [texts.name[k] for k in used.tolist()]
    classes, table = by_list(written, how.classes, lambda k: place(int((code == k).argmax())))
    return classes, table[code] if len(code) else np.zeros(0, np.int32)
