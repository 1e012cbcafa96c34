"""The CSV files of Open Images as columns: boxes, predictions, image labels. Columns are found by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.delimited import Place, Rows, flags, keys, numbers, stacked, text_of
from boxscore.formats.source import Source
from boxscore.model import Flag, Floats, Indices, Ints, Mark, Words, row_numbers

CORNERS = ("XMin", "YMin", "XMax", "YMax")
FLAGS = {
    "IsOccluded": Flag.OCCLUDED,
    "IsTruncated": Flag.TRUNCATED,
    "IsGroupOf": Flag.GROUP_OF,
    "IsDepiction": Flag.DEPICTION,
    "IsInside": Flag.INSIDE,
}
SCORE = ("Score", "Confidence", "Conf")
CONFIDENCE = ("Confidence", "ConfidenceImageLabel")  # the second in copies for TensorFlow's evaluator
_SWAPPED = "Truth comes first, then detections; were they swapped?"
_LONGEST = 1 << 16  # characters of a header line; more than that is some other file


@dataclass(frozen=True)
class Names:
    """Images and labels in the order in which files first name them; readers add to them."""

    image: dict[str, int]
    label: dict[str, int]


@dataclass(frozen=True, eq=False)
class Boxes:
    """The rows of a file of boxes or predictions."""

    place: Place
    position: Ints
    image: Indices
    label: Indices
    corners: Floats
    flags: Words
    score: Floats


@dataclass(frozen=True, eq=False)
class Labels:
    """The rows of a file of image labels."""

    place: Place
    image: Indices
    label: Indices
    mark: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Header:
    """The names of the columns of a file."""

    source: str
    names: tuple[str, ...]
    delimiter: str

    def find(self, *names: str) -> int | None:
        """The place of the first of these columns that there is; upper and lower case do not matter."""
        folded = [name.casefold() for name in self.names]
        return next((folded.index(name.casefold()) for name in names if name.casefold() in folded), None)

    def need(self, *names: str, expected: str, hint: str = "") -> int:
        """The place of a column that must be there."""
        place = self.find(*names)
        if place is None:
            found = f"no column {' or '.join(names)} (columns: {', '.join(self.names)})"
            raise InputError(f"{self.source}:1", found, expected, hint)
        return place


def read_header(source: Source) -> Header:
    """The first line that is not blank: names between commas, semicolons or tabs."""
    with text_of(source) as file:
        line = next((line for line in iter(lambda: file.readline(_LONGEST), "") if line.strip()), "")
    if not line:
        raise InputError(source.name, "the file is empty", "a CSV file with a header")
    delimiter = max(",;\t", key=line.count)
    return Header(source.name, tuple(name.strip().strip('"') for name in line.split(delimiter)), delimiter)


def read_boxes(source: Source, header: Header, names: Names, scored: bool) -> Boxes:
    """Objects, or with `scored` predictions; coordinates are kept as they are written."""
    expected = f"ImageID, LabelName, {'Score, ' if scored else ''}XMin, XMax, YMin, YMax"
    image, label, *corners = (header.need(name, expected=expected) for name in ("ImageID", "LabelName", *CORNERS))
    score = header.need(*SCORE, expected=expected, hint=_SWAPPED) if scored else None
    flagged = [] if scored else [(name, at) for name in FLAGS if (at := header.find(name)) is not None]
    rows, parts, n = Rows(source, header.delimiter, 1), [], 0
    for place, columns in rows.blocks(len(header.names), f"as many values as columns ({len(header.names)})"):
        images = keys(columns[image], names.image, place, "ImageID")
        position = np.arange(n, n + len(images))
        n += len(images)
        if "" in columns[label]:  # a row may name an image and nothing else, to say that it has no objects
            kept = [i for i in range(len(images)) if any(columns[at][i] for at in (label, *corners))]
            columns = [[column[i] for i in kept] for column in columns]
            images, position, place = images[kept], position[kept], partial(_at, rows.place, position[kept])
        bits = np.zeros(len(images), np.uint16)
        for name, at in flagged:
            bits[flags(columns[at], place, name)] |= int(FLAGS[name])
        parts.append((
            position,
            images,
            keys(columns[label], names.label, place, "LabelName"),
            np.stack([numbers(columns[at], place, name) for name, at in zip(CORNERS, corners, strict=True)], axis=1),
            bits,
            np.zeros(0) if score is None else numbers(columns[score], place, header.names[score]),
        ))  # fmt: skip
    position, *others = stacked(parts)
    return Boxes(partial(_at, rows.place, position), position, *others)


def _at(place: Place, position: Ints, row: int) -> str:
    return place(int(position[row]))


def read_labels(source: Source, names: Names) -> Labels:
    """What annotators say of whole images: a confidence of 1 is a class that is there, any other one that is not."""
    header, expected = read_header(source), "ImageID, LabelName, Confidence"
    image, label = (header.need(name, expected=expected) for name in ("ImageID", "LabelName"))
    confidence = header.need(*CONFIDENCE, expected=expected)
    rows, parts = Rows(source, header.delimiter, 1), []
    for place, columns in rows.blocks(len(header.names), f"as many values as columns ({len(header.names)})"):
        there = np.trunc(numbers(columns[confidence], place, header.names[confidence])) == 1
        parts.append((
            keys(columns[image], names.image, place, "ImageID"),
            keys(columns[label], names.label, place, "LabelName"),
            np.where(there, np.uint8(Mark.POSITIVE), np.uint8(Mark.NEGATIVE)),
        ))  # fmt: skip
    return Labels(rows.place, *stacked(parts))


def read_strings(source: Source, header: Header, names: Names) -> Boxes:
    """Predictions in the form of a Kaggle competition: an image a line, with all of its boxes in one string."""
    if [name.casefold() for name in header.names] != ["imageid", "predictionstring"]:
        raise InputError(f"{source.name}:1", f"the columns {', '.join(header.names)}", "ImageID, PredictionString")
    images, lines, words, counts = list[str](), list[int](), list[str](), list[int]()
    with text_of(source) as file:
        for number, line in enumerate(file, 1):
            image, _, boxes = line.strip().partition(header.delimiter)  # csv would limit the length of a string
            if not line.strip() or (not images and image.strip('"').casefold() == "imageid"):
                continue
            found = boxes.strip().strip('"').split()
            if len(found) % 6:
                expected = "groups of Label Confidence XMin YMin XMax YMax"
                raise InputError(f"{source.name}:{number}", f"{len(found)} words in PredictionString", expected)
            images.append(image.strip('"'))
            lines.append(number)
            words += found
            counts.append(len(found) // 6)
    line_of = np.repeat(np.array(lines, np.int64), counts)

    def place(row: int) -> str:
        return f"{source.name}:{line_of[row]}"

    image_of = keys(images, names.image, lambda row: f"{source.name}:{lines[row]}", "ImageID")
    return Boxes(
        place,
        row_numbers(len(line_of)),
        np.repeat(image_of, counts),
        keys(words[0::6], names.label, place, "label"),
        np.stack([numbers(words[k::6], place, name) for k, name in enumerate(CORNERS, 2)], axis=1),
        np.zeros(len(line_of), np.uint16),
        numbers(words[1::6], place, "Confidence"),
    )
