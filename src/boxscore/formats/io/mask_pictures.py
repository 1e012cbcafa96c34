"""Masks that are picture files: their pixels as numbers, checked."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.io.files import Files, open_files

_ARCHIVES = (".zip", ".tar")
Pixels = npt.NDArray[np.uint8]


def pixels_of(files: Files, path: str) -> Pixels:
    """The numbers of a picture, of one with a palette those of its colours: (height, width)."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # twice as many pixels are an error
            with Image.open(io.BytesIO(files.bytes(path))) as picture:
                bands = picture.getbands()
                if bands not in (("P",), ("L",), ("1",)):
                    found = f"a picture with the channels {', '.join(bands)}"
                    raise InputError(files.place(path), found, "a PNG file with a palette or in shades of grey")
                return np.asarray(picture.convert("L") if bands == ("1",) else picture, np.uint8)
    except Image.DecompressionBombError:
        raise InputError(files.place(path), "a picture with more pixels than any image", "a mask") from None
    except (OSError, ValueError, SyntaxError, EOFError):  # what Pillow raises where a file is damaged
        hint = "Of large pictures in archives only the beginning is kept: unpack it." if files.root is None else ""
        raise InputError(files.place(path), "a picture that cannot be read", "a whole PNG file", hint) from None


class Pictures:
    """The pictures beside a file or below a folder, by their names, those in archives of masks among them."""

    def __init__(self, files: Files) -> None:
        if files.is_file and files.root is not None:
            files = open_files(files.root.parent)
        self._found: dict[str, tuple[Files, str]] = {}
        for packed in (path for path in files.ending(*_ARCHIVES) if "mask" in path.lower() and files.root is not None):
            assert files.root is not None
            self._add(open_files(Path(files.root) / packed))
        self._add(files)

    def _add(self, files: Files) -> None:
        self._found |= {path.rpartition("/")[2]: (files, path) for path in files.ending(".png")}

    def find(self, name: str) -> tuple[Files, str] | None:
        """The files and the path among them of a picture, wherever it is."""
        return self._found.get(name.replace("\\", "/").rpartition("/")[2])


def resized(mask: npt.NDArray[np.bool_], height: int, width: int) -> npt.NDArray[np.bool_]:
    """A mask in another size, each pixel that of the nearest one.

    >>> resized(np.array([[True, False]]), 2, 4).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 0, 0]])
    """
    rows = (np.arange(height) * 2 + 1) * mask.shape[0] // (2 * height)
    columns = (np.arange(width) * 2 + 1) * mask.shape[1] // (2 * width)
    made: npt.NDArray[np.bool_] = mask[rows[:, None], columns]
    return made
