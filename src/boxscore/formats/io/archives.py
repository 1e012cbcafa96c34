"""Archives as files: what a zip or a tar holds, under the paths of its members."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from boxscore.errors import InputError
from boxscore.formats.io.unpacking import within_limit

_Value = TypeVar("_Value")
_HEADER = 1 << 16  # bytes of an image that are kept: its size stands there
_BLOCK = 512  # of a tar: every header begins at a multiple of it


def member_paths(written: Iterable[str]) -> dict[str, str]:
    """The paths of members by which they are known here, with the names that an archive has for them.

    >>> member_paths(["set/a.txt", "set/b/c.txt", "set/.hidden"])
    {'a.txt': 'set/a.txt', 'b/c.txt': 'set/b/c.txt'}
    """
    return _without_top({_relative(name): name for name in written if _wanted(name)})


def is_archive(start: bytes) -> bool:
    """Whether a file that begins so is one."""
    return start[:4] == b"PK\3\4" or start[257:262] == b"ustar"


def members_of(name: str, content: bytes, images: tuple[str, ...]) -> dict[str, bytes]:
    """The content of every file of an archive by its path, without the folder that holds all; `images` are endings."""
    members = _Members(name, images)
    (_unzip if content[:2] == b"PK" else _untar)(members, content)
    if not members.contents:
        raise InputError(name, "an archive without files", "an archive of annotation files")
    return _without_top(members.contents)


class _Members:
    """The files of an archive, each under a path of its own."""

    def __init__(self, name: str, images: tuple[str, ...]) -> None:
        self.name, self.images, self.size, self.contents = name, images, 0, dict[str, bytes]()
        self._written = dict[str, str]()  # as the archive writes the paths

    def add(self, written: str, size: int, read: Callable[[int], bytes]) -> None:
        """One more file; of images only the header is kept."""
        if not _wanted(written):
            return
        path, is_image = _relative(written), written.lower().endswith(self.images)
        if not path:
            raise InputError(self.name, f"a file without a name ('{written}')", "a path for each file")
        if path in self._written:
            before = self._written[path]
            found = f"two files called '{path}'" + (f" ('{before}' and '{written}')" if written != before else "")
            raise InputError(self.name, found, "each file once", "Pack it again, each under a path of its own.")
        self._written[path] = written
        self.size += 0 if is_image else size
        within_limit(self.name, self.size, "an archive of more than {} besides images", "a smaller one, or a folder")
        self.contents[path] = read(min(size, _HEADER) if is_image else size)


def _unzip(members: _Members, content: bytes) -> None:
    import zipfile  # this and tarfile take milliseconds, and few need them

    def read(member: zipfile.ZipInfo, size: int) -> bytes:
        with archive.open(member) as file:
            return file.read(max(size, 1))  # at least one byte, so that the checksum of an empty file is checked

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                if not member.is_dir():
                    members.add(member.filename, member.file_size, partial(read, member))
    except (InputError, MemoryError):
        raise
    except Exception as error:  # damaged data make its reader raise nearly anything
        raise InputError(
            members.name, f"damaged zip data ({_said(error)})", "a complete .zip file without a password"
        ) from None


def _untar(members: _Members, content: bytes) -> None:
    import tarfile

    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive:
                if member.isfile() and (file := archive.extractfile(member)) is not None:
                    members.add(member.name, member.size, file.read)
            _check_end(content, archive.offset)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # likewise
        raise InputError(members.name, f"damaged tar data ({_said(error)})", "a complete .tar file") from None


def _check_end(content: bytes, at: int) -> None:
    """Whether an archive ends where its reader stopped: that ends in silence at damaged headers, too."""
    mark = content[at : at + _BLOCK]
    if not mark:
        raise EOFError("it ends without a mark that it is complete")
    if mark.strip(b"\0"):
        raise EOFError(f"no header at byte {at}")
    while (at := content.find(b"ustar", at + 1)) >= 0:
        if at % _BLOCK == 257:
            raise EOFError(f"a second archive begins at byte {at - 257}")


def _said(error: Exception) -> str:
    """What a reader says; its slips at damaged data (a negative place, a missing key) tell a user nothing."""
    slip = isinstance(error, (ArithmeticError, LookupError, OSError, TypeError, ValueError)) or not str(error)
    return "its parts do not fit together" if slip else " ".join(str(error).split())


def _wanted(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return not any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)


def _relative(path: str) -> str:
    """Nothing is written to a disk, so that a path which leaves the archive does no harm; it is just shortened."""
    return "/".join(part for part in path.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def _without_top(members: dict[str, _Value]) -> dict[str, _Value]:
    """The files below the folder that holds all: archives of a folder have its name before every path."""
    tops = {path.partition("/")[0] for path in members}
    if len(tops) != 1 or any("/" not in path for path in members):
        return members
    return _without_top({path.partition("/")[2]: content for path, content in members.items()})
