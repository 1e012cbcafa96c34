"""How text files with a class and four or five numbers on every line are recognised."""

from __future__ import annotations

from collections.abc import Sequence

from boxscore.formats.content import (
    EMPTY,
    NAMED,
    PIXELS,
    SHARES,
    Candidate,
    File,
    LineForm,
    Question,
    TextLook,
    Texts,
    Values,
    Words,
    counted,
    on_lines,
    percent,
)  # fmt: skip
from boxscore.formats.io.box_form import CLEARLY
from boxscore.formats.record import BOTH, DETECTIONS, LIKELY, POSSIBLE, SURE, TRUTH

_FORMS = (NAMED, PIXELS, SHARES)


def _named(line: Words) -> tuple[str, Values] | None:
    """A class, which may have spaces, and four or five numbers; perhaps the word `difficult`."""
    words, values, texts = line.words, line.values, line.texts
    if not texts:
        return None
    if words[-1] == "difficult":
        words, values, texts = words[:-1], values[:-1], texts[:-1]
    tail = len(values) - 1 - texts[-1] if texts else len(values)
    if tail == 6:
        tail = 5  # the class ends with a number
    if tail not in (4, 5):
        return None
    return " ".join(words[:-tail]), tuple(value for value in values[-tail:] if value is not None)


def _judge(texts: Texts) -> list[Candidate]:
    if not texts.main and texts.folder and all(file.form == EMPTY for file in texts.files):
        reason = f"{counted(len(texts.files))} without a line, as of images without objects"
        return [Candidate("text", SURE, (reason,), tuple(file.path for file in texts.files))]
    if texts.main not in (NAMED, PIXELS):
        return []
    lines, widths = texts.lines, texts.widths
    fitting = [line for line in lines if line.form in _FORMS and len(line.values) in (4, 5)]
    numbers = "4 numbers" if widths == {4} else "5 numbers" if widths == {5} else "4 or 5 numbers"
    reasons = [f"a class and {numbers} on {on_lines(len(fitting), len(lines))}"]
    if (name := next((line.name for line in lines if line.form == NAMED), None)) is not None:
        reasons.append(f"classes are names ({name[:30]})")
    else:
        reasons.append("values are pixels")
    sides = TRUTH if widths == {4} else DETECTIONS if widths == {5} else BOTH
    return [Candidate("text", SURE if len(fitting) == len(lines) else LIKELY, tuple(reasons), texts.paths, sides)]


def _alike(texts: Texts) -> list[Candidate]:
    """Normalized boxes are the same ones here, where the numbers are as many."""
    widths = texts.widths
    if texts.main != SHARES or not widths <= {4, 5}:
        return []
    same = "relative boxes with the confidence first" if 5 in widths else "the same numbers give the same boxes"
    return [Candidate("text", POSSIBLE, (same,), texts.paths, DETECTIONS if 5 in widths else BOTH)]


def _questions(files: Sequence[File]) -> list[Question]:
    rows = [line.values for file in files for line in file.lines if line.form in (NAMED, PIXELS)]
    boxes = [row[-4:] for row in rows if len(row) in (4, 5)]
    pixels = any(abs(value) > 2 for box in boxes for value in box)
    return [_corners(boxes)] if pixels else []


def _corners(boxes: Sequence[Values]) -> Question:
    n = len(boxes)
    apart = sum(x1 > x0 and y1 > y0 for x0, y0, x1, y1 in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    reach = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    evidence = (
        f"{percent(apart, n)} of {n:,} boxes have the third number above the first and the fourth above the second, "
        "as corners must",
        f"as corners all end within {right:g} x {bottom:g}, as x y width height within {reach[0]:g} x {reach[1]:g}",
    )
    clear = n - apart >= CLEARLY * n
    return Question("xywh or xyxy", evidence, ("--box xywh", "--box xyxy"), "--box xywh" if clear else "")


LOOK = TextLook(
    forms=(
        LineForm(NAMED, texts=None, read=_named, shared=True, called="a name and numbers"),
        LineForm(PIXELS, (5, 6), shared=True, called="numbers beyond 1"),
    ),
    judge=_judge,
    alike=_alike,
    why_not="not every line is a class and 4 or 5 numbers",
    fitting=_FORMS,
    questions=_questions,
)
