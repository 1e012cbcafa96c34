"""Where output goes: standard output, a file, standard error; and when it has colours."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from boxscore.cli.stdout import checked, fitting
from boxscore.cli.stdout import write as write
from boxscore.cli.stdout import write_bytes as write_bytes
from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError, UnknownName, UsageError, printable
from boxscore.formats.io.placing import is_device, place, recover
from boxscore.report.text import WIDTH
from boxscore.tables.model import Detections, Truth

if TYPE_CHECKING:
    from rich.text import Text


_BAR = 30  # characters


def coloured(stream: TextIO) -> bool:
    """Whether a stream gets colours: terminals do; NO_COLOR forbids, FORCE_COLOR demands."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """The width of the terminal; a fixed one where output goes elsewhere, so that it is always the same."""
    return shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH


def lines() -> int | None:
    """How many lines the terminal has room for, beside the prompt; None where output goes elsewhere."""
    return max(shutil.get_terminal_size((WIDTH, 24)).lines - 2, 1) if sys.stdout.isatty() else None


def write_painted(text: Text) -> None:
    """Text with colours to standard output."""
    from rich.console import Console

    console = Console(file=sys.stdout, force_terminal=True, color_system="standard", highlight=False)
    with checked(), console.capture() as captured:
        console.print(text, soft_wrap=True, end="")
    with checked():
        sys.stdout.write(fitting(captured.get(), sys.stdout.encoding))
        sys.stdout.flush()


def status(text: str, quiet: bool = False) -> None:
    """A line to standard error."""
    if not quiet:
        print(fitting(printable(text), sys.stderr.encoding), file=sys.stderr)


def tell_findings(findings: Iterable[Finding]) -> None:
    """Findings to standard error, each once, for outputs that have no place for them; they are never silenced."""
    for finding in dict.fromkeys(findings):
        status(f"{finding.severity:10}  {finding.code}: {finding.text}")


@contextmanager
def progress(what: str, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """How far a long piece of work is, in one line that goes away; only on terminals, and only after a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    due, shown = time.monotonic() + 1, ""

    def show(done: int, whole: int) -> None:
        nonlocal due, shown
        if time.monotonic() > due:
            due = time.monotonic() + 0.1
            filled = _BAR * done // max(whole, 1)
            shown = f"{what:10}  {'█' * filled}{'░' * (_BAR - filled)} {done:,} of {whole:,}"
            print(f"\r{fitting(shown, sys.stderr.encoding)}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)


def what_was_read(table: Truth | Detections) -> str:
    """What was read of one side, in a line."""
    boxes = len(table) + sum(count for _, count in table.rejected)
    if isinstance(table, Truth):
        return f"{table.source} ({table.format}): {len(table.images):,} images, {boxes:,} objects"
    used = int(np.count_nonzero(np.bincount(table.image[table.image >= 0]))) if len(table) else 0
    return f"{table.source} ({table.format}): {boxes:,} detections on {used:,} images"


def chosen_form(form: str | None, file: Path | None, known: Sequence[str]) -> str:
    """The format that is stated, else the one that the ending of a file's name stands for; a table without a file."""
    from boxscore.report.forms import by_ending

    if file is not None:
        check_target(file, ())
    if form is not None:
        return one_of("format", form, known)
    return "table" if file is None or is_device(file) else by_ending(file, known, "-o ")


def deliver(text: str, file: Path | None, quiet: bool) -> None:
    """Text for machines to a file, or to standard output."""
    if file is None:
        write_bytes(text)
    else:
        write_file(text, file)
        status(f"written     {file}", quiet)


def check_target(file: Path, inputs: Iterable[str]) -> None:
    """Refuses a file that cannot be written or is an input, before any work is done."""
    if file.is_dir():
        raise UsageError(f"-o {file}: a folder; expected a file")
    if not file.parent.is_dir():
        raise UsageError(f"-o {file}: there is no folder '{file.parent}'")
    for name in inputs:
        with suppress(OSError):
            if name != "-" and file.exists() and file.samefile(name):
                raise UsageError(f"-o {file}: this is an input; expected another file")


def note(quiet: bool) -> Callable[[str], None]:
    """What puts notes on standard error."""
    return lambda text: status(f"note        {text}", quiet)


def check_place(target: Path, refusal: str, quiet: bool) -> None:
    """Refuses a path where something is, before any work is done; what an interrupted run took away is back first."""
    for text in recover(target):
        note(quiet)(text)
    if os.path.lexists(target) and refusal:
        raise UsageError(refusal)


def write_file(text: str | bytes, file: Path) -> None:
    """Text or bytes to a file that is there whole or not at all; links are followed."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    try:
        place([("", content)], file, overwrite=True)
    except InputError as error:
        raise UsageError(f"-o {error}") from None


def one_of(what: str, value: str, known: Sequence[str], option: str = "") -> str:
    """The value, if it is one of those known; a message begins with the option where that is not plain."""
    if value not in known:
        raise UnknownName(what, value, known, option)
    return value
