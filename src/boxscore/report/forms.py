"""The forms that results are written in, by name and by the ending of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import PurePath

from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.report.table import Page

ENDINGS = {
    "txt": "table", "json": "json", "csv": "csv", "md": "md", "markdown": "md", "html": "html", "htm": "html",
    "tex": "latex", "xml": "junit", "yaml": "yaml", "yml": "yaml",
}  # fmt: skip
RESULTS = ("table", "json", "csv", "md", "html", "latex", "github", "junit")
TABLES = ("table", "csv", "md", "html", "latex")  # of a single table
TITLE = "boxscore"


def by_ending(path: str | PurePath, known: Sequence[str], option: str = "") -> str:
    """The form that the ending of a file's name stands for.

    >>> by_ending("results/a.tex", RESULTS)
    'latex'
    """
    ending = PurePath(path).suffix.lower()
    form = ENDINGS.get(ending.removeprefix("."))
    if form is None or form not in known:
        what = f"unknown ending '{ending}'" if ending else "no ending"
        allowed = ", ".join(f".{name}" for name, form in ENDINGS.items() if form in known)
        stated = ", or state --format" if option else ""
        raise UsageError(f"{option}{path}: {what}; expected {allowed}{stated}")
    return form


def _of(module: str, function: str) -> Callable[..., str]:
    """A function by its place: whoever writes one form need not wait for the others."""
    made: Callable[..., str] = getattr(import_module(f"boxscore.report.{module}"), function)
    return made


def written(results: Sequence[Result], form: str, all_classes: bool = False, ledger: bool = False) -> str:
    """Whole results in one of the forms."""
    if form == "html":
        return _of("html", "document")(TITLE, _of("html", "as_html")(results))
    if form in _PLAIN:
        return _of(*_PLAIN[form])(results)
    if form == "latex":
        return _of("latex", "as_latex")(results, all_classes)
    return _of(*_WITH_LEDGER[form])(results, all_classes=all_classes, ledger=ledger)


_PLAIN = {
    "json": ("json", "dumps"), "csv": ("csv", "as_csv"), "github": ("github", "as_github"),
    "junit": ("junit", "as_junit"),
}  # fmt: skip
_WITH_LEDGER = {"md": ("markdown", "as_markdown"), "table": ("text", "as_text")}
_PAGES = {"md": ("markdown", "page_markdown"), "table": ("text", "page_text"), "latex": ("latex", "page_latex")}


def page_written(page: Page, form: str) -> str:
    """A single table in one of the forms."""
    if form == "html":
        return _of("html", "document")(TITLE, _of("html", "page_html")(page))
    if form == "csv":
        return _of("csv", "table_csv")(page.table)
    return _of(*_PAGES[form])(page)
