"""What a result can do besides telling its numbers: draw them, and tell those of single videos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boxscore.analysis.sequences import SequenceRow


class Figured:
    """Something with figures and videos of its own; what these need is imported when one is asked for."""

    @property
    def plot(self) -> Any:
        """Figures of this result: `r.plot.pr("cat")`, `r.plot.confusion()`, as `boxscore.plot` has them."""
        from boxscore.report.figures.plots import Plots

        return Plots(self)

    def sequences(self) -> tuple[SequenceRow, ...]:
        """The numbers of each video: exactly those of an evaluation of that video alone."""
        from boxscore.analysis.sequences import of_result

        return of_result(self)
