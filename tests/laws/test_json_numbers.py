"""Every decimal number becomes the double that Python's float() makes of it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core
from effort import examples

LAYOUT = [("", [("v", 1)])]


def parsed(texts: list[str]) -> np.ndarray:
    text = ("[" + ",".join(f'{{"v":{t}}}' for t in texts) + "]").encode()
    columns = _core.json_columns(text, -1, len(text), LAYOUT, 0, len(text) + 1, 1)
    assert columns is not None
    values: np.ndarray = columns[""]["v"][0]
    return values


def assert_read_as_python_does(texts: list[str]) -> None:
    """Bit by bit, the sign of zero included."""
    wanted = np.array([float(t) for t in texts])
    wrong = np.flatnonzero(parsed(texts).view(np.int64) != wanted.view(np.int64))
    assert not len(wrong), [(texts[i], wanted[i]) for i in wrong[:3]]


def with_point(digits: str, places: int) -> str:
    """digits / 10^places as text."""
    padded = digits.rjust(places + 1, "0")
    whole, part = (padded[:-places], padded[-places:]) if places else (padded, "")
    return f"{whole.lstrip('0') or '0'}.{part}" if part else whole.lstrip("0") or "0"


@pytest.mark.parametrize("length", range(1, 22))
def test_any_digits_with_the_point_anywhere(length: int) -> None:
    rng = random.Random(length)
    texts = []
    for _ in range(400):
        digits = str(rng.randrange(10 ** (length - 1), 10**length))
        texts += [rng.choice(["", "-"]) + with_point(digits, places) for places in range(length + 3)]
    assert_read_as_python_does(texts)


def halfway() -> Iterator[str]:
    """Numbers exactly between two doubles, and their neighbours in the last digit."""
    rng = random.Random(0)
    for _ in range(3000):
        odd = 2**53 + 2 * rng.randrange(2**52) + 1
        for places in range(4):  # odd / 2^places lies between two doubles and has 16 to 19 digits
            exact = odd * 5**places
            for digits in (exact - 1, exact, exact + 1):
                yield with_point(str(digits), places)


def test_ties_go_to_even() -> None:
    assert_read_as_python_does(list(halfway()))


def test_ends_of_the_fast_paths() -> None:
    near = [2**53 + d for d in range(-3, 4)] + [2**63 + d for d in range(-3, 4)] + [2**64 + d for d in range(-3, 4)]
    near += [10**k + d for k in range(15, 21) for d in (-1, 0, 1)]
    assert_read_as_python_does([with_point(str(n), places) for n in near for places in range(23)])
    assert_read_as_python_does(["0", "-0", "0.0", "-0.0", "0e5", "-0E-5", "1e22", "1e23", "9e-5", "0.1", "1E+0"])


@settings(max_examples=examples(60))
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False).map(repr), min_size=1, max_size=200))
def test_every_double_round_trips(texts: list[str]) -> None:
    assert_read_as_python_does(texts)


@settings(max_examples=examples(60))
@given(
    st.lists(
        st.builds(
            lambda sign, whole, part, e, power: f"{sign}{whole}.{part:0>3}{e}{power}",
            st.sampled_from(["", "-"]), st.integers(1, 10**21), st.integers(0, 10**12),
            st.sampled_from(["e", "E", "e+", "e-"]), st.integers(0, 280),
        ),
        min_size=1,
        max_size=100,
    )
)  # fmt: skip
def test_exponents(texts: list[str]) -> None:
    assert_read_as_python_does(texts)
