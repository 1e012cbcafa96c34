"""Videos: their frames, and which of them both sides have."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

VIDEOS = (
    Kind(
        "VID001", "warning", "frames counted from another number",
        says="{count} more detection{s} would overlap an object by 0.5 if all were moved by a frame; {detail}",
        advice="One side counts frames from 0, the other from 1: write both alike.",
    ),
    Kind(
        "VID002", "warning", "detections in unknown videos",
        says="{count} track{s} {are} in videos that the truth does not list ({detail})",
        advice="Check that both sides are of the same split and name videos alike.",
    ),
)  # fmt: skip
