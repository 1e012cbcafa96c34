"""The command line as a process of its own: pipes, colours, interrupts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boxscore

COMMAND = [sys.executable, "-m", "boxscore"]
COLOURS = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")


@pytest.fixture(autouse=True)
def _found_from_anywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(boxscore.__file__).parents[1]))


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if k not in COLOURS}
    return subprocess.run(
        [*COMMAND, *arguments], input=stdin, capture_output=True, env={**kept, **environment}, check=False
    )


def test_both_modules_run(folder: Path) -> None:
    outer = run("--version")
    inner = subprocess.run([sys.executable, "-m", "boxscore.cli", "--version"], capture_output=True, check=False)
    assert outer.stdout == inner.stdout != b""


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"], ["--version"], ["--verison"], ["evall"]], ids=str)
@pytest.mark.parametrize("start", ["boxscore", "boxscore.cli"])
def test_what_needs_no_command_loads_none(start: str, arguments: list[str]) -> None:
    """Not even the parser; of the package only what is needed to say that, and nothing from elsewhere."""
    code = (
        "import runpy, sys\n"
        f"before, sys.argv[1:] = set(sys.modules), {arguments}\n"
        f"try: runpy.run_module({start!r}, run_name='__main__', alter_sys=True)\n"
        "except SystemExit: print('loaded', *sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert loaded[0] == "loaded"
    assert "boxscore.cli.commands" in loaded
    ours = {name for name in loaded if name.startswith("boxscore")}
    assert ours <= {"boxscore", "boxscore.errors", "boxscore.cli"} | {
        f"boxscore.cli.{name}"
        for name in ("__main__", "codes", "commands", "examples", "groups", "pages", "pascalvoc", "stdout")
    }
    others = {name.partition(".")[0] for name in loaded[1:]} - {"boxscore"}
    assert others <= set(sys.stdlib_module_names)
    assert not others & {"argparse", "inspect", "dataclasses", "typing", "shutil"}, "these take time, too"


def test_the_console_script_is_the_same_function() -> None:
    """`boxscore` starts `boxscore.cli:main`, as the modules do."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert '[project.scripts]\nboxscore = "boxscore.cli:main"\n' in text


def test_standard_input_and_exit_code(folder: Path) -> None:
    found = (folder / "found.json").read_bytes()
    done = run("eval", "truth.json", "-", "--format", "json", stdin=found)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"][0]["detections"]["path"] == "standard input"
    assert run("eval", "truth.json", "-", stdin=b"[").returncode == 3


def test_no_colour_in_pipes_unless_forced(folder: Path) -> None:
    plain = run("eval", "truth.json", "found.json")
    forced = run("eval", "truth.json", "found.json", FORCE_COLOR="1")
    assert b"\x1b" not in plain.stdout + plain.stderr
    assert b"\x1b[" in forced.stdout
    assert run("eval", "truth.json", "found.json", FORCE_COLOR="1", NO_COLOR="1").stdout == plain.stdout
    assert run("eval", "truth.json", "found.json", FORCE_COLOR="0").stdout == plain.stdout


def test_colour_is_paint_on_the_same_text(folder: Path) -> None:
    plain, forced = run("eval", "truth.json", "found.json"), run("eval", "truth.json", "found.json", FORCE_COLOR="1")
    bare = re.sub(rb"\x1b\[[0-9;]*m", b"", forced.stdout)
    assert [line.rstrip() for line in bare.splitlines()] == plain.stdout.splitlines()


def test_the_locale_changes_no_bytes_of_json(folder: Path) -> None:
    truth = json.loads((folder / "truth.json").read_text())
    truth["categories"][0]["name"] = "猫"
    (folder / "truth.json").write_text(json.dumps(truth))
    ours = [
        run("eval", "truth.json", "found.json", "--format", "json", PYTHONIOENCODING=encoding).stdout
        for encoding in ("utf-8", "ascii", "cp1252")
    ]
    assert ours[0] == ours[1] == ours[2]
    assert "猫".encode() in ours[0]
    assert b"\\u732b" in run("eval", "truth.json", "found.json", PYTHONIOENCODING="ascii").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX pipe")
def test_a_closed_pipe_is_met_in_silence(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    for arguments in (["eval", "truth.json", "found.json", "-q"], ["protocols"], ["--version"], ["--help"]):
        done = subprocess.run([*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (141, b"")
    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_device_is_said(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "protocols"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"boxscore: standard output: cannot be written (No space left on device)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_terminal_gets_colours_and_its_own_width(folder: Path) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in COLOURS}
    child = subprocess.Popen(
        [*COMMAND, "eval", "truth.json", "found.json", "-q", "--protocol", "toolkit", "--protocol", "coco-fixed"],
        stdout=theirs, env={**kept, "COLUMNS": "60", "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert child.wait() == 0
    assert b"\x1b[1m" in shown
    lines = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).decode().splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 60


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_given_once(folder: Path) -> None:
    os.mkfifo("p")
    done = run("eval", "p", "p")
    assert (done.returncode, done.stderr.decode()) == (
        2, "boxscore: p: this pipe is given twice and can be read only once; expected another input\n",
    )  # fmt: skip
    for line in ("eval - found.json --classes -", "convert - o --to coco --sizes -", "doctor truth.json - --train -",
                 "draw - --images - -o o", "explain - -", "threshold - -", "inspect - -"):  # fmt: skip
        done = run(*line.split())
        assert (done.returncode, b"'-' stands for standard input" in done.stderr) == (2, True), line
