"""Results in files, and read back; tables of results as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boxscore import protocols
from boxscore.errors import InputError, UsageError
from boxscore.evaluation.result import Result
from boxscore.formats.io.placing import place
from boxscore.report import forms
from boxscore.report.json import from_document
from boxscore.report.paper_table import Numerals, class_columns, model_table
from boxscore.report.table import Page
from boxscore.tables.arguments import PATH, checked

CLASSES = "classes"


@checked(path=PATH)
def load(path: str | Path) -> Result:
    """The result in a JSON file, as `Result.save` and `boxscore eval -o` write it: the numbers, not what made them."""
    results = load_many(path)
    if len(results) != 1:
        raise InputError(str(path), f"{len(results)} results", "one", "`boxscore.load_many` reads any number.")
    return results[0]


@checked(path=PATH)
def load_many(path: str | Path) -> list[Result]:
    """All results in a JSON file that `boxscore eval` has written."""
    try:
        document: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(str(path), f"not JSON ({error})", "a file that `Result.save` has written") from None
    try:
        return from_document(document)
    except InputError as error:
        raise InputError(str(path), error.actual, error.expected, error.hint) from None


def save(results: Sequence[Result], path: str | Path) -> Path:
    """Writes results to a file that is there whole or not at all."""
    target = Path(path)
    content = forms.written(results, forms.by_ending(target, forms.RESULTS), all_classes=True)
    place([("", content.encode("utf-8", "backslashreplace"))], target, overwrite=True)
    return target


def as_table(
    results: Sequence[Result], form: str, metrics: Sequence[str] | str | None, percent: bool, decimals: int | None
) -> str:
    """Whole results, or a table of some metrics, in one of the forms."""
    if metrics is None:
        if percent or decimals is not None:
            raise UsageError("percent and decimals are for tables of metrics; expected metrics too, such as 'AP,AP50'")
        return forms.written(results, form, all_classes=True)
    names = protocols.listed(metrics) if isinstance(metrics, str) else list(metrics)
    by_class = names[:1] == [CLASSES]
    numerals = Numerals.of(percent, decimals)
    table = (class_columns if by_class else model_table)(results, names[by_class:], numerals)
    return forms.page_written(Page((), table), form)
