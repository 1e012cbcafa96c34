"""Something that a user should know of the input."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something about the input that a user should know; `code` is stable."""

    code: str
    severity: str  # "note", "warning"; of the doctor's also "error"
    count: int
    text: str
