"""Files and folders put in their place whole or not at all; nothing is deleted that was not to be replaced.

Everything is made in a hidden folder beside the target, `.NAME.boxscore-…`, and then changes places with it.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from boxscore.errors import InputError, UsageError, first_few
from boxscore.formats.io.renaming import exchange, rename_new

Made = Iterable[tuple[str, bytes]]  # relative path and content of each file; the path of a single file is ""

_NEW, _OLD = "made", "before"  # in the hidden folder: what is made, and a folder for what it replaces
_LONGEST = 50  # letters of a name in that of its hidden folder, which has to stay within what systems allow


def place(
    files: Made, target: Path, overwrite: bool = False, check: Callable[[Path], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> int:  # fmt: skip
    """Writes files to a path, all of them or none, and returns how many; links are followed.

    `check` gets the path of what is complete, but not yet in its place, and may raise. Of a folder that is there,
    only files that are written anew are replaced; where it holds anything else, nothing is written. `tell` hears
    what is left behind.
    """
    path = _real(target)
    if is_device(target):
        return _into_device(files, target)
    _check_folder(path, target)
    for note in recover(target):
        (tell or _nobody)(note)
    try:
        hidden = Path(tempfile.mkdtemp(dir=path.parent, prefix=_prefix(path)))
    except OSError as error:
        raise _unwritable(target, error) from None
    names = list[str]()
    try:
        _write_all(files, hidden / _NEW, target, names)
        if names:
            if check is not None:
                check(hidden / _NEW)
            _put(hidden, path, target, names, overwrite)
    except OSError as error:
        raise _unwritable(target, error) from None
    finally:
        for old in (hidden / _NEW, hidden / _OLD / path.name):
            if path.exists() or old.name == _NEW:  # else it is the only one there is
                _remove(old, names)
        for folder in (hidden / _OLD, hidden):
            with suppress(OSError):
                folder.rmdir()
        if hidden.exists() and tell is not None:
            tell(f"{hidden} is left; it holds what could not be removed")
    return len(names)


def recover(target: Path) -> list[str]:
    """Puts back a folder that an interrupted run had moved away, and tells of hidden folders that runs have left."""
    path = _real(target)
    prefix = _prefix(path)
    try:
        left = sorted(entry.name for entry in os.scandir(path.parent) if entry.name.startswith(prefix))
        notes = [f"{path.parent / name} is left by a run that was interrupted or is still going on" for name in left]
        moved = [old for name in left if os.path.lexists(old := path.parent / name / _OLD / path.name)]
        if len(moved) == 1 and not os.path.lexists(path):
            rename_new(moved[0], path)
            notes.insert(0, f"{target} is back: an interrupted run had moved it away")
    except OSError:  # whatever is wrong with the folder, writing to it will say
        return []
    return notes


def _nobody(_: str) -> None:
    pass


def _real(target: Path) -> Path:
    """The path that a target stands for, links followed."""
    if "\0" in str(target):
        raise InputError(repr(str(target)), "a path with a null character", "the path of a file or folder")
    return Path(os.path.realpath(target))


def _check_folder(path: Path, target: Path) -> None:
    if not path.parent.is_dir():
        raise InputError(str(target.parent), "no such folder", "a folder to write into")


def _prefix(path: Path) -> str:
    return f".{path.name[:_LONGEST]}.boxscore-"


def _unwritable(target: Path, error: OSError) -> InputError:
    return InputError(str(target), f"cannot be written ({error.strerror or error})")


def is_device(target: Path) -> bool:
    """Whether there is nothing to replace: a pipe, a device, or an open file by its number, as /dev/stdout is."""
    by_number = str(target.absolute()).startswith(("/dev/", "/proc/"))
    return target.exists() and not target.is_dir() and (by_number or not target.is_file())


def _into_device(files: Made, target: Path) -> int:
    made = list(files)
    try:
        for name, content in made:
            _write(target / name if name else target, content, os.O_WRONLY | os.O_APPEND)
    except OSError as error:
        raise _unwritable(target, error) from None
    return len(made)


def _write_all(files: Made, whole: Path, target: Path, names: list[str]) -> None:
    """Writes files below a new folder, or as one new file; `names` are those that there may be."""
    try:
        for name, content in files:
            where = f"{target}{os.sep}{name}" if name else str(target)
            parts = os.fsdecode(os.fsencode(name)).split("/")  # as far as it can be a name at all
            if name and any(part in ("", ".", "..") or "\0" in part for part in parts):
                raise InputError(str(target), f"the file name {name!r}", "a name that a file in the folder can have")
            file = whole.joinpath(*parts) if name else whole
            names.append(name)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                _write(file, content, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            except FileExistsError:
                expected = "names that differ in more than what the file system ignores"
                raise InputError(where, "two files of this name", expected) from None
            except OSError as error:
                raise InputError(where, f"cannot be written ({error.strerror or error})") from None
    except UnicodeEncodeError as error:
        found = f"text that is not valid Unicode ({error.object[:40]!r})"
        raise InputError(str(target), found, "names without halves of surrogate pairs") from None


def _write(file: Path, content: bytes, flags: int) -> None:
    descriptor = os.open(file, flags | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    finally:
        os.close(descriptor)


def _put(hidden: Path, path: Path, target: Path, names: list[str], overwrite: bool) -> None:
    """Puts what is made in its place."""
    made = hidden / _NEW
    if not os.path.lexists(path) or not overwrite:
        try:
            rename_new(made, path)
        except FileExistsError:
            raise InputError(str(target), "it is there already", "a new path, or overwrite") from None
        return
    if path.is_dir() != made.is_dir():
        found, wanted = ("a folder", "a file") if path.is_dir() else ("a file", "a folder")
        raise UsageError(f"{target}: {found}, where {wanted} is to be written; expected another path")
    if path.is_dir() and (others := _others(path, names)):
        some = first_few(others, len(others))
        raise UsageError(
            f"{target}: it holds {len(others):,} other file{'s' * (len(others) > 1)}, which would be lost ({some}); "
            "expected a new path, or a folder that holds only what is replaced"
        )
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    made.chmod(stat.S_IMODE(path.stat().st_mode))
    if made.is_file():
        made.replace(path)
    elif not exchange(made, path):
        old = hidden / _OLD / path.name
        old.parent.mkdir()
        path.rename(old)
        try:
            made.rename(path)
        except BaseException:
            old.rename(path)
            raise


def _others(folder: Path, names: list[str]) -> list[str]:
    """What a folder holds besides plain files of the given names and the folders that they are in."""
    known = {str(parent) for name in names for parent in PurePosixPath(name).parents}
    ours, found, waiting = {*names}, list[str](), [""]
    while waiting:
        inside = waiting.pop()
        for entry in sorted(os.scandir(folder / inside), key=lambda entry: entry.name):
            path = f"{inside}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                waiting.append(f"{path}/")
                if path not in known and not any(Path(entry.path).iterdir()):
                    found.append(f"{path}/")
            elif path not in ours or not entry.is_file(follow_symlinks=False):
                found.append(path)
    return sorted(found)


def _remove(tree: Path, names: list[str]) -> None:
    """Removes the named files and the folders that they were in; whatever else is there stays."""
    for name in names:
        with suppress(OSError, ValueError):
            (tree / name if name else tree).unlink()
    folders = {parent for name in names if name for parent in PurePosixPath(name).parents}
    for folder in sorted(folders, key=lambda parent: -len(parent.parts)):
        with suppress(OSError, ValueError):
            (tree / folder).rmdir()
