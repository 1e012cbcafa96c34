"""What every name means: codes, metrics, metric keys, protocol fields, protocols."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from boxscore import metrics, protocols
from boxscore.diagnostics.findings import finding
from boxscore.diagnostics.registry import ALL, lookup
from boxscore.errors import UsageError, nearest
from boxscore.metrics import summary
from boxscore.protocols import Protocol
from boxscore.protocols.rules import rule_fields

KEYS = {
    "iou": "one of the protocol's overlap thresholds; without it AP and AR average over all, counts take the first",
    "area": "one of the protocol's size ranges, by name; without it the first one",
    "max": "one of the protocol's caps on detections per image and class; without it the largest",
    "score": "only detections with at least this score",
    "class": "one class, by name; without it all classes",
    "beta": "the weight of recall against precision in F",
    "frequency": "classes that are rare, common or frequent in the data set, where the truth says so",
}


OLD = "old code"
_MANY = 1_000_001  # stands for any number in the texts of findings


class Rule(NamedTuple):
    """One meaning of a name."""

    kind: str
    name: str
    title: str
    text: str
    facts: tuple[tuple[str, str], ...] = ()


class FieldRule(NamedTuple):
    """A field of a protocol: its value in the form that `--set` takes, its meaning, and the values it may have."""

    name: str
    value: str
    meaning: str
    values: tuple[str, ...]


def find(name: str) -> list[Rule]:
    """All meanings of a name; an expression such as AP[iou=0.5] has those of its parts.

    >>> [rule.kind for rule in find("iou")]
    ['metric key', 'protocol field']
    """
    if "[" in name:
        e = metrics.parse(name)
        return [*find(e.name), *(rule for key in e.given for rule in find(key) if rule.kind == "metric key")]
    known = list(_all())
    found = [rule for rule in known if rule.name == name]
    found = found or [rule for rule in known if rule.name.casefold() == name.casefold()]
    if not found:
        near = nearest(name, names())
        guess = f"; did you mean '{near}'?" if near else ""
        raise UsageError(f"unknown rule '{name}'{guess} (`boxscore rule` lists all)")
    return [*found, *(rule for old in found if old.kind == OLD for rule in find(lookup(old.name).code))]


def search(words: Sequence[str]) -> list[Rule]:
    """The rules whose name, title or text have all of some words, those with words in their name first.

    >>> [rule.name for rule in search(["boundary", "coco"])][0]
    'coco-boundary'
    """
    wanted = [re.compile(rf"\b{re.escape(_stem(word))}(s|es|ed|ing)?\b") for word in words]
    found: list[tuple[int, Rule]] = []
    for rule in _all():
        name, title, text = (part.casefold().replace("_", " ") for part in (rule.name, rule.title, rule.text))
        if rule.kind != OLD and all(word.search(f"{name} {title} {text}") for word in wanted):
            better = sum(2 * bool(word.search(name)) + bool(word.search(title)) for word in wanted)
            found.append((-better, rule))
    return [rule for _, rule in sorted(found, key=lambda pair: pair[0])]


def _stem(word: str) -> str:
    """A word without its plural."""
    return word.casefold().replace("_", " ").removesuffix("s")


def names() -> list[str]:
    """Everything that `find` knows."""
    return list(dict.fromkeys(rule.name for rule in _all()))


def every() -> list[Rule]:
    """All rules, kind by kind."""
    return list(_all())


def field_rules(protocol: Protocol) -> list[FieldRule]:
    """The fields of a protocol with their values and meanings."""
    meta = {f.name: f.metadata for f in rule_fields(Protocol)}
    return [
        FieldRule(name, value, meta[name]["meaning"], tuple(meta[name]["values"]))
        for name, value in protocol.rules().items()
    ]


def as_dict(protocol: Protocol) -> dict[str, Any]:
    """A protocol as plain values, for JSON."""
    return {
        "name": protocol.name,
        "about": protocol.about,
        "source": protocol.source,
        "signature": protocol.signature(),
        "signature_full": protocol.signature_full(),
        "fields": [{**f._asdict(), "values": list(f.values)} for f in field_rules(protocol)],
        "deviations": [d._asdict() for d in protocol.deviations],
    }


def _all() -> Iterator[Rule]:
    yield from _diagnostics()
    yield from _deviations()
    yield from _metrics()
    for key, text in KEYS.items():
        yield Rule("metric key", key, "", text)
    yield from _fields()
    for p in protocols.REGISTRY.values():
        more = (("source", p.source), ("signature", p.signature()), ("all rules", f"boxscore protocols {p.name}"))
        yield Rule("protocol", p.name, "", p.about, more)
    for group, members in protocols.GROUPS.items():
        yield Rule("group of protocols", group, "", " and ".join(members))


def _diagnostics() -> Iterator[Rule]:
    """What says something by itself is a finding, what the doctor words a diagnosis; then the codes of before."""
    kinds = sorted(ALL)
    for kind in (one for one in kinds if one.says):
        says = finding(kind.code, _MANY, "...").text.replace(f"{_MANY:,}", "N")
        text = f"{says}. {kind.about}" if kind.about else says
        yield Rule("finding", kind.code, kind.title, text, (("severity", kind.severity), ("advice", kind.advice)))
    for kind in (one for one in kinds if not one.says):
        yield Rule("diagnosis", kind.code, kind.title, kind.about, (("severity", kind.severity),))
    for old, new in sorted((alias, kind.code) for kind in kinds for alias in kind.aliases):
        yield Rule(OLD, old, f"now {new}", f"What had this code is reported as {new}.")


def _deviations() -> Iterator[Rule]:
    who: dict[protocols.Deviation, list[str]] = {}
    for p in protocols.REGISTRY.values():
        for deviation in p.deviations:
            who.setdefault(deviation, []).append(p.name)
    for d, users in sorted(who.items()):
        facts = (("protocols", ", ".join(users)), ("field", d.field))
        yield Rule("deviation", d.code, d.title, d.text, facts)


def _metrics() -> Iterator[Rule]:
    for name, function in metrics.REGISTRY.items():
        yield Rule("metric", name, "", inspect.getdoc(function) or "", (("keys", ", ".join(metrics.USED[name])),))
    short: dict[tuple[str, str], list[str]] = {}
    for p in protocols.REGISTRY.values():
        for name, e in dict((*summary.rows(p), *summary.class_rows(p))).items():
            short.setdefault((name, str(e)), []).append(p.name)
    for (name, text), users in short.items():
        if name != text:
            yield Rule("short name", name, "", f"stands for {text}", (("protocols", ", ".join(users)),))


def _fields() -> Iterator[Rule]:
    values: dict[str, dict[str, list[str]]] = {}
    for p in protocols.REGISTRY.values():
        for f in field_rules(p):
            values.setdefault(f.name, {}).setdefault(f.value, []).append(p.name)
    for f in field_rules(Protocol()):
        allowed = (("values", ", ".join(f.values)),) if f.values else ()
        used = tuple((value, ", ".join(users)) for value, users in values[f.name].items())
        yield Rule("protocol field", f.name, "", f.meaning, (*allowed, *used))
