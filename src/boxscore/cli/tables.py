"""`--table METRICS` and `--table classes`: the table of a paper."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from boxscore import protocols
from boxscore.cli import options, output
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result

CLASSES = "classes"


class Wanted(NamedTuple):
    """A table that is asked for: which metrics, by class or by model, and how numbers are written."""

    metrics: tuple[str, ...]
    by_class: bool
    percent: bool
    decimals: int | None


def wanted(text: str | None, percent: bool, decimals: str | None, form: str) -> Wanted | None:
    """The table that the options ask for, if they do."""
    from boxscore.report.forms import TABLES

    if text is None:
        for option, given in (("--percent", percent), ("--decimals", decimals is not None)):
            if given:
                raise UsageError(f"{option} is for --table; expected --table METRICS too, such as --table AP,AP50,AP75")
        return None
    if form not in TABLES:
        raise UsageError(f"--table cannot be written as {form}; expected one of {', '.join(TABLES)}")
    first, *rest = names = protocols.listed(text)
    if not all(names):
        raise UsageError(f"--table {text}; expected metrics such as AP,AP50,AP75, or {CLASSES}")
    by_class = first.casefold() == CLASSES
    digits = None if decimals is None else min(options.count("--decimals", decimals), 17)
    return Wanted(tuple(rest if by_class else names), by_class, percent, digits)


def show(results: Sequence[Result], asked: Wanted, form: str, file: Path | None, quiet: bool) -> None:
    """Prints or writes the table; findings, which have no place in it, are told."""
    from boxscore.report.blocks import sources
    from boxscore.report.forms import page_written
    from boxscore.report.paper_table import Numerals, class_columns, model_table
    from boxscore.report.table import Page
    from boxscore.report.text import page_rich, page_text

    in_full = form == "csv" and asked.decimals is None
    numerals = Numerals(asked.percent) if in_full else Numerals.of(asked.percent, asked.decimals)
    table = (class_columns if asked.by_class else model_table)(results, asked.metrics, numerals)
    output.tell_findings(f for r in results for f in r.ledger.findings if f.severity != "note")
    if form != "table" or file is not None:
        output.deliver(page_written(Page((), table), form), file, quiet)
        return
    page = Page(sources(results), table)
    if output.coloured(sys.stdout):
        output.write_painted(page_rich(page, output.columns()))
    else:
        output.write(page_text(page, output.columns()))
