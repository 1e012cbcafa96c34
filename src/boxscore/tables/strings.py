"""Many strings without an object for each, and how names are shown so that different ones look different."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import cast, overload

import numpy as np
import numpy.typing as npt

from boxscore.errors import LONGEST, elided, printable


class Names(Sequence[str]):
    """Many strings in one piece of memory, decoded only when somebody looks.

    >>> list(Names(b"catdog", np.array([3, 6])))
    ['cat', 'dog']
    """

    def __init__(self, text: bytes, ends: npt.NDArray[np.int64]) -> None:
        self._text, self._ends = text, ends

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> list[str]: ...
    def __getitem__(self, i: int | slice) -> str | list[str]:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        return self._text[int(self._ends[i - 1]) if i else 0 : int(self._ends[i])].decode()

    def __iter__(self) -> Iterator[str]:
        ends = self._ends.tolist()
        starts = [0, *ends]
        whole = self._text.decode()
        if len(whole) == len(self._text):  # a byte for each character
            return iter([whole[a:b] for a, b in zip(starts, ends, strict=False)])
        return iter([self._text[a:b].decode() for a, b in zip(starts, ends, strict=False)])

    def parts(self) -> list[bytes]:
        """All of them, not decoded."""
        ends, n = self._ends.tolist(), len(self)
        length = ends[0] if n else 0
        if length and np.array_equal(self._ends, np.arange(1, n + 1) * length):  # as where names are numbers
            return cast("list[bytes]", np.frombuffer(self._text, f"V{length}", n).tolist())
        return [self._text[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Names({len(self)})"


def labels(names: Iterable[str]) -> dict[str, str]:
    r"""What a table shows for each name: shortened, and different for different names.

    Names that would look the same, because they differ in spaces or in how Unicode writes an accent, are quoted with
    codes for everything beyond ASCII.

    >>> list(labels(["cat", "caf\xe9", "cafe\u0301"]).values())
    ['cat', "'caf\\xe9'", "'cafe\\u0301'"]
    """
    different = list(dict.fromkeys(names))
    looks = {name: " ".join(unicodedata.normalize("NFC", name).split()) for name in different}
    alike = Counter(looks.values())
    made = {name: elided(printable(name) if alike[looks[name]] == 1 else ascii(name), LONGEST) for name in different}
    times, met = Counter(made.values()), Counter[str]()
    for name, label in made.items():
        if times[label] > 1:  # they differ in what is left out
            met[label] += 1
            made[name] = f"{label} ({met[label]})"
    return made
