"""The commands, and what is said when a command line makes no sense."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer

from boxscore import __version__
from boxscore.cli import (
    convert,
    demo,
    doctor,
    draw,
    evaluate,
    explain,
    formats,
    inspect,
    plot,
    protocols,
    rule,
    threshold,
)
from boxscore.cli.codes import INTERRUPTED, OK, OutputClosedError
from boxscore.cli.output import write
from boxscore.errors import UsageError, nearest

app = typer.Typer(
    name="boxscore",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("eval", short_help="Evaluate detections against truth.")(evaluate.command)
app.command("threshold", short_help="Find the score threshold that meets a requirement.")(threshold.command)
app.command("explain", short_help="Explain the gap between two protocols, rule by rule.")(explain.command)
app.command("doctor", short_help="Find out what is wrong with files, and mend it.")(doctor.command)
app.command("inspect", short_help="Show what files hold.")(inspect.command)
app.command("convert", short_help="Write annotations in another format.")(convert.command)
app.command("draw", short_help="Draw boxes on images.")(draw.command)
app.command("plot", short_help="Draw figures of evaluations: curves, classes, confusion, sizes.")(plot.command)
app.command("demo", short_help="Evaluate the worked examples of the literature.")(demo.command)
app.command("formats", short_help="Say which format a path has and why, or list all formats.")(formats.command)
app.command("protocols", short_help="List the protocols, or show the rules of one.")(protocols.command)
app.command("rule", short_help="Explain a code, metric, key, field or protocol.")(rule.command)


def _version(wanted: bool) -> None:
    if wanted:
        write(f"boxscore {__version__}\n")
        raise typer.Exit


@app.callback()
def boxscore(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Object detection metrics that can be trusted: official protocols, signed and accounted for.

    Exit codes: 0 fine, 1 a gate failed, 2 usage, 3 input unusable, 4 input suspicious under --strict.
    """


def run(arguments: Sequence[str]) -> int:
    """Parses and runs a command; returns its exit code."""
    parser = _parser()
    try:
        code = parser.main(list(arguments) or ["--help"], prog_name="boxscore", standalone_mode=False)
    except typer.Abort:
        return INTERRUPTED
    except SystemExit:  # typer leaves so when help meets a closed pipe
        raise OutputClosedError from None
    except Exception as error:
        # typer brings its own copy of click or not, depending on its version: its usage errors know their message.
        if not hasattr(error, "format_message"):
            raise
        raise UsageError(_message(error, parser, arguments)) from None
    return code if isinstance(code, int) else OK


@cache
def _parser() -> Any:
    """The parser, made once: whoever runs many commands in one process would wait longer for it than for them."""
    return typer.main.get_command(app)


def _message(error: Any, parser: Any, arguments: Sequence[str]) -> str:
    """One line: what is wrong, and what was probably meant."""
    if (option := getattr(error, "option_name", None)) and type(error).__name__ == "NoSuchOption":
        known = [name for param in error.ctx.command.params for name in param.opts] + ["--help"]
        near = nearest(option, known)
        guess = f"; did you mean '{near}'?" if near else ""
        return f"unknown option '{option}'{guess} ('{error.ctx.command_path} --help' lists all)"
    command = next((word for word in arguments if not word.startswith("-")), None)
    if command is not None and command not in parser.commands:
        near = nearest(command, parser.commands)
        guess = f"; did you mean '{near}'?" if near else ""
        return f"unknown command '{command}'{guess} (commands: {', '.join(parser.commands)})"
    text = " ".join(str(error.format_message()).split()).rstrip(".")
    return f"{text[:1].lower()}{text[1:]} ('{' '.join(filter(None, ('boxscore', command)))} --help' tells more)"
