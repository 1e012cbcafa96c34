"""Completion: what the scripts offer, asked of bash itself and, where they are there, of zsh and fish."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore import metrics, protocols
from boxscore.cli.commands import COMMANDS
from boxscore.formats.registry import names

Run = Callable[..., Any]
BASH = shutil.which("bash")


@pytest.fixture
def script(boxscore: Run, folder: Path) -> Callable[[str], Path]:
    def write(shell: str) -> Path:
        done = boxscore("completion", shell)
        assert done.code == 0
        path = folder / f"boxscore.{shell}"
        path.write_text(done.out)
        return path

    return write


@pytest.fixture
def offered(script: Callable[[str], Path]) -> Callable[..., set[str]]:
    """What bash offers for the last of some words."""
    if BASH is None:
        pytest.skip("no bash")
    path = script("bash")

    def ask(*words: str) -> set[str]:
        line = " ".join(f"'{word}'" for word in ("boxscore", *words))
        asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _boxscore"
        text = f"source {path}; {asked}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run([BASH, "--norc", "-c", text], capture_output=True, text=True, check=True)
        assert not done.stderr
        return set(done.stdout.split())

    return ask


def test_commands(offered: Callable[..., set[str]]) -> None:
    assert offered("") == {*COMMANDS, "--help", "--version"}
    assert offered("th") == {"threshold"}


def test_names_of_protocols_metrics_and_formats(offered: Callable[..., set[str]]) -> None:
    assert offered("eval", "t", "d", "--protocol", "") == {*protocols.names(), *protocols.GROUPS}
    assert offered("eval", "t", "d", "--protocol", "voc2") == {"voc2007", "voc2012"}
    assert offered("eval", "t", "d", "--protocol", "coco,voc2") == {"coco,voc2007", "coco,voc2012"}
    assert offered("eval", "t", "d", "--protocol", "=", "voc2") == {"voc2007", "voc2012"}
    assert set(metrics.REGISTRY) <= offered("eval", "t", "d", "--metric", "")
    assert "AP50" in offered("eval", "t", "d", "--table", "AP5")
    assert offered("eval", "--truth-format", "") == set(names("truth"))
    assert offered("eval", "--detections-format", "") == set(names("detections"))
    assert "yolo" in offered("convert", "a", "b", "--to", "")
    assert offered("explain", "--to", "voc2012") == {"voc2012"}
    assert "oLRP" in offered("rule", "oL")
    assert offered("protocols", "dota") == {"dota", "dota-all"}


def test_options_and_their_words(offered: Callable[..., set[str]]) -> None:
    assert offered("eval", "t", "d", "--tie") == {"--tie-bounds"}
    assert offered("eval", "t", "--box", "x") == {"xywh", "xyxy"}
    assert "latex" in offered("eval", "t", "--format", "")
    assert offered("completion", "") == {"bash", "zsh", "fish"}


def test_files_are_left_to_the_shell(offered: Callable[..., set[str]]) -> None:
    assert offered("eval", "") == set()
    assert offered("eval", "t", "d", "-o", "") == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_can_read_its_script(shell: str, script: Callable[[str], Path]) -> None:
    path = script(shell)
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell}")
    assert subprocess.run([program, "-n", str(path)], capture_output=True, check=False).stderr == b""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_is_in_every_script(shell: str, script: Callable[[str], Path]) -> None:
    text = script(shell).read_text()
    for flag in ("tie-bounds", "truth-coords", "per-class", "write-rows"):
        assert (f"-l {flag}" if shell == "fish" else f"--{flag}") in text
    assert all(name in text for name in (*protocols.names(), *metrics.REGISTRY))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_quotes_are_in_pairs(shell: str, script: Callable[[str], Path]) -> None:
    for line in script(shell).read_text().splitlines():
        assert line.replace("'\\''", "").replace("\\'", "").count("'") % 2 == 0, line
