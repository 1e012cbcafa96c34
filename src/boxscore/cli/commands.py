"""The commands: a table of names and modules, which are imported when they are called."""

from __future__ import annotations

from collections.abc import Sequence

from boxscore import __version__
from boxscore.cli.codes import OK
from boxscore.cli.stdout import write
from boxscore.errors import UsageError, nearest

TEXT = """Object detection metrics that can be trusted: official protocols, signed and accounted for.

Exit codes: 0 fine, 1 a gate failed, 2 usage, 3 input unusable, 4 input suspicious under --strict."""
# Name: module in this package, and what help says in a line.
COMMANDS = {
    "eval": ("evaluate", "Evaluate detections against ground truth."),
    "threshold": ("threshold", "Find the score threshold that meets a requirement."),
    "explain": ("explain", "Explain the gap between two protocols, rule by rule."),
    "doctor": ("doctor", "Find out what is wrong with files, and fix it."),
    "inspect": ("inspect", "Show what files hold."),
    "convert": ("convert", "Write annotations in another format."),
    "draw": ("draw", "Draw boxes on images."),
    "plot": ("plot", "Draw figures of evaluations: curves, classes, confusion, sizes."),
    "app": ("app", "Look at evaluations in a browser: numbers, classes, images, data."),
    "demo": ("demo", "Evaluate the worked examples of the literature."),
    "formats": ("formats", "Say which format a path has and why, or list all formats."),
    "protocols": ("protocols", "List the protocols, or show the rules of one."),
    "rule": ("rule", "Explain a code, metric, key, field or protocol; or find one by words."),
    "completion": ("completion", "Print what makes a shell complete commands, options and names."),
}
VERSION = "--version"
HELP = ("-h", "--help")


def run(arguments: Sequence[str]) -> int:
    """Parses and runs a command; returns its exit code."""
    word, *rest = arguments or HELP[:1]
    if word == VERSION:
        write(f"boxscore {__version__}\n")
        return OK
    if word in HELP:
        write(_page())
        return OK
    if word not in COMMANDS:
        from boxscore.cli.pascalvoc import answer

        raise UsageError(answer(arguments) if word.startswith("-") and answer(arguments) else _unknown(word))
    return _called(word, rest)


def _called(name: str, words: Sequence[str]) -> int:
    from importlib import import_module

    from boxscore.cli.declared import declared
    from boxscore.cli.parsing import parsed

    command = import_module(f"boxscore.cli.{COMMANDS[name][0]}").command
    prog, takes = f"boxscore {name}", declared(command)
    values = parsed(takes, words, prog)
    if values is None:
        from boxscore.cli.examples import EXAMPLES
        from boxscore.cli.pages import of_command

        write(of_command(prog, takes, EXAMPLES[name]))
        return OK
    code: int = command(**values)
    return code


def _page() -> str:
    from boxscore.cli.examples import EXAMPLES
    from boxscore.cli.pages import HELP as HELP_ROW
    from boxscore.cli.pages import page

    options = [(VERSION, "Show the version and exit."), HELP_ROW]
    commands = [(name, text) for name, (_, text) in COMMANDS.items()]
    sections = [("Commands", commands), ("Options", options)]
    return page("boxscore COMMAND [ARGUMENTS] [OPTIONS]", TEXT, sections, EXAMPLES[""])


def _unknown(word: str) -> str:
    """What is said of a first word that is no command."""
    option = word.startswith("-") and word != "-"
    near = nearest(word, [VERSION, *HELP] if option else COMMANDS)
    guess = f"; did you mean '{near}'?" if near else ""
    if option:
        return f"unknown option '{word}'{guess} ('boxscore --help' lists all)"
    return f"unknown command '{word}'{guess} (commands: {', '.join(COMMANDS)})"
