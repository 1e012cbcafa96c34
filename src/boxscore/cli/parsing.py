"""From the words of a command line to the values that a command takes, and what is said where they make no sense."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from boxscore.cli import pascalvoc
from boxscore.cli.declared import Declared, Parameter
from boxscore.errors import UsageError, nearest

HELP = ("-h", "--help")


def parsed(command: Declared, words: Sequence[str], prog: str) -> dict[str, Any] | None:
    """The values by name; None if help is wanted. Options may stand anywhere; what follows `--` is no option."""
    end = words.index("--") if "--" in words else len(words)
    joined = _joined(command, words[:end], prog)
    try:
        values, rest = _parser(command).parse_known_args(joined)
    except argparse.ArgumentError as error:  # values of options are joined to them, so it can only be a switch
        name = max(str(error.argument_name).split("/"), key=len)
        raise _wrong(f"option '{name}' does not take a value", prog) from None
    for word in rest:
        if word.startswith("-") and word != "-":
            raise UsageError(pascalvoc.answer(words) or unknown_option(word.partition("=")[0], command.options, prog))
    given = vars(values)
    if given.pop("help"):
        return None
    return {**_placed(command, [*rest, *words[end + 1 :]], prog), **_options(command, given, prog)}


def unknown_option(name: str, known: Sequence[Parameter], prog: str) -> str:
    """What is said of an option that is not there."""
    near = nearest(name, [flag for option in known for flag in option.flags] + ["--help"])
    guess = f"; did you mean '{near}'?" if near else ""
    return f"unknown option '{name}'{guess} ('{prog} --help' lists all)"


def _parser(command: Declared) -> argparse.ArgumentParser:
    """Of the options alone: arguments are what is left, so that options may stand between them."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument(*HELP, action="store_true")
    for option in command.options:
        action = "store_true" if option.switch else "append" if option.many else "store"
        parser.add_argument(*option.flags, dest=option.name, action=action)
    return parser


def _joined(command: Declared, words: Sequence[str], prog: str) -> list[str]:
    """Each option in one word with its value: argparse refuses values that begin with a dash, as names may."""
    flags = {flag: option.flag for option in command.options if not option.switch for flag in option.flags}
    made, left = list[str](), iter(words)
    for word in left:
        if word not in flags:
            made.append(word)
            continue
        value = next(left, None)
        if value is None:
            raise _wrong(f"option '{word}' needs a value", prog)
        made.append(f"{flags[word]}={value}")
    return made


def _placed(command: Declared, words: list[str], prog: str) -> dict[str, Any]:
    """The arguments, each in its place; the last may take several words."""
    values: dict[str, Any] = {}
    for argument in command.arguments:
        if not words:
            if argument.required:
                raise _wrong(f"missing argument '{argument.metavar}'", prog)
            values[argument.name] = argument.default
        elif argument.many:
            values[argument.name], words = words, []
        else:
            values[argument.name], words = argument.made(words[0]), words[1:]
    if words:
        raise _wrong(f"unexpected argument{'s' * (len(words) > 1)} {', '.join(map(repr, words))}", prog)
    return values


def _options(command: Declared, given: dict[str, Any], prog: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for option in command.options:
        value = given[option.name]
        if value is None and option.required:
            raise _wrong(f"missing option '{option.flag}'", prog)
        made = value if option.switch or option.many or value is None else option.made(value)
        values[option.name] = option.default if value is None else made
    return values


def _wrong(text: str, prog: str) -> UsageError:
    return UsageError(f"{text} (see '{prog} --help')")
