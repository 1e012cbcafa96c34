"""Rules and protocols as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from boxscore import protocols
from boxscore.protocols import Protocol
from boxscore.report import meanings
from boxscore.report.meanings import Rule
from boxscore.report.text import WIDTH
from boxscore.report.words import wrapped

SCHEMA = "boxscore/protocols/1"


def protocol_list(columns: int = WIDTH) -> str:
    """All protocols, a sentence each."""
    rows = [(p.name, p.about) for p in protocols.REGISTRY.values()]
    rows += [(group, "the group of " + " and ".join(members)) for group, members in protocols.GROUPS.items()]
    return _text([*_pairs(rows, columns), "", "`boxscore protocols NAME` shows every rule of one."])


def protocol_text(protocol: Protocol, columns: int = WIDTH) -> str:
    """A protocol with every field in the form that `--set` takes, and its deviations."""
    lines = [f"{protocol.name}: {protocol.about}", ""]
    lines += _pairs([("source", protocol.source), ("signature", protocol.signature())], columns)
    for f in meanings.field_rules(protocol):
        lines += ["", *_indented(f"{f.name}={f.value}", columns, 0), *_indented(f.meaning, columns)]
        if f.values:
            lines += _indented(f"one of: {', '.join(f.values)}", columns)
    if protocol.deviations:
        lines += ["", "Deviations of the official code from its own description"]
        for d in protocol.deviations:
            lines += ["", f"{d.code}: {d.title}", *_indented(d.text, columns), f"    field: {d.field}"]
    return _text(lines)


def protocols_json(some: Sequence[Protocol]) -> str:
    """Protocols as JSON."""
    document = {"schema": SCHEMA, "protocols": [meanings.as_dict(p) for p in some]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def rule_text(found: Sequence[Rule], columns: int = WIDTH) -> str:
    """All meanings of a name."""
    lines: list[str] = []
    for rule in found:
        title = f": {rule.title}" if rule.title else ""
        lines += ["", f"{rule.name} ({rule.kind}){title}", *_indented(rule.text, columns)]
        lines += _pairs(rule.facts, columns, "    ", 14)
    return _text(lines[1:])


def rule_list(columns: int = WIDTH) -> str:
    """All names, kind by kind."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for rule in meanings.every():
        kinds.setdefault(rule.kind, []).append((rule.name, rule.title))
    lines: list[str] = []
    for kind, known in kinds.items():
        lines += ["", f"{kind}:"]
        if any(title for _, title in known):
            lines += _pairs(known, columns, "  ")
        else:
            lines += _indented(", ".join(dict.fromkeys(name for name, _ in known)), columns, 2)
    return _text(lines[1:])


def _pairs(rows: Iterable[tuple[str, str]], columns: int, indent: str = "", most: int = 26) -> list[str]:
    """Names and texts in two columns; a long name has a line of its own."""
    rows = list(rows)
    column = max((len(name) for name, _ in rows if len(name) <= most), default=0) + 2
    lines: list[str] = []
    for name, text in rows:
        pieces = wrapped(text, max(columns - len(indent) - column, 20))
        if len(name) > most:
            lines += [indent + piece for piece in wrapped(name, columns - len(indent))]
            lines += [f"{indent}    {piece}" for piece in pieces]
        else:
            lines.append(indent + name.ljust(column) + pieces[0])
            lines += [indent + " " * column + piece for piece in pieces[1:]]
    return lines


def _indented(text: str, columns: int, indent: int = 4) -> Iterator[str]:
    return (" " * indent + piece for piece in wrapped(text, max(columns - indent, 20)))


def _text(lines: Iterable[str]) -> str:
    return "\n".join(line.rstrip() for line in lines) + "\n"
