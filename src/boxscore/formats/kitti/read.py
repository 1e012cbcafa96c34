"""KITTI: labels and results of detection, a file per image, and of tracking, a file per sequence.

Boxes are read as they stand; the development kit takes their last pixel as inside. What is marked DontCare is a
class of its own that is never to be found, flagged as a region to be ignored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.frame_images import Frames, frame_images
from boxscore.formats.io.label_files import Listing, base, stem_of
from boxscore.formats.io.listed_classes import labels_of
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.kitti.lines import Lines, lines_of
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, Images, Ints, Truth, row_numbers
from boxscore.tables.shapes import Attributes

DONT_CARE = "DontCare"
SPACE = "3d"  # the attribute with alpha and the box in space
NOWHERE = "-10 -1 -1 -1 -1000 -1000 -1000 -10"  # what stands there for objects without a place in space
_REGION = Flag.IGNORE | Flag.DIFFICULT | Flag.CROWD
_UNKNOWN = 3  # occlusion that nobody knows
_FOLDER = "label"  # label_2, label_02
_SWAPPED = "Ground truth comes first, then detections; were they swapped?"


def read_truth(files: Files, options: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects, with DontCare regions as such."""
    options = options.of("truth")
    paths, lines = _read(files, options)
    columns, rows = _columns(files, paths, lines, options, dense=True)
    name = np.array([name for one in lines for name in one.name], np.object_)
    truncated = np.array([value for one in lines for value in one.truncated])
    occluded = np.array([value for one in lines for value in one.occluded])
    flags = np.zeros(rows, np.uint16)
    flags[truncated > 0] |= np.uint16(Flag.TRUNCATED)
    flags[(occluded > 0) & (occluded != _UNKNOWN)] |= np.uint16(Flag.OCCLUDED)
    flags[name == DONT_CARE] = np.uint16(_REGION)
    said = _said(lines) if options.everything else None
    return Truth(**columns, area=np.full(rows, np.nan), flags=flags, attributes=said), []


def read_detections(files: Files, options: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: lines that end with a score."""
    options = options.of("detections")
    paths, lines = _read(files, options, scored=True)
    columns, _ = _columns(files, paths, lines, options, dense=False, truth=truth)
    return Detections(**columns, score=np.array([score for one in lines for score in one.score])), []


def _read(files: Files, options: ReadOptions, scored: bool = False) -> tuple[dict[str, str], list[Lines]]:
    paths = label_files(files)
    lines = [lines_of(text_of(files, path), files.place(path), options.invalid) for path in paths.values()]
    if len({one.tracked for one in lines if len(one)}) > 1:
        raise InputError(files.name, "files of images and files of sequences", "files of one kind")
    for path, one in zip(paths.values(), lines, strict=True):
        lacking = next((k for k, score in enumerate(one.score) if score != score), None)
        if scored and lacking is not None:
            place = f"{files.place(path)}:{one.line[lacking]}"
            raise InputError(place, "no score", "a score as the last number", _SWAPPED)
    return paths, lines


def label_files(files: Files) -> dict[str, str]:
    """The files by the names of their images or sequences; where some are in a folder label_2, only those."""
    if files.is_file:
        name = files.name.replace("\\", "/").rpartition(":")[2]
        return {stem_of(base(name)) or "-": ""}
    listed = Listing(files).labels()
    inside = [path for path in listed if any(part.lower().startswith(_FOLDER) for part in path.split("/")[:-1])]
    chosen = inside or listed
    if not chosen:
        raise none_of(files, ".txt files", "a text file per image or sequence")
    names = [stem_of(_below(path)) if inside else stem_of(path) for path in chosen]
    if len(set(names)) < len(names):
        names = [stem_of(path) for path in chosen]
    return dict(zip(names, chosen, strict=True))


def _below(path: str) -> str:
    """What stands below the folder of labels."""
    parts = path.split("/")
    at = max(k for k, part in enumerate(parts[:-1]) if part.lower().startswith(_FOLDER))
    return "/".join(parts[at + 1 :])


def _columns(
    files: Files,
    paths: dict[str, str],
    lines: list[Lines],
    options: ReadOptions,
    dense: bool,
    truth: Truth | None = None,
) -> tuple[dict[str, Any], int]:
    images, image = _images(paths, lines, dense, truth)
    name = [name for one in lines for name in one.name]
    listed = options.classes or tuple(sorted(set(name)))
    if dense and DONT_CARE in name and DONT_CARE not in listed:  # regions of the truth, which nobody lists
        listed = (*listed, DONT_CARE)
    classes = Classes(listed, listed)
    places = [
        f"{files.place(path)}:{line}" for path, one in zip(paths.values(), lines, strict=True) for line in one.line
    ]
    boxes = np.array([box for one in lines for box in one.box], np.float64).reshape(-1, 4)
    corners, area = to_corners(boxes, "xyxy", in_place=True)
    track = np.array([track for one in lines for track in one.track], np.int64)
    return {
        "images": images, "classes": classes, "image": image.astype(np.int32),
        "label": labels_of(name, classes, places.__getitem__), "corners": corners, "box_area": area,
        "position": row_numbers(len(name)), "source": files.name, "format": "kitti",
        "places": None if images.video else [files.place(path) for path in paths.values()],
        "track": np.maximum(track, -1) if (track >= 0).any() else None,
    }, len(name)  # fmt: skip


def _images(
    paths: dict[str, str], lines: list[Lines], dense: bool, truth: Truth | None
) -> tuple[Images, Ints]:  # fmt: skip
    """Images by file, or frames by sequence, which are counted from 0."""
    if not any(one.tracked for one in lines):
        return Images(list(paths)), np.repeat(np.arange(len(paths)), [len(one) for one in lines])
    short = [base(name) for name in paths]
    names = short if len(set(short)) == len(short) else list(paths)
    frames = [
        Frames(name, np.array(one.frame, np.int64), lambda number, name=name: f"{name}/{number:06d}.png", first=0)  # type: ignore[misc]
        for name, one in zip(names, lines, strict=True)
    ]
    return frame_images(frames, dense, truth)


def _said(lines: list[Lines]) -> Attributes | None:
    """What flags do not say: how much is truncated or occluded, and the place in space."""
    said: list[tuple[int, str, str]] = []
    row = 0
    for one in lines:
        for truncated, occluded, place in zip(one.truncated, one.occluded, one.place, strict=True):
            said += [(row, "truncation", f"{truncated:g}")] if truncated not in (-1, 0, 1) else []
            said += [(row, "occlusion", f"{occluded:g}")] if occluded not in (-1, 0, 1) else []
            said += [(row, SPACE, place)] if [float(word) for word in place.split()] != _NOWHERE else []
            row += 1
    if not said:
        return None
    rows, names, texts = zip(*said, strict=True)
    return Attributes(np.array(rows, np.int64), names, texts)


_NOWHERE = [float(word) for word in NOWHERE.split()]
