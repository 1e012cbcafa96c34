"""The headers of images: the kernel as it is defined, and as Pillow has them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from boxscore import _core, _reference
from effort import examples

SIZES = st.tuples(st.integers(1, 40), st.integers(1, 40))


@st.composite
def pictures(draw: st.DrawFn) -> tuple[bytes, int, int, bool]:
    """A JPEG or PNG file, width and height as shown, and whether they are exchanged."""
    width, height = draw(SIZES)
    form, mode = draw(st.sampled_from([("JPEG", "L"), ("JPEG", "RGB"), ("PNG", "L"), ("PNG", "RGBA"), ("PNG", "P")]))
    more: dict[str, object] = {"progressive": draw(st.booleans())} if form == "JPEG" else {}
    turn = draw(st.sampled_from([None, 1, 3, 6, 8])) if form == "JPEG" else None
    if turn is not None:
        exif = Image.Exif()
        exif[274] = turn
        exif[270] = draw(st.sampled_from(["", "a picture"]))
        more["exif"] = exif.tobytes()
    if draw(st.booleans()):
        more["dpi"] = (72, 72)
    file = io.BytesIO()
    Image.new(mode, (width, height)).save(file, form, **more)
    return file.getvalue(), width, height, turn in (6, 8)


@given(st.lists(pictures(), max_size=4), st.integers(1, 3))
def test_as_pillow_has_them(made: list[tuple[bytes, int, int, bool]], threads: int) -> None:
    columns = _core.image_headers(None, b"", [content for content, *_ in made], threads)
    for row, (_, width, height, turned) in zip(zip(*columns, strict=True), made, strict=True):
        assert row == (width, height, turned, 1)


@settings(max_examples=examples(300))
@given(pictures(), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=6), st.integers(0, 2000))
def test_damaged_files_as_defined(made: tuple[bytes, int, int, bool], changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(made[0])
    for at, value in changes:
        if at < len(content):
            content[at] = value
    same(bytes(content[:cut]))


@given(
    st.binary(max_size=60),
    st.sampled_from([b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0"]),
)
def test_any_bytes_as_defined(content: bytes, start: bytes) -> None:
    same(start + content)


def same(content: bytes) -> None:
    for a, b in zip(
        _core.image_headers(None, b"", [content], 1), _reference.image_headers(None, b"", [content]), strict=True
    ):
        np.testing.assert_array_equal(a, b)


def test_files_on_a_disk(tmp_path: Path) -> None:
    for i in range(200):
        Image.new("L", (i + 1, 7)).save(tmp_path / f"{i}.{'png' if i % 2 else 'jpg'}")
    (tmp_path / "broken.jpg").write_bytes(b"no image")
    names = [*sorted(path.name for path in tmp_path.iterdir()), "absent.png"]
    paths = "\0".join(names).encode()
    made = [_core.image_headers(str(tmp_path).encode(), paths, [], threads) for threads in (1, 3)]
    defined = _reference.image_headers(str(tmp_path).encode(), paths, [])
    for columns in made:
        for a, b in zip(columns, defined, strict=True):
            np.testing.assert_array_equal(a, b)
    assert defined[3].sum() == 200


@pytest.mark.parametrize("size", [(1 << 15) - 9000, 1 << 16])
def test_a_long_header_is_left_to_others(size: int) -> None:
    file = io.BytesIO()
    Image.new("RGB", (5, 4)).save(file, "PNG", icc_profile=np.random.default_rng(0).bytes(size))
    known = _core.image_headers(None, b"", [file.getvalue()], 1)[3]
    assert known.tolist() == [size < 1 << 15]
