"""COCO values that somebody has in memory: usual ones straight into columns, others by way of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from boxscore import _core
from boxscore.errors import InputError
from boxscore.formats.io.source import Source, layout_of


@dataclass(frozen=True)
class Values(Source):
    """What a COCO file would hold, as Python values."""

    value: Any = field(default=None, compare=False)

    def bytes(self) -> bytes:
        """The JSON of a file; InputError where it cannot be written so."""
        try:
            return json.dumps(self.value, default=_plain).encode()
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            found = f"values that JSON cannot hold ({error})"
            raise InputError(self.name, found, "the content of a COCO file") from None

    def first_character(self) -> str:
        """As of the JSON."""
        return "{" if isinstance(self.value, Mapping) else "["

    def beginning(self) -> str:
        """As of the JSON: of a list, its first record."""
        value = self.value
        return "{" if isinstance(value, Mapping) else json.dumps([list(value[0])] if len(value) else [])

    def json_columns(
        self, layout: dict[str, dict[str, str]], main: int, threads: int = 0
    ) -> dict[str, dict[str, Any]] | None:
        """The columns of lists of records; where they are not as usual, those of the JSON."""
        value = self.value
        lists = [value if name == "" else value.get(name) for name in layout]
        if all(_is_list(one) for one in lists):
            columns = _core.value_columns(lists, layout_of(layout), np.floating)
            if columns is not None:
                return cast("dict[str, dict[str, Any]]", columns)
        return Source(self.name, None, self.bytes()).json_columns(layout, main, threads)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):  # as pycocotools encodes masks
        return value.decode("utf-8", "replace")
    return dict(value) if isinstance(value, Mapping) else value.tolist()
