"""The masks of Open Images: pictures beside a CSV file, or compressed run lengths within it."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Sequence

from boxscore.errors import InputError
from boxscore.formats.io.delimited import Place
from boxscore.formats.io.mask_pictures import Pictures, pixels_of, resized
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


def pictured_masks(texts: Sequence[str], sizes: Floats, place: Place, pictures: Pictures, needed: bool) -> Masks:
    """Masks that are pictures, resized to their images where these are known; those not there are an error if needed.

    Open Images draws masks in another size than that of the image; whoever compares them resizes them.
    """

    def mask(row: int) -> Mask | None:
        found = pictures.find(texts[row]) if texts[row] else None
        if found is None:
            if needed and texts[row]:
                hint = "Pictures are looked for in the folder of the file, in folders below it, and in archives there."
                raise InputError(place(row), f"the picture {texts[row]} is not there", "a PNG file", hint)
            return None
        pixels = pixels_of(*found) > 0
        if (sizes[row] > 0).all() and pixels.shape != (shape := (int(sizes[row, 1]), int(sizes[row, 0]))):
            pixels = resized(pixels, *shape)
        height, width, *counts = (int(value) for value in runs_of(pixels, *pixels.shape))
        return height, width, counts

    return mask
