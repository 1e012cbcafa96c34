"""How much the tests take on: a part of the scenes for people who wait, all of them with `--long`."""

from __future__ import annotations

PART, FEWEST = 10, 10
long = False  # `conftest` sets it before tests are collected


def examples(all_of_them: int, fewest: int = FEWEST) -> int:
    """So many scenes a law looks at: all with `--long`, else a tenth, but at least ten where there are so many."""
    return all_of_them if long else min(all_of_them, max(all_of_them // PART, fewest))
