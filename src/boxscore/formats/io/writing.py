"""Writing of tables: the files that a format makes of one, put where they belong at once or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from boxscore.errors import UsageError
from boxscore.formats.io.options import BOXES
from boxscore.formats.io.placing import Made as Made
from boxscore.formats.io.placing import place
from boxscore.formats.registry import formats, lookup
from boxscore.tables.arguments import checked
from boxscore.tables.model import TABLE, Detections, Truth


@dataclass(frozen=True)
class Writing:
    """What the user states about the output; None for what is usual in the format."""

    box: str | None = None  # xywh, xyxy or cxcywh, where the format leaves it open
    coords: str | None = None  # absolute or relative, likewise
    confidence: str | None = None  # first or last, likewise
    split: str | None = None  # the name of the split, where the format has splits
    rows: str | None = None  # box, polygon or pose, where the format has one of them
    as_read: str = ""  # what a table that is written back was called when it was read

    def __post_init__(self) -> None:
        known = {"box": BOXES, "coords": ("absolute", "relative"), "confidence": ("first", "last")}
        known["rows"] = ("box", "polygon", "pose")
        for name, values in known.items():
            value = getattr(self, name)
            if value is not None and value not in values:
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(values)}")


def made(table: Truth | Detections, form: str, how: Writing | None = None) -> Made:
    """The files of a table in a format, one after the other."""
    side = "truth" if isinstance(table, Truth) else "detections"
    able = [f.name for f in formats() if (f.write_truth if side == "truth" else f.write_detections)]
    if form not in able:
        raise UsageError(f"{form!r} is no format that {side} can be written in; expected one of {', '.join(able)}")
    if table.end_boxes is not None and "relations" not in lookup(form).keeps:  # `losses` says so
        table = replace(table, end_boxes=None, end_labels=None, end_classes=None)
        if isinstance(table, Truth):
            table = replace(table, labels=None)  # they are of subjects and objects, which are gone
    files: Made = lookup(form).writer(side)(table, how or Writing())
    return files


@checked(table=TABLE)
def write(
    table: Truth | Detections, path: str | os.PathLike[str], form: str, how: Writing | None = None,
    overwrite: bool = False,
) -> None:  # fmt: skip
    """Writes a table; nothing is at the path before everything is, and nothing there is replaced unasked.

    With `overwrite`, a file or the files of a folder are replaced, of the latter only if it holds nothing else.
    """
    place(made(table, form, how), Path(path), overwrite)
