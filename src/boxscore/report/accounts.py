"""The ledger of a report: a line for each side, or every row of the account."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boxscore.evaluation.ledger import FATES, Account
from boxscore.evaluation.result import Result
from boxscore.report.table import Heads, Row, Table
from boxscore.report.words import merged

EACH = "--ledger shows each"
_SIGNS = {"evaluated": "=", "added": "-"}
_OF: dict[str, Callable[[Result], Account]] = {
    "objects": lambda result: result.ledger.objects,
    "detections": lambda result: result.ledger.detections,
}


def ledger_lines(results: Sequence[Result]) -> tuple[str, ...]:
    """Where the boxes of each side went, in a line; of different accounts it says from where to where they go."""
    return tuple(_side(what, list(dict.fromkeys(map(account, results)))) for what, account in _OF.items())


def _side(what: str, accounts: Sequence[Account]) -> str:
    words = _words(what, accounts)
    return f"{words} ({EACH})" if len(accounts) > 1 else words


def _words(what: str, accounts: Sequence[Account]) -> str:
    """An account as a sentence, or several of them as one with ranges.

    >>> from boxscore.evaluation.ledger import Entry
    >>> one = Account("objects", 5, (Entry("evaluated", "", 4), Entry("ignored", "crowd", 1)))
    >>> _words("objects", [one]), _words("objects", [one, Account("objects", 3, (Entry("evaluated", "", 3),))])
    ('5 objects: 4 evaluated, 1 ignored (crowd)', '3 to 5 objects: 3 to 4 evaluated, 0 to 1 ignored (crowd)')
    """
    counts, kinds = _counts(accounts)
    parts = {kind: span([c.get(kind, 0) for c in counts]) for kind in kinds}
    added = "".join(f" + {many} added ({reason})" for (fate, reason), many in parts.items() if fate == "added")
    gone = [
        f"{many} {fate}{f' ({reason})' if reason else ''}" for (fate, reason), many in parts.items() if fate != "added"
    ]
    return f"{span([a.read for a in accounts])} {what}{added}: {', '.join(gone)}"


def span(counts: Sequence[int]) -> str:
    """From the least to the most.

    >>> span([1200, 7]), span([3, 3])
    ('7 to 1,200', '3')
    """
    least, most = min(counts), max(counts)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def ledger_table(results: Sequence[Result], heads: Heads) -> Table:
    """Every row of the accounts of images, objects and detections."""
    images = [r.ledger.images for r in results]
    rows = [
        Row("Images in truth", tuple(f"{i.truth:,}" for i in images)),
        Row("Images in detections", tuple(f"{i.detections:,}" for i in images)),
        Row("in both", tuple(f"{i.matched:,}" for i in images), indent=1),
        Row("only in truth", tuple(f"{i.only_truth:,}" for i in images), indent=1),
        Row("only in detections", tuple(f"{i.only_detections:,}" for i in images), indent=1),
    ]
    for what, account in _OF.items():
        rows += _account(f"{what.capitalize()} read", [account(r) for r in results])
    if any(r.ledger.tied for r in results):
        rows.append(Row("of these, tied scores (same class)", tuple(f"{r.ledger.tied:,}" for r in results)))
    return Table("Ledger", heads, tuple(rows))


def _account(title: str, accounts: Sequence[Account]) -> list[Row]:
    """read = evaluated + ignored + dropped + rejected - added, one row each."""
    counts, kinds = _counts(accounts)
    rows = [Row(title, tuple(f"{a.read:,}" for a in accounts))]
    for fate, reason in kinds:
        label = f"{_SIGNS.get(fate, '+')} {fate}{f': {reason}' if reason else ''}"
        rows.append(Row(label, tuple(f"{c.get((fate, reason), 0):,}" for c in counts), indent=1))
    return rows


def _counts(accounts: Sequence[Account]) -> tuple[list[dict[tuple[str, str], int]], list[tuple[str, str]]]:
    """How many had each fate and reason in each account, and all fates and reasons in their order."""
    counts = [{(row.fate, row.reason): row.count for row in a.rows} for a in accounts]
    kinds = merged([list(c) for c in counts])
    return counts, sorted(kinds, key=lambda kind: (kind[0] == "added", FATES.index(kind[0])))
