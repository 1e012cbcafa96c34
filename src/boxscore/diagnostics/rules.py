"""The protocol: what keeps its numbers from being the official ones."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

RULES = (
    Kind(
        "PRO001", "note", "approximate protocol",
        says="the protocol is an approximation of its tool: {detail}",
        advice="The deviations say in what the numbers of the tool itself may differ: `boxscore protocols NAME`.",
    ),
    Kind(
        "PRO002", "warning", "evaluated without what the official number needs",
        says="evaluated without {detail}",
        advice="Give what is missing, or call the number by what it is: Open Images has the files for --image-labels "
        "and --hierarchy, LVIS keeps neg_category_ids in its images.",
    ),
)  # fmt: skip
