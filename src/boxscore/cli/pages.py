"""Pages of help, from what commands declare."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from textwrap import wrap

TYPE_CHECKING = False  # as that of `typing`, which takes longer to import than a page to make
if TYPE_CHECKING:
    from boxscore.cli.declared import Declared, Parameter

WIDEST = 78  # characters of a line
_LEFT = 30  # of the left column; what is longer has a line of its own
HELP = ("-h, --help", "Show this message and exit.")


def page(usage: str, text: str, sections: Iterable[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    """Usage, paragraphs, and a table of two columns under each title; without rows, no title."""
    width = _width()
    paragraphs = ("\n".join(_wrapped(part, width, "  ")) for part in text.split("\n\n"))
    tables = (f"{title}:\n{_table(rows, width)}" for title, rows in sections if rows)
    return "\n\n".join([f"Usage: {usage}", *paragraphs, *tables]) + "\n"


def of_command(prog: str, command: Declared) -> str:
    """The help of a command."""
    usage = " ".join([prog, "[OPTIONS]", *map(_place, command.arguments)])
    arguments = [(a.metavar, _meaning(a)) for a in command.arguments]
    options = [(_named(o), _meaning(o)) for o in command.options]
    return page(usage, command.text, [("Arguments", arguments), ("Options", [*options, HELP])])


def _place(argument: Parameter) -> str:
    """An argument in the line of usage."""
    name = argument.metavar if not argument.many or argument.metavar.endswith("…") else f"{argument.metavar}..."
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _named(option: Parameter) -> str:
    flags = ", ".join(sorted(option.flags, key=len))
    return flags if option.switch else f"{flags} {option.metavar}"


def _meaning(parameter: Parameter) -> str:
    """What a parameter means, and what holds without it; a default that needs words is in the help itself."""
    if parameter.required:
        return f"{parameter.help}  [required]"
    stated = isinstance(parameter.default, str)
    return f"{parameter.help}  [default: {parameter.default}]" if stated else parameter.help


def _table(rows: Sequence[tuple[str, str]], width: int) -> str:
    column = min(max(len(left) for left, _ in rows), _LEFT) + 2
    lines = list[str]()
    for left, text in rows:
        first, *more = _wrapped(text, width, " " * (column + 2))
        if len(left) <= column - 2:
            first = f"  {left:{column}}{first.lstrip()}"
        else:
            lines.append(f"  {left}")
        lines += [first, *more]
    return "\n".join(lines)


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return wrap(" ".join(text.split("\n")), width, initial_indent=indent, subsequent_indent=indent)


def _width() -> int:
    """The width of the terminal, but no more than is easy to read; `shutil` takes milliseconds to be there."""
    try:
        columns = int(os.environ.get("COLUMNS", "")) if os.environ.get("COLUMNS") else 0
        columns = columns or os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):  # not a terminal, or not a number
        columns = WIDEST + 2
    return max(min(columns - 2, WIDEST), 50)
