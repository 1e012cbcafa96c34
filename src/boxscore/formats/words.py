"""Words that the files of many formats have in common, and words that are numbers."""

from __future__ import annotations

SCORES = ("score", "confidence")  # what an object's score is called; the first is written where nothing else is usual
SCORE_COLUMNS = ("confidence", "score", "conf", "probability", "prob")  # in the header of a table
YES, NO = ("true", "yes", "1"), ("false", "no", "0")
SPLITS = ("train", "trainval", "val", "valid", "validation", "test", "minival", "dev")  # parts of a data set
SAME_SPLIT = {"valid": "val", "validation": "val"}


def as_number(word: str) -> float | None:
    """The number that a word is, perhaps infinite or nan; `float` would read 1_0 as ten.

    >>> as_number("1e3"), as_number("1_0"), as_number("x")
    (1000.0, None, None)
    """
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None
