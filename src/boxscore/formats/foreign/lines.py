"""Lines of text files that are known by name and refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from boxscore.formats.content import COMMENTS, EMPTY, Candidate, LineForm, TextLook, Texts, Values, Words, number
from boxscore.formats.record import LIKELY, SURE, TRUTH

_FIVE = re.compile(r"-?[\d.]+(,-?[\d.]+){4}")
_PATH = re.compile(r".*\.(jpe?g|png|bmp|tiff?|webp)", re.IGNORECASE)
_ITEM = re.compile(r"item\s*\{")


def _considered(line: Words) -> tuple[str, Values] | None:
    numbers = line.numbers
    return (line.words[0], numbers) if numbers[4] in (0, 1) else None


def _boxes_after_a_path(line: Words) -> tuple[str, Values] | None:
    path, *boxes = line.line.split()
    return (path, ()) if boxes and all(_FIVE.fullmatch(word) for word in boxes) else None


def _is_wider_face(lines: Sequence[str]) -> bool:
    """A path, a count, and then rows of ten numbers (five in predictions)."""
    if len(lines) < 3 or len(lines[1].split()) != 1 or not lines[1].strip().isdecimal():
        return False
    row = lines[2].split()
    numeric = all(number(word) is not None for word in row)
    path = _PATH.fullmatch(lines[0]) is not None or "/" in lines[0] or "_" in lines[0]
    return path and numeric and len(row) in (5, 10)


def _few_words(line: Words) -> tuple[str, Values] | None:
    """Fewer than five, and no numbers at the end as a broken line of boxes has."""
    broken = len(line.words) > 2 and all(value is not None for value in line.values[-2:])
    return None if broken else (line.line, ())


def _judge_list(texts: Texts) -> list[Candidate]:
    lists = [file for file in texts.files if file.form in ("list", COMMENTS)]
    if not lists or any(file.form not in ("list", COMMENTS, EMPTY) for file in texts.files):
        return []
    reason = f"its lines are a few words each: '{lists[0].first[:60]}'"
    return [Candidate("list", LIKELY, (reason,), tuple(file.path for file in lists), TRUTH)]


def _judge_label_map(texts: Texts) -> list[Candidate]:
    if texts.main or all(file.form != "label-map" for file in texts.files):
        return []
    paths = tuple(file.path for file in texts.files)
    return [Candidate("label-map", SURE, ("it begins with `item {`",), paths, TRUTH)]


MOTS = TextLook(forms=(LineForm("mots", (6,), texts=(5,)),))
VISDRONE = TextLook(forms=(LineForm("visdrone", (8,), commas=True, read=_considered),))
WIDER_FACE = TextLook(begins=_is_wider_face)
KERAS_YOLO3 = TextLook(forms=(LineForm("keras-yolo3", range(1 << 30), None, None, read=_boxes_after_a_path),))
LIST = TextLook(
    forms=(LineForm("list", range(5), texts=None, read=_few_words, called="fewer than 5 words"),),
    judge=_judge_list,
    objects=False,
)
LABEL_MAP = TextLook(begins=lambda lines: _ITEM.match(lines[0]) is not None, judge=_judge_label_map, objects=False)
