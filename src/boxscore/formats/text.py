"""One text file per image: `<class> [<confidence>] <4 numbers>` a line, as in Object-Detection-Metrics.

Class names may hold spaces; numbers are taken from the right. Values are absolute (xywh or xyxy) or relative to the image
size (then always centre, width, height).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.formats.reading import Reading
from boxscore.geometry import to_corners
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, Floats, Images, Indices, Truth


@dataclass
class Rows:
    """The lines of a folder."""

    stems: list[str] = field(default_factory=list)  # image names, by file
    files: list[str] = field(default_factory=list)
    image: list[int] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    numbers: list[list[float]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.files[self.image[row]]}:{self.lines[row]}"


def read_truth(folder: Path, how: Reading) -> tuple[Truth, list[Finding]]:
    """Objects: `<class> <4 numbers>`."""
    rows = _read(folder, 4)
    corners, area = _boxes(rows, np.array([n[-4:] for n in rows.numbers]).reshape(-1, 4), how.truth_box or how.box, how)
    classes, label = _classes(rows, how)
    n = len(corners)
    return Truth(
        Images(rows.stems), classes, np.array(rows.image, np.int32), label, corners, area, np.arange(n, dtype=np.int64),
        str(folder), "text", rows.files, area=np.full(n, np.nan), flags=np.zeros(n, np.uint16),
    ), []  # fmt: skip


def read_detections(folder: Path, how: Reading) -> tuple[Detections, list[Finding]]:
    """Detections: `<class> <confidence> <4 numbers>`."""
    rows = _read(folder, 5)
    values = np.array(rows.numbers).reshape(-1, 5)
    corners, area = _boxes(rows, np.ascontiguousarray(values[:, 1:]), how.detections_box or how.box, how)
    classes, label = _classes(rows, how)
    return Detections(
        Images(rows.stems), classes, np.array(rows.image, np.int32), label, corners, area,
        np.arange(len(corners), dtype=np.int64), str(folder), "text", rows.files, score=values[:, 0].copy(),
    ), []  # fmt: skip


def _read(folder: Path, n_numbers: int) -> Rows:
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() == ".txt" and p.is_file())
    if not files:
        others = [p.name for p in sorted(folder.iterdir())]
        raise InputError(
            str(folder), f"no .txt files (it holds {first_few(others, len(others)) or 'nothing'})", "a text file per image"
        )
    rows = Rows()
    for file in files:
        rows.stems.append(file.stem)
        rows.files.append(str(file))
        _read_file(file, n_numbers, rows)
    return rows


def _read_file(file: Path, n_numbers: int, rows: Rows) -> None:
    expected = "<class> <confidence> <4 numbers>" if n_numbers == 5 else "<class> <4 numbers>"
    try:
        content = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(str(file), f"byte {error.start} is not UTF-8", "a text file") from None
    except OSError as error:
        raise InputError(str(file), f"cannot be read ({error.strerror})") from None
    for number, line in enumerate(content.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        place = f"{file}:{number}"
        tail = words[-n_numbers:] if len(words) > n_numbers else words[1:]
        numbers = [_number(word) for word in tail]
        if len(words) <= n_numbers or None in numbers:
            wrong = [w for w, v in zip(tail, numbers, strict=True) if v is None]
            found = f"'{wrong[0]}' is no number" if wrong else f"{len(tail)} numbers after the class"
            hint = ""
            if n_numbers == 5 and not wrong and len(words) == n_numbers:
                hint = "Detections need a confidence on each line; is this ground truth?"
            raise InputError(place, found, expected, hint)
        values = [v for v in numbers if v is not None]
        if not all(map(math.isfinite, values)):
            raise InputError(place, f"'{line.strip()}' has nan or infinity", "finite numbers")
        label = " ".join(words[:-n_numbers])
        if n_numbers == 4 and len(words) > 5 and _number(words[-5]) is not None:
            raise InputError(
                place, f"{sum(_number(w) is not None for w in words)} numbers", expected,
                "Five numbers look like a detection with its confidence; were truth and detections swapped?",
            )  # fmt: skip
        rows.image.append(len(rows.stems) - 1)
        rows.label.append(label)
        rows.numbers.append(values)
        rows.lines.append(number)


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _boxes(rows: Rows, values: Floats, form: str | None, how: Reading) -> tuple[Floats, Floats]:
    """Corners and areas, by what the user states and what the numbers rule out."""
    coords = how.coords
    if coords is None:
        inside = len(values) > 0 and bool(((values >= -0.01) & (values <= 1.01)).all())
        coords = "relative" if inside and form in (None, "cxcywh") else "absolute"
    if coords == "relative":
        if form not in (None, "cxcywh"):
            raise InputError(rows.files[0], f"relative boxes as {form}", "relative boxes as centre, width, height")
        if how.image_size is None:
            raise InputError(
                rows.files[0], "boxes relative to the image size, which is not stated", "--image-size WIDTH,HEIGHT",
                "If they are absolute, say --coords absolute.",
            )  # fmt: skip
        values = values * np.array([how.image_size * 2]).reshape(1, 4)
        return to_corners(values, "cxcywh")
    if form is None:
        as_corners = (values[:, 2] > values[:, 0]) & (values[:, 3] > values[:, 1])
        if as_corners.all():
            if len(values):
                raise InputError(
                    rows.place(0), "four numbers that can be x y width height or x y right bottom",
                    "--box xywh or --box xyxy", "The numbers alone do not tell which, and it changes the result.",
                )  # fmt: skip
        form = "xywh"  # some right or bottom edge would lie before the left or top one
    return to_corners(values, form)


def _classes(rows: Rows, how: Reading) -> tuple[Classes, Indices]:
    """Class names as they are written; with a list of names, whole numbers are lines of that list."""
    labels = rows.label
    if how.classes is not None and labels and all(name.isdigit() for name in labels):
        for row, name in enumerate(labels):
            if int(name) >= len(how.classes):
                raise InputError(rows.place(row), f"class {name}", f"a class below {len(how.classes)}, the length of the list")
        labels = [how.classes[int(name)] for name in labels]
    names = sorted(set(labels))
    place = {name: k for k, name in enumerate(names)}
    return Classes(tuple(names), tuple(names)), np.array([place[name] for name in labels], np.int32)
