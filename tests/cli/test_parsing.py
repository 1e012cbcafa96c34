"""From words to values: options anywhere and in every spelling, and what is said of words that make no sense."""

from __future__ import annotations

import importlib
import shlex
from pathlib import Path
from typing import Annotated, Any

import pytest

from boxscore.cli.commands import COMMANDS
from boxscore.cli.declared import Argument, Option, declared
from boxscore.cli.examples import EXAMPLES
from boxscore.cli.groups import GROUPS, OUTPUT
from boxscore.cli.pages import of_command
from boxscore.cli.parsing import parsed
from boxscore.cli.reading_options import OPTIONS
from boxscore.errors import UsageError


def command(
    truth: Annotated[str, Argument(metavar="TRUTH", help="One.")],
    detections: Annotated[list[str], Argument(metavar="DETECTIONS", help="Many.")],
    score: Annotated[str | None, Option(metavar="S", help="A value.")] = None,
    sets: Annotated[list[str] | None, Option("--set", metavar="F=V", help="Several.")] = None,
    form: Annotated[str, Option("--format", metavar="F", help="With a default.")] = "table",
    file: Annotated[Path | None, Option("--output", "-o", metavar="FILE", help="A path.", group=OUTPUT)] = None,
    quiet: Annotated[bool, Option("--quiet", "-q", help="A switch.", group=OUTPUT)] = False,
) -> int:
    """Does nothing."""
    return 0


NOTHING: dict[str, Any] = {"score": None, "sets": None, "form": "table", "file": None, "quiet": False}


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("t d", {}),
        ("t d e", {"detections": ["d", "e"]}),
        ("t -q d --score 1 e", {"detections": ["d", "e"], "quiet": True, "score": "1"}),
        ("--score=1 t d", {"score": "1"}),
        ("t d --score=", {"score": ""}),
        ("t d --score=a=b", {"score": "a=b"}),
        ("t d --score -1", {"score": "-1"}),
        ("t d --score -x", {"score": "-x"}),  # the name of a class may begin so
        ("t d --score --quiet", {"score": "--quiet"}),
        ("t d --score 1 --score 2", {"score": "2"}),
        ("t d --set a=1 --set=b=2", {"sets": ["a=1", "b=2"]}),
        ("t d -o f", {"file": Path("f")}),
        ("t d -of", {"file": Path("f")}),
        ("t d -qo f", {"file": Path("f"), "quiet": True}),
        ("t d --output -", {"file": Path("-")}),
        ("- d", {"truth": "-"}),
        ("t -- -q --score", {"detections": ["-q", "--score"]}),
        ("t d --format json", {"form": "json"}),
    ],
)
def test_values(line: str, values: dict[str, Any]) -> None:
    assert parsed(declared(command), line.split(), "p") == {"truth": "t", "detections": ["d"], **NOTHING, **values}


@pytest.mark.parametrize("line", ["-h", "--help", "t --help", "t d -qh"])
def test_help_is_wanted(line: str) -> None:
    assert parsed(declared(command), line.split(), "p") is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "missing argument 'TRUTH' (see 'p --help')"),
        ("t", "missing argument 'DETECTIONS' (see 'p --help')"),
        ("t d --score", "option '--score' needs a value (see 'p --help')"),
        ("t d -o", "option '-o' needs a value (see 'p --help')"),
        ("t d --quiet=yes", "option '--quiet' does not take a value (see 'p --help')"),
        ("t d --scor 1", "unknown option '--scor'; did you mean '--score'? ('p --help' lists all)"),
        ("t d --scor=1", "unknown option '--scor'; did you mean '--score'? ('p --help' lists all)"),
        ("t d --zzzzzzzz", "unknown option '--zzzzzzzz' ('p --help' lists all)"),
        ("t d -z", "unknown option '-z' ('p --help' lists all)"),
        ("t d --help --nothing", "unknown option '--nothing' ('p --help' lists all)"),
    ],
)
def test_what_makes_no_sense(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(declared(command), line.split(), "p")
    assert str(caught.value) == message


def test_too_many_arguments_and_a_missing_option() -> None:
    def one(
        path: Annotated[str, Argument(metavar="PATH", help="One.")],
        to: Annotated[str, Option("--to", metavar="FORMAT", help="Needed.")],
    ) -> int:
        return 0

    with pytest.raises(UsageError, match=r"^unexpected arguments 'b', 'c' \(see 'p --help'\)$"):
        parsed(declared(one), ["a", "b", "c", "--to", "x"], "p")
    with pytest.raises(UsageError, match=r"^missing option '--to' \(see 'p --help'\)$"):
        parsed(declared(one), ["a"], "p")


def test_a_page() -> None:
    assert (
        of_command("boxscore p", declared(command))
        == """\
Usage: boxscore p [OPTIONS] TRUTH DETECTIONS...

  Does nothing.

Arguments:
  TRUTH       One.  [required]
  DETECTIONS  Many.  [required]

Basic options:
  --score S   A value.
  --set F=V   Several.
  --format F  With a default.  [default: table]

Output:
  -o, --output FILE  A path.
  -q, --quiet        A switch.
  -h, --help         Show this message and exit.
"""
    )


@pytest.mark.parametrize("columns", ["", "0", "none", "20", "60", "200"])
def test_a_page_fits_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    from boxscore.cli import evaluate

    lines = of_command("boxscore eval", declared(evaluate.command)).splitlines()
    widest = {"20": 50, "60": 58, "200": 118}.get(columns, 78)
    assert widest - 8 < max(map(len, lines)) <= widest


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_the_table_is_there_and_explained(name: str) -> None:
    module, summary = COMMANDS[name]
    takes = declared(importlib.import_module(f"boxscore.cli.{module}").command)
    assert takes.text.endswith(".")
    assert summary.endswith(".")
    parameters = (*takes.arguments, *takes.options)
    assert all(p.help and (p.metavar or p.switch) for p in parameters)
    flags = [flag for p in takes.options for flag in p.flags]
    assert len(flags) == len({*flags, "-h", "--help"}) - 2
    assert not any(a.many for a in takes.arguments[:-1]), "only the last argument may take several words"


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_command_lines_of_this_command(name: str) -> None:
    assert len(EXAMPLES[name]) == (1 if name == "demo" else 4)
    for what, line in EXAMPLES[name]:
        assert what[0].islower() or what.split()[0].isupper() or not what[0].isalpha()
        first, called, *words = shlex.split(line.partition(" > ")[0].removeprefix('eval "$(').removesuffix(')"'))
        assert (first, called) == ("boxscore", name)
        takes = declared(importlib.import_module(f"boxscore.cli.{COMMANDS[name][0]}").command)
        assert parsed(takes, words, "p") is not None
        assert len(line) <= 76, "fits a terminal of 80 columns in one piece"


def test_examples_of_the_first_page() -> None:
    assert set(EXAMPLES) == {"", *COMMANDS}
    assert len(EXAMPLES[""]) == 4
    for _, line in EXAMPLES[""]:
        assert shlex.split(line)[1] in COMMANDS


def test_an_option_means_the_same_everywhere() -> None:
    """Options of reading and of output that several commands have are described in the same words."""
    texts: dict[str, set[tuple[str, str]]] = {}
    for module, _ in COMMANDS.values():
        for option in declared(importlib.import_module(f"boxscore.cli.{module}").command).options:
            texts.setdefault(option.flag, set()).add((option.help, option.group))
    named = {f"--{o.name.replace('_', '-')}" for o in OPTIONS}
    for flag in {*named, "--quiet", "--all-classes", "--set", "--max-detections"}:
        assert len(texts[flag]) == 1, flag


def test_every_option_is_in_a_group() -> None:
    for module, _ in COMMANDS.values():
        for option in declared(importlib.import_module(f"boxscore.cli.{module}").command).options:
            assert option.group in GROUPS
