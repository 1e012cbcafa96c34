"""The doctor on the outputs of real detectors: each mistake in one pair; `real_pairs.py` tries all of them in all."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from boxscore.checkup import examine
from doctor.real_pairs import FURTHER, HALVES, Mistake, Outcome, mistakes, outcome, pair

PAIRS = (*HALVES["develop"], *HALVES["hold"])
MISTAKES = tuple(mistakes())
# What once rewrote right truth, raised a score with a wrong reading, or got the all-clear.
ONCE_WRONG = (
    ("cotton", "columns at random, as corners"), ("tooth", "columns at random, as corners"),
    ("tooth", "garbage, as corners"), ("tooth", "images shuffled"), ("tooth", "image ids +1"),
    ("breast", "boxes rearranged"), ("breast", "another set (tooth)"), ("weed", "crops"),
    ("retail", "classes at random"), ("bloodtask", "classes at random"), ("retail", "truth: letterbox 640, no area"),
    ("medwaste", "truth: normalized"), ("cotton", "image ids and xyxy"), ("medwaste", "scores reversed"),
)  # fmt: skip


@cache
def of(name: str, k: int) -> Outcome:
    return outcome(name, MISTAKES[k])


def turn(k: int) -> str:
    """The pair whose turn it is, of those that have the classes that a mistake needs."""
    fits = [p for p in PAIRS if not MISTAKES[k].name.endswith(f"({p})")]
    if "class" in MISTAKES[k].name:
        fits = [p for p in fits if p not in ("cotton", "balloon")]
    return fits[k % len(fits)]


@pytest.mark.parametrize("k", range(len(MISTAKES)), ids=[m.name for m in MISTAKES])
def test_no_mistake_is_repaired_wrongly(data: Path, k: int) -> None:
    one = of(turn(k), k)
    assert not one.bad, one


@pytest.mark.parametrize(("name", "mistake"), ONCE_WRONG, ids=[f"{a}: {b}" for a, b in ONCE_WRONG])
def test_what_was_wrong_once(data: Path, name: str, mistake: str) -> None:
    one = of(name, next(k for k, m in enumerate(MISTAKES) if m.name == mistake))
    assert not one.bad, one


def test_mistakes_of_whole_files_are_named_and_repaired(data: Path) -> None:
    done = [of(turn(k), k) for k, m in enumerate(MISTAKES) if _classical(m)]
    harmful = [one for one in done if one.harmful]
    assert len(harmful) > 20
    assert [one for one in harmful if not one.named] == []
    # A shift by one leaves the class at the end of the list: one of 32 teeth.
    assert [one for one in harmful if one.fixed < one.clean - 0.04] == []


def _classical(mistake: Mistake) -> bool:
    return mistake.classical and mistake.side == "detections"


@pytest.mark.parametrize("name", [*PAIRS, *(name for name in FURTHER if name != "tumour")])
def test_good_pairs_are_left_alone(data: Path, name: str) -> None:
    made = examine(pair(name))
    assert made.at_least("warning") == [], made  # the tumours have an annotation 0
    assert "LOW101" not in [d.code for d in made]
