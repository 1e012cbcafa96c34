"""The signature: it changes with every rule, with nothing else, and holds all that is needed to repeat a number."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import protocols
from boxscore.protocols import Area, Protocol
from boxscore.protocols.rules import names_of
from boxscore.testing import protocols as hybrids
from effort import examples

RULES = names_of(Protocol)
OTHERS: dict[str, tuple[Any, Any]] = {  # two values of each field that is no choice between names
    "ignored_last": (True, False),
    "iou": ((0.5,), (0.5, 0.75)),
    "boundary_width": (0.02, 0.005),
    "sigmas": ((), (0.05,)),
    "iou_ceiling": (1.0, 0.9),
    "iou_slack": (0.0, 1e-6),
    "iou_margin": (0.0, 10.0),
    "score_floor": (0.0, 0.5),
    "absorbed_weight": (0.0, 0.5),
    "absorbed_floor": (0.0, 0.5),
    "recall_bounds": ((0.0, 1.0), (0.0, 0.5)),
    "max_detections": ((), (100,)),
    "max_per_frame": (0, 100),
    "headline_max": (0, 100),
    "areas": ((Area("all", 0.0, 1e10),), (Area("all", 0.0, 1e5),)),
    "recall_levels": (11, 101),
    "delay_ratios": ((0.1, 0.2), (0.1,)),
    "delay_limit": (30.0, 60.0),
    "precision_epsilon": (0.0, 2.220446049250313e-16),
}


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=examples(15))
@given(base=hybrids())
def test_every_rule_is_in_the_signature(name: str, base: Protocol) -> None:
    values = next(f for f in fields(Protocol) if f.name == name).metadata["values"] or OTHERS[name]
    made = [replace(base, **{name: value}) for value in values]
    for text in ("signature", "signature_full", "digest"):
        assert len({getattr(p, text)() for p in made}) == len(values), text
    assert len(set(made)) == len(values)


@given(hybrids(), st.text(max_size=5))
def test_words_about_a_protocol_are_no_rules(protocol: Protocol, text: str) -> None:
    other = replace(protocol, about=text, source=text, deviations=())
    assert other == protocol
    assert other.signature() == protocol.signature()
    renamed = replace(protocol, name="other")
    assert renamed.digest() == protocol.digest()
    assert renamed.signature() != protocol.signature()


@given(hybrids(), hybrids())
def test_equal_digests_are_equal_rules(a: Protocol, b: Protocol) -> None:
    assert (a.digest() == b.digest()) == (a.rules() == b.rules())
    assert (a.rules() == b.rules()) == all(getattr(a, name) == getattr(b, name) for name in RULES)


@given(st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in protocols.names()])))
def test_the_full_signature_makes_the_protocol_again(protocol: Protocol) -> None:
    again = protocols.from_signature(protocol.name, protocol.signature_full())
    assert again == protocol
    assert again.signature() == protocol.signature()


SAME = {"tf-precision-at-recall": "tf-voc", "imagenet-vid": "imagenet-det"}  # until their bounds or frames are set


def test_no_two_named_protocols_have_the_same_rules() -> None:
    digests = {name: protocols.get(name).digest() for name in protocols.names()}
    for name, other in SAME.items():
        assert digests.pop(name) == digests[other]
    assert len(set(digests.values())) == len(digests)
