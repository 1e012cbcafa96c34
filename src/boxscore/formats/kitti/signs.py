"""How files of KITTI are recognised: a type with 14 or 15 numbers, two more before it where objects are tracked."""

from __future__ import annotations

from collections.abc import Callable

from boxscore.formats.content import LineForm, TextLook, Values, Words
from boxscore.formats.record import DETECTIONS

_OBJECTS, _TRACKED, _LISTED = "kitti", "kitti-tracked", "kitti-listed"


def _typed(before: int) -> Callable[[Words], tuple[str, Values] | None]:
    def read(line: Words) -> tuple[str, Values] | None:
        """The type, which may have spaces, stands after so many numbers."""
        texts, numbers = line.texts, line.numbers
        if not texts or texts != tuple(range(before, before + len(texts))) or len(numbers) - before not in (14, 15):
            return None
        return " ".join(line.words[before : before + len(texts)]), numbers

    return read


LOOK = TextLook(
    forms=(
        LineForm(_OBJECTS, texts=None, read=_typed(0)),
        LineForm(_TRACKED, texts=None, read=_typed(2)),
        LineForm(_LISTED, (15,), commas=True, sides=DETECTIONS),  # as AB3DMOT has detections
    ),
    why_not="not every line is a type, truncation, occlusion, an angle, a box and 7 numbers of its place",
    fitting=(_OBJECTS, _TRACKED, _LISTED),
)
