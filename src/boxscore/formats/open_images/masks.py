"""The masks of Open Images: pictures beside a CSV file, or compressed run lengths within it."""

from __future__ import annotations

import base64
import binascii
import io
import zlib
from collections.abc import Callable, Sequence

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.delimited import Place
from boxscore.formats.io.files import Files
from boxscore.formats.io.mask_runs import runs_of
from boxscore.formats.io.rle import counts_of
from boxscore.tables.model import Floats

_MOST = 1 << 26  # characters of run lengths: what is longer is a mistake or an attack
_EXPECTED = "COCO's run lengths, packed by zlib and written in base64"
Mask = tuple[int, int, list[int]]  # height, width, counts
Masks = Callable[[int], Mask | None]  # of a row; None where it has none


def packed_masks(texts: Sequence[str], sizes: Floats, place: Place) -> Masks:
    """Masks that stand in the rows; `sizes` are width and height of the image of each row."""

    def mask(row: int) -> Mask | None:
        if not texts[row]:
            return None
        if not (sizes[row] > 0).all():
            raise InputError(place(row), "a Mask without ImageWidth and ImageHeight", "the size of the image")
        width, height = (int(side) for side in sizes[row])
        try:
            packed = base64.b64decode(texts[row], validate=True)
            counts = counts_of(zlib.decompressobj().decompress(packed, _MOST).decode("ascii"))
        except (binascii.Error, zlib.error, ValueError) as error:
            raise InputError(place(row), f"a Mask that cannot be unpacked ({error})", _EXPECTED) from None
        if sum(counts) != width * height:
            found = f"a Mask of {sum(counts):,} pixels in an image of {width}×{height}"
            raise InputError(place(row), found, f"{width * height:,} pixels")
        return height, width, counts

    return mask


def pictured_masks(texts: Sequence[str], files: Files) -> Masks:
    """Masks that are pictures in the same folder, wherever there; None where a picture is not there."""
    paths = {path.rpartition("/")[2]: path for path in files.ending(".png")}

    def mask(row: int) -> Mask | None:
        path = paths.get(texts[row].rpartition("/")[2])
        if path is None:
            return None
        from PIL import Image

        try:
            with Image.open(io.BytesIO(files.bytes(path))) as image:
                pixels = np.asarray(image.convert("L")) > 0
        except (OSError, ValueError, SyntaxError):  # what Pillow raises where a file is damaged
            hint = "Of large pictures in archives only the beginning is kept: unpack it." if files.root is None else ""
            raise InputError(files.place(path), "a picture that cannot be read", "a whole PNG file", hint) from None
        height, width, *counts = (int(value) for value in runs_of(pixels, *pixels.shape))
        return height, width, counts

    return mask
