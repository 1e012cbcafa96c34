"""What the doctor says: a diagnosis with its evidence, its examples and its repair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from boxscore.diagnostics.findings import Finding
from boxscore.diagnostics.kind import SEVERITIES
from boxscore.diagnostics.registry import lookup
from boxscore.tables.model import Detections, Truth

_UNREADABLE = ("FIL101", "FIL102")


class Tables(NamedTuple):
    """Both sides as they were read; detections may be absent."""

    truth: Truth
    detections: Detections | None


class Evidence(NamedTuple):
    """A number that speaks for the diagnosis: what it is, as the files are read now, and read the other way."""

    what: str
    now: float
    then: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON; undefined is null."""
        now, then = (value if math.isfinite(value) else None for value in (self.now, self.then))
        return {"what": self.what, "now": now, "then": then}

    def __str__(self) -> str:
        return f"{self.what}: {self.now:.3f} → {self.then:.3f}"


@dataclass(frozen=True)
class Diagnosis:
    """A mistake that was found: what it is, what speaks for it, how to fix it."""

    code: str
    severity: str
    count: int
    text: str
    side: str = "detections"  # whose mistake it is
    examples: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    option: str = ""  # the option of `boxscore eval` that reads the files rightly
    repair: str = ""  # what else helps
    fix: Callable[[Tables], Tables] | None = field(default=None, compare=False, repr=False)
    mends: bool = True  # whether a corrected copy has the fix; doubts are left to people

    @property
    def title(self) -> str:
        """What its kind is called."""
        return lookup(self.code).title

    @property
    def gain(self) -> float:
        """By how much the first piece of evidence rises."""
        return self.evidence[0].then - self.evidence[0].now if self.evidence else 0.0

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "code": self.code, "severity": self.severity, "title": self.title, "side": self.side, "count": self.count,
            "text": self.text, "evidence": [e.to_dict() for e in self.evidence],
            "examples": list(self.examples), "option": self.option, "repair": self.repair,
            "fixable": self.fix is not None and self.mends,
        }  # fmt: skip


def diagnosis(code: str, count: int, text: str, **more: Any) -> Diagnosis:
    """A diagnosis of the given kind, of the severity that is usual for it."""
    kind = lookup(code)
    return Diagnosis(kind.code, kind.severity, count, text, **more)


@dataclass(frozen=True, eq=False)
class Checkup:
    """What the doctor found: all diagnoses, the gravest first, and the tables with everything fixed that can be."""

    diagnoses: tuple[Diagnosis, ...]
    tables: Tables | None  # None where a file cannot be read at all
    fixed: Tables | None
    findings: tuple[Finding, ...] = ()  # what the readers say

    def __iter__(self) -> Iterator[Diagnosis]:
        return iter(self.diagnoses)

    def __len__(self) -> int:
        return len(self.diagnoses)

    @property
    def unreadable(self) -> bool:
        """Whether a file cannot be read as it was stated."""
        return any(d.code in _UNREADABLE for d in self.diagnoses)

    def at_least(self, severity: str) -> list[Diagnosis]:
        """The diagnoses of a severity or a graver one."""
        return [d for d in self.diagnoses if SEVERITIES.index(d.severity) <= SEVERITIES.index(severity)]

    def mended(self, side: str) -> bool:
        """Whether a side differs in the fixed tables."""
        return any(d.fix is not None and d.mends and d.side == side for d in self.diagnoses)

    def __repr__(self) -> str:
        from boxscore.report.checkup import as_text

        return as_text(self).rstrip("\n")
