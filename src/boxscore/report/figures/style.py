"""The style of the figures: small, quiet, the same whatever the user's own settings are."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import matplotlib
from matplotlib import rcParamsDefault

from boxscore.report.colours import EDGE, INK, INK_2, INK_3, LINE

ONE, TWO = 3.5, 7.0  # inches: one column of a paper, two
TEXT, SMALL, TINY = 8.0, 7.0, 4.6  # points: names, everything else, rows of a large matrix
KEPT = ("backend", "backend_fallback", "interactive", "toolbar", "webagg", "tk.", "figure.hooks", "savefig.directory")

STYLE: dict[str, Any] = {
    "figure.dpi": 150,
    "figure.facecolor": "white",
    "savefig.dpi": 300,
    "savefig.facecolor": "white",
    "pdf.fonttype": 42,  # real fonts, as journals ask
    "ps.fonttype": 42,
    "svg.fonttype": "path",  # looks the same everywhere, whatever fonts are there
    "svg.hashsalt": "boxscore",  # the same figure, the same bytes
    "text.parse_math": False,  # a class may be called "$"
    "text.usetex": False,
    "text.color": INK,
    "axes.unicode_minus": False,
    "font.size": TEXT,
    "axes.titlesize": TEXT,
    "axes.labelsize": SMALL,
    "axes.labelcolor": INK_2,
    "axes.labelpad": 2,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "axes.edgecolor": EDGE,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": INK_3,
    "ytick.color": INK_3,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.4,
    "lines.solid_joinstyle": "round",
    "lines.solid_capstyle": "butt",
    "patch.linewidth": 0,
    "hatch.linewidth": 0.6,
}


_STYLED = ContextVar("styled", default=False)


@contextmanager
def styled(families: Sequence[str]) -> Iterator[None]:
    """Draws in this style, with these fonts; the user's own settings come back afterwards."""
    settings: Any = {"font.family": list(families)}
    outside = _STYLED.get()
    if not outside:  # inside, only the fonts differ: to set and check them all takes as long as a small drawing
        plain = {key: value for key, value in rcParamsDefault.items() if not key.startswith(KEPT)}
        settings = {**plain, **STYLE, **settings}
    fonts = logging.getLogger("matplotlib.font_manager")
    level = fonts.level
    try:
        fonts.setLevel(logging.ERROR)  # a family without a bold style is no news to the user
        with matplotlib.rc_context(settings):
            _STYLED.set(True)
            yield
    finally:
        _STYLED.set(outside)
        fonts.setLevel(level)
