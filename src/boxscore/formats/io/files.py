"""The files behind a path: one file, a folder with all below it, or what an archive holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.archives import is_archive, members_of
from boxscore.formats.io.pipes import Drained, at_hand, kind_of_special
from boxscore.formats.io.source import Source, file_bytes, open_source

IMAGES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".heic", ".avif")


class Watch:
    """Tells somebody how many files of how many have been read, one by one; what kernels read at once is not told."""

    def __init__(self, tell: Callable[[int, int], None]) -> None:
        self.tell, self.done = tell, 0

    def step(self, whole: int) -> None:
        """One more file of so many."""
        self.done += 1
        if self.done <= whole:  # a file may be looked at twice
            self.tell(self.done, whole)


@dataclass(frozen=True, eq=False)
class Files:
    """Readable files under the name that messages use.

    `paths` are relative to it, with forward slashes, in ascending order; a single file has the path "".
    """

    name: str
    paths: tuple[str, ...]
    root: Path | None = None  # where they are on a disk; None where `contents` has them
    contents: Mapping[str, bytes] = field(default_factory=dict)
    watch: Watch | None = None
    skipped: tuple[str, ...] = ()  # pipes, sockets and devices of the folder: nobody opens them

    @property
    def is_file(self) -> bool:
        """Whether it is a single file and no folder."""
        return self.paths == ("",)

    def place(self, path: str) -> str:
        """How messages name a file."""
        if not path:
            return self.name
        return f"{self.name}{os.sep}{path}" if self.root is not None else f"{self.name}:{path}"

    def bytes(self, path: str = "") -> bytes:
        """The content of a file."""
        if self.watch is not None:
            self.watch.step(len(self.paths))
        if self.root is None:
            return self.contents[path]
        return file_bytes(f"{self.root}{os.sep}{path}" if path else str(self.root))

    def source(self, path: str = "") -> Source:
        """A file as a source; what is gzipped is unpacked."""
        if self.watch is not None:
            self.watch.step(len(self.paths))
        if self.root is None:
            return Source(self.place(path), None, self.contents[path])
        return open_source(f"{self.root}{os.sep}{path}" if path else self.root)

    def ending(self, *extensions: str) -> list[str]:
        """The paths that end with one of the extensions, whatever their case."""
        return [path for path in self.paths if path.lower().endswith(extensions)]

    def called(self, *extensions: str) -> list[str]:
        """The same; where no path ends so, those without any extension, whose content has been recognised."""
        return self.ending(*extensions) or [path for path in self.paths if "." not in path.rpartition("/")[2]]

    def only(self, paths: Iterable[str]) -> Files:
        """Some of the files."""
        return replace(self, paths=tuple(paths))

    def below(self, folder: str) -> Files:
        """The files of a folder, as a folder of its own; all of them for "."."""
        if folder in ("", "."):
            return self
        start = f"{folder.rstrip('/')}/"
        paths = tuple(path[len(start) :] for path in self.paths if path.startswith(start))
        if self.root is not None:
            return Files(f"{self.name}{os.sep}{start[:-1]}", paths, self.root / start[:-1], watch=self.watch)
        contents = {path: self.contents[start + path] for path in paths}
        return Files(f"{self.name}:{start[:-1]}", paths, None, contents, self.watch)

    def one(self, path: str) -> Files:
        """A file of a folder, as a file of its own."""
        if self.root is not None:
            return Files(self.place(path), ("",), self.root / path)
        return Files(self.place(path), ("",), None, {"": self.contents[path]})


def open_files(path: str | os.PathLike[str], tell: Callable[[int, int], None] | None = None) -> Files:
    """What is behind a path: `-` is standard input, pipes are read whole, archives opened, anything gzipped unpacked.

    `tell` hears how many files have been read, of how many.
    """
    path = at_hand(path)
    name, watch = os.fspath(path), None if tell is None else Watch(tell)
    place = Path(name)
    if not isinstance(path, Drained) and _is_folder(place):
        found, others = _listed(name)
        return Files(name, tuple(sorted(found)), place, watch=watch, skipped=tuple(sorted(others)))
    source = open_source(path)
    if source.path is not None:
        with source.path.open("rb") as file:
            start = file.read(512)
        if not is_archive(start):
            return Files(source.name, ("",), source.path)
    content = source.bytes()
    if not is_archive(content[:512]):
        return Files(source.name, ("",), None, {"": content})
    members = members_of(source.name, content, IMAGES)
    return Files(source.name, tuple(sorted(members)), None, members, watch)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})") from None


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """The paths of all files below a folder, and of what is none and never opened; hidden ones do not count."""
    found, skipped, waiting = list[str](), list[str](), [""]
    while waiting:
        inside = waiting.pop()
        try:
            with os.scandir(f"{folder}{os.sep}{inside}" if inside else folder) as entries:
                for entry in entries:
                    if not entry.name.startswith("."):
                        path = f"{inside}/{entry.name}" if inside else entry.name
                        if entry.is_dir():
                            waiting.append(path)
                        elif special := None if entry.is_file() else _special(entry):
                            skipped.append(f"{path} ({special})")
                        else:
                            found.append(path)
        except OSError as error:
            raise InputError(folder, f"cannot be read ({error.strerror})") from None
    return found, skipped


def _special(entry: os.DirEntry[str]) -> str | None:
    """What an entry is that is neither a folder nor a regular file; None for a broken link, whose reader says it."""
    try:
        mode = entry.stat().st_mode
    except FileNotFoundError:
        return None
    return None if stat.S_ISREG(mode) else kind_of_special(mode)


def skipped(files: Files) -> list[Finding]:
    """What a user should know of entries of a folder that are not files."""
    if not files.skipped:
        return []
    some = first_few(files.skipped, len(files.skipped))
    return [finding("FIL001", len(files.skipped), f"{files.name}: {some}")]


def none_of(files: Files, wanted: str, expected: str) -> InputError:
    """The error where a folder has no file of a kind."""
    some = first_few(files.paths, len(files.paths)) or "nothing"
    return InputError(files.name, f"no {wanted} (it holds {some})", expected)
