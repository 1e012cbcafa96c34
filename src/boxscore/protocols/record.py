"""A protocol: everything that changes a number, as one frozen record."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.protocols.parts import (
    Averaging,
    Delay,
    Limits,
    Matching,
    Population,
    Ranges,
    Ranking,
    Report,
    Roles,
    Tracks,
)
from boxscore.protocols.rules import Rules
from boxscore.tables.arguments import checked_fields


@checked_fields()
@dataclass(frozen=True)
class Protocol(Report, Delay, Averaging, Population, Roles, Ranges, Tracks, Limits, Ranking, Matching, Rules):
    """How detections become numbers. A variant is `dataclasses.replace(protocol, name=..., field=...)`.

    Fields come in the order of the parts from right to left.

    >>> from dataclasses import replace
    >>> from boxscore import protocols
    >>> loose = replace(protocols.get("coco"), name="loose", iou=(0.3,))
    >>> loose.signature() == protocols.get("coco").signature()
    False
    """
