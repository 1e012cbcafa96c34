"""PASCAL VOC's segmentations: a picture per image in `SegmentationObject`, whose numbers are those of the objects.

Object n of a picture is the nth of the XML file of the image, if there is one; without, its class is the number that
most of its pixels have in the picture of the same name in `SegmentationClass`. 0 is background, 255 is void and belongs
to nobody.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.lists import image_list_of, read_class_list, read_image_list
from boxscore.formats.io.mask_pictures import Pixels, pixels_of
from boxscore.formats.io.options import ReadOptions
from boxscore.protocols.voc import CLASSES
from boxscore.tables.masks import measured_masks
from boxscore.tables.model import Classes, Floats, Images, Ints, Truth, row_numbers, select
from boxscore.tables.runs import Runs
from boxscore.tables.shapes import ShapesMaker

OBJECTS, OF_CLASSES = "segmentationobject", "segmentationclass"
VOID = 255
_CLASS = "one, which tells the classes"


class Segmented(NamedTuple):
    """The objects of a picture."""

    number: Ints  # of each, from 1
    runs: Runs
    pixels: Pixels


def pictures(files: Files, folder: str = OBJECTS) -> dict[str, str]:
    """The pictures of a folder of a development kit, by the names of their images."""
    found = {}
    for path in files.ending(".png"):
        *folders, name = path.split("/")
        if folders and folders[-1].lower() == folder:
            found[name[:-4]] = path
    return found


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects of all pictures, of those of the split, or of those that `image_list` names; boxes are around pixels."""
    if files.ending(".xml"):
        from boxscore.formats.voc.xml import read_truth as read_boxes  # which reads masks, too

        return read_boxes(files, replace(how, shapes=True, needs=("masks",)))
    listed, classes = chosen(files, how), _classes(how)
    class_paths = pictures(files, OF_CLASSES)
    made, image, label = _Rows(), list[int](), list[int]()
    for i, name in enumerate(listed):
        with how.invalid:
            found = segmented(files, listed[name])
            if name not in class_paths and len(found.number):
                raise InputError(files.place(listed[name]), "no picture of that name in SegmentationClass", _CLASS)
            labels = [] if not len(found.number) else _labels(files, listed[name], class_paths[name], found, classes)
            made.add(found)
            image += [i] * len(found.number)
            label += labels
            made.size[i] = found.pixels.shape
    n = len(image)
    shapes, corners = made.shapes(how.threads)
    sizes = np.array([made.size.get(i, (np.nan, np.nan)) for i in range(len(listed))], np.float64).reshape(-1, 2)
    images = Images([*listed], None, sizes[:, 1].copy(), sizes[:, 0].copy())
    return Truth(
        images, classes, np.array(image, np.int32), np.array(label, np.int32), corners,
        (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]), row_numbers(n), files.name, "voc-masks",
        places=[files.place(path) for path in listed.values()], shapes=shapes,
        area=np.full(n, np.nan), flags=np.zeros(n, np.uint16),
    ), []  # fmt: skip


def with_masks(truth: Truth, files: Files, paths: dict[str, str], names: list[str], how: ReadOptions) -> Truth:
    """The objects of XML files with their masks, by their numbers; `names` are those of the truth's images."""
    made, kept = ShapesMaker(), np.ones(len(truth), np.bool_)
    first = np.searchsorted(truth.image, np.arange(len(names) + 1))  # rows stand in the order of images
    texts: dict[int, tuple[tuple[int, ...], bytes]] = {}
    for i, name in enumerate(names):
        rows = slice(int(first[i]), int(first[i + 1]))
        usable = name not in paths
        with how.invalid:
            if name in paths:
                found = segmented(files, paths[name])
                _check(truth, i, files.place(paths[name]), found, rows.stop - rows.start)
                for k, number in enumerate(found.number.tolist()):
                    texts[rows.start + number - 1] = found.pixels.shape, found.runs.text(k)
                usable = True
        kept[rows] &= usable
    order = np.flatnonzero(kept)
    for place, row in enumerate(order.tolist()):
        if row in texts:
            (height, width), text = texts[row]
            made.add_mask(place, height, width, text=text)
    return replace(select(truth, kept) if len(order) < len(kept) else truth, shapes=made.shapes(len(order)))


def chosen(files: Files, how: ReadOptions) -> dict[str, str]:
    """The pictures that are meant, by the names of their images."""
    paths = pictures(files)
    if not paths:
        raise none_of(files, "pictures in SegmentationObject", "a PNG file per image in its folder SegmentationObject")
    if how.image_list is not None:
        listed = read_image_list(how.image_list)
    elif how.split is not None and (lists := _lists(files, how.split)):
        listed = image_list_of(files.source(lists[0]))
    else:
        return paths
    missing = [name for name in listed.name if name not in paths]
    if missing:
        found = f"no picture in SegmentationObject for {first_few(missing, len(missing))}"
        raise InputError(files.name, found, f"one for each of the {len(listed.name):,} images of {listed.source}")
    return {name: paths[name] for name in listed.name}


def _lists(files: Files, split: str) -> list[str]:
    """Lists of the images of a split, that of the segmentation task first."""
    lists = [path for path in files.ending(".txt") if "imagesets" in path.lower().split("/")[:-1]]
    own = [path for path in lists if path.rpartition("/")[2] == f"{split}.txt"]
    return sorted(own, key=lambda path: "segmentation" not in path.lower())


def segmented(files: Files, path: str) -> Segmented:
    """The objects of a picture, void left out."""
    pixels = pixels_of(files, path)
    number = np.setdiff1d(pixels, [0, VOID]).astype(np.int32)
    letters, ends = _core.rle_of_labels(np.ascontiguousarray(pixels, np.int32), number)
    return Segmented(number.astype(np.int64), Runs.ending(letters, ends), pixels)


def _check(truth: Truth, image: int, place: str, found: Segmented, n: int) -> None:
    """Whether a picture fits the XML file of its image."""
    if len(found.number) and found.number[-1] > n:
        raise InputError(place, f"an object {found.number[-1]}", f"numbers up to that of its XML file's objects, {n}")
    height, width = found.pixels.shape
    sides = (truth.images.width, truth.images.height)
    stated = [np.nan if side is None else float(side[image]) for side in sides]
    if not np.isnan(stated).any() and (width, height) != tuple(stated):
        raise InputError(place, f"a picture of {width}×{height}", f"the size of its image, {stated[0]:g}×{stated[1]:g}")


def _labels(files: Files, path: str, class_path: str, found: Segmented, classes: Classes) -> list[int]:
    """The class of each object: the number that most of its pixels have in the picture of classes."""
    of_class, place = pixels_of(files, class_path), files.place(class_path)
    if of_class.shape != found.pixels.shape:
        (height, width), (h, w) = of_class.shape, found.pixels.shape
        raise InputError(place, f"a picture of {width}×{height}", f"the size of {files.place(path)}, {w}×{h}")
    labels = []
    for number in found.number.tolist():
        counts: npt.NDArray[Any] = np.bincount(of_class[found.pixels == number], minlength=256)
        counts[[0, VOID]] = 0
        best = int(counts.argmax())
        if not counts[best] or best > len(classes):
            actual = f"class {best} of object {number}" if counts[best] else f"no class of object {number}"
            raise InputError(place, actual, f"a number from 1 to {len(classes)}, that of a class")
        labels.append(best - 1)
    return labels


def _classes(how: ReadOptions) -> Classes:
    """Those that the user lists, else the benchmark's; the first has the number 1."""
    if how.class_list is not None:
        return read_class_list(how.class_list)
    names = how.of("truth").classes or CLASSES
    return Classes(tuple(names), tuple(range(1, len(names) + 1)))


class _Rows:
    """Masks of many pictures."""

    def __init__(self) -> None:
        self.size: dict[int, tuple[int, ...]] = {}  # height and width of each image
        self._made, self._row, self._sizes = ShapesMaker(), 0, list[tuple[int, ...]]()

    def add(self, found: Segmented) -> None:
        """Those of one more picture."""
        height, width = found.pixels.shape
        for k in range(len(found.number)):
            self._made.add_mask(self._row, height, width, text=found.runs.text(k))
            self._row += 1
            self._sizes.append((height, width))

    def shapes(self, threads: int) -> tuple[Any, Floats]:
        """All of them, and the boxes around their pixels."""
        shapes = self._made.shapes(self._row)
        if shapes is None or shapes.runs is None:
            return None, np.zeros((0, 4))
        return shapes, measured_masks(shapes.runs, np.array(self._sizes, np.int64), threads).box
