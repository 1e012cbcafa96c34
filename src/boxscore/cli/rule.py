"""`boxscore rule NAME`: what a code, metric, metric key, protocol field or protocol means."""

from __future__ import annotations

from typing import Annotated

from boxscore.cli.codes import OK
from boxscore.cli.declared import Argument
from boxscore.cli.output import columns, write


def command(
    name: Annotated[
        str | None, Argument(metavar="[NAME]", help="A code, metric, key, field or protocol; none lists all.")
    ] = None,
) -> int:
    """Explain a code, a metric, a metric key, a protocol field or a protocol."""
    from boxscore.report import meanings
    from boxscore.report.rules import rule_list, rule_text

    write(rule_list(columns()) if name is None else rule_text(meanings.find(name), columns()))
    return OK
