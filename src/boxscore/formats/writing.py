"""Writing of tables: the files that a format makes of one, put where they belong at once or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from boxscore.errors import InputError, UsageError
from boxscore.formats.reading import BOXES
from boxscore.formats.registry import BY_NAME, FORMATS
from boxscore.model import Detections, Truth

Made = Iterable[tuple[str, bytes]]  # relative path and content of each file; the path of a single file is ""


@dataclass(frozen=True)
class Writing:
    """What the user states about the output; None for what is usual in the format."""

    box: str | None = None  # xywh, xyxy or cxcywh, where the format leaves it open
    coords: str | None = None  # absolute or relative, likewise
    confidence: str | None = None  # first or last, likewise
    split: str | None = None  # the name of the split, where the format has splits

    def __post_init__(self) -> None:
        known = {"box": BOXES, "coords": ("absolute", "relative"), "confidence": ("first", "last")}
        for name, values in known.items():
            value = getattr(self, name)
            if value is not None and value not in values:
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(values)}")


def made(table: Truth | Detections, form: str, how: Writing | None = None) -> Made:
    """The files of a table in a format, one after the other."""
    side = "truth" if isinstance(table, Truth) else "detections"
    able = [f.name for f in FORMATS if (f.write_truth if side == "truth" else f.write_detections)]
    if form not in able:
        raise UsageError(f"{form!r} is no format that {side} can be written in; expected one of {', '.join(able)}")
    files: Made = BY_NAME[form].writer(side)(table, how or Writing())
    return files


def write(
    table: Truth | Detections, path: str | os.PathLike[str], form: str, how: Writing | None = None,
    overwrite: bool = False,
) -> None:  # fmt: skip
    """Writes a table; nothing is at the path before everything is, and nothing there is replaced unasked."""
    target = Path(path)
    if target.exists() and not overwrite:
        raise InputError(str(target), "it is there already", "a new path, or overwrite")
    write_files(made(table, form, how), target)


def write_files(files: Made, target: Path) -> int:
    """Writes files to a path, all of them or none, and returns how many; what was there before goes when they are."""
    if not target.absolute().parent.is_dir():
        raise InputError(str(target.parent), "no such folder", "a folder to write into")
    count = 0
    with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=f".{target.name}.") as where:
        whole = Path(where) / "made"
        try:
            for name, content in files:
                if "\0" in name:
                    raise InputError(str(target), f"the file name {name!r}", "names without the character NUL")
                file = whole / name if name else whole
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("xb") as opened:
                    opened.write(content)
                count += 1
            if count and target.is_dir() and not target.is_symlink():
                shutil.move(target, Path(where) / "before")
            if count:
                whole.replace(target)
        except FileExistsError:
            found = f"two images whose file would be '{name}'"
            raise InputError(str(target), found, "a name of its own for each image") from None
        except OSError as error:
            raise InputError(str(target), f"cannot be written ({error.strerror})") from None
    return count
