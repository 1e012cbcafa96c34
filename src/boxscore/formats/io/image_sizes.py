"""Sizes of images: as the user states them, from a table, or from the headers of the image files."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boxscore import _core
from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import IMAGES, Files, none_of, open_files, skipped
from boxscore.formats.io.image_names import match_names
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Floats, Images, Table, thread_count

if TYPE_CHECKING:
    from PIL.Image import Image

_ROTATED = (5, 6, 7, 8)  # EXIF orientations in which width and height are exchanged
_ORIENTATION = 274
_TIFF_SIDES = (256, 257)
_START = 1 << 15  # bytes that the kernel looks at
_EXPECTED = "a folder or an archive of image files"


class Header(NamedTuple):
    """The size of an image as it is shown, and whether its EXIF rotation exchanges width and height."""

    width: float
    height: float
    turned: bool = False


def sizes_of(files: Files, paths: Iterable[str], threads: int = 0) -> dict[str, tuple[float, float]]:
    """Width and height of image files as they are shown; those that cannot be read are not there."""
    return {path: header[:2] for path, header in headers_of(files, paths, threads).items()}


def headers_of(files: Files, paths: Iterable[str], threads: int = 0) -> dict[str, Header]:
    """What the headers of image files say; those that cannot be read are not there. No image is decoded.

    Pillow takes ten times as long as the kernel for a header, and is asked where that does not know.
    """
    listed, on_disk = list(paths), files.root is not None and not files.is_file and os.name == "posix"
    columns: Any = _core.image_headers(
        os.fsencode(files.root) if on_disk and files.root is not None else None,
        os.fsencode("\0".join(listed)) if on_disk else b"",
        [] if on_disk else [files.bytes(path)[:_START] for path in listed],
        thread_count(threads),
    )
    width, height, turned, known = (column.tolist() for column in columns)
    found = {
        path: Header(h, w, True) if t else Header(w, h)
        for path, w, h, t, k in zip(listed, width, height, turned, known, strict=True)
        if k
    }
    rest = [path for path in listed if path not in found]
    return {**found, **_by_pillow(files, rest)} if rest else found


def _by_pillow(files: Files, listed: list[str]) -> dict[str, Header]:
    from PIL import Image

    before = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None  # a bound for decoding, which stops aerial images for nothing here
    try:
        found = [_header(files, path) for path in listed]
    finally:
        Image.MAX_IMAGE_PIXELS = before
    return {path: header for path, header in zip(listed, found, strict=True) if header is not None}


def _header(files: Files, path: str) -> Header | None:
    from PIL import Image

    place = io.BytesIO(files.contents[path]) if files.root is None else f"{files.root}{os.sep}{path}"
    try:
        with Image.open(place) as image:
            width, height = image.size
            if image.format == "TIFF":  # some versions of Pillow exchange them already
                width, height = (image.tag_v2[tag] for tag in _TIFF_SIDES)  # type: ignore[attr-defined]
            turned = _turned(image)
    except MemoryError:
        raise
    except Exception:  # whatever the many readers of Pillow raise on damaged files: it has no size
        return None
    return Header(height, width, True) if turned else Header(width, height)


def _turned(image: Image) -> bool:
    """Whether it is shown with width and height exchanged; what cannot be read says nothing."""
    if image.format == "PNG" and "exif" not in image.info:
        return False  # it may stand behind the pixels, which would be decoded
    try:
        return image.getexif().get(_ORIENTATION) in _ROTATED
    except MemoryError:
        raise
    except Exception:
        return False


def read_images(path: str | os.PathLike[str]) -> Files:
    """The image files of a folder or an archive."""
    files = open_files(path)
    images = files.ending(*IMAGES)
    if files.is_file:
        raise InputError(files.name, "a file", _EXPECTED)
    if not images:
        raise none_of(files, "images", _EXPECTED)
    return files.only(images)


def known_sizes(images: Images) -> Floats:
    """Width and height of each image, (n, 2); nan where they are not known."""
    sides = [np.full(len(images), np.nan) if side is None else side for side in (images.width, images.height)]
    sizes = np.stack(sides, axis=1)
    sizes[~(sizes > 0).all(axis=1)] = np.nan
    return sizes


def with_sizes(table: Table, how: ReadOptions) -> tuple[Table, list[Finding]]:
    """A table whose images have the stated sizes where their annotation has none, and where the two disagree."""
    sizes, findings = known_sizes(table.images), list[Finding]()
    said = sizes.copy()
    if how.sizes is not None:
        from boxscore.formats.io.size_tables import read_sizes  # few need it

        listed = [(name, Header(*size)) for name, size in read_sizes(how.sizes, how.split).items()]
        places = match_names(table.images.key, [name for name, _ in listed]).place
        found = {i: listed[place][1] for i, place in enumerate(places) if place >= 0}
        findings += _filled(sizes, said, table.images, found, os.fspath(how.sizes))
    if how.images is not None:
        headers, more = _headers(table.images, how)
        findings += more
        findings += _filled(sizes, said, table.images, headers, os.fspath(how.images))
    if how.image_size is not None:
        everywhere = dict.fromkeys(range(len(table.images)), Header(*how.image_size))
        findings += _filled(sizes, said, table.images, everywhere, "image_size")
    if not len(sizes) or np.isnan(sizes).all():
        return table, findings
    return replace(table, images=replace(table.images, width=sizes[:, 0].copy(), height=sizes[:, 1].copy())), findings


def _headers(images: Images, how: ReadOptions) -> tuple[dict[int, Header], list[Finding]]:
    """The sizes of the image files that belong to images of a table, by image."""
    assert how.images is not None
    files = read_images(how.images)
    odd = skipped(files)
    of_split = [path for path in files.paths if how.split in path.split("/")[:-1]]
    paths = of_split or list(files.paths)
    file = {i: paths[place] for i, place in enumerate(match_names(images.key, paths).place) if place >= 0}
    wanted = sorted(set(file.values()))
    headers = headers_of(files, wanted, how.threads)
    broken = [files.place(path) for path in wanted if path not in headers]
    found = {i: headers[path] for i, path in file.items() if path in headers}
    return found, [*odd, finding("SIZ003", len(broken), first_few(broken, len(broken)))] if broken else odd


def _filled(sizes: Floats, said: Floats, images: Images, known: Mapping[int, Header], source: str) -> list[Finding]:
    """Writes sizes where there are none; the findings are about those that the annotation has otherwise."""
    other, turned = list[str](), list[str]()
    if known and np.isnan(sizes).all():  # as where the format has no sizes
        sizes[list(known)] = [header[:2] for header in known.values()]
        return []
    for i, header in known.items():
        if np.isnan(sizes[i, 0]):
            sizes[i] = header[:2]
        width, height = said[i].tolist()
        if width > 0 and (width, height) != header[:2]:
            exchanged = header.turned and (height, width) == header[:2]
            text = f"{images.key[i]}: {width:g} x {height:g}, {source} has {header.width:g} x {header.height:g}"
            (turned if exchanged else other).append(text)
    made = [finding("SIZ001", len(other), f"elsewhere ({other[0]})")] if other else []
    return [*made, finding("SIZ002", len(turned), turned[0])] if turned else made
