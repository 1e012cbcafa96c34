"""How many threads the kernels use."""

from __future__ import annotations

import os

import numpy as np

from boxscore.errors import UsageError


def thread_count(threads: int) -> int:
    """As asked for, up to four per core (more only wait for each other); 0 means all cores this process may use."""
    if not isinstance(threads, (int, np.integer)) or threads < 0:
        raise UsageError(f"threads={threads!r}; expected a whole number from 0 (0 for all cores)")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(threads), 4 * cores) or cores
