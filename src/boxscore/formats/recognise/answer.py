"""What recognition says of a path: candidates with reasons, what was refused and why, what the content leaves open."""

from __future__ import annotations

from dataclasses import dataclass

SURE, LIKELY, POSSIBLE = "sure", "likely", "possible"
LEVELS = (SURE, LIKELY, POSSIBLE)
BOTH = ("truth", "detections")
TRUTH = ("truth",)
DETECTIONS = ("detections",)


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
    """The surest first, then what most files speak for."""
    return tuple(sorted(candidates, key=lambda c: (LEVELS.index(c.level), -len(c.paths))))
