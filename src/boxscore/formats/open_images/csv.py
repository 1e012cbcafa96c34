"""The CSV files of Open Images as columns: boxes, masks, predictions, image labels. Columns are found by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.io.csv_table import Columns, Header, Texts, image_sizes, read_columns, read_header
from boxscore.formats.io.delimited import Place, flags, keys, numbers, text_of
from boxscore.formats.io.mask_pictures import Pictures
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.tables.model import Flag, Floats, Indices, Ints, Mark, Words, row_numbers

CORNERS = ("XMin", "YMin", "XMax", "YMax")
BOX_CORNERS = tuple(f"Box{name}" for name in CORNERS)  # in files of masks
SIZE = ("ImageWidth", "ImageHeight")
FLAGS = {
    "IsOccluded": Flag.OCCLUDED,
    "IsTruncated": Flag.TRUNCATED,
    "IsGroupOf": Flag.GROUP_OF,
    "IsDepiction": Flag.DEPICTION,
    "IsInside": Flag.INSIDE,
}
MASKS = ("Mask", "MaskPath")
SCORE = ("Score", "Confidence", "Conf")
CONFIDENCE = ("Confidence", "ConfidenceImageLabel")  # the second in copies for TensorFlow's evaluator
_SWAPPED = "Truth comes first, then detections; were they swapped?"


@dataclass(frozen=True)
class Names:
    """Images and labels in the order in which files first name them; readers add to them."""

    image: dict[str, int]
    label: dict[str, int]


@dataclass(frozen=True, eq=False)
class Boxes:
    """The rows of a file of boxes, masks or predictions."""

    place: Place
    position: Ints
    image: Indices
    label: Indices
    corners: Floats | None  # None where a file has masks only
    flags: Words
    score: Floats
    width: Floats | None = None  # of each image that the file names
    height: Floats | None = None
    mask: Sequence[str] | None = None  # the run lengths of each, or the path of a picture
    packed: bool = False  # which of the two
    mask_place: Place | None = None  # where the mask of a row stands, if in another file
    pictures: Pictures | None = None  # of that file
    grouped: bool = False  # whether there is a column IsGroupOf

    def take(self, rows: Ints) -> Boxes:
        """Some rows of them."""
        place = self.mask_place
        columns = {name: getattr(self, name)[rows] for name in ("position", "image", "label", "flags")}
        return replace(
            self,
            **columns,
            place=lambda row: self.place(int(rows[row])),
            corners=None if self.corners is None else self.corners[rows],
            score=self.score[rows] if len(self.score) else self.score,
            mask=None if self.mask is None else [self.mask[row] for row in rows.tolist()],
            mask_place=None if place is None else lambda row: place(int(rows[row])),
        )


@dataclass(frozen=True, eq=False)
class Labels:
    """The rows of a file of image labels."""

    place: Place
    image: Indices
    label: Indices
    mark: npt.NDArray[np.uint8]


def fit(header: Header, masks: bool) -> int:
    """How well the columns of a file fit what is wanted, 0 if they do not: boxes, or with `masks` those."""
    if header.find("PredictionString") is not None:
        return 2
    if header.find("ImageID") is None or header.find("LabelName") is None:
        return 0
    masked, boxed = header.find(*MASKS) is not None, header.find(CORNERS[0]) is not None
    return 2 if masked and masks else 2 if boxed and not masks else int(masked or boxed)


def read_boxes(source: Source, header: Header, names: Names, scored: bool, how: ReadOptions) -> Boxes:
    """Objects, or with `scored` predictions, with `shapes` masks, too; coordinates are kept as they are written."""
    if header.find("LabelName1") is not None:
        found = f"relationships of two objects (columns: {', '.join(header.names)})"
        hint = "Relationships are read as open-images-vrd."
        raise InputError(f"{source.name}:1", found, "boxes, one object a row", hint)
    expected = f"ImageID, LabelName, {'Score, ' if scored else ''}XMin, XMax, YMin, YMax"
    image, label = (header.need(name, expected=expected) for name in ("ImageID", "LabelName"))
    only_masks = header.find("Mask") is not None and header.find(CORNERS[0]) is None
    corners = BOX_CORNERS if header.find(BOX_CORNERS[0]) is not None else () if only_masks else CORNERS
    groups = {"corners": [header.need(name, expected=expected) for name in corners]} if corners else {}
    if header.find(SIZE[0]) is not None:
        groups["size"] = [header.need(name, expected=", ".join(SIZE)) for name in SIZE]
    if scored:
        groups["score"] = [header.need(*SCORE, expected=expected, hint=_SWAPPED)]
    flagged = {} if scored else {name: at for name in FLAGS if (at := header.find(name)) is not None}
    mask = header.find(*MASKS) if how.shapes or only_masks else None
    texts = [image, label, *flagged.values(), *([] if mask is None else [mask])]
    columns = read_columns(source, header, [*groups.values()], texts, how.threads, how.invalid)
    if (nameless := columns.texts[0].rows_of("")) is not None:
        raise InputError(columns.place(int(nameless[0])), "an empty ImageID", "a name as ImageID")
    image_of, width, height = columns.texts[0].within(names.image), None, None
    if "size" in groups:
        sizes = columns.numbers[[*groups].index("size")]
        width, height = image_sizes(image_of, len(names.image), sizes, columns.place)
    position = row_numbers(len(image_of))
    if (blank := columns.texts[1].rows_of("")) is not None:
        position = np.setdiff1d(position, _without_objects(columns, blank, bool(corners)))
        image_of, columns = image_of[position], columns.take(position)
    values, (_, labels, *others) = dict(zip(groups, columns.numbers, strict=True)), columns.texts
    for name, values_of in values.items():
        if name != "size":
            _complete(values_of, [header.names[at] for at in groups[name]], columns.place)
    bits = np.zeros(len(image_of), np.uint16)
    for name, column in zip(flagged, others, strict=False):
        bits |= np.where(_yes(column, name, columns.place), np.uint16(FLAGS[name]), np.uint16(0))[column.code]
    return Boxes(
        columns.place, position, image_of, labels.within(names.label), values.get("corners"), bits,
        values["score"][:, 0].copy() if scored else np.zeros(0), width, height,
        None if mask is None else [others[-1].name[code] for code in others[-1].code.tolist()],
        header.find("Mask") is not None, grouped="IsGroupOf" in flagged,
    )  # fmt: skip


def _without_objects(columns: Columns, blank: Indices, boxed: bool) -> Indices:
    """Rows without a label, which may name an image and nothing else: it has no objects."""
    if boxed:
        empty = np.isnan(columns.numbers[0][blank]).all(axis=1)
    else:
        empty = np.array([not columns.texts[-1].name[k] for k in columns.texts[-1].code[blank]])
    if not empty.all():
        raise InputError(columns.place(int(blank[empty.argmin()])), "an empty LabelName", "a name as LabelName")
    return blank


def _complete(fields: Floats, names: Sequence[str], place: Place) -> None:
    """An error where a field is empty that may not be."""
    if not np.isnan(fields.sum()):
        return
    row, column = (int(at[0]) for at in np.nonzero(np.isnan(fields)))
    raise InputError(place(row), f"{names[column]} is ''", "a finite number")


def _yes(column: Texts, name: str, place: Place) -> npt.NDArray[np.bool_]:
    """For each different text of a flag, whether it says yes."""
    return flags(column.name, lambda k: place(int((column.code == k).argmax())), name)


def read_labels(source: Source, names: Names, threads: int) -> Labels:
    """Image-level labels: a confidence of 1 is a class that is there, any other one that is not."""
    header, expected = read_header(source), "ImageID, LabelName, Confidence"
    image, label = (header.need(name, expected=expected) for name in ("ImageID", "LabelName"))
    confidence = header.need(*CONFIDENCE, expected=expected)
    columns = read_columns(source, header, [[confidence]], [image, label], threads)
    for name, texts in zip(("ImageID", "LabelName"), columns.texts, strict=True):
        if (nameless := texts.rows_of("")) is not None:
            raise InputError(columns.place(int(nameless[0])), f"an empty {name}", f"a name as {name}")
    _complete(columns.numbers[0], [header.names[confidence]], columns.place)
    mark = np.where(np.trunc(columns.numbers[0][:, 0]) == 1, np.uint8(Mark.POSITIVE), np.uint8(Mark.NEGATIVE))
    images, labels = columns.texts
    return Labels(columns.place, images.within(names.image), labels.within(names.label), mark)


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
