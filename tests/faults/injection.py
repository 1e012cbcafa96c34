"""Faults at every file operation: a command that dies, or is refused, at the n-th of them.

Whatever changes a disk goes through the module `os` or through `renameat2`; both are wrapped and counted. Death is an
exception that nobody catches, after which every operation fails: what is left on the disk is what a kill leaves.
`test_faults.py` compares that with a process that really is killed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boxscore.formats.io import renaming

OPERATIONS = ("open", "write", "mkdir", "rmdir", "rename", "replace", "unlink", "remove", "link", "symlink", "chmod")
Call = Callable[..., Any]
Fault = Callable[[int, str, Call, tuple[Any, ...]], Any]  # number and name of an operation, what does it, arguments


class Died(BaseException):
    """The end of a process."""


@contextmanager
def injected(fault: Fault | None = None, exchange: bool = True) -> Iterator[list[str]]:
    """Operations go through a fault; gives the names of those that were asked for. Without `exchange`, as on
    systems that cannot swap two folders at once."""
    asked: list[str] = []

    def wrapped(name: str, call: Call) -> Call:
        def operation(*given: Any, **named: Any) -> Any:
            reads = name == "open" and not given[1] & (os.O_WRONLY | os.O_RDWR)
            if reads or (name == "write" and given[0] in (1, 2)):
                return call(*given, **named)
            asked.append(name)
            return call(*given, **named) if fault is None else fault(len(asked), name, call, given)

        return operation

    before = {name: getattr(os, name) for name in OPERATIONS}
    ask = renaming._renameat2
    for name, call in before.items():
        setattr(os, name, wrapped(name, call))
    renaming._renameat2 = wrapped("renameat2", ask) if exchange else lambda *_: False
    try:
        yield asked
    finally:
        for name, call in before.items():
            setattr(os, name, call)
        renaming._renameat2 = ask


def dies_at(n: int, half: bool = False) -> Fault:
    """Death before the n-th operation, or after half of what it writes."""

    def fault(number: int, name: str, call: Call, given: tuple[Any, ...]) -> Any:
        if number < n:
            return call(*given)
        if number == n and half and name == "write":
            call(given[0], bytes(given[1])[: len(given[1]) // 2])
        raise Died

    return fault


def refused(n: int) -> Fault:
    """The n-th operation, and no other, fails."""

    def fault(number: int, name: str, call: Call, given: tuple[Any, ...]) -> Any:
        if number == n:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return call(*given)

    return fault


def full_from(n: int) -> Fault:
    """From the n-th operation on nothing can be made or written, as on a full disk; removing and renaming works."""

    def fault(number: int, name: str, call: Call, given: tuple[Any, ...]) -> Any:
        if number >= n and name in ("open", "write", "mkdir", "link", "symlink"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return call(*given)

    return fault


def tree(folder: Path) -> dict[str, Any]:
    """Everything below a folder: contents of files, targets of links, None for folders."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        link = str(path.readlink()) if path.is_symlink() else None
        content = ("link", link) if link is not None else path.read_bytes() if path.is_file() else None
        found[path.relative_to(folder).as_posix()] = content
    return found
