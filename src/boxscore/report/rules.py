"""Rules and protocols as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from boxscore import protocols
from boxscore.protocols import Protocol
from boxscore.protocols.families import families
from boxscore.report import meanings
from boxscore.report.meanings import Rule
from boxscore.report.text import WIDTH
from boxscore.report.words import beginning, wrapped

SCHEMA = "boxscore/protocols/1"
MOST = 15  # rules that a search shows


def protocol_list(columns: int = WIDTH) -> str:
    """All protocols by family, a line each."""
    column = max(map(len, protocols.REGISTRY)) + 2
    groups = [(group, "the group of " + " and ".join(members)) for group, members in protocols.GROUPS.items()]
    listed = [(title, [(p.name, p.about) for p in some]) for title, some in families().items()]
    lines: list[str] = []
    for title, rows in (*listed, ("Groups", groups)):
        lines += [
            f"{title}:",
            *(f"  {name:{column}}{beginning(text, columns - column - 2)}" for name, text in rows),
            "",
        ]
    return _text([*lines, "`boxscore protocols NAME` shows every rule of one."])


def protocol_text(protocol: Protocol, columns: int = WIDTH) -> str:
    """A protocol with every field in the form that `--set` takes, in one piece to be copied, and its deviations."""
    lines = [f"{protocol.name}: {protocol.about}", ""]
    lines += _pairs([("source", protocol.source), ("signature", protocol.signature())], columns)
    for f in meanings.field_rules(protocol):
        lines += ["", f"{f.name}={f.value}", *_indented(f.meaning, columns)]
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


def found_text(words: Sequence[str], found: Sequence[Rule], columns: int = WIDTH) -> str:
    """What a search for words has found: a line each, the best first."""
    shown = found[:MOST]
    column = max(len(rule.name) for rule in shown) + 2
    kinds = max(len(rule.kind) for rule in shown) + 2
    lines = [
        f"{rule.name:{column}}{rule.kind:{kinds}}{beginning(rule.title or rule.text, columns - column - kinds)}"
        for rule in shown
    ]
    left = len(found) - len(shown)
    more = [f"... and {left:,} more; further words narrow it down."] if left else []
    return _text([*lines, *more, "", "`boxscore rule NAME` explains one."])


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
