"""`boxscore demo`: the worked examples of the literature, evaluated."""

from __future__ import annotations

from boxscore.cli.output import write


def command() -> int:
    """Evaluate the worked examples of the literature and show what comes out."""
    from boxscore import demo

    write(demo.as_text())
    return 0
