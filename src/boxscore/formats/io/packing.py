"""Files in the container that others came in: a folder, a file, a zip or tar archive, any of them gzipped."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from boxscore.formats.io.archives import is_archive, member_paths
from boxscore.formats.io.correction import Edited
from boxscore.formats.io.files import Files
from boxscore.formats.io.pipes import Drained
from boxscore.formats.io.placing import Made
from boxscore.formats.io.source import file_bytes, open_source


class Container(NamedTuple):
    """What a path is: a folder, a file, or an archive, and whether it is gzipped."""

    kind: str  # folder, file, zip or tar
    gzipped: bool
    content: bytes = b""  # of an archive, unpacked

    def __str__(self) -> str:
        packed = {"zip": ", zip", "tar": ", tar"}.get(self.kind, "")
        return packed + (".gz" if packed and self.gzipped else ", gzip" if self.gzipped else "")


def container_of(path: str | os.PathLike[str]) -> Container:
    """The container at a path."""
    if not isinstance(path, Drained) and Path(path).is_dir():
        return Container("folder", False)
    raw = path.content if isinstance(path, Drained) else file_bytes(os.fspath(path))
    content, gzipped = open_source(path).bytes(), raw[:2] == b"\x1f\x8b"
    if not is_archive(content[:512]):
        return Container("file", gzipped)
    return Container("zip" if content[:2] == b"PK" else "tar", gzipped, content)


def packed(files: Files, container: Container, edited: Edited) -> Made:
    """All files of a container, with those that are edited in place of the old ones."""
    if container.kind == "folder":
        return _folder(files, edited)
    if container.kind == "file":
        content = edited.made[""]
    elif container.kind == "zip":
        content = _zipped(container.content, edited)
    else:
        content = _tarred(container.content, edited)
    return [("", gzip.compress(content, mtime=0) if container.gzipped else content)]


def _folder(files: Files, edited: Edited) -> Iterator[tuple[str, bytes]]:
    for path in files.paths:
        if path not in edited.gone and path not in edited.made:
            yield path, files.bytes(path)
    yield from edited.made.items()


def _new_names(edited: Edited, members: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """What the archive does not have yet, below the folder that holds all, if one does."""
    path, written = next(iter(members.items()))
    top = written.removesuffix(path)
    yield from ((top + new, content) for new, content in edited.made.items() if new not in members)


def _zipped(content: bytes, edited: Edited) -> bytes:
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        members = member_paths([member.filename for member in old.infolist() if not member.is_dir()])
        path_of = {written: path for path, written in members.items()}
        for member in old.infolist():
            path = path_of.get(member.filename)
            if path is None or path not in edited.gone:
                known = path is not None and path in edited.made
                new.writestr(member, edited.made[path] if known and path is not None else old.read(member))
        for name, lines in _new_names(edited, members):
            info = zipfile.ZipInfo(name)  # without the time, so that the same input gives the same bytes
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, lines)
    return out.getvalue()


def _tarred(content: bytes, edited: Edited) -> bytes:
    import tarfile

    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(content)) as old, tarfile.open(fileobj=out, mode="w") as new:
        members = member_paths([member.name for member in old if member.isfile()])
        path_of = {written: path for path, written in members.items()}
        for member in old:
            path = path_of.get(member.name, "") if member.isfile() else ""
            if path in edited.gone:
                continue
            if path in edited.made:
                member.size = len(edited.made[path])
                new.addfile(member, io.BytesIO(edited.made[path]))
            else:
                new.addfile(member, old.extractfile(member) if member.isfile() else None)
        for name, lines in _new_names(edited, members):
            info = tarfile.TarInfo(name)
            info.size = len(lines)
            new.addfile(info, io.BytesIO(lines))
    return out.getvalue()
