"""The keywords with which public functions are told how to read: those of `ReadOptions`, as a user may give them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypedDict

from boxscore.formats.io.options import NAMES, ReadOptions

Path = str | os.PathLike[str]
ClassList = Sequence[str] | Mapping[int, str] | str | os.PathLike[str]  # names by number, or the path of a list


class ReadKeywords(TypedDict, total=False):
    """What each keyword takes; `ReadOptions` says what it means."""

    box: str | None
    truth_box: str | None
    detections_box: str | None
    coords: str | None
    truth_coords: str | None
    detections_coords: str | None
    relative_boxes: str | None
    image_size: tuple[float, float] | None
    classes: ClassList | None
    truth_classes: ClassList | None
    detections_classes: ClassList | None
    truth_columns: Sequence[str] | str | None
    detections_columns: Sequence[str] | str | None
    confidence: str | None
    rows: str | None
    split: str | None
    shapes: bool
    skip_invalid: bool
    threads: int
    tell: Callable[[int, int], None] | None
    truth_format: str | None
    detections_format: str | None
    image_labels: Path | None
    masks: Path | None
    hierarchy: Path | None
    label_map: Path | None
    blacklist: Path | None
    image_list: Path | None
    class_list: Path | None
    images: Path | None
    sizes: Path | None
    map_classes: Path | None


def parameters() -> tuple[inspect.Parameter, ...]:
    """The keywords as parameters of a function, with their types and defaults, for signatures that people read."""
    default = {f.name: f.default for f in fields(ReadOptions)}
    kinds = ReadKeywords.__annotations__
    return tuple(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default[name], annotation=_written(kinds[name]))
        for name in NAMES
    )


def options_from(reading: ReadKeywords, how: ReadOptions | None = None, **more: Any) -> ReadOptions:
    """The options that keywords state, on top of others if there are such."""
    stated: dict[str, Any] = {**reading, **more}
    return ReadOptions(**stated) if how is None else replace(how, **stated)


def _written(kind: object) -> str:
    """A type as it is written in this file."""
    return str(getattr(kind, "__forward_arg__", kind))


READING = parameters()
