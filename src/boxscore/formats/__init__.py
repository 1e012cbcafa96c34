"""Reading of both sides: paths by format, tables as they are, arrays through `arrays`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boxscore.errors import InputError
from boxscore.formats import arrays, coco, text
from boxscore.formats.reading import Reading
from boxscore.formats.source import open_source
from boxscore.ledger import Finding
from boxscore.model import Detections, Truth

__all__ = ["Reading", "read_detections", "read_truth"]


def read_truth(side: Any, how: Reading | None = None) -> tuple[Truth, list[Finding]]:
    """The truth behind a path, a table or arrays, and what is odd about it."""
    how = how or Reading()
    if isinstance(side, Truth):
        return side, []
    if isinstance(side, (str, os.PathLike)):
        if _is_folder(side):
            return text.read_truth(Path(side), how)
        return coco.read_truth(open_source(side), how.threads)
    if isinstance(side, (Mapping, Sequence)):
        return arrays.read_truth(side, how)
    raise InputError("truth", f"a {type(side).__name__}", _EXPECTED)


def read_detections(
    side: Any, how: Reading | None = None, truth: Truth | None = None
) -> tuple[Detections, list[Finding]]:
    """The detections behind a path, a table or arrays, and what is odd about them.

    `truth` is a help, not a condition: with it, images and classes that are all its own are joined at once.
    """
    how = how or Reading()
    if isinstance(side, Detections):
        return side, []
    if isinstance(side, (str, os.PathLike)):
        if _is_folder(side):
            return text.read_detections(Path(side), how)
        return coco.read_results(open_source(side), truth, how.threads)
    if isinstance(side, (Mapping, Sequence)):
        return arrays.read_detections(side, how, truth)
    raise InputError("detections", f"a {type(side).__name__}", _EXPECTED)


_EXPECTED = "a path, a table, a mapping of columns, or a list with one mapping per image"


def _is_folder(side: str | os.PathLike[str]) -> bool:
    return os.fspath(side) != "-" and Path(side).is_dir()
