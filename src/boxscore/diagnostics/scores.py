"""Scores, their ranking, and what AP makes of it."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

SCORES = (
    Kind(
        "SCR101", "warning", "scores in percent",
        about="Scores go up to 100; the order is the same, thresholds are not.",
    ),
    Kind(
        "SCR102", "warning", "all scores are equal",
        about="Without scores there is no ranking, and AP means nothing.",
    ),
    Kind(
        "SCR103", "note", "scores with few digits",
        about="Rounded scores make ties, whose order is arbitrary.",
    ),
    Kind(
        "SCR104", "note", "scores that are no probabilities",
        about="Scores below 0 or above 1, such as logits, rank as well; thresholds differ.",
    ),
    Kind(
        "SCR105", "note", "detections cut at a score",
        about="Detections below a score were left out, and AP is too low by at least so much.",
    ),
    Kind(
        "SCR106", "warning", "ties that matter",
        about="Equal scores can be ranked in more than one way, and AP depends on it.",
    ),
    Kind(
        "SCR107", "error", "scores upside down",
        about="Boxes with low scores are right more often: the ranking is reversed.",
    ),
    Kind(
        "CNF001", "note", "place of the confidence inferred",
        says="{detail}",
        advice="State it with --confidence to be sure.",
    ),
    Kind(
        "CAP001", "note", "detections over the limit",
        says="{count} detection{s} {are} over the limit of {detail} detections per image and class, "
        "and {were} not evaluated",
        advice="Raise the limit with --max-detections to see what they change.",
        aliases=("CAP101",),
    ),
    Kind(
        "LOW101", "warning", "score unexplained",
        about="AP50 is below 0.05, or hardly any detection lies on an object, and no mistake that is known explains "
        "it.",
    ),
)  # fmt: skip
