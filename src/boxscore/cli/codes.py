"""How a command ends: exit codes, which scripts rely on."""

from __future__ import annotations

OK = 0
GATE = 1  # a gate failed
USAGE = 2
INPUT = 3  # input unusable
SUSPICIOUS = 4  # warnings under --strict
BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


class OutputClosedError(Exception):
    """Whoever read the output has gone."""
