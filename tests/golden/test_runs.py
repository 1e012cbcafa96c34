"""What command lines print, write and return, compared with the golden files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from boxscore.formats.registry import formats
from boxscore.metrics import REGISTRY
from boxscore.protocols import names
from golden.harness import HERE, golden, groups, in_process

GROUPS = groups()
SHORT = {"--output": "-o", "--quiet": "-q"}
OTHERS = {"digests", "public", "runs"}  # text files beside those of the groups


@pytest.mark.parametrize("name", GROUPS)
def test_golden(name: str, among_fixtures: Path, same: Callable[[str, str], None]) -> None:
    same(f"{name}.txt", golden(name, GROUPS[name]))


def test_no_file_without_runs() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} - OTHERS == set(GROUPS)


def test_no_run_twice() -> None:
    for name, lines in GROUPS.items():
        assert len(lines) == len(set(lines)), name


def words() -> set[str]:
    """All words of all command lines that do something."""
    return {word for name, lines in GROUPS.items() if name != "help" for line in lines for word in shlex.split(line)}


def test_every_command_and_option_is_run(among_fixtures: Path) -> None:
    """Commands and options are those that help lists, whatever library makes it."""
    listed = in_process(["--help"], b"").out.decode().partition("Commands:")[2]
    commands = re.findall(r"^ +([a-z]+) ", listed, re.M)
    assert len(commands) > 5
    for command in commands:
        assert f"{command} --help" in GROUPS["help"]
        text = in_process([command, "--help"], b"").out.decode()
        options = set(re.findall(r"^ +(?:-\w, )?(--[a-z0-9-]+)", text, re.M))
        assert {SHORT.get(option, option) for option in options - {"--help"}} - words() == set(), command


def test_every_protocol_format_and_metric_is_run() -> None:
    assert set(names()) - words() == set()
    written = {form.name for form in formats() if form.write_truth or form.write_detections}
    assert {name for name in written if f" --to {name}" not in "\n".join(GROUPS["convert"])} == set()
    assert set(REGISTRY) - {word.partition("[")[0] for word in words()} == set()
