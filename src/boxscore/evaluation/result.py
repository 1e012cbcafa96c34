"""What an evaluation returns: numbers by name, classes, curves, counts, and the ledger behind them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boxscore import metrics, pickled
from boxscore.errors import SIZES_UNKNOWN, UsageError
from boxscore.evaluation.curves import Curve, curve
from boxscore.evaluation.figured import Figured
from boxscore.evaluation.ledger import Ledger
from boxscore.evaluation.per_class import ClassRow, check_score, class_frame, class_rows
from boxscore.evaluation.tally import Tally
from boxscore.evaluation.thresholded import Thresholded
from boxscore.evaluation.written import Written
from boxscore.metrics import UNAVAILABLE, Expression, Numbers, summary, ties
from boxscore.protocols import Protocol
from boxscore.tables.arguments import CLASS, METRIC, NUMBER, SLICE, checked
from boxscore.tables.model import Detections, Truth

if TYPE_CHECKING:  # what is asked of few results is imported when it is
    from boxscore.analysis.gates import Outcome
    from boxscore.analysis.operating_point import OperatingPoint
    from boxscore.analysis.thresholds import ReportedPoint


@dataclass(frozen=True)
class Side:
    """Where one side of the comparison came from."""

    path: str
    format: str
    name: str = ""


@dataclass(frozen=True)
class Result(Figured, Written, Thresholded):
    """The numbers of one evaluation, signed with the rules that made them."""

    protocol: Protocol
    metrics: dict[str, float]  # nan where undefined
    reasons: dict[str, str]  # why
    per_class: tuple[ClassRow, ...]
    ledger: Ledger
    truth: Side
    detections: Side
    version: str
    numbers: Numbers | None = field(default=None, compare=False, repr=False)  # None for a result read from a file
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)  # of APs by equal scores, where asked for
    score: float | None = None  # at which reports show precision, recall and F1; None for that of the best F1
    stored_point: ReportedPoint | None = field(default=None, compare=False, repr=False)  # where the numbers are gone
    gates: tuple[Outcome, ...] = ()  # what the numbers had to be, and whether they are

    @staticmethod
    def of(
        numbers: Numbers,
        ledger: Ledger,
        truth: Truth,
        detections: Detections,
        further: Iterable[str] = (),
        score: float | None = None,
    ) -> Result:
        """Computes what the protocol reports, and further metrics by name."""
        from boxscore import __version__

        protocol = numbers.protocol
        values, reasons = {}, {}
        asked = [summary.Row(text, summary.expression(protocol, text)) for text in further]
        for given in (score, *(row.expression.score for row in asked)):
            check_score(given, detections)
        for name, e in (*summary.rows(protocol), *asked):
            try:
                values[name] = metrics.evaluate(numbers, e)
            except UNAVAILABLE as reason:
                values[name], reasons[name] = math.nan, str(reason)
            else:
                if math.isnan(values[name]):
                    reasons[name] = numbers.why_undefined(e)
        return Result(
            protocol,
            values,
            reasons,
            class_rows(numbers),
            ledger,
            Side(truth.source, truth.format),
            Side(detections.source, detections.format, detections.name or detections.source),
            __version__,
            numbers,
            score=score,
        )

    @checked(text=METRIC)
    def __getitem__(self, text: str) -> float:
        """A metric by name or expression: `r["AP"]`, `r["AP[iou=0.5,area=small]"]`; nan where it is undefined."""
        if text in self.metrics:
            return self.metrics[text]
        return metrics.evaluate(self._numbers(), summary.expression(self.protocol, text))

    @checked(text=METRIC)
    def tie_bounds(self, text: str = "AP") -> tuple[float, float]:
        """The lowest and highest value that an AP can have by the order of equal scores, the matching being fixed.

        At each threshold true positives are last or first among equal scores; the bounds need not be reached at once.
        """
        if text in self.bounds:
            return self.bounds[text]
        return ties.bounds(self._numbers(), summary.expression(self.protocol, text))

    def with_tie_bounds(self) -> Result:
        """The same with the bounds of all its APs, for reports."""
        names = [name for name in self.metrics if summary.expression(self.protocol, name).name in ties.BOUNDED]
        return replace(self, bounds={name: self.tie_bounds(name) for name in names})

    @property
    def tally(self) -> Tally:
        """The verdicts behind the numbers."""
        return self._numbers().tally

    @checked(label=CLASS, **SLICE)
    def curve(
        self, label: str, *, iou: float | None = None, area: str | None = None, max_detections: int | None = None
    ) -> Curve:
        """The ranking of one class point by point: score, counts, precision and recall."""
        numbers, e = self._numbers(), Expression("AP", iou, area, max_detections, label=label)
        index = numbers.label(e)
        assert index is not None
        return curve(numbers.tally, index, numbers.thresholds(e, every=False)[0], numbers.part(e))

    @checked(score=NUMBER, **SLICE)
    def at(
        self, score: float, *, iou: float | None = None, area: str | None = None, max_detections: int | None = None
    ) -> OperatingPoint:
        """What the detections with at least this score amount to: counts, rates, rows, the confusion matrix.

        The first threshold, the first size range and the largest cap, unless told otherwise.
        """
        from boxscore.analysis.operating_point import operating_point

        return operating_point(self._numbers(), Expression("TP", iou, area, max_detections, score))

    @cached_property
    def point(self) -> ReportedPoint | None:
        """The score at which reports show P, R and F1, with those of each class; None if not stored.

        It is the one that was asked for, else that of the best F1 over all classes.
        """
        if self.numbers is None:
            return self.stored_point
        from boxscore.analysis.thresholds import reported_point

        return reported_point(self.numbers, self.score)

    @property
    def best(self) -> ReportedPoint | None:
        """As `point`, at the score of the best F1 whatever was asked for; None if not stored."""
        if self.numbers is None or self.score is None:
            return self.point if self.score is None else None
        return replace(self, score=None).point

    @property
    def headline(self) -> str:
        """The name of the first number of the protocol's table."""
        return next(iter(self.metrics), "")

    @property
    def unknowable(self) -> str:
        """Why the headline cannot be known from the input; empty where it can, or where there is nothing to find."""
        return SIZES_UNKNOWN if self.reasons.get(self.headline) == SIZES_UNKNOWN else ""

    def without_numbers(self) -> Result:
        """The same with what reports show, without the verdicts behind it."""
        return replace(self, numbers=None, stored_point=self.point)

    def _numbers(self) -> Numbers:
        if self.numbers is None:
            raise UsageError("this result holds only its stored numbers; anything else needs a new evaluation")
        return self.numbers

    def __reduce__(self) -> tuple[Any, ...]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        # The ranking can be made again.
        values["numbers"] = None if self.numbers is None else replace(self.numbers.tally, order=None)
        return pickled.restored, (pickled.FORM, self.version, pickled.record("Result", values))

    @staticmethod
    def _of_fields(numbers: Tally | None, **values: Any) -> Result:
        """What was pickled: verdicts instead of what is computed from them."""
        whole = None if numbers is None else Numbers(numbers, *summary.wanted(numbers.protocol))
        return Result(**values, numbers=whole)

    def __repr__(self) -> str:
        from boxscore.report.text import as_text

        return as_text([self])

    def _repr_html_(self) -> str:
        from boxscore.report.html import as_html

        return as_html([self])

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, in the form of the JSON output."""
        from boxscore.report.json import as_dict

        return as_dict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Result:
        """The inverse of `to_dict`: the stored numbers, without the verdicts behind them."""
        from boxscore.report.json import from_dict

        return from_dict(data)

    def to_pandas(self) -> Any:
        """The table of classes as a pandas data frame."""
        return class_frame(self.per_class, () if self.point is None else self.point.rates)
