"""`boxscore eval --sequences`: a table of videos instead of the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boxscore.cli import output
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result

FORMATS = ("table", "json", "csv", "md")
NEEDS = ("tubes",)  # so that videos are read


def check(form: str, table: bool) -> None:
    """Refuses formats that have no table of videos, and two tables at once."""
    if table:
        raise UsageError("--sequences and --table; expected one of them")
    if form not in FORMATS:
        raise UsageError(f"--sequences with --format {form}; expected one of {', '.join(FORMATS)}")


def show(results: Sequence[Result], form: str, file: Path | None, quiet: bool) -> None:
    """The table of every result, and the findings, which it has no place for."""
    from boxscore.report import sequences

    some = [(result, result.sequences()) for result in results]
    if form != "json":
        output.tell_findings(f for r in results for f in r.ledger.findings)
    if form == "table" and file is None:
        output.write(sequences.as_text(some, output.columns()))
        return
    made = {"json": sequences.as_json, "csv": sequences.as_csv, "md": sequences.as_markdown}.get(form)
    output.deliver(sequences.as_text(some, output.columns()) if made is None else made(some), file, quiet)
