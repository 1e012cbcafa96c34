"""Runs the command lines of `runs.txt` and puts what they do into text that can be compared."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import NamedTuple

from PIL import Image

import boxscore
from boxscore.cli import main
from golden.tree import Tree

HERE = Path(__file__).parent
ENVIRONMENT = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}
NOT_WANTED = ("FORCE_COLOR", "BOXSCORE_DEBUG", "LINES")
LONGEST = 400  # lines; of a longer output the beginning is kept, and a digest
PICTURES = (".png", ".jpg")  # their bytes depend on the version of Pillow
_MARKS = (
    (re.compile(r"(boxscore |\"version\": \")" + re.escape(boxscore.__version__)), r"\1VERSION"),
    # Every field that a protocol gains changes them; they have a golden file of their own.
    (re.compile(r"(?<=[\w\]])#[0-9a-f]{8}\b"), "#DIGEST"),
    (re.compile(r"(\"signature_full\": )\"[^\"]*\""), r'\1"FULL"'),
)


class Done(NamedTuple):
    """What a command did."""

    code: int
    out: bytes
    err: bytes


Command = Callable[[list[str], bytes], Done]


def groups() -> dict[str, list[str]]:
    """The lines of `runs.txt`, by golden file."""
    made: dict[str, list[str]] = {}
    for line in (HERE / "runs.txt").read_text().splitlines():
        if line.startswith("["):
            lines = made.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return made


def in_process(arguments: list[str], stdin: bytes) -> Done:
    """Runs a command here."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), _standard_input(stdin):
        code = main(arguments)
    out.flush(), err.flush()
    return Done(code, out.buffer.getvalue(), err.buffer.getvalue())  # type: ignore[attr-defined]


def in_subprocess(arguments: list[str], stdin: bytes) -> Done:
    """Runs a command as users do."""
    path = os.pathsep.join(filter(None, (str(Path(boxscore.__file__).parents[1]), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "boxscore", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


@contextmanager
def _standard_input(content: bytes) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def golden(name: str, lines: list[str]) -> str:
    """What a golden file should hold; runs in the current folder, which holds the fixtures."""
    run = in_subprocess if name == "process" else in_process
    tree = Tree.of_current()
    return "\n".join(_section(line, run, tree) for line in lines)


def _section(line: str, run: Command, tree: Tree) -> str:
    """What a line of `runs.txt` does: exit codes, outputs, files written."""
    try:
        steps = "".join(_step(step, run) for step in line.split(" && "))
        files = [f"{path}  {_about(path)}\n" for path in tree.changed()]
        return steps + ("--- files\n" + "".join(files) if files else "")
    finally:
        tree.restore()


def _step(text: str, run: Command) -> str:
    words = shlex.split(text)
    stdin = b""
    if len(words) > 1 and words[-2] == "<":
        stdin, words = Path(words[-1]).read_bytes(), words[:-2]
    done = run(words, stdin)
    made = f"$ boxscore {text}\nexit {done.code}\n"
    for name, content in (("stdout", done.out), ("stderr", done.err)):
        if content:
            made += f"--- {name}\n{_shown(content)}"
    return made


def _shown(content: bytes) -> str:
    text = comparable(content.decode())
    lines = text.splitlines(keepends=True)
    if len(lines) > LONGEST:
        rest = f"… {len(lines):,} lines, sha256 {_digest(text.encode())}\n"
        return "".join(lines[:40]) + rest
    return text if text.endswith("\n") else f"{text}\n(no newline at the end)\n"


def comparable(text: str) -> str:
    """Text without what may differ between machines and versions."""
    text = text.replace(str(Path.cwd()), "<here>")
    for pattern, mark in _MARKS:
        text = pattern.sub(mark, text)
    return text


def _about(path: str) -> str:
    file = Path(path)
    if not file.exists():
        return "is gone"
    if file.suffix in PICTURES:
        with Image.open(file) as picture:
            return f"{picture.width} x {picture.height}"
    content = file.read_bytes()
    with suppress(UnicodeDecodeError):
        content = comparable(content.decode()).encode()
    return f"{len(content)} bytes, sha256 {_digest(content)}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
