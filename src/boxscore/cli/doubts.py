"""A second look at evaluations that look wrong: the doctor's diagnoses as findings of the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from boxscore.cli import output
from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.evaluation.result import Result
from boxscore.tables.model import Detections, Truth

LOW = 0.1  # AP below which an evaluation looks wrong
UNKNOWN = 0.2  # share of detections on unknown images or of unknown classes from which it does


class Doubts:
    """Asks the doctor about the detection sets of a command, where something looks wrong; under --strict always."""

    def __init__(self, truth: str, options: tuple[str, ...], strict: bool) -> None:
        self.truth, self.options, self.strict = truth, options, strict

    def look(self, path: str, truth: Truth, found: Detections, results: Sequence[Result]) -> list[Result]:
        """The results of a detection set, with the gravest diagnosis among their findings; under --strict with all."""
        if not (self.strict or any(map(looks_wrong, results))):
            return list(results)
        findings = self._diagnosed(path, truth, found)
        return [replace(r, ledger=replace(r.ledger, findings=(*r.ledger.findings, *findings))) for r in results]

    @contextmanager
    def of_join(self, path: str, truth: Truth, found: Detections) -> Iterator[None]:
        """Where the two sides have nothing in common, the doctor may know why."""
        try:
            yield
        except InputError:
            told = self._diagnosed(path, truth, found)
            output.tell_findings(f for f in told if f.code != "LOW101")  # why the score is low, the error says
            raise

    def _diagnosed(self, path: str, truth: Truth, found: Detections) -> list[Finding]:
        from boxscore.checkup import examine  # only what looks wrong needs it
        from boxscore.diagnostics.diagnoses import Tables
        from boxscore.report.checkup import Given, as_finding

        grave = examine(Tables(truth, found)).at_least("warning")
        given = Given((self.truth, path), self.options)
        return [as_finding(one, given) for one in (grave if self.strict else grave[:1])]


def looks_wrong(result: Result) -> bool:
    """Whether hardly anything is found, or much does not join."""
    name = next((key for key in ("AP50", "mAP", "AP") if key in result.metrics), "")
    unknown = sum(f.count for f in result.ledger.findings if f.code in ("IMG001", "CLS001"))
    return result.metrics.get(name, 1.0) < LOW or unknown > UNKNOWN * max(result.ledger.detections.read, 1)
