"""Figures as files: PNG, SVG or PDF, the same bytes for the same figure."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

from boxscore.report.figures.style import styled

ENDINGS = ("png", "svg", "pdf")
# No dates and no versions, so that the same numbers give the same bytes.
_METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": "boxscore"},
    "svg": {"Date": None, "Creator": "boxscore"},
    "pdf": {"CreationDate": None, "Creator": "boxscore", "Producer": None},
}


def as_bytes(figure: Figure, form: str, dpi: float = 300) -> bytes:
    """A figure as the content of a file."""
    content = io.BytesIO()
    with styled(("DejaVu Sans",)):  # texts have their fonts; what else is read on saving must not be the user's
        figure.savefig(content, format=form, dpi=dpi, metadata=_METADATA[form])
    return content.getvalue()
