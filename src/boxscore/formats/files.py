"""The files behind a path: one file, a folder with all below it, or what an archive holds."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from boxscore.errors import InputError, first_few
from boxscore.formats.source import Source, file_bytes, open_source

IMAGES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".heic", ".avif")
MOST = 1 << 34  # bytes that an archive may hold besides images: what is larger is a mistake or an attack
_HEADER = 1 << 16  # bytes of an image in an archive that are kept: its size stands there


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
    """What is behind a path: `-` is standard input, archives are opened, and anything gzipped is unpacked.

    `tell` hears how many files have been read, of how many.
    """
    name = os.fspath(path)
    place = Path(name)
    if name != "-" and _is_folder(place):
        return Files(name, tuple(sorted(_listed(name))), place, watch=None if tell is None else Watch(tell))
    source = open_source(name)
    if source.path is not None:
        with source.path.open("rb") as file:
            start = file.read(512)
        if not _is_archive(start):
            return Files(source.name, ("",), source.path)
    content = source.bytes()
    if not _is_archive(content[:512]):
        return Files(source.name, ("",), None, {"": content})
    members = _unzipped(name, content) if content[:2] == b"PK" else _untarred(name, content)
    if not members:
        raise InputError(name, "an archive without files", "an archive of annotation files")
    members = _without_top(members)
    return Files(name, tuple(sorted(members)), None, members, None if tell is None else Watch(tell))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})") from None


def _listed(folder: str) -> list[str]:
    """The paths of all files below a folder; hidden ones do not count."""
    found, waiting = list[str](), [""]
    while waiting:
        inside = waiting.pop()
        try:
            with os.scandir(f"{folder}{os.sep}{inside}" if inside else folder) as entries:
                for entry in entries:
                    if not entry.name.startswith("."):
                        path = f"{inside}/{entry.name}" if inside else entry.name
                        (waiting if entry.is_dir() else found).append(path)
        except OSError as error:
            raise InputError(folder, f"cannot be read ({error.strerror})") from None
    return found


def _is_archive(start: bytes) -> bool:
    return start[:4] == b"PK\3\4" or start[257:262] == b"ustar"


def _unzipped(name: str, content: bytes) -> dict[str, bytes]:
    import zipfile  # this and tarfile take milliseconds, and few need them

    members, size = dict[str, bytes](), 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                if not member.is_dir() and _wanted(member.filename):
                    is_image = member.filename.lower().endswith(IMAGES)
                    size = _within_limit(name, size + (0 if is_image else member.file_size))
                    with archive.open(member) as file:
                        members[_relative(member.filename)] = file.read(_HEADER if is_image else -1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(name, f"damaged zip data ({error})", "a complete .zip file without a password") from None
    return members


def _untarred(name: str, content: bytes) -> dict[str, bytes]:
    import tarfile

    members, size = dict[str, bytes](), 0
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive:
                if member.isfile() and _wanted(member.name) and (file := archive.extractfile(member)) is not None:
                    is_image = member.name.lower().endswith(IMAGES)
                    size = _within_limit(name, size + (0 if is_image else member.size))
                    members[_relative(member.name)] = file.read(_HEADER if is_image else -1)
    except (tarfile.TarError, EOFError) as error:
        raise InputError(name, f"damaged tar data ({error})", "a complete .tar file") from None
    return members


def _wanted(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return not any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)


def _within_limit(name: str, size: int) -> int:
    if size > MOST:
        raise InputError(name, f"an archive of more than {MOST >> 30} GiB besides images", "a smaller one, or a folder")
    return size


def _relative(path: str) -> str:
    """Nothing is written to a disk, so that a path which leaves the archive does no harm; it is just shortened."""
    return "/".join(part for part in path.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def _without_top(members: dict[str, bytes]) -> dict[str, bytes]:
    """The files below the folder that holds all: archives of a folder have its name before every path."""
    tops = {path.partition("/")[0] for path in members}
    if len(tops) != 1 or any("/" not in path for path in members):
        return members
    return _without_top({path.partition("/")[2]: content for path, content in members.items()})


def none_of(files: Files, wanted: str, expected: str) -> InputError:
    """The error where a folder has no file of a kind."""
    some = first_few(files.paths, len(files.paths)) or "nothing"
    return InputError(files.name, f"no {wanted} (it holds {some})", expected)
