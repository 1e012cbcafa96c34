"""A second look at evaluations that look wrong: the doctor's gravest diagnosis in two lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from boxscore.cli import output
from boxscore.errors import InputError
from boxscore.model import Detections, Truth
from boxscore.result import Result

LOW = 0.1  # AP below which an evaluation looks wrong
UNKNOWN = 0.2  # share of detections on unknown images or of unknown classes from which it does


class Doubts:
    """What the doctor says of the detection sets of a command; he is asked only where something looks wrong."""

    def __init__(self, truth: str, options: tuple[str, ...], strict: bool, quiet: bool) -> None:
        self.truth, self.options, self.strict, self.quiet = truth, options, strict, quiet
        self.codes: set[str] = set()  # of warnings and errors
        self.lines: list[str] = []

    def look(self, path: str, truth: Truth, found: Detections, results: Sequence[Result]) -> None:
        """Asks the doctor about a detection set if its results look wrong; under --strict always."""
        if self.strict or any(map(looks_wrong, results)):
            self._ask(path, truth, found)

    @contextmanager
    def of_join(self, path: str, truth: Truth, found: Detections) -> Iterator[None]:
        """Where the two sides have nothing in common, the doctor may know why."""
        try:
            yield
        except InputError:
            self._ask(path, truth, found)
            self.say()
            raise

    def say(self) -> None:
        """Writes what there is to say to standard error."""
        for line in self.lines:
            output.status(line, self.quiet)

    def _ask(self, path: str, truth: Truth, found: Detections) -> None:
        from boxscore.checkup import examine  # only what looks wrong needs it
        from boxscore.diagnosis import Tables
        from boxscore.report.checkup import Given, short

        grave = examine(Tables(truth, found)).at_least("warning")
        self.codes |= {one.code for one in grave}
        self.lines += short(grave[0], Given((self.truth, path), self.options)) if grave else []


def looks_wrong(result: Result) -> bool:
    """Whether hardly anything is found, or much does not join."""
    name = next((key for key in ("AP50", "mAP", "AP") if key in result.metrics), "")
    unknown = sum(f.count for f in result.ledger.findings if f.code in ("IMG001", "CLS001"))
    return result.metrics.get(name, 1.0) < LOW or unknown > UNKNOWN * max(result.ledger.detections.read, 1)
