"""What label files are made of when they are written: their names, and boxes as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.label_files import is_beside
from boxscore.formats.io.same_images import without_extension
from boxscore.tables.model import Detections, Floats, Images, Ints, Truth

Table = Truth | Detections


def file_names(table: Table) -> list[str]:
    """The path of the file of each image: as the image is named, without its extension."""
    names, seen = list[str](), set[str]()
    for key in table.images.key:
        parts = [part for part in key.replace("\\", "/").split("/") if part not in ("", ".", "..")]
        name = f"{without_extension('/'.join(parts))}.txt"
        if is_beside(name) or any(part.startswith(".") for part in name.split("/")) or "\0" in name:
            found = f"the image '{key}', whose file '{name}' nobody would take for labels"
            raise InputError(table.source, found.replace("\0", "\\0"), "another name of the image")
        if name in seen:
            raise InputError(table.source, f"two images whose file would be '{name}'", "different names of images")
        seen.add(name)
        names.append(name)
    return names


def rows_of_images(table: Table) -> Iterator[Ints]:
    """The rows of each image whose class the table lists."""
    order = np.argsort(table.image, kind="stable")
    order = order[(table.label[order] >= 0) & (table.image[order] >= 0)]
    borders = np.searchsorted(table.image[order], np.arange(1, len(table.images)))
    return iter(np.split(order, borders) if len(table.images) else ())


def text(numbers: Iterable[float]) -> str:
    """Numbers, each with all the digits that it needs and no more."""
    return " ".join(str(int(v)) if v.is_integer() and abs(v) < 1e15 else repr(v) for v in numbers)


def boxes_as(corners: Floats, form: str) -> Floats:
    """Corners as xyxy, xywh or cxcywh; of xywh the widths and heights are those that give the corners back.

    >>> boxes_as(np.array([[10.0, 20.0, 15.0, 24.0]]), "xywh")
    array([[10., 20.,  5.,  4.]])
    """
    start, end = corners[:, :2], corners[:, 2:]
    if form == "xyxy":
        return corners
    if form == "cxcywh":
        return np.concatenate([(start + end) / 2, end - start], axis=1)
    side = end - start  # rounded, it may miss the end by a bit
    for near in (np.nextafter(side, np.inf), np.nextafter(side, -np.inf)):
        side = np.where((start + side != end) & (start + near == end), near, side)
    return np.concatenate([start, side], axis=1)


def image_sizes(table: Table) -> Floats:
    """Width and height of each image; an error where one with boxes has none."""
    images: Images = table.images
    sizes = np.full((len(images), 2), np.nan)
    if images.width is not None and images.height is not None:
        sizes = np.stack([images.width, images.height], axis=1)
    used = np.unique(table.image[(table.image >= 0) & (table.label >= 0)])
    unknown = used[~(sizes[used] > 0).all(axis=1)]
    if len(unknown):
        found = f"{len(unknown):,} image{'s' * (len(unknown) > 1)} of unknown size ('{images.key[unknown[0]]}')"
        raise InputError(table.source, found, "image sizes, for boxes relative to them")
    return sizes


def relative_boxes(table: Table) -> Floats:
    """Centre, width and height as normalized coordinates."""
    boxes = boxes_as(table.corners, "cxcywh")
    if table.relative:
        return boxes
    known = table.image >= 0
    shares = np.full_like(boxes, np.nan)
    shares[known] = boxes[known] / np.tile(image_sizes(table)[table.image[known]], 2)
    return shares
