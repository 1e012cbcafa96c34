"""Findings about the protocol: what keeps its numbers from being the official ones."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

RULES = {
    "PRO001": Kind(
        "note", "approximate protocol",
        "the protocol is an approximation of its tool: {detail}",
        "The deviations say in what the numbers of the tool itself may differ: `boxscore protocols NAME`.",
    ),
    "PRO002": Kind(
        "warning", "evaluated without what the official number needs",
        "evaluated without {detail}",
        "Give what is missing, or call the number by what it is: Open Images has the files for --image-labels and "
        "--hierarchy, LVIS keeps neg_category_ids in its images.",
    ),
}  # fmt: skip
