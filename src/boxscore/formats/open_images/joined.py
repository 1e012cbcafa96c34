"""Boxes and masks of Open Images as one list of objects, as the Open Images command line joins them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.csv_table import one_csv, read_header
from boxscore.formats.io.files import open_files
from boxscore.formats.io.mask_pictures import Pictures
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.open_images.csv import Boxes, Names, fit, read_boxes
from boxscore.tables.model import Flag, Floats, Ints

_WANTED = "ImageID, LabelName and Mask or MaskPath"
Added = tuple[tuple[str, int], ...]


def with_masks(boxes: Boxes, names: Names, how: ReadOptions) -> tuple[Boxes, Added]:
    """Boxes with the masks of another file, and how many objects that adds.

    A mask belongs to a box of the same image and class that has the same corners, to the last digit, and the same
    IsGroupOf where both files say it. A box with several masks becomes several objects, and so does a mask without a
    box: this is an outer join.
    """
    assert how.masks is not None
    files = open_files(how.masks)
    source = one_csv(files, how.split, lambda header: fit(header, True), _WANTED)
    header = read_header(source)
    masks = read_boxes(source, header, names, False, how)
    if masks.mask is None:
        found = f"no column Mask or MaskPath (columns: {', '.join(header.names)})"
        raise InputError(f"{source.name}:1", found, "a file with masks")
    if masks.corners is None or boxes.corners is None:
        where = source.name if masks.corners is None else "truth"
        raise InputError(where, "masks without the corners of boxes", "XMin, XMax, YMin, YMax, by which masks are told")
    grouped = boxes.grouped and masks.grouped
    n = len(boxes.image)
    keys = np.concatenate([_keys(boxes, boxes.corners, grouped), _keys(masks, masks.corners, grouped)])
    key = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    order = np.argsort(key[n:], kind="stable")
    first, end = (np.searchsorted(key[n:][order], key[:n], side) for side in ("left", "right"))
    row = np.repeat(np.arange(n), np.maximum(end - first, 1))
    turn = np.arange(len(row)) - np.searchsorted(row, row)
    at = np.append(order, -1)[np.where(first[row] < end[row], first[row] + turn, -1)]
    alone = np.flatnonzero(~np.isin(key[n:], key[:n]))
    mask_row: Ints = np.append(at, alone)

    def both(name: str) -> Any:
        return np.concatenate([getattr(boxes, name)[row], getattr(masks, name)[alone]])

    last = int(boxes.position[-1]) + 1 if n else 0
    made = replace(
        boxes,
        position=np.append(boxes.position[row], last + np.arange(len(alone))),
        image=both("image"), label=both("label"), corners=both("corners"), flags=both("flags"),
        width=_sides(boxes.width, masks.width, len(names.image)),
        height=_sides(boxes.height, masks.height, len(names.image)),
        mask=["" if k < 0 else masks.mask[k] for k in mask_row.tolist()],
        mask_place=lambda row: masks.place(int(mask_row[row])),
        packed=masks.packed,
        pictures=None if masks.packed else Pictures(files),
    )  # fmt: skip
    copies = ("copies of boxes with several masks", len(row) - n)
    return made, tuple(some for some in (copies, ("masks whose box is not in the boxes", len(alone))) if some[1])


def _keys(boxes: Boxes, corners: Floats, grouped: bool) -> Floats:
    """What a mask must have in common with its box, as numbers."""
    groups = (boxes.flags & int(Flag.GROUP_OF)) * grouped
    return np.column_stack([boxes.image, boxes.label, corners, groups]).astype(np.float64) + 0.0  # -0.0 is 0.0


def _sides(ours: Floats | None, theirs: Floats | None, n: int) -> Floats | None:
    """Widths or heights of images, of the first that knows them."""
    if ours is None and theirs is None:
        return None
    unknown = np.full(n, np.nan)
    ours, theirs = (unknown if s is None else np.append(s, unknown[len(s) :]) for s in (ours, theirs))
    return np.where(np.isnan(ours), theirs, ours)
