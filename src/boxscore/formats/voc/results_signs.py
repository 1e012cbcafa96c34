"""How files of VOC results are recognised: by their names, or lines of an image, a score and a box."""

from __future__ import annotations

import re

from boxscore.formats.content import NAMED, PIXELS, SHARES, Candidate, FileNames, TextLook, Texts, counted
from boxscore.formats.record import DETECTIONS, LIKELY, SURE

_BY_CLASS = re.compile(r"([^/]*_)?det_[^/]+?(\.txt)?", re.IGNORECASE)  # det_test_cat.txt
_PADDED = re.compile(r"0\d{3,}|\d{4}_\d{6}")  # names of images in PASCAL VOC


def _judge(texts: Texts) -> list[Candidate]:
    own = texts.own
    if texts.main not in (NAMED, PIXELS, SHARES) or texts.widths != {5}:
        return []
    named = [file for file in own if _BY_CLASS.fullmatch(file.base)]
    if len(named) < len(own) and not _by_class(texts):
        return []
    reasons = ["lines of an image, a score and four numbers"]
    if named:
        reasons.insert(0, f"{counted(len(own))} named as results of classes ({own[0].base})")
    else:
        reasons.append(f"the first words are names of images ({own[0].lines[0].name})")
    return [Candidate("voc-results", SURE if named else LIKELY, tuple(reasons), texts.paths, DETECTIONS)]


def _by_class(texts: Texts) -> bool:
    """Whether first words are names of images: numbers with leading zeros, or many more of them than files."""
    words, files = [line.name for line in texts.lines], len(texts.own)
    padded = sum(_PADDED.fullmatch(word) is not None for word in words)
    return padded * 2 > len(words) or (files > 1 and len(set(words)) > 10 * files)


LOOK = TextLook(
    judge=_judge,
    why_not="the first words are no names of images, or the files none of classes",
    names=FileNames(
        re.compile(r"comp\d[^/]*_det_[^/]+?(\.txt)?", re.IGNORECASE),
        "results of PASCAL VOC",
        DETECTIONS,
        alone=True,
    ),
)
