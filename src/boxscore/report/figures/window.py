"""A window with a figure, where there is a display."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.report.figures.making import shown

SCREEN = 1400, 850  # pixels that a window may take: a laptop's screen without bars


def check_display() -> None:
    """Refuses where no window can be opened, before any work is done."""
    from matplotlib import pyplot
    from matplotlib.backends import registry

    listed: Any = registry.backend_registry.list_builtin  # matplotlib does not say its types
    windows = [name.lower() for name in listed(registry.BackendFilter.INTERACTIVE)]
    forced = os.environ.get("MPLBACKEND", "")
    try:
        backend = pyplot.get_backend()  # the best that this machine has, unless the user says which
        pyplot.switch_backend(backend)  # a backend that was named is imported no sooner than that
    except ImportError as error:
        raise UsageError(f"--show: no window can be opened here ({error}); write a file with -o") from None
    if backend.lower() not in windows:
        files = forced and forced.lower() not in windows
        reason = f"MPLBACKEND={forced} has no windows" if files else "no display, or no GUI toolkit"
        raise UsageError(f"--show: no window can be opened here ({reason}); write a file with -o")


def show(kind: str, results: Sequence[Result], width: float | None, height: float | None, **options: Any) -> None:
    """Opens a window and returns when it is closed."""
    from matplotlib import _pylab_helpers, pyplot

    axes = shown(kind, results, None, width, height, within=SCREEN, **options)
    manager = axes.figure.canvas.manager
    if manager is not None:
        manager.set_window_title(f"boxscore plot {kind}")
    pyplot.show(block=True)
    try:
        pyplot.close("all")
    except MemoryError:
        raise
    except Exception:  # whatever a toolkit raises where its window was killed rather than closed: it is gone
        _pylab_helpers.Gcf.figs.clear()
