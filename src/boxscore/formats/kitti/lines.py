"""Lines of KITTI: objects of an image, objects that are tracked through a sequence, and AB3DMOT's detections."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.record_values import clean

MOST_FRAMES = 10_000_000
_TYPES = {1: "Pedestrian", 2: "Car", 3: "Cyclist"}  # by the numbers of AB3DMOT
_PLACE = 14  # numbers after the type: truncated occluded alpha box dimensions location rotation
_EXPECTED = "[frame track] type truncated occluded alpha left top right bottom, 7 numbers of a place, [score]"


@dataclass
class Lines:
    """The lines of a file, an entry per object."""

    line: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    box: list[list[float]] = field(default_factory=list)
    truncated: list[float] = field(default_factory=list)
    occluded: list[float] = field(default_factory=list)
    place: list[str] = field(default_factory=list)  # alpha, and the box in space, as they are written
    score: list[float] = field(default_factory=list)  # nan for none
    frame: list[int] = field(default_factory=list)
    track: list[int] = field(default_factory=list)
    tracked: bool = False

    def __len__(self) -> int:
        return len(self.line)


def lines_of(text: str, file: str, invalid: Invalid) -> Lines:
    """The lines of a text; all are of one kind."""
    made, taken = Lines(), set[tuple[int, int]]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        with invalid:
            _add(made, number, line, f"{file}:{number}", taken)
    return made


def _add(made: Lines, number: int, line: str, place: str, taken: set[tuple[int, int]]) -> None:
    listed = line.count(",") == _PLACE
    words = [word.strip() for word in line.split(",")] if listed else line.split()
    values = [_number(word) for word in words]
    texts = [k for k, value in enumerate(values) if value is None]
    start = 2 if len(texts) > 0 and texts[0] == 2 else 0
    names = " ".join(words[start : start + len(texts)])
    rest = values[start + len(texts) :]
    fits = not texts if listed else bool(texts) and texts == list(range(start, start + len(texts)))
    if not fits or (not listed and len(rest) not in (_PLACE, _PLACE + 1)):
        raise InputError(place, f"{len(words)} values", _EXPECTED)
    numbers = [value for value in values if value is not None]
    if not all(map(math.isfinite, numbers)):
        raise InputError(place, "a value that is not finite", "finite numbers")
    frame = track = -1
    if start or listed:
        frame, track = _whole(numbers[0], place, "frame"), -1 if listed else _whole(numbers[1], place, "track")
        if not 0 <= frame <= MOST_FRAMES:
            raise InputError(place, f"the frame {frame}", "a frame number from 0")
        if track >= 0 and (frame, track) in taken:
            raise InputError(place, f"track {track} again in frame {frame}", "one box of a track in a frame")
    if made.line and made.tracked != bool(start or listed):
        raise InputError(place, "lines with a frame and lines without one", "lines of one kind")
    made.tracked = bool(start or listed)
    if listed:  # frame type box score dimensions location rotation alpha
        names, box, score = _type(numbers[1]), numbers[2:6], numbers[6]
        level, place_in_space = (0.0, 0.0), [words[14], *words[7:14]]
    else:
        own = numbers[start:]
        box, level = own[3:7], (own[0], own[1])
        score = own[_PLACE] if len(own) > _PLACE else math.nan
        first = start + len(texts)
        place_in_space = [words[first + 2], *words[first + 7 : first + _PLACE]]
    taken.add((frame, track))
    made.line.append(number)
    made.name.append(clean(names))
    made.box.append(box)
    made.truncated.append(level[0])
    made.occluded.append(level[1])
    made.place.append(" ".join(place_in_space))
    made.score.append(score)
    made.frame.append(frame)
    made.track.append(track)


def _number(word: str) -> float | None:
    try:
        return float(word) if "_" not in word else None
    except ValueError:
        return None


def _whole(value: float, place: str, what: str) -> int:
    if value % 1 or abs(value) > 1 << 53:
        raise InputError(place, f"the {what} {value:g}", "a whole number")
    return int(value)


def _type(value: float) -> str:
    return _TYPES.get(int(value), f"{value:g}")
