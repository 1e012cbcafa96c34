"""How YOLO's label files are recognised: a whole number and normalized coordinates on every line."""

from __future__ import annotations

from boxscore.formats.content import (
    EMPTY,
    SHARES,
    Candidate,
    LineForm,
    TextLook,
    Texts,
    Values,
    Words,
    counted,
    on_lines,
)  # fmt: skip
from boxscore.formats.record import BOTH, DETECTIONS, LIKELY, SURE
from boxscore.formats.yolo.questions import questions

_BESIDE = ("data.yaml", "data.yml", "obj.data", "classes.txt", "_darknet.labels")


def _row(line: Words) -> tuple[str, Values] | None:
    first, *values = line.numbers
    return (line.words[0], tuple(values)) if first == int(first) and first >= 0 and _are_shares(values) else None


def _are_shares(values: list[float]) -> bool:
    """Whether values are relative: all near 0 to 1, but for a track number at the end and the visibility of joints."""
    if len(values) in (6, 10) and values[-1] == int(values[-1]) and values[-1] > 1:
        values = values[:-1]
    joints = len(values) >= 9
    return all(-0.01 <= value <= 1.01 or (joints and i >= 4 and value == 2) for i, value in enumerate(values))


def _judge(texts: Texts) -> list[Candidate]:
    beside = _beside(texts.everything) if texts.folder else []
    if not texts.main and beside and texts.files and all(file.form == EMPTY for file in texts.files):
        reason = f"{counted(len(texts.files))} without a line, as of images without objects"
        return [Candidate("yolo", SURE, (reason,), tuple(file.path for file in texts.files))]
    if texts.main != SHARES:
        return []
    lines, widths = texts.lines, sorted(texts.widths)
    fitting = [line for line in lines if line.form == SHARES]
    how_many = f"{widths[0]}" if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"
    reasons = [f"a whole number and {how_many} normalized coordinates on {on_lines(len(fitting), len(lines))}"]
    reasons += [f"beside them: {', '.join(beside[:3])}"] if beside else []
    reasons += [f"{len(lines) - len(fitting):,} lines have values beyond -0.01 to 1.01"] * (len(fitting) < len(lines))
    clear = len(fitting) == len(lines) and (beside or widths != [5])  # text with four shares is the same boxes
    sides = DETECTIONS if widths[-1] in (5, 6) else BOTH  # a confidence, and perhaps a track number
    return [Candidate("yolo", SURE if clear else LIKELY, tuple(reasons), texts.paths, sides)]


def _beside(paths: tuple[str, ...]) -> list[str]:
    """Files and folders that tools of YOLO make."""
    names = [path for path in paths if path.rpartition("/")[2].lower() in _BESIDE or path.endswith(".names")]
    folders = {part for path in paths for part in path.split("/")[:-1]}
    return names + ["a folder labels"] * ("labels" in folders and "images" in folders)


LOOK = TextLook(
    forms=(LineForm(SHARES, read=_row, shared=True, called="normalized coordinates"),),
    judge=_judge,
    why_not="not every line is a whole number and normalized coordinates",
    fitting=(SHARES,),
    questions=questions,
)
