"""A few thousand texts and polygons of chance; `fuzz_masks.py` feeds as many as one likes."""

from __future__ import annotations

from faults.fuzz_masks import run


def test_no_text_and_no_polygon_is_too_odd() -> None:
    assert run(4000) >= 4000
