"""Tables and plots in a folder, as the 2021 window saves them: whole or not at all, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from starlette.exceptions import HTTPException

from boxscore.errors import BoxscoreError
from boxscore.evaluation.result import Result
from boxscore.formats.io.placing import place
from boxscore.report.csv import as_csv
from boxscore.report.json import dumps


def save(results: Sequence[Result], folder: Path, plots: bool) -> int:
    """Writes results.json, results.csv and, if asked for, the figures of every result; returns how many files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise HTTPException(409, "this folder is not empty; expected a new or empty one (nothing is overwritten)")
    if not folder.parent.is_dir():
        raise HTTPException(404, "there is no folder to make it in")
    try:
        return place(_files(results, plots), folder, overwrite=True)
    except BoxscoreError as error:
        raise HTTPException(400, str(error)) from None


def _files(results: Sequence[Result], plots: bool) -> Iterator[tuple[str, bytes]]:
    yield "results.json", dumps(results).encode("utf-8", "backslashreplace")
    yield "results.csv", as_csv(results).encode("utf-8", "backslashreplace")
    if not plots:
        return
    from boxscore.report.figures import need_matplotlib

    need_matplotlib()
    from boxscore.report.figures.everything import files

    for path, content in files(results):
        yield f"plots/{path}", content
