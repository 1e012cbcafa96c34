"""Text files by the forms of their lines, taken together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from boxscore.formats.recognise.answer import Candidate
from boxscore.formats.recognise.text_forms import DOTA, DOTA_RESULTS, GROUPS, NAMED, PIXELS, SEVEN, SHARES, File
from boxscore.formats.record import BOTH, DETECTIONS, LIKELY, POSSIBLE, SURE, TRUTH

OFFICIAL = re.compile(r"comp\d[^/]*_det_[^/]+?(\.txt)?", re.IGNORECASE)
BY_CLASS = re.compile(r"([^/]*_)?det_[^/]+?(\.txt)?", re.IGNORECASE)  # det_test_cat.txt
DOTA_TASK = re.compile(r"task[12]_[^/]+?(\.txt)?", re.IGNORECASE)  # Task1_plane.txt
_PADDED = re.compile(r"0\d{3,}|\d{4}_\d{6}")  # names of images in PASCAL VOC
_BOXES = (SHARES, NAMED, PIXELS, SEVEN, GROUPS)
_NO_BOXES = ("list", "other", "numbers", "empty", "label-map")


def signs(files: Sequence[File], beside: Sequence[str], folder: bool) -> list[Candidate]:
    """The formats that text files fit; `beside` are names of files that say more, such as data.yaml."""
    official = [file.path for file in files if OFFICIAL.fullmatch(file.path.rpartition("/")[2])]
    if official:
        reason = f"{_files(len(official))} named as results of PASCAL VOC ({official[0].rpartition('/')[2]})"
        return [Candidate("voc-results", SURE, (reason,), tuple(official), DETECTIONS)]
    if tasks := [file for file in files if DOTA_TASK.fullmatch(file.path.rpartition("/")[2])]:
        reason = f"{_files(len(tasks))} named as results of DOTA ({tasks[0].path.rpartition('/')[2]})"
        results = Candidate(DOTA, SURE, (reason,), tuple(file.path for file in tasks), DETECTIONS)
        others = [file for file in files if file not in tasks and file.form not in _NO_BOXES]
        return [results, *(signs(others, beside, folder) if others else ())]
    counts = Counter(file.form for file in files if file.form not in _NO_BOXES)
    if not counts:
        return _without_boxes(files, beside) if files else []
    main = counts.most_common(1)[0][0]
    own = [file for file in files if file.form == main or (file.form in _BOXES and main in _BOXES)]
    paths = tuple(file.path for file in own) + tuple(file.path for file in files if file.form == "empty")
    if main not in _BOXES:
        if any(file.lines and file.lines[0].form != main for file in own):
            return []  # a table whose header nobody knows
        where = f"the lines of {_files(len(own))} have" if folder else "its lines have"
        reason = f"{where} the form '{own[0].first[:60]}'"
        sides = {DOTA: TRUTH, DOTA_RESULTS: DETECTIONS}.get(main, BOTH)
        return [Candidate(DOTA if main == DOTA_RESULTS else main, SURE, (reason,), paths, sides)]
    named = [file for file in own if BY_CLASS.fullmatch(file.path.rpartition("/")[2])]
    if main in (NAMED, PIXELS, SHARES) and (len(named) == len(own) or _by_class(own)) and _widths(own) == {5}:
        return [_voc_results(own, paths, bool(named))]
    if not folder and main in (SEVEN, GROUPS, PIXELS) and (found := _imagenet(own[0], main, paths)):
        return [found]
    if main == SHARES:
        return _yolo(own, paths, beside)
    if main in (NAMED, PIXELS):
        return [_text(own, paths)]
    return []


def why_not(name: str, files: Sequence[File], folder: bool) -> str:
    """Why text files are not of a format."""
    lines = [(file, line) for file in files for line in file.lines]
    if not lines:
        return "no line has numbers"

    def first(*forms: str) -> str:
        found = next(((file, line) for file, line in lines if line.form not in forms), None)
        if found is None:
            return ""
        file, line = found
        place = f"{file.path}:{line.number}" if file.path else f"line {line.number}"
        return f" ({place}: {_described(line.form)})"

    return {
        "yolo": f"not every line is a whole number and normalized coordinates{first(SHARES)}",
        "text": f"not every line is a class and 4 or 5 numbers{first(SHARES, NAMED, PIXELS)}",
        "voc-results": "the first words are no names of images, or the files none of classes",
        DOTA: f"not every line is 8 coordinates with a class or an image and score{first(DOTA, DOTA_RESULTS)}",
        "imagenet-det": "it is a folder" if folder else f"not every line is 7 numbers{first(SEVEN)}",
        "imagenet-loc": "it is a folder" if folder else f"not every line is groups of 5 numbers{first(GROUPS)}",
    }[name]


def _described(form: str) -> str:
    words = {
        SHARES: "normalized coordinates", NAMED: "a name and numbers", PIXELS: "numbers beyond 1", SEVEN: "7 numbers",
        GROUPS: "groups of 5 numbers", "list": "fewer than 5 words", "other": "other words", "numbers": "other numbers",
    }  # fmt: skip
    return words.get(form, f"a line of {form}")


def _without_boxes(files: Sequence[File], beside: Sequence[str]) -> list[Candidate]:
    """Text files with no line of numbers: lists, or the empty files of images without objects."""
    if any(file.form == "label-map" for file in files):
        return [Candidate("label-map", SURE, ("it begins with `item {`",), tuple(f.path for f in files), TRUTH)]
    empty = [file.path for file in files if file.form == "empty"]
    if len(empty) == len(files) and empty != [""]:
        reasons = (f"{_files(len(empty))} without a line, as of images without objects",)
        return [Candidate("yolo" if beside else "text", SURE, reasons, tuple(empty))]
    lists = [file for file in files if file.form == "list"]
    if lists and len(lists) + len(empty) == len(files):
        reason = f"its lines are a few words each: '{lists[0].first[:60]}'"
        return [Candidate("list", LIKELY, (reason,), tuple(file.path for file in lists), TRUTH)]
    return []


def _voc_results(own: Sequence[File], paths: tuple[str, ...], named: bool) -> Candidate:
    reasons = ["lines of an image, a score and four numbers"]
    if named:
        reasons.insert(0, f"{_files(len(own))} named as results of classes ({own[0].path.rpartition('/')[2]})")
    else:
        reasons.append(f"the first words are names of images ({own[0].lines[0].name})")
    return Candidate("voc-results", SURE if named else LIKELY, tuple(reasons), paths, DETECTIONS)


def _by_class(own: Sequence[File]) -> bool:
    """Whether first words are names of images: numbers with leading zeros, or many more of them than files."""
    words = [line.name for file in own for line in file.lines]
    padded = sum(_PADDED.fullmatch(word) is not None for word in words)
    return padded * 2 > len(words) or (len(own) > 1 and len(set(words)) > 10 * len(own))


def _imagenet(file: File, main: str, paths: tuple[str, ...]) -> Candidate | None:
    n = _share(len(file.lines), len(file.lines))
    if main == SEVEN and all(line.form == SEVEN for line in file.lines):
        return Candidate("imagenet-det", SURE, (f"7 numbers on {n}",), paths, DETECTIONS)
    groups = all(len(line.values) % 5 == 4 and line.form in (GROUPS, PIXELS) for line in file.lines)
    if groups and main != SEVEN:
        level = SURE if main == GROUPS else LIKELY
        return Candidate("imagenet-loc", level, (f"groups of 5 numbers on {n}",), paths, DETECTIONS)
    return None


def _widths(own: Sequence[File]) -> set[int]:
    """How many numbers the lines have after the first word."""
    return {len(line.values) for file in own for line in file.lines}


def _yolo(own: Sequence[File], paths: tuple[str, ...], beside: Sequence[str]) -> list[Candidate]:
    lines = [line for file in own for line in file.lines]
    fitting = [line for line in lines if line.form == SHARES]
    widths = sorted(_widths(own))
    how_many = f"{widths[0]}" if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"
    reasons = [f"a whole number and {how_many} normalized coordinates on {_share(len(fitting), len(lines))}"]
    reasons += [f"beside them: {', '.join(beside[:3])}"] if beside else []
    reasons += [f"{len(lines) - len(fitting):,} lines have values beyond -0.01 to 1.01"] * (len(fitting) < len(lines))
    clear = len(fitting) == len(lines) and (beside or widths != [5])  # text with four shares is the same boxes
    sides = DETECTIONS if widths[-1] in (5, 6) else BOTH  # a confidence, and perhaps a track number
    found = [Candidate("yolo", SURE if clear else LIKELY, tuple(reasons), paths, sides)]
    if set(widths) <= {4, 5}:
        same = "relative boxes with the confidence first" if widths[-1] == 5 else "the same numbers give the same boxes"
        found.append(Candidate("text", POSSIBLE, (same,), paths, DETECTIONS if widths[-1] == 5 else BOTH))
    return found


def _text(own: Sequence[File], paths: tuple[str, ...]) -> Candidate:
    lines = [line for file in own for line in file.lines]
    fitting = [line for line in lines if line.form in (NAMED, PIXELS, SHARES) and len(line.values) in (4, 5)]
    widths = _widths(own)
    numbers = "4 numbers" if widths == {4} else "5 numbers" if widths == {5} else "4 or 5 numbers"
    reasons = [f"a class and {numbers} on {_share(len(fitting), len(lines))}"]
    if (name := next((line.name for line in lines if line.form == NAMED), None)) is not None:
        reasons.append(f"classes are names ({name[:30]})")
    else:
        reasons.append("values are pixels")
    sides = TRUTH if widths == {4} else DETECTIONS if widths == {5} else BOTH
    return Candidate("text", SURE if len(fitting) == len(lines) else LIKELY, tuple(reasons), paths, sides)


def _share(fitting: int, lines: int) -> str:
    if lines == 1:
        return "its only line"
    return f"{'all' if fitting == lines else f'{fitting:,} of'} {lines:,} lines"


def _files(count: int) -> str:
    return f"{count:,} file{'s' * (count != 1)}"
