"""What recognition says of a path: candidates with reasons, what was refused and why, what the content leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.formats.content import Candidate, Question
from boxscore.formats.record import LIKELY, POSSIBLE, SURE
from boxscore.formats.registry import foreign

LEVELS = (SURE, LIKELY, POSSIBLE)


@dataclass(frozen=True)
class Refused:
    """A format that the content does not fit."""

    name: str
    why: str


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
