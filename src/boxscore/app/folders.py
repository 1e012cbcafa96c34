"""Which folders the page may look into: those below roots, after links are followed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException

MOST = 2000  # entries of a folder that are listed


class Folders(NamedTuple):
    """The roots, resolved."""

    roots: tuple[Path, ...]

    @staticmethod
    def of(paths: Iterable[str | os.PathLike[str]]) -> Folders:
        """The folders of some paths; a file stands for the folder that it is in."""
        resolved = [Path(path).resolve() for path in paths]
        folders = [path if path.is_dir() else path.parent for path in resolved]
        return Folders(tuple(dict.fromkeys(folders)))

    def within(self, text: str) -> Path:
        """The place that a path leads to, if it is below a root; raises otherwise, whether it exists or not."""
        if not text or "\0" in text or len(text) > 4096:
            raise HTTPException(400, "no usable path; expected the path of a file or folder")
        try:
            path = Path(text).expanduser().resolve()
        except (OSError, RuntimeError):
            raise HTTPException(403, _OUTSIDE) from None
        if not any(path == root or root in path.parents for root in self.roots):
            raise HTTPException(403, _OUTSIDE)
        return path

    def listed(self, text: str) -> dict[str, Any]:
        """What a folder holds: folders first, then files; hidden ones and links that lead out are left out."""
        path = self.within(text or str(self.roots[0]))
        if not path.exists():
            raise HTTPException(404, "there is no such folder")
        if not path.is_dir():
            path = path.parent
        try:
            entries = sorted(path.iterdir(), key=lambda entry: entry.name.casefold())
        except OSError as error:
            raise HTTPException(403, f"this folder cannot be read ({error.strerror})") from None
        shown = [self._entry(entry) for entry in entries if not entry.name.startswith(".")]
        known = [entry for entry in shown if entry is not None]
        known.sort(key=lambda entry: not entry["folder"])
        above = path.parent if any(path.parent == r or r in path.parent.parents for r in self.roots) else None
        return {
            "path": str(path),
            "above": None if above is None else str(above),
            "roots": [str(root) for root in self.roots],
            "entries": known[:MOST],
            "left_out": max(len(known) - MOST, 0),
        }

    def _entry(self, entry: Path) -> dict[str, Any] | None:
        try:
            if entry.is_symlink():
                self.within(str(entry))
            folder = entry.is_dir()
            size = None if folder else entry.stat().st_size
        except (OSError, HTTPException):
            return None
        return {"name": entry.name, "folder": folder, "size": size}


_OUTSIDE = (
    "this path lies outside of the folders that the app may read; "
    "start `boxscore app` in that folder, or name it with --root"
)
