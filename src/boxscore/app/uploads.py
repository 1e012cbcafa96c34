"""Files that are dropped on the page: kept in a folder of their own until the server ends."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.exceptions import HTTPException

MOST = 20_000  # files
LARGEST = 2 << 30  # bytes of all of them
DEEPEST = 16  # folders within folders


class Uploads:
    """The dropped files; nothing is written before something is dropped."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.files, self.bytes = 0, 0

    @property
    def folder(self) -> Path:
        """Where they are."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="boxscore-")
        return Path(self._folder.name).resolve()

    async def take(self, name: str, content: AsyncIterator[bytes]) -> Path:
        """Writes one file below the folder; the first part of its name is that of the drop."""
        parts = name.split("/")
        if len(parts) > DEEPEST or not all(map(_is_plain, parts)):
            raise HTTPException(400, "unusable file name; expected one without .., control characters and hidden parts")
        if self.files >= MOST:
            raise HTTPException(413, f"too many files; expected at most {MOST:,} (give the folder's path instead)")
        path = self.folder.joinpath(*parts)
        if self.folder not in path.resolve().parents:
            raise HTTPException(400, "unusable file name; it leads out of the folder")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                self.files += 1
                async for block in content:
                    self.bytes += len(block)
                    if self.bytes > LARGEST:
                        raise HTTPException(413, f"too large; expected at most {LARGEST:,} bytes in all")
                    file.write(block)
        except FileExistsError:
            raise HTTPException(409, "this file was dropped already") from None
        except OSError as error:
            raise HTTPException(400, f"this file cannot be kept ({error.strerror})") from None
        except HTTPException:
            path.unlink(missing_ok=True)
            raise
        return path

    def close(self) -> None:
        """Removes the folder."""
        if self._folder is not None:
            self._folder.cleanup()


def _is_plain(part: str) -> bool:
    return bool(part) and not part.startswith(".") and part.isprintable() and len(part) < 200 and "\\" not in part
