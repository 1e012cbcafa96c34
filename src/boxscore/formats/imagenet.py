"""Predictions for ImageNet's challenges: detection in images and videos (DET, VID), and localisation (LOC)."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.content import PIXELS as FIVE_OR_SIX
from boxscore.formats.content import Candidate, LineForm, TextLook, Texts, Values, Words, on_lines
from boxscore.formats.io.delimited import Place, Rows, bounded, numbers, stacked, text_of, whole_numbers
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.lists import read_class_list, read_image_list
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.record import DETECTIONS, FILE, FROM_LISTS, LIKELY, PIXELS, SURE, TEXT, Format
from boxscore.tables.model import Classes, Detections, Images, Indices, Ints, Truth, factorise, index_of, row_numbers

_CORNERS = ("xmin", "ymin", "xmax", "ymax")
_DET = "<image number> <class number> <score> <xmin> <ymin> <xmax> <ymax>"
_LOC = "up to 5 groups of <class number> <xmin> <ymin> <xmax> <ymax>"
_SEVEN, _GROUPS = "seven", "groups"  # forms of lines
GUESSES = 5  # for an image, in LOC
FORMATS = (
    Format(
        name="imagenet-det", title="ImageNet detections", looks="imagenet-det (lines of 7 numbers)",
        home=__name__, listed=100, kind=TEXT, per=FILE, before="text", detections=":read_det", look=":DET",
        boxes=PIXELS, options=FROM_LISTS,
    ),
    Format(
        name="imagenet-loc", title="ImageNet guesses", looks="imagenet-loc (lines of groups of 5 numbers)",
        home=__name__, listed=110, kind=TEXT, per=FILE, before="text", detections=":read_loc", look=":LOC",
        boxes=PIXELS, options=FROM_LISTS,
    ),
)  # fmt: skip


def read_det(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections with the ids of images and classes, counted from 1 in `image_list` and `class_list`.

    Without these lists the numbers themselves are the ids.
    """
    numeric = dict(enumerate(("the score", *_CORNERS), 2))
    rows, parts = Rows(source, invalid=how.invalid, numeric=numeric), []
    for place, columns in rows.blocks(7, _DET):
        image, label, score, *corners = columns
        parts.append((
            whole_numbers(image, place, "the image number"),
            whole_numbers(label, place, "the class number"),
            numbers(score, place, "the score"),
            np.stack([numbers(c, place, what) for c, what in zip(corners, _CORNERS, strict=True)], axis=1),
        ))  # fmt: skip
    image_number, label_number, scores, boxes = stacked(parts)
    images, image_of = _images(image_number, rows.place, how)
    classes, label_of = _classes(label_number, rows.place, how)
    return Detections(
        images, classes, image_of, label_of, boxes, (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]),
        row_numbers(len(boxes)), source.name, "imagenet-det", score=scores,
    ), []  # fmt: skip


def read_loc(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Guesses in order of confidence, a line for each image; the score of a guess is 0, -1, -2, … by its place."""
    with text_of(source) as file:
        lines = [line.split() for line in bounded(file, source.name)]
    while lines and not lines[-1]:
        lines.pop()  # an empty line is an image without guesses, but not at the end
    lines = [_guesses(words, f"{source.name}:{n}", how.invalid) for n, words in enumerate(lines, 1)]
    counts = np.array([len(words) for words in lines], np.int64) // 5
    line = np.repeat(np.arange(1, len(lines) + 1), counts)

    def place(row: int) -> str:
        return f"{source.name}:{line[row]}"

    words = [word for found in lines for word in found]
    label_number = whole_numbers(words[0::5], place, "the class number")
    boxes = np.stack([numbers(words[k::5], place, what) for k, what in enumerate(_CORNERS, 1)], axis=1)
    every, image_of = _images(np.arange(1, len(lines) + 1), lambda row: f"{source.name}:{row + 1}", how)
    classes, label_of = _classes(label_number, place, how)
    rank = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    return Detections(
        every, classes, np.repeat(image_of, counts), label_of, boxes,
        (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), row_numbers(len(line)), source.name,
        "imagenet-loc", score=(0 - rank).astype(np.float64),
    ), []  # fmt: skip


def _guesses(words: list[str], place: str, invalid: Invalid) -> list[str]:
    """The words of a line; an image whose line cannot be used, or a guess, has one guess less on request."""
    with invalid:
        if len(words) % 5 or len(words) > 5 * GUESSES:
            raise InputError(place, f"{len(words)} values", _LOC)
        if not invalid.skip:
            return words
        kept = list[str]()
        for k in range(0, len(words), 5):
            with invalid:
                for word, what in zip(words[k + 1 : k + 5], _CORNERS, strict=True):
                    numbers([word], lambda _: place, what)
                kept += words[k : k + 5]
        return kept
    return []


def _images(numbers: Ints, place: Place, how: ReadOptions) -> tuple[Images, Indices]:
    """The images of the rows, and for each row its own."""
    used, image = factorise(numbers)
    if how.image_list is None:
        return Images([str(number) for number in used.tolist()], used), image
    listed = read_image_list(how.image_list)
    at = index_of(used, listed.number)
    if len(at) and at.min() < 0:
        row = int((at[image] < 0).argmax())
        raise InputError(place(row), f"image {numbers[row]}", f"a number of {listed.source} ({_range(listed.number)})")
    return Images([listed.name[i] for i in at.tolist()], used), image


def _classes(numbers: Ints, place: Place, how: ReadOptions) -> tuple[Classes, Indices]:
    used, label = factorise(numbers)
    if how.class_list is not None:
        listed = read_class_list(how.class_list)
    elif how.classes is not None:
        listed = Classes(how.classes, tuple(range(1, len(how.classes) + 1)))
    else:
        return Classes(tuple(str(number) for number in used.tolist()), tuple(used.tolist())), label
    known = np.array(listed.id, np.int64)
    at = index_of(numbers, known)
    if len(at) and at.min() < 0:
        row = int((at < 0).argmax())
        source = "classes" if how.class_list is None else how.class_list
        raise InputError(place(row), f"class {numbers[row]}", f"a number of {source} ({_range(known)})")
    return listed, at


def _range(numbers: Ints) -> str:
    return f"{numbers.min()} to {numbers.max()}"


def _judge_det(texts: Texts) -> list[Candidate]:
    if texts.folder or texts.main != _SEVEN or any(line.form != _SEVEN for line in texts.lines):
        return []
    reason = f"7 numbers on {on_lines(len(texts.lines), len(texts.lines))}"
    return [Candidate("imagenet-det", SURE, (reason,), texts.paths, DETECTIONS)]


def _judge_loc(texts: Texts) -> list[Candidate]:
    if texts.folder or texts.main not in (_GROUPS, FIVE_OR_SIX):
        return []
    lines = texts.lines
    if not all(len(line.values) % 5 == 4 and line.form in (_GROUPS, FIVE_OR_SIX) for line in lines):
        return []
    level, reason = (
        SURE if texts.main == _GROUPS else LIKELY,
        f"groups of 5 numbers on {on_lines(len(lines), len(lines))}",
    )
    return [Candidate("imagenet-loc", level, (reason,), texts.paths, DETECTIONS)]


def _groups(line: Words) -> tuple[str, Values] | None:
    numbers = line.numbers
    return (line.words[0], numbers[1:]) if all(value == int(value) for value in numbers[::5]) else None


DET = TextLook(
    forms=(LineForm(_SEVEN, (7,), shared=True, called="7 numbers"),),
    judge=_judge_det,
    why_not="not every line is 7 numbers",
    fitting=(_SEVEN,),
)
LOC = TextLook(
    forms=(LineForm(_GROUPS, range(10, 1 << 30, 5), read=_groups, shared=True, called="groups of 5 numbers"),),
    judge=_judge_loc,
    why_not="not every line is groups of 5 numbers",
    fitting=(_GROUPS,),
)
