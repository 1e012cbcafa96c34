"""What recognition says of a path: candidates with reasons, what was refused and why, what the content leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.formats.record import BOTH, LIKELY, POSSIBLE, SURE
from boxscore.formats.registry import foreign

LEVELS = (SURE, LIKELY, POSSIBLE)


@dataclass(frozen=True)
class Candidate:
    """A format that the content fits."""

    name: str
    level: str  # of LEVELS
    reasons: tuple[str, ...]
    paths: tuple[str, ...]  # the files that speak for it
    sides: tuple[str, ...] = BOTH  # what such files can hold


@dataclass(frozen=True)
class Refused:
    """A format that the content does not fit."""

    name: str
    why: str


@dataclass(frozen=True)
class Question:
    """What the content leaves open, with what the numbers say about it."""

    text: str
    evidence: tuple[str, ...]
    options: tuple[str, ...]  # what a user may state
    answer: str = ""  # the option that the numbers speak for; empty where they do not


@dataclass(frozen=True)
class Answer:
    """All that is said of a path; candidates stand best first."""

    name: str
    found: str  # what is there, in words
    is_file: bool
    candidates: tuple[Candidate, ...] = ()
    refused: tuple[Refused, ...] = ()
    questions: tuple[Question, ...] = ()

    def best(self, name: str) -> Candidate | None:
        """The candidate of a name."""
        return next((candidate for candidate in self.candidates if candidate.name == name), None)


def ranked(candidates: list[Candidate]) -> tuple[Candidate, ...]:
    """The surest first, of these annotations before what goes with them, then what most files speak for."""
    if len(candidates) < 2:
        return tuple(candidates)
    beside = {record.name for record in foreign().values() if record.companion}
    return tuple(sorted(candidates, key=lambda c: (LEVELS.index(c.level), c.name in beside, -len(c.paths))))
