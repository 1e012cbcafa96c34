"""What a result can do besides telling its numbers: draw them."""

from __future__ import annotations

from typing import Any


class Figured:
    """Something with figures of its own; matplotlib is imported when one is asked for."""

    @property
    def plot(self) -> Any:
        """Figures of this result: `r.plot.pr("cat")`, `r.plot.confusion()`, as `boxscore.plot` has them."""
        from boxscore.report.figures.plots import Plots

        return Plots(self)
