"""PASCAL VOC and ImageNet: an XML file per image, alone in a folder or in the `Annotations` of a development kit.

Corners are kept as they are written, first and last pixel of the box; whether the last one counts is for the protocol.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import Files
from boxscore.formats.io.listed_classes import labels_of
from boxscore.formats.io.lists import read_class_list
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.voc.files import Annotations, annotation_files
from boxscore.formats.voc.masks import chosen, pictures, with_masks
from boxscore.formats.voc.objects import Columns, read_columns
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Images, Indices, Truth, row_numbers

_NUMBER = re.compile(r"(\d{1,18})$", re.ASCII)


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects of all XML files, of those of the split, or of those that `image_list` names.

    With `class_list`, objects of any other are rows without a class, which are never evaluated.
    """
    paths = pictures(files) if "masks" in how.needs else {}
    listed = annotation_files(files, how) if not paths else _with_pictures(files, how)
    found = read_columns(files, listed.paths, how, scored=False)
    if how.class_list is not None:
        classes = read_class_list(how.class_list)
        label = _those_of(found, classes)
    else:
        classes, label = _classes(files, listed, found, how.of("truth").classes)
    images, findings = _images(listed, found)
    rows = _rows(files, listed, found, images, classes, label)
    truth = Truth(**rows, area=np.full(len(found.image), np.nan), flags=found.flags)
    if paths:
        truth = with_masks(truth, files, paths, [name.rpartition("/")[2] for name in listed.names], how)
    return truth, findings


def _with_pictures(files: Files, how: ReadOptions) -> Annotations:
    """The files of images that have a picture of their objects: only these can be evaluated by masks."""
    every, wanted = annotation_files(files, replace(how, split=None)), chosen(files, how)
    path = {name.rpartition("/")[2]: (name, path) for name, path in zip(every.names, every.paths, strict=True)}
    missing = [name for name in wanted if name not in path]
    if missing:
        found = f"pictures in SegmentationObject, and no XML file for {first_few(missing, len(missing))}"
        raise InputError(files.name, found, "an XML file for each of them")
    kept = [path[name] for name in wanted]
    return Annotations([name for name, _ in kept], [file for _, file in kept])


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections of all XML files, each with a `<score>` or `<confidence>`."""
    listed = annotation_files(files, how)
    found = read_columns(files, listed.paths, how, scored=True)
    classes, label = _classes(files, listed, found, how.of("detections").classes)
    images, findings = _images(listed, found)
    return Detections(**_rows(files, listed, found, images, classes, label), score=found.score), findings


def _rows(
    files: Files, listed: Annotations, found: Columns, images: Images, classes: Classes, label: Indices
) -> dict[str, Any]:  # fmt: skip
    """What both sides have."""
    corners, area = to_corners(found.corners, "xyxy", in_place=True)
    return {
        "images": images, "classes": classes, "image": found.image, "label": label,
        "corners": corners, "box_area": area,
        "position": row_numbers(len(corners)), "source": files.name, "format": "voc-xml",
        "places": [files.place(path) for path in listed.paths], "shapes": found.shapes,
        "track": found.track if _tracked(found) else None, "attributes": found.attributes,
        "rejected": (("no box", found.without_box),) if found.without_box else (),
    }  # fmt: skip


def _classes(
    files: Files, listed: Annotations, found: Columns, stated: tuple[str, ...] | None
) -> tuple[Classes, Indices]:  # fmt: skip
    """The classes that the user lists, else all that files name; and that of each row."""
    names = found.name.tolist()
    known = tuple(sorted(set(names))) if stated is None else stated
    classes = Classes(known, known)
    hint = "To leave out what is not in the list, state it as class_list (--class-list)."
    return classes, labels_of(names, classes, lambda row: files.place(listed.paths[found.image[row]]), hint)


def _those_of(found: Columns, classes: Classes) -> Indices:
    """The class of each row; -1 for what is not to be evaluated."""
    place = {name: k for k, name in enumerate(classes.name)}
    return np.fromiter((place.get(name, -1) for name in found.name.tolist()), np.int32, len(found.name))


def _tracked(found: Columns) -> bool:
    return bool((found.track >= 0).any())


def _images(listed: Annotations, found: Columns) -> tuple[Images, list[Finding]]:
    """The images under the names of their files, with the extension that these state inside."""
    keys, others = list[str](), list[str]()
    for name, inside in zip(listed.names, found.filename, strict=True):
        extension = _extension(name, inside)
        keys.append(name + (extension or ""))
        if extension is None:
            others.append(f"{inside.strip()} in {name}.xml")
    video, frame = None, None
    numbers = [_NUMBER.search(name) for name in listed.names] if _tracked(found) else []
    if numbers and all(numbers):  # ImageNet's videos: a folder per video, a file per frame
        video = [name.rpartition("/")[0] for name in listed.names]
        frame = np.array([int(number[1]) for number in numbers if number], np.int64)
    images = Images(keys, listed.number, found.width, found.height, video, frame)
    return images, [finding("IMG021", len(others), others[0])] if others else []


def _extension(name: str, inside: str) -> str | None:
    """The extension of an image in the name that its file states; None where that is the name of another image.

    >>> _extension("val/a.b", "a.b.jpg"), _extension("a", "C:/images/a"), _extension("a", ""), _extension("a", "b.jpg")
    ('.jpg', '', '', None)
    """
    own = name.rpartition("/")[2]
    for file in (inside, inside.strip().replace("\\", "/").rpartition("/")[2]):
        rest = file[len(own) :]
        if file.startswith(own) and (not rest or rest.rfind(".") == 0):
            return rest
    return None if inside.strip() else ""
