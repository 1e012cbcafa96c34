"""Paths that can be read only once: pipes (`<(zcat truth.json.gz)`, named or not) and standard input."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from boxscore.errors import InputError
from boxscore.formats.io import unpacking

WAIT = 5.0  # seconds in which somebody must have opened a named pipe for writing
_PIECE = 1 << 20
_EXPECTED = "a file, a folder or a pipe"


@dataclass(frozen=True, eq=False)
class Drained:
    """A path that can be read only once, with everything that came out of it."""

    path: str
    content: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """How messages call it."""
        return "standard input" if self.path == "-" else self.path

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.name


def at_hand(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """A path that may be read as often as needed: itself, or all that comes out of it, which is read here and now."""
    name = os.fspath(path)
    if isinstance(path, Drained):
        return path
    if name == "-":
        return Drained(name, _limited(name, sys.stdin.buffer.read(unpacking.MOST + 1)))
    try:
        mode = Path(name).stat().st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            return path
        return Drained(name, _drained(name, mode))
    except InputError:
        raise
    except (FileNotFoundError, ValueError):  # the latter: a NUL in it
        return path  # whoever opens it says so
    except OSError as error:
        raise InputError(name, f"cannot be read ({error.strerror})") from None


def same_input(one: str, other: str) -> bool:
    """Whether two paths are the same pipe or both standard input, so that the second would find nothing."""
    states = [_state(path) for path in (one, other)]
    if one == other == "-":
        return True
    return all(s is not None and not stat.S_ISREG(s.st_mode) and not stat.S_ISDIR(s.st_mode) for s in states) and (
        os.path.samestat(*(s for s in states if s is not None))
    )


def kind_of_special(mode: int) -> str:
    """What a file is called that is neither a regular one nor a folder."""
    names = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"))
    return next((name for test, name in names if test(mode)), "a device")


def _state(path: str) -> os.stat_result | None:
    try:
        return os.fstat(sys.stdin.fileno()) if path == "-" else Path(path).stat()
    except (OSError, ValueError):  # a name without a file, standard input that is closed or a test's
        return None


def _drained(name: str, mode: int) -> bytes:
    if stat.S_ISCHR(mode) and not _is_text_device(name):
        raise InputError(name, "a device", _EXPECTED)
    if not stat.S_ISFIFO(mode) and not stat.S_ISCHR(mode):
        raise InputError(name, kind_of_special(mode), _EXPECTED)
    if not hasattr(select, "poll"):  # Windows
        with Path(name).open("rb") as file:
            return _limited(name, file.read(unpacking.MOST + 1))
    # Opening a pipe waits for a writer, without end where there is none; so that is done without waiting.
    blocking = stat.S_ISCHR(mode)
    descriptor = os.open(name, os.O_RDONLY | (0 if blocking else os.O_NONBLOCK))
    try:
        return _all_of(name, descriptor, blocking)
    finally:
        os.close(descriptor)


def _all_of(name: str, descriptor: int, blocking: bool) -> bytes:
    """Everything until the last writer has gone; an error where none came."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    parts, size, there = list[bytes](), 0, blocking or _came(waiting)
    while True:
        try:
            part = os.read(descriptor, _PIECE)
        except BlockingIOError:  # somebody has opened it and writes later: that may take any time
            there = True
            waiting.poll()
            continue
        if not part:
            break
        parts.append(part)
        size += len(part)
        if size > unpacking.MOST:
            break
    if not parts and not there:
        found = f"nobody writes to this pipe (waited {WAIT:g} s)"
        raise InputError(name, found, "", "Start the program that writes to it, or give a file.")
    return _limited(name, b"".join(parts))


def _came(waiting: select.poll) -> bool:
    """Whether something can be read, or the writers have gone; a named pipe that nobody opened says neither."""
    until = time.monotonic() + WAIT
    while (left := until - time.monotonic()) > 0:
        if waiting.poll(left * 1000):
            return True
    return False


def _limited(name: str, content: bytes) -> bytes:
    place = "standard input" if name == "-" else name
    unpacking.within_limit(place, len(content), "more than {} from a pipe", "less, or a file")
    return content


def _is_text_device(name: str) -> bool:
    """Terminals and /dev/null: from others bytes may come without end."""
    descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_NOCTTY", 0))
    try:
        return os.isatty(descriptor) or os.path.samestat(os.fstat(descriptor), Path(os.devnull).stat())
    finally:
        os.close(descriptor)
