"""What was written, read again and compared with the table it was made of, as an evaluation sees both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.holding import HELD, Table
from boxscore.formats.io.same_images import known_names
from boxscore.formats.io.writing import Writing
from boxscore.formats.registry import lookup
from boxscore.joining.read import ReadOptions, read_detections, read_truth
from boxscore.joining.units import in_one_unit
from boxscore.tables.common_images import same_images
from boxscore.tables.model import Bools, Detections, Flag, Floats, Indices, Ints, Truth, row_numbers, select
from boxscore.tables.shapes import Shape

_ORDER = "which decides between equal scores"
_WRITTEN_INSTEAD = {"polygon": (Shape.POLYGON, "the box"), "keypoints": (Shape.KEYPOINTS, "the box or polygon")}


def changes(table: Table, path: Path, form: str, how: Writing) -> list[tuple[str, int]]:
    """What an evaluation would find changed in the files at a path, and in how many rows or images.

    Raises InputError where they cannot be read.
    """
    keep = (table.image >= 0) & (table.label >= 0)  # no format can hold the others, and `losses` counts them
    if not keep.all():
        table = select(table, keep) if isinstance(table, Truth) else select(table, keep)  # noqa: RUF034
    try:
        back = _read(table, path, form, how)
        if table.shapes is not None and set(_WRITTEN_INSTEAD) & set(lookup(form).keeps):
            back = replace(back, shapes=_read(table, path, form, how, shapes=True).shapes)
    except InputError as error:
        actual = f"written as {form}, it could not be read back ({str(error).replace(str(path), path.name)})"
        raise InputError(table.source, actual, "another format, or other names") from None
    table, back = _in_one_unit(table, back)
    image = same_images(table.images, back.images)
    names = {name: k for k, name in enumerate(table.classes.name)}
    label = np.array([names.get(name, -1) for name in back.classes.name], np.int32)
    found = _of_lists(table, back, image, label) if isinstance(table, Truth) else []
    image, label = (np.append(places, -1)[rows] for places, rows in ((image, back.image), (label, back.label)))
    if strange := int(((image < 0) | (label < 0)).sum()):
        found.append(("boxes whose image or class gets another name", strange))
    if np.array_equal(np.bincount(image + 1), np.bincount(table.image + 1)):
        return found + _of_rows(table, replace(back, image=image, label=label), lookup(form).keeps)
    return [*found, ("boxes", max(abs(len(table) - len(back)), 1))]


def _read(table: Table, path: Path, form: str, how: Writing, shapes: bool = False) -> Table:
    """As an evaluation reads it, told what the format leaves open and nothing else."""
    open_form = "box" in lookup(form).open
    coords = how.coords or ("relative" if table.relative else "absolute") if open_form else None
    box = how.box or ("cxcywh" if coords == "relative" else "xywh") if open_form else None
    options: dict[str, Any] = {"box": box, "coords": coords, "split": how.split, "shapes": shapes}
    if isinstance(table, Truth):
        truth, _ = read_truth(path, ReadOptions(truth_format=form, **options))
        images = replace(truth.images, key=known_names(truth.images.key, table.images.key))
        return replace(truth, images=images)
    confidence = (how.confidence or "last") if "confidence" in lookup(form).open else None
    reading = ReadOptions(detections_format=form, confidence=confidence, **options)
    return read_detections(path, reading, _empty(table, Truth))[0]


def _empty(table: Table, kind: type[Any]) -> Any:
    """The other side, without rows, over the same images and classes."""
    none = np.zeros(0, np.int32)
    columns = table.images, table.classes, none, none, np.zeros((0, 4)), np.zeros(0), row_numbers(0)
    return kind(*columns, relative=table.relative)


def _in_one_unit(table: Table, back: Table) -> tuple[Table, Table]:
    """Both in pixels if one is."""
    if table.relative == back.relative:
        return table, back
    if table.relative:
        back, table = _in_one_unit(back, table)
        return table, back
    if isinstance(back, Truth):
        return table, in_one_unit(back, _empty(table, Detections), ReadOptions())[0]
    return table, in_one_unit(_empty(table, Truth), back, ReadOptions())[1]


def _of_lists(table: Truth, back: Table, image: Indices, label: Indices) -> list[tuple[str, int]]:
    """Images and classes that come back in another order."""
    by_number = image[np.argsort(back.images.order, kind="stable")]
    ranks: tuple[tuple[str, Ints], ...] = (
        (f"images in their order, {_ORDER} in different images", table.images.order[by_number[by_number >= 0]]),
        ("classes in their order, in which means are summed up", label[label >= 0].astype(np.int64)),
    )
    moved = [(text, int((np.argsort(rank, kind="stable") != np.arange(len(rank))).sum())) for text, rank in ranks]
    return [(text, count) for text, count in moved if count]


def _of_rows(table: Table, back: Table, keeps: tuple[str, ...]) -> list[tuple[str, int]]:
    """What differs between rows that are as many in every image."""
    ours, theirs = (np.argsort(rows.image, kind="stable") for rows in (table, back))
    found = list[tuple[str, int]]()
    if not _alike(table, back, ours, theirs):
        ours, theirs = _sorted(table), _sorted(back)
        if _alike(table, back, ours, theirs):
            found.append((f"boxes in their order, {_ORDER} in an image", len(table)))
    if isinstance(table, Detections) and (tied := _tied(table)) and not np.array_equal(table.image, back.image):
        found.append((f"detections in their order, {_ORDER} in different images", tied))
    one, other = _columns(table, ours), _columns(back, theirs)
    unit = "of the image size" if table.relative else "pixels"
    corners = _differ(table.corners[ours], back.corners[theirs]).any(axis=1)
    if corners.any():
        most = np.abs(table.corners[ours] - back.corners[theirs]).max()
        found.append((f"boxes exactly: coordinates change by up to {most:.1g} {unit}", int(corners.sum())))
    areas = _differ(table.box_area[ours], back.box_area[theirs]) & ~corners
    if areas.any():
        most = _most(table.box_area[ours], back.box_area[theirs], areas)
        found.append((f"box areas exactly: they change by up to {most} of themselves", int(areas.sum())))
    if isinstance(table, Truth) and isinstance(back, Truth) and "areas" in keeps:
        stated = np.isfinite(table.area[ours]) & (table.area != table.box_area)[ours]
        changed = stated & _differ(table.area[ours], back.area[theirs])
        if changed.any():
            most = _most(table.area[ours], back.area[theirs], changed)
            found.append((f"stated areas exactly: they change by up to {most} of themselves", int(changed.sum())))
    for name in one:
        changed = _differ(one[name], other[name])
        if name in ("class", "score", *keeps) and changed.any():
            text = {"class": "classes of boxes", "score": "scores exactly"}.get(name)
            text = text or f"{HELD[name].text}: it is in the file, but evaluations do not see it there"
            found.append((text, int(changed.sum())))
    for name, (kind, instead) in _WRITTEN_INSTEAD.items():
        if name in keeps and (gone := _rows_with(kind, table)[ours] & ~_rows_with(kind, back)[theirs]).any():
            found.append((f"{HELD[name].text}: only {instead} is written", int(gone.sum())))
    return found


def _most(one: Floats, other: Floats, rows: Bools) -> str:
    with np.errstate(all="ignore"):
        share = np.abs(one - other)[rows] / np.maximum(np.abs(one[rows]), np.finfo(np.float64).tiny)
    return f"{share.max():.1g}"


def _differ(one: Any, other: Any) -> Any:
    return (one != other) & ~((one != one) & (other != other))


def _alike(table: Table, back: Table, ours: Ints, theirs: Ints) -> bool:
    one, other = _columns(table, ours), _columns(back, theirs)
    return all(np.array_equal(one[name], other[name]) for name in ("image", "class", "score") if name in one)


def _tied(detections: Detections) -> int:
    """How many detections share class and score with one on another image."""
    pairs = np.stack([detections.label, detections.score], axis=1)
    _, group = np.unique(pairs, axis=0, return_inverse=True)
    group = group.reshape(-1)
    lowest, highest = (np.full(len(pairs), start) for start in (np.iinfo(np.int32).max, -1))
    np.minimum.at(lowest, group, detections.image)
    np.maximum.at(highest, group, detections.image)
    return int((lowest < highest)[group].sum())


def _sorted(table: Table) -> Ints:
    score = table.score if isinstance(table, Detections) else np.zeros(len(table))
    return np.lexsort((*table.corners.T, score, table.label, table.image))


def _columns(table: Table, rows: Ints) -> dict[str, Any]:
    """What is compared besides boxes: image, class, score, and flags one by one."""
    made: dict[str, Any] = {"image": table.image[rows], "class": table.label[rows]}
    if isinstance(table, Detections):
        return {**made, "score": table.score[rows]}
    made |= {str(flag.name).lower(): (table.flags[rows] & flag) != 0 for flag in Flag}
    return made


def _rows_with(kind: Shape, table: Table) -> Any:
    """Which rows have a shape of a kind."""
    if table.shapes is None:
        return np.zeros(len(table), np.bool_)
    row = np.repeat(np.arange(len(table)), np.diff(table.shapes.part))
    return np.bincount(row[table.shapes.kind == kind], minlength=len(table)) > 0
