"""In which rules two protocols differ; fields that only make sense together are one rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from boxscore.protocols import Protocol
from boxscore.protocols.values import as_text


class Joined(NamedTuple):
    """Fields that change hands together; the rule has the name of the first."""

    fields: tuple[str, ...]
    why: str


JOINED = (
    Joined(
        ("max_detections", "max_per", "headline_max"),
        "a headline at a cap that is not evaluated is undefined, and caps mean nothing without what they hold for",
    ),
    Joined(
        ("areas", "area_unit", "area_ends", "size_from", "outside"),
        "edges mean nothing without their unit; all of them say who is within the headline's size range",
    ),
    Joined(
        ("recall_levels", "recall_grid", "level_sum"),
        "without levels there is neither a grid nor an order in which they are added up",
    ),
    Joined(("iou", "iou_ceiling"), "the ceiling changes thresholds above it and nothing else"),
    Joined(
        ("group_of", "absorbed_weight", "absorbed_floor"),
        "weight and floor are those of objects that absorb detections",
    ),
)

# Fields that nothing before the curves looks at: mixtures that differ only in them share a matching.
AFTER_MATCHING = (
    *("headline_max", "recall_levels", "recall_grid", "recall_bounds", "precision_epsilon", "level_sum"),
    *("averaging", "empty_class", "summary"),
)

_NOT_MATCHING = ("name", "about", "source", "deviations", *AFTER_MATCHING)

# Mixtures that are matched one after the other share what the first of them found. So the rules that decide which rows
# take part change least often, and those that mostly leave verdicts as they are change most often; the order changes no
# number.
SELDOM = (
    *("hierarchy", "classes", "repeated_ids", "flat_objects", "unlabelled_objects", "unknown_images", "score_floor"),
    *("max_per", "flat_detections", "unverified"),
)
OFTEN = ("areas", "area_ends", "iou_ceiling", "iou", "compare", "max_detections", "equal_scores")

# The table that is printed is no rule: it changes no number.
NOT_RULES = ("summary",)


@dataclass(frozen=True)
class Difference:
    """A rule in which two protocols differ: its fields with their values in both, as text."""

    rule: str
    values: tuple[tuple[str, str, str], ...]  # field, from, to

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that differ."""
        return tuple(field for field, _, _ in self.values)

    @property
    def meaning(self) -> str:
        """What the rule decides, in a few words.

        >>> Difference("claim", (("claim", "free", "any"),)).meaning
        'which objects a detection may look at'
        """
        text = next(f.metadata["meaning"] for f in fields(Protocol) if f.name == self.rule)
        return str(text).partition(":")[0]


def differences(a: Protocol, b: Protocol) -> list[Difference]:
    """The rules in which two protocols differ, in the order of the record.

    >>> from boxscore import protocols
    >>> [d.rule for d in differences(protocols.get("voc2007"), protocols.get("voc2012"))]
    ['recall_levels']
    """
    names = [f.name for f in fields(Protocol) if "meaning" in f.metadata and f.compare]
    rule_of = {field: joined.fields[0] for joined in JOINED for field in joined.fields}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for name in names:
        if name not in NOT_RULES and getattr(a, name) != getattr(b, name):
            values = as_text(getattr(a, name)), as_text(getattr(b, name))
            found.setdefault(rule_of.get(name, name), []).append((name, *values))
    return [Difference(rule, tuple(found[rule])) for rule in names if rule in found]


def mixture(a: Protocol, b: Protocol, taken: Iterable[Difference]) -> Protocol:
    """The first protocol with some rules of the second."""
    changed = {field: getattr(b, field) for difference in taken for field in difference.fields}
    return replace(a, name="mixture", **changed)


def matching_key(protocol: Protocol) -> tuple[object, ...]:
    """What the verdicts on boxes depend on."""
    return tuple(getattr(protocol, f.name) for f in fields(protocol) if f.name not in _NOT_MATCHING)


def order_of_matching(protocol: Protocol) -> tuple[str, ...]:
    """What to sort protocols by, so that those that share most come one after the other."""
    rest = [f.name for f in fields(protocol) if f.name not in (*SELDOM, *OFTEN, *_NOT_MATCHING)]
    return tuple(repr(getattr(protocol, name)) for name in (*SELDOM, *rest, *OFTEN))
