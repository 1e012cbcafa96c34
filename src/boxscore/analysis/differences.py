"""In which rules two protocols differ; fields that only make sense together are one rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from boxscore.protocols import Protocol
from boxscore.protocols.parts import AFTER_MATCHING, Report
from boxscore.protocols.rules import names_of, rule_fields
from boxscore.protocols.values import as_text

# What the verdicts on boxes depend on, from the rules that decide which rows take part to those about the boxes.
_MATCHING = tuple(name for name in names_of(*Protocol.__bases__) if name not in names_of(*AFTER_MATCHING))


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
        text = next(f.metadata["meaning"] for f in rule_fields(Protocol) if f.name == self.rule)
        return str(text).partition(":")[0]


def differences(a: Protocol, b: Protocol) -> list[Difference]:
    """The rules in which two protocols differ, in the order of the record.

    >>> from boxscore import protocols
    >>> [d.rule for d in differences(protocols.get("voc2007"), protocols.get("voc2012"))]
    ['recall_levels']
    """
    found: dict[str, list[tuple[str, str, str]]] = {}
    for f in rule_fields(Protocol):
        ours, theirs = getattr(a, f.name), getattr(b, f.name)
        if f.name not in names_of(Report) and ours != theirs:
            found.setdefault(f.metadata["of"] or f.name, []).append((f.name, as_text(ours), as_text(theirs)))
    return [Difference(rule, tuple(found[rule])) for rule in names_of(Protocol) if rule in found]


def mixture(a: Protocol, b: Protocol, taken: Iterable[Difference]) -> Protocol:
    """The first protocol with some rules of the second."""
    changed = {field: getattr(b, field) for difference in taken for field in difference.fields}
    return replace(a, name="mixture", **changed)


def matching_key(protocol: Protocol) -> tuple[object, ...]:
    """What the verdicts on boxes depend on."""
    return tuple(getattr(protocol, name) for name in _MATCHING)


def order_of_matching(protocol: Protocol) -> tuple[str, ...]:
    """What to sort protocols by, so that those that share most come one after the other.

    What the first of them found is shared. So the rules that decide which rows take part change least often; the order
    changes no number.
    """
    return tuple(map(repr, matching_key(protocol)))
