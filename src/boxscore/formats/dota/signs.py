"""How DOTA's files are recognised: eight coordinates with a class after them, or an image and a score before."""

from __future__ import annotations

import re

from boxscore.formats.content import FileNames, LineForm, TextLook, Values, Words
from boxscore.formats.record import DETECTIONS, TRUTH

_LABELS, _RESULTS = "dota", "dota-results"


def _label(line: Words) -> tuple[str, Values] | None:
    """The class, which may have spaces, stands between the coordinates and the difficulty."""
    texts, words = line.texts, line.words
    if not texts or texts[0] != 8 or texts[-1] < len(words) - 2:
        return None
    return " ".join(words[8 : texts[-1] + 1]), line.numbers


LOOK = TextLook(
    forms=(
        LineForm(_LABELS, texts=None, read=_label, sides=TRUTH),
        LineForm(_RESULTS, (10,), texts=(0,), sides=DETECTIONS),
    ),
    why_not="not every line is 8 coordinates with a class or an image and score",
    fitting=(_LABELS, _RESULTS),
    names=FileNames(re.compile(r"task[12]_[^/]+?(\.txt)?", re.IGNORECASE), "results of DOTA", DETECTIONS),
    heads=re.compile(r"(imagesource|gsd|acquisition dates)\s*:", re.IGNORECASE),
)
