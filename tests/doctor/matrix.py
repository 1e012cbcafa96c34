"""How often the doctor finds and names mistakes: each put into data sets at random strength, and none into others.

`python tests/doctor/matrix.py` makes the table of docs/doctor.md; with words, it shows the mistakes named so.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from boxscore.checkup import examine
from doctor.faults import FAULTS, Fault
from doctor.scenes import good

SETS = 10
GUIDE = Path(__file__).parents[2] / "docs/doctor.md"
BEGIN, END = "<!-- made by tests/doctor/matrix.py -->", "<!-- end -->"


class Row(NamedTuple):
    """Of how many data sets with a mistake it was found, and named first; and what was said instead."""

    fault: Fault
    sets: int
    found: int
    first: int
    instead: tuple[str, ...]


@cache
def said(seed: int, small: bool) -> frozenset[str]:
    """What is said of a data set without a mistake."""
    return frozenset(one.code for one in examine(good(seed, small)))


def row(fault: Fault, sets: int = SETS, seed: int = 1000, small: bool = False) -> Row:
    """A mistake put into some data sets; what the set has without it does not count."""
    found = first = 0
    instead = []
    for k in range(sets):
        tables = good(seed + k, small)
        before = said(seed + k, small)
        codes = [one.code for one in examine(fault.put(tables, np.random.default_rng(seed + 500 + k)))]
        new = [code for code in codes if code not in before or code in fault.codes]
        known = any(code in fault.codes for code in codes) and all(code in codes for code in fault.also)
        named = bool(new) and new[0] in fault.codes
        found, first = found + known, first + named
        instead += [] if known and named else [f"set {k}: {', '.join(new[:3]) or 'nothing'}"]
    return Row(fault, sets, found, first, tuple(instead))


def alarms(sets: int, seed: int = 5000, small: bool = False) -> Counter[str]:
    """The warnings and errors in data sets without any mistake, by code."""
    return Counter(one.code for k in range(sets) for one in examine(good(seed + k, small)).at_least("warning"))


def table(rows: list[Row]) -> str:
    """The rows in Markdown."""
    lines = ["| mistake | codes | found | named first |", "|---|---|---|---|"]
    for one in rows:
        codes = " or ".join(one.fault.codes) + "".join(f", and {code}" for code in one.fault.also)
        lines.append(f"| {one.fault.name} | {codes} | {one.found} of {one.sets} | {one.first} of {one.sets} |")
    found, first, sets = (sum(getattr(one, name) for one in rows) for name in ("found", "first", "sets"))
    lines.append(f"| **all** | | **{found / sets:.1%}** | **{first / sets:.1%}** |")
    return "\n".join(lines)


def main(words: list[str]) -> None:
    """Prints the table of some mistakes; of all, also the false alarms, and writes both into the guide."""
    rows = []
    for fault in FAULTS:
        if not words or any(word in fault.name for word in words):
            rows.append(row(fault))
            for text in rows[-1].instead:
                print(f"{fault.name}: {text}", file=sys.stderr)
    text = table(rows)
    if not words:
        false = alarms(200)
        text += f"\n\nWarnings and errors in 200 data sets without a mistake: {sum(false.values())}."
        before, mark, rest = GUIDE.read_text().partition(BEGIN)
        GUIDE.write_text(f"{before}{mark}\n{text}\n{END}{rest.partition(END)[2]}")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
