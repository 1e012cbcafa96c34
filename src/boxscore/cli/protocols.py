"""`boxscore protocols [NAME]`: all protocols, or every rule of one."""

from __future__ import annotations

from typing import Annotated

from boxscore.cli.codes import OK
from boxscore.cli.declared import Argument, Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.output import columns, one_of, write, write_bytes


def command(
    name: Annotated[
        str | None, Argument(metavar="[NAME]", help="A protocol or a group of protocols.", values="protocols")
    ] = None,
    form: Annotated[str, Option("--format", metavar="table|json", help="How to write it.", group=OUTPUT)] = "table",
) -> int:
    """List the protocols, or show every rule of one with its meaning and allowed values."""
    from boxscore import protocols
    from boxscore.report import rules

    one_of("format", form, ("table", "json"))
    some = list(protocols.REGISTRY.values()) if name is None else protocols.expand(name)
    if form == "json":
        write_bytes(rules.protocols_json(some))
    elif name is None:
        write(rules.protocol_list(columns()))
    else:
        write("\n".join(rules.protocol_text(p, columns()) for p in some))
    return OK
