"""A window with a figure, where there is a display."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.report.figures.making import shown


def check_display() -> None:
    """Refuses where no window can be opened, before any work is done."""
    from matplotlib import pyplot
    from matplotlib.backends import registry

    listed: Any = registry.backend_registry.list_builtin  # matplotlib does not say its types
    windows = [name.lower() for name in listed(registry.BackendFilter.INTERACTIVE)]
    backend = pyplot.get_backend().lower()  # the best that this machine has
    if backend not in windows:
        raise UsageError("--show: no window can be opened here (no display, or no GUI toolkit); write a file with -o")


def show(kind: str, results: Sequence[Result], width: float | None, height: float | None, **options: Any) -> None:
    """Opens a window and returns when it is closed."""
    from matplotlib import pyplot

    shown(kind, results, None, width, height, **options)
    pyplot.show(block=True)
    pyplot.close("all")
