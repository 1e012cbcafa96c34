"""Pages of help, from what commands declare."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from textwrap import wrap

from boxscore.cli.groups import GROUPS, OUTPUT

TYPE_CHECKING = False  # as that of `typing`, which takes longer to import than a page to make
if TYPE_CHECKING:
    from boxscore.cli.declared import Declared, Parameter

USUAL, WIDEST = 80, 120  # columns where there is no terminal, and those of a line that is still easy to read
_LEFT = 30  # of the left column; what is longer has a line of its own
HELP = ("-h, --help", "Show this message and exit.")


def page(
    usage: str,
    text: str,
    sections: Iterable[tuple[str, Sequence[tuple[str, str]]]],
    examples: Sequence[tuple[str, str]] = (),
) -> str:
    """Usage, paragraphs, examples, and a table of two columns under each title; without rows, no title."""
    width = _width()
    paragraphs = ("\n".join(_wrapped(part, width, "  ")) for part in text.split("\n\n"))
    tables = (f"{title}:\n{_table(rows, width)}" for title, rows in sections if rows)
    return "\n\n".join([f"Usage: {usage}", *paragraphs, *_examples(examples, width), *tables]) + "\n"


def _examples(examples: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Command lines, each with what it does above it: in one piece, to be copied."""
    lines = [line for what, command in examples for line in (*_wrapped(f"# {what}", width, "  "), f"  {command}")]
    return ["\n".join(["Examples:", *lines])] if lines else []


def of_command(prog: str, command: Declared, examples: Sequence[tuple[str, str]] = ()) -> str:
    """The help of a command: options in groups, the most used first."""
    usage = " ".join([prog, "[OPTIONS]", *map(_place, command.arguments)])
    arguments = [(a.metavar, _meaning(a)) for a in command.arguments]
    groups = {group: [(_named(o), _meaning(o)) for o in command.options if o.group == group] for group in GROUPS}
    groups[OUTPUT].append(HELP)
    return page(usage, command.text, [("Arguments", arguments), *groups.items()], examples)


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
        columns = 0
    return max(min(columns or USUAL, WIDEST) - 2, 50)
