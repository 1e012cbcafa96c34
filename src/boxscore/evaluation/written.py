"""What a result can do besides telling its numbers: be written as a table of a paper, or to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast


class Written:
    """Something with tables of its own; what makes them is imported when one is asked for."""

    def to_latex(
        self, metrics: Sequence[str] | str | None = None, *, percent: bool = False, decimals: int | None = None
    ) -> str:
        """The result as LaTeX (booktabs): all of it, or a row of these metrics, or "classes" for a row per class."""
        return self._as("latex", metrics, percent, decimals)

    def to_markdown(
        self, metrics: Sequence[str] | str | None = None, *, percent: bool = False, decimals: int | None = None
    ) -> str:
        """The result as Markdown: all of it, or a row of these metrics, or "classes" for a row per class."""
        return self._as("md", metrics, percent, decimals)

    def save(self, path: str | Path) -> Path:
        """Writes the result to a file, in the form of its ending: .json (which `boxscore.load` reads), .csv, .md, …"""
        from boxscore.report.stored import save

        return save([cast(Any, self)], path)

    def _as(self, form: str, metrics: Sequence[str] | str | None, percent: bool, decimals: int | None) -> str:
        from boxscore.report.stored import as_table

        return as_table([cast(Any, self)], form, metrics, percent, decimals)
