"""How often the doctor finds and names mistakes: each put into data sets at random strength, and none into others.

`python tests/doctor/matrix.py` writes the table of docs/doctor.md to standard output.
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
from doctor.scenes import FAULTS, Fault, good

SETS = 10


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


if __name__ == "__main__":
    chosen = [fault for fault in FAULTS if not sys.argv[1:] or any(word in fault.name for word in sys.argv[1:])]
    rows = []
    for fault in chosen:
        rows.append(row(fault))
        for text in rows[-1].instead:
            print(f"{fault.name}: {text}", file=sys.stderr)
    print(table(rows))
    if not sys.argv[1:]:
        false = alarms(200)
        print(f"\nFalse alarms of severity warning or error in 200 data sets without a mistake: {sum(false.values())}")
        print(*(f"{code}: {n}" for code, n in false.items()), file=sys.stderr)
