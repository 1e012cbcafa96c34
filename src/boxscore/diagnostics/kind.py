"""A kind of finding."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of finding; `text` has the places {count}, {detail}, and for the grammar {s}, {are}, {have}."""

    severity: str
    title: str
    text: str
    advice: str
