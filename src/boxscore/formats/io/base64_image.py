"""Images inside of JSON files: the size of one, and masks as runs of pixels."""

from __future__ import annotations

import base64
import io
import math
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.formats.io.json_values import Value
from boxscore.formats.io.mask_runs import runs_of

_MOST = 1 << 28  # pixels of a mask: what is larger is a mistake or an attack
_SIDEWAYS = (5, 6, 7, 8)  # orientations of EXIF that turn an image by a quarter
_ORIENTATION = 274


def image_size(value: Value) -> tuple[float, float]:
    """Width and height of an image as it is shown; nan where it is damaged, because nothing else is needed of it."""
    from PIL import Image

    content = _content(value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of large images, of which only the header is read
        try:
            with Image.open(io.BytesIO(content)) as image:
                sideways = image.getexif().get(_ORIENTATION) in _SIDEWAYS
                width, height = image.size
        except MemoryError:
            raise
        except Exception:  # Pillow's readers raise errors of many kinds
            return math.nan, math.nan
    return (float(height), float(width)) if sideways else (float(width), float(height))


def mask_of(
    value: Value, corners: list[float], size: tuple[float, float], runs: bool
) -> tuple[list[float], list[float]]:
    """The box of a mask whose first pixel lies at the corner, and (if asked for) height, width and COCO's counts."""
    if max(map(abs, corners)) > _MOST:
        raise value.wrong(f"a mask at {corners}", "a place inside of the image")
    mask = _pixels(value)
    x, y = int(corners[0]), int(corners[1])
    mask = mask[max(-y, 0) :, max(-x, 0) :]  # what lies outside of the image is no part of it
    x, y = max(x, 0), max(y, 0)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        raise value.wrong("a mask without pixels", "a mask of the object")
    box = [float(v) for v in (x + columns[0], y + rows[0], x + columns[-1] + 1, y + rows[-1] + 1)]
    if not runs:
        return box, []
    width, height = (int(max(0.0 if math.isnan(s) else s, end)) for s, end in zip(size, box[2:], strict=True))
    if width * height > _MOST:
        raise value.wrong(f"a mask in an image of {width} by {height} pixels", "a smaller image")
    return box, runs_of(mask[: height - y, : width - x], height, width, y, x)


def png_of(mask: npt.NDArray[np.bool_]) -> str:
    """A mask as PNG in base64, as LabelMe writes it."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(mask.astype(np.uint8) * np.uint8(255)).save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def _content(value: Value) -> bytes:
    try:
        return base64.b64decode(value.text(), validate=True)
    except ValueError:
        raise value.wrong(value.shown, "an image in base64") from None


def _pixels(value: Value) -> npt.NDArray[np.bool_]:
    from PIL import Image

    content = _content(value)
    width, height = (int.from_bytes(content[k : k + 4], "big") for k in (16, 20))
    if content[:8] != b"\x89PNG\r\n\x1a\n" or width * height > _MOST:
        raise value.wrong(f"{value.shown}, which is no PNG image of a usual size", "a mask as PNG in base64")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the size is checked above
            with Image.open(io.BytesIO(content)) as image:
                pixels: npt.NDArray[Any] = np.asarray(image.convert("L"))
    except MemoryError:
        raise
    except Exception:  # Pillow's readers raise errors of many kinds
        raise value.wrong("a PNG image that cannot be read", "a mask as PNG in base64") from None
    return pixels > 0
