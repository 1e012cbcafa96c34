"""Pictures inside of TFRecords: the sizes of encoded images, and masks."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PIL import Image

from boxscore.formats.tfrecord.example import Damaged
from boxscore.tables.model import Bools


def size_in(content: bytes, name: str) -> tuple[float, float]:
    """Width and height of a picture, by its first bytes."""
    with _opened(content, name) as picture:
        return float(picture.width), float(picture.height)


def mask_in(content: bytes, name: str, width: float, height: float) -> Bools:
    """The pixels of a mask that are not 0; it has the size of the image, if that is known."""
    with _opened(content, name) as picture:
        if picture.size not in ((width, height), (picture.size if np.isnan(width) else ())):
            raise Damaged(f"a mask of {picture.width} x {picture.height} in an image of {width:g} x {height:g}")
        if len(picture.getbands()) > 1:
            raise Damaged(f"{name} holds a picture with colours")
        return np.asarray(picture) > 0


@contextmanager
def _opened(content: bytes, name: str) -> Iterator[Image.Image]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content)) as picture:
                yield picture
    except Damaged:
        raise
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
        raise Damaged(f"{name} is no picture ({type(error).__name__})") from None
