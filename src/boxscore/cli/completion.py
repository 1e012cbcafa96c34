"""`boxscore completion SHELL`: what makes a shell complete commands, options and names."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

from boxscore.cli import shells
from boxscore.cli.codes import OK
from boxscore.cli.commands import COMMANDS
from boxscore.cli.declared import Argument, declared
from boxscore.cli.output import one_of
from boxscore.cli.stdout import write

SHELLS = {"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish}


def command(
    shell: Annotated[str, Argument("SHELL", "bash, zsh or fish.", "bash|zsh|fish")],
) -> int:
    """Print what makes a shell complete commands, options, and the names of protocols, metrics and formats.

    The names are those of this version: print it again after an update.
    """
    made = SHELLS[one_of("shell", shell, tuple(SHELLS))]
    write(made(_commands()))
    return OK


def _commands() -> list[shells.Completed]:
    names = _names()
    made = []
    for name, (module, text) in COMMANDS.items():
        takes = declared(import_module(f"boxscore.cli.{module}").command)
        options = tuple(
            shells.Offered(o.flags, o.metavar, o.help, _values(o.values or o.metavar, names), o.many)
            for o in takes.options
        )
        values = next((_values(a.values, names) for a in takes.arguments if a.values), ())
        made.append(shells.Completed(name, text, options, values))
    return made


def _values(text: str, names: dict[str, Sequence[str]]) -> tuple[str, ...]:
    """What can stand there: a list of names, or words that are listed in place; nothing where it may be anything."""
    if text in names:
        return tuple(names[text])
    return tuple(text.split("|")) if "|" in text else ()


def _names() -> dict[str, Sequence[str]]:
    """The lists that options refer to."""
    from boxscore import metrics, protocols
    from boxscore.formats.registry import formats, names
    from boxscore.metrics import summary
    from boxscore.report import meanings
    from boxscore.report.figures import KINDS

    short = [row.name for p in protocols.REGISTRY.values() for row in summary.rows(p)]
    known = list(dict.fromkeys([*short, *metrics.REGISTRY]))
    every = [*protocols.names(), *protocols.GROUPS]
    return {
        "protocols": every,
        "metrics": known,
        "tables": ["classes", *known],
        "rules": list(dict.fromkeys(rule.name for rule in meanings.every())),
        "figures": list(KINDS),
        "truth-formats": names("truth"),
        "detections-formats": names("detections"),
        "written-formats": [form.name for form in formats() if form.write_truth or form.write_detections],
    }
