"""Results as workflow commands of GitHub Actions: annotations that a pull request shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boxscore.evaluation.result import Result
from boxscore.report.blocks import about
from boxscore.report.words import number, printable

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def as_github(results: Sequence[Result]) -> str:
    """A notice with the headline of each result, an error per gate that is not met, an annotation per finding."""
    return "".join(f"{line}\n" for line in dict.fromkeys(_lines(results)))


def _lines(results: Sequence[Result]) -> Iterator[str]:
    for r in results:
        headline = f"{r.headline} {number(r.metrics[r.headline])}"
        yield _command("notice", about(r), f"{headline} ({r.protocol.signature()}, boxscore {r.version})")
        for outcome in r.gates:
            if not outcome.met:
                yield _command("error", about(r), str(outcome))
        for finding in r.ledger.findings:
            yield _command(_LEVELS[finding.severity], f"boxscore {finding.code}", finding.text)


def _command(level: str, title: str, text: str) -> str:
    """A workflow command; what has a meaning in it is written as GitHub's runner reads it.

    >>> _command("error", "a, b", "100% at once")
    '::error title=a%2C b::100%25 at once'
    """
    name, value = (printable(part).replace("%", "%25").replace("\n", "%0A") for part in (title, text))
    return f"::{level} title={name.replace(':', '%3A').replace(',', '%2C')}::{value}"
