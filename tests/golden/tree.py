"""The files below the current folder: which have changed, and all of them as they were."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Stamp = tuple[int, int, int]  # inode, size, time of the last change


@dataclass
class Tree:
    """The files as they were."""

    stamps: dict[str, Stamp]
    folders: set[str]
    content: dict[str, bytes]

    @staticmethod
    def of_current() -> Tree:
        """The files as they are."""
        stamps, folders = _walk()
        return Tree(stamps, folders, {path: Path(path).read_bytes() for path in stamps})

    def changed(self) -> list[str]:
        """Files that are new, others than before, or gone."""
        now, _ = _walk()
        return sorted(path for path in now.keys() | self.stamps.keys() if now.get(path) != self.stamps.get(path))

    def restore(self) -> None:
        """Leaves everything as it was."""
        now, folders = _walk()
        if (now, folders) == (self.stamps, self.folders):
            return
        for folder in sorted(folders - self.folders):
            shutil.rmtree(folder, ignore_errors=True)  # a folder below one that went before is gone already
        for path in self.changed():
            if path in self.content:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_bytes(self.content[path])
            else:
                Path(path).unlink()
        self.stamps, self.folders = _walk()


def _walk() -> tuple[dict[str, Stamp], set[str]]:
    stamps, folders = {}, set()
    for entry in _entries("."):
        path = entry.path.removeprefix(f".{os.sep}").replace(os.sep, "/")
        if entry.is_dir():
            folders.add(path)
        else:
            about = entry.stat()
            stamps[path] = (about.st_ino, about.st_size, about.st_mtime_ns)
    return stamps, folders


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            yield entry
            if entry.is_dir():
                yield from _entries(entry.path)
