"""Lines of text: a class and four or five numbers, or a message that says which line is not that."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from boxscore.errors import InputError
from boxscore.formats.files import Files, none_of

_EXPECTED = {4: "<class> <4 numbers>", 5: "<class> <confidence> <4 numbers>"}


@dataclass
class Rows:
    """The lines of a folder; the lists from `image` on have an entry per line, `numbers` four or five."""

    stems: list[str] = field(default_factory=list)  # image names, by file
    files: list[str] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)  # class as written: its number
    image: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    difficult: list[int] = field(default_factory=list)  # rows

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.files[self.image[row]]}:{self.line[row]}"


def read_lines(folder: Files, n_numbers: int) -> Rows:
    """All lines of all text files of a folder, with four numbers after the class or five."""
    files = [path for path in folder.ending(".txt") if "/" not in path]
    if not files:
        raise none_of(folder, ".txt files", "a text file per image, or XML files as of PASCAL VOC")
    rows = Rows([path[:-4] for path in files], [folder.place(path) for path in files])
    if len(set(rows.stems)) < len(files):
        twice = next(name for name in rows.stems if rows.stems.count(name) > 1)
        raise InputError(folder.name, f"two files for the image '{twice}'", "one file per image")
    for image, path in enumerate(files):
        _read_file(folder, path, image, n_numbers, rows)
    return rows


def _content(folder: Files, path: str) -> str:
    try:
        return folder.bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(folder.place(path), f"byte {error.start} is not UTF-8", "a text file") from None


def _read_file(folder: Files, path: str, image: int, n_numbers: int, rows: Rows) -> None:
    names, file = rows.names, rows.files[image]
    for number, line in enumerate(_content(folder, path).splitlines(), 1):
        words = line.rsplit(None, n_numbers)
        if not words:
            continue
        try:
            values = list(map(float, words[1:]))
        except ValueError:
            values = []
        if len(values) != n_numbers or ("_" in line and line.rfind("_") >= len(words[0])):  # float reads 1_0 as ten
            if n_numbers == 4 and (shorter := _without_difficult(line)) is not None:
                rows.difficult.append(len(rows.line))
                words = shorter
                values = [float(word) for word in words[1:]]
            elif line.lstrip().startswith("#"):
                continue  # a comment
            else:
                raise _wrong_line(file, number, line, n_numbers)
        label = names.get(words[0])
        if label is None:
            if n_numbers == 4 and _ends_with_confidence(words[0]):
                raise InputError(
                    f"{file}:{number}", f"5 numbers: '{line.strip()}'", _EXPECTED[4],
                    "Five numbers look like a detection with its confidence; were truth and detections swapped?",
                )  # fmt: skip
            label = names[words[0]] = len(names)
        rows.image.append(image)
        rows.label.append(label)
        rows.numbers += values
        rows.line.append(number)


def _number(word: str) -> float | None:
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None


def _without_difficult(line: str) -> list[str] | None:
    """Class and four numbers of a line that ends with the word `difficult`."""
    words = line.rsplit(None, 5)
    fits = len(words) == 6 and words[5] == "difficult" and all(_number(word) is not None for word in words[1:5])
    return words[:5] if fits else None


def _ends_with_confidence(label: str) -> bool:
    """Whether a class name ends with what looks like a confidence: `cat 0.88`, but not `type 1`."""
    words = label.split()
    value = _number(words[-1])
    return len(words) > 1 and "." in words[-1] and value is not None and 0 <= value <= 1


def _wrong_line(file: str, number: int, line: str, n_numbers: int) -> InputError:
    words = line.split()
    tail = words[1:] if len(words) <= n_numbers else words[-n_numbers:]
    wrong = [word for word in tail if _number(word) is None]
    found = f"'{wrong[0]}' is no number" if wrong else f"{len(tail)} numbers after the class"
    hint = ""
    if n_numbers == 5 and not wrong and len(tail) == 4:
        hint = "Detections need a confidence on each line; is this ground truth?"
    elif "," in line or ";" in line:
        hint = "Values are separated by spaces or tabs; decimals have a point."
    elif Path(file).stem in ("classes", "labels", "names"):
        hint = "If this is a list of classes, move it out of the folder."
    return InputError(f"{file}:{number}", found, _EXPECTED[n_numbers], hint)
