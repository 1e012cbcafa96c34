"""Images and thumbnails: only from the chosen folder, only what is an image, never more pixels than can be shown."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageOps
from starlette.exceptions import HTTPException

from boxscore.formats.io.files import IMAGES, Files, open_files
from boxscore.formats.io.same_images import known_names

PIXELS = 89_478_485  # of an image: as many as Pillow opens without a warning
BYTES = 256 << 20  # of its file
CACHE = 64 << 20  # bytes of thumbnails that are kept
SIZES = (160, 320, 640, 1280)  # longer sides that thumbnails may have
FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF", "PPM")
SHOWN = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp", "GIF": "image/gif"}  # by every browser
REFUSED = (OSError, ValueError, SyntaxError, EOFError, MemoryError)


class Picture(NamedTuple):
    """An image as a browser takes it."""

    content: bytes
    kind: str


class Pictures:
    """The images of a ground truth, by their numbers there; none of them where no folder is chosen."""

    def __init__(self, folder: str | None, keys: Sequence[str]) -> None:
        self.folder, self.keys = folder, keys
        self._kept: OrderedDict[tuple[int, int], Picture] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def _files(self) -> tuple[Files, list[str]]:
        if self.folder is None:
            return Files("", ()), [""] * len(self.keys)
        files = open_files(self.folder)
        there = files.ending(*IMAGES)
        own = set(there)
        return files, [name if name in own else "" for name in known_names(self.keys, there)]

    def has(self, index: int) -> bool:
        """Whether there is a file for an image."""
        return 0 <= index < len(self.keys) and bool(self._files[1][index])

    def thumbnail(self, index: int, size: int) -> Picture:
        """An image with its longer side at most the next of `SIZES`."""
        side = next((s for s in SIZES if s >= size), SIZES[-1])
        with self._lock:
            if (index, side) in self._kept:
                self._kept.move_to_end((index, side))
                return self._kept[index, side]
        made = self._thumbnail(self._bytes(index), side)
        with self._lock:
            self._kept[index, side] = made
            while sum(len(one.content) for one in self._kept.values()) > CACHE:
                self._kept.popitem(last=False)
        return made

    def whole(self, index: int) -> Picture:
        """An image as its file has it, if browsers know that kind; else as PNG."""
        content = self._bytes(index)
        try:
            with _opened(content) as image:
                if image.format in SHOWN:
                    return Picture(content, SHOWN[image.format])
                return _saved(ImageOps.exif_transpose(image).convert("RGB"), "PNG")
        except REFUSED:
            raise _unreadable() from None

    def _thumbnail(self, content: bytes, side: int) -> Picture:
        try:
            with _opened(content) as image:
                image.draft("RGB", (side, side))  # lets a JPEG be decoded at a fraction of its size
                upright = ImageOps.exif_transpose(image)
                upright.thumbnail((side, side))
                return _saved(upright.convert("RGB"), "JPEG")
        except REFUSED:
            raise _unreadable() from None

    def _bytes(self, index: int) -> bytes:
        """The content of a file, after links are followed and found to stay in the folder."""
        if not self.has(index):
            raise HTTPException(404, "there is no file for this image")
        files, names = self._files
        if files.root is not None:
            root = Path(files.root).resolve()
            path = (root / names[index]).resolve()
            if root not in path.parents:
                raise HTTPException(403, "this image is a link that leads out of its folder")
            try:
                large = path.stat().st_size > BYTES
            except OSError:
                raise HTTPException(404, "there is no file for this image") from None
            if large:
                raise HTTPException(415, f"the file of this image has more than {BYTES:,} bytes")
        try:
            return files.bytes(names[index])
        except OSError:
            raise HTTPException(404, "there is no file for this image") from None


def _opened(content: bytes) -> Image.Image:
    """An image whose header says that it can be decoded; nothing is decoded yet."""
    try:
        image = Image.open(io.BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):  # where warnings are errors
        raise _too_large() from None
    if image.width * image.height > PIXELS:
        image.close()
        raise _too_large()
    return image


def _saved(image: Image.Image, form: str) -> Picture:
    content = io.BytesIO()
    image.save(content, form, **({"quality": 85} if form == "JPEG" else {}))
    return Picture(content.getvalue(), SHOWN[form])


def _too_large() -> HTTPException:
    return HTTPException(415, f"this image has more than {PIXELS:,} pixels")


def _unreadable() -> HTTPException:
    return HTTPException(415, "the file of this image cannot be read as an image")
