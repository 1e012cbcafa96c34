"""Sequences of MOTChallenge: which files of a folder are read, what each sequence is called, what seqinfo.ini says."""

from __future__ import annotations

import configparser
import math
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from boxscore.errors import InputError
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.number_rows import text_of

INFO, LABELS = "seqinfo.ini", "labels.txt"
_GENERAL = ("gt", "det", "test", "hypothesis", "results")  # names of files and folders that are no sequence's own
_KIND = {"truth": "gt", "detections": "det"}
_ASIDE = (LABELS, "c.txt", "seqmaps.txt", "readme.txt", "requirements.txt")


@dataclass(frozen=True)
class Sequence:
    """A file with the boxes of one sequence, and what lies beside it."""

    name: str
    path: str  # below the folder that is read
    place: str
    width: float = math.nan
    height: float = math.nan
    frames: int = 0  # how many it is said to have
    labels: tuple[str, ...] = ()  # classes, where the folder lists them

    def key(self, frame: int) -> str:
        """What the image of a frame is called, as in the folders of the challenge."""
        return f"{self.name}/img1/{frame:06d}.jpg"


def sequences(files: Files, side: str) -> list[Sequence]:
    """The sequences of one side: gt.txt for ground truth and det.txt for detections where there are such files."""
    texts = [""] if files.is_file else [path for path in files.called(".txt") if _base(path) not in _ASIDE]
    own, other = _KIND[side], _KIND["detections" if side == "truth" else "truth"]
    chosen = [path for path in texts if _base(path) == f"{own}.txt"] if not files.is_file else texts
    chosen = chosen or [path for path in texts if _base(path) != f"{other}.txt"] or texts
    if not chosen:
        raise none_of(files, ".txt files", "gt.txt, det.txt or a file per sequence")
    found = [_sequence(files, path) for path in chosen]
    names: dict[str, str] = {}
    for one in found:
        if one.name in names:
            where = f"{names[one.name]} and {one.place}"
            raise InputError(files.name, f"{where} are both of the sequence '{one.name}'", "one file per sequence")
        names[one.name] = one.place
    return found


def _base(path: str) -> str:
    return path.rpartition("/")[2].lower()


def _sequence(files: Files, path: str) -> Sequence:
    info = _info(files, path)
    place = files.place(path)
    section = info["Sequence"] if info is not None and info.has_section("Sequence") else None

    def stated(key: str) -> float:
        text = section.get(key, "") if section is not None else ""
        return float(text) if text.strip().isdecimal() and int(text) > 0 else math.nan

    frames = stated("seqLength")
    labels = _beside(files, path, (LABELS,))
    names = () if labels is None else tuple(line.strip() for line in labels.splitlines() if line.strip())
    return Sequence(
        _name(files, path), path, place, stated("imWidth"), stated("imHeight"),
        0 if math.isnan(frames) else int(frames), names,
    )  # fmt: skip


def _name(files: Files, path: str) -> str:
    """The name of a sequence: of the first folder above, or the file itself, that is not called as all are."""
    for part in _parts(files, path):
        name = part.rpartition(".")[0] if part.lower().endswith(".txt") else part
        if name.lower() not in _GENERAL:
            return name
    return "sequence"


def _parts(files: Files, path: str) -> list[str]:
    """The file and the folders around it, from the inside out."""
    if files.root is not None:
        return list(reversed((files.root / path).resolve().parts[1:]))
    inside = path or files.name.replace("\\", "/").rpartition(":")[2]
    return [part for part in reversed(PurePosixPath(inside).parts) if part not in ("/", ".", "-")]


def _info(files: Files, path: str) -> configparser.ConfigParser | None:
    text = _beside(files, path, (INFO, f"../{INFO}"))
    if text is None:
        return None
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None  # nothing but sizes and a length would be taken from it
    return parser


def _beside(files: Files, path: str, names: tuple[str, ...]) -> str | None:
    """The text of the first of some files that is there, by its place relative to the folder of another."""
    for name in names:
        if files.is_file:
            if files.root is not None and (file := Path(files.root).resolve().parent / name).is_file():
                return file.read_text(encoding="utf-8", errors="replace")
        else:
            folder = PurePosixPath(path).parent
            other = folder.parent / name[3:] if name.startswith("../") else folder / name
            if str(other) in files.paths:
                return text_of(files, str(other))
    return None
