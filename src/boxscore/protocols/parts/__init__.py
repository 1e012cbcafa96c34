"""The fields of a protocol in parts: a function takes the part that it reads, so that it cannot read anything else.

A field says in its part, and nowhere else, all that is known of it: meaning, allowed values, neutral default, form of
its text, and the rule that it belongs to. Caches, groups of rules and tables are derived from the parts.
"""

from __future__ import annotations

from boxscore.protocols.parts.curves import Averaging, Curve, Delay, Ranking, Report
from boxscore.protocols.parts.matching import Extent, Matching, Overlap, Ranges, Sizes
from boxscore.protocols.parts.rows import Limits, Population, Roles, Tracks, Treatments

AFTER_MATCHING = (Curve, Averaging, Delay, Report)  # nothing before the curves looks at these

__all__ = [
    "AFTER_MATCHING",
    "Averaging",
    "Curve",
    "Delay",
    "Extent",
    "Limits",
    "Matching",
    "Overlap",
    "Population",
    "Ranges",
    "Ranking",
    "Report",
    "Roles",
    "Sizes",
    "Tracks",
    "Treatments",
]
