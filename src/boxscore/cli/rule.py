"""`boxscore rule WORDS`: what a code, metric, key, field or protocol means, or which one it could be."""

from __future__ import annotations

from typing import Annotated

from boxscore.cli.codes import OK
from boxscore.cli.declared import Argument
from boxscore.cli.output import columns, write
from boxscore.errors import UsageError


def command(
    words: Annotated[
        list[str] | None,
        Argument(
            metavar="[WORDS]",
            help="A code, metric, key, field or protocol, or words to search for; none lists all.",
            values="rules",
        ),
    ] = None,
) -> int:
    """Explain a code, a metric, a metric key, a protocol field or a protocol; or find one by words."""
    from boxscore.report import meanings
    from boxscore.report.rules import found_text, rule_list, rule_text

    if not words:
        write(rule_list(columns()))
        return OK
    try:
        write(rule_text(meanings.find(" ".join(words)), columns()))
    except UsageError:
        found = meanings.search(words)
        if not found:
            raise
        write(rule_text(found, columns()) if len(found) == 1 else found_text(words, found, columns()))
    return OK
