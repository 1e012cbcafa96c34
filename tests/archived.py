"""Archives of real files, unpacked as far as a test needs them."""

from __future__ import annotations

import tarfile
from pathlib import Path


def unpacked(data: Path, archive: str, name: str, into: Path) -> Path:
    """The files of a folder in an archive, below a folder for the test; where they are."""
    with tarfile.open(data / "data" / archive) as tar:
        members = [m for m in tar.getmembers() if m.name.removeprefix("./").startswith(name) and m.isfile()]
        for member in members:
            target = into / member.name.removeprefix("./")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(tar.extractfile(member).read())
    return into / name
