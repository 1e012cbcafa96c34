"""Explanations as text, JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from boxscore.analysis.explain import ClassParts, Explanation, Part
from boxscore.analysis.inert import NOTHING
from boxscore.analysis.shapley import SEED
from boxscore.protocols import Protocol
from boxscore.report import markdown
from boxscore.report.blocks import Row, Table
from boxscore.report.text import WIDTH, Line, hanging, painted, plain, table_lines
from boxscore.report.words import elided, fill, labels, number, printable, safe_cell

if TYPE_CHECKING:
    from rich.text import Text

SCHEMA = "boxscore/explanation/1"
HEADER = ("from", "to", "class", "rule", "field", "from_value", "to_value", "part", "error", "note")
FEW = 20  # classes that are shown unless all are asked for
SHORT = 16  # of values in a table
HEAD = 13  # of names at the head of a column
_LONG = re.compile(r"\d[\d.]{6,}(e-?\d+)?")


def as_text(e: Explanation, columns: int = WIDTH, classes: bool = False, every: bool = False) -> str:
    """The explanation as plain text; with classes those with the largest gaps, or every one."""
    return plain(_lines(e, columns, classes, every))


def as_rich(e: Explanation, columns: int = WIDTH, classes: bool = False, every: bool = False) -> Text:
    """The same with colours, for terminals."""
    return painted(_lines(e, columns, classes, every))


def as_markdown(e: Explanation, classes: bool = False, every: bool = False) -> str:
    """The explanation in GitHub's Markdown."""
    blocks = [
        "\n".join(f"- {what}: {markdown.escaped(text)}" for what, text in _sources(e)),
        "\n".join(markdown.table_lines(_parts(e))),
        *(markdown.escaped(text) for text in (_no_part(e), _how(e)) if text),
        f"Signatures: {markdown.escaped(_signatures(e))}",
    ]
    if classes:
        table, more = _classes(e, every)
        blocks += ["\n".join(markdown.table_lines(table)), *([more] if more else [])]
    return "\n\n".join(blocks) + "\n"


def as_dict(e: Explanation) -> dict[str, Any]:
    """The explanation as plain values, keys in a fixed order."""
    return {
        "schema": SCHEMA,
        "version": e.version,
        "truth": e.truth._asdict(),
        "detections": e.detections._asdict(),
        "from": _end(e.from_, e.metrics[0], e.before),
        "to": _end(e.to, e.metrics[1], e.after),
        "gap": e.gap,
        "parts": [
            {
                "rule": p.rule,
                "meaning": p.meaning,
                "fields": [{"field": name, "from": a, "to": b} for name, a, b in p.values],
                "part": p.part,
                "error": p.error,
                "note": p.note,
            }
            for p in e.parts
        ],
        "exact": e.exact,
        "orders": e.orders,
        "seed": None if e.exact else SEED,
        "mixtures": e.mixtures,
        "classes": [
            {"name": c.name, "id": c.id, "from": c.before, "to": c.after, "parts": list(c.parts)} for c in e.per_class
        ],
    }


def dumps(e: Explanation) -> str:
    """The document as text, with the shortest doubles that read back as the same."""
    return json.dumps(as_dict(e), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_csv(e: Explanation, classes: bool = False) -> str:
    """One row per rule and field, and with classes per class; `class` is empty in rows about all of them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    ends = (safe_cell(e.from_.name), safe_cell(e.to.name))
    writer.writerows((*ends, "", *row) for p in e.parts for row in _csv_rows(p, p.part, p.error))
    for c in e.per_class if classes else ():
        for p, part in zip(e.parts, c.parts, strict=True):
            writer.writerows((*ends, safe_cell(c.name), *row) for row in _csv_rows(p, part, None))
    return text.getvalue()


def _csv_rows(p: Part, part: float, error: float | None) -> Iterator[tuple[str, ...]]:
    """The part stands in the row of the rule's first field."""
    for i, (name, a, b) in enumerate(p.values):
        shown = (repr(part), "" if error is None else repr(error)) if i == 0 else ("", "")
        yield (p.rule, name, a, b, *shown, p.note)


def _end(protocol: Protocol, metric: str, value: float) -> dict[str, Any]:
    return {
        "protocol": protocol.name,
        "signature": protocol.signature(),
        "signature_full": protocol.signature_full(),
        "metric": metric,
        "value": value,
    }


def _lines(e: Explanation, columns: int, classes: bool, every: bool) -> Iterator[Line]:
    columns = max(columns, 40)
    for what, text in _sources(e):
        yield [(fill(what, 12), "head"), (text, "plain")]
    yield []
    yield from table_lines(_parts(e), columns)
    yield []
    for text in filter(None, (_no_part(e), _how(e))):
        yield from hanging("", text, columns, "note")
    yield from hanging("signatures  ", _signatures(e), columns, "note")
    if classes:
        table, more = _classes(e, every)
        yield []
        yield from table_lines(table, columns)
        if more:
            yield from hanging("", more, columns, "note")


def _sources(e: Explanation) -> Iterator[tuple[str, str]]:
    for what, side in (("Truth", e.truth), ("Detections", e.detections)):
        yield what, f"{printable(side.path)} ({side.format})" if side.format else printable(side.path)


def _parts(e: Explanation) -> Table:
    """From the one headline to the other, rule by rule; those without anything to apply to stand below."""
    errors = not e.exact
    ends = [printable(p.name) for p in (e.from_, e.to)]
    heads = ends if max(map(len, ends)) <= HEAD else ["from", "to"]
    blank = ("",) * (3 if errors else 2)
    rows = [Row(f"{e.metrics[0]} by {elided(ends[0], HEAD)}", (number(e.before), *blank))]
    for p in (p for p in e.parts if p.note != NOTHING):
        about = f"({p.note})" if p.note else p.meaning
        sampled = (_error(p),) if errors else ()
        rows.append(Row(p.rule, (_signed(p.part), *sampled, *_values(p)), about, 1))
    rows.append(Row("sum of all parts", (_signed(e.gap), *blank)))
    rows.append(Row(f"{e.metrics[1]} by {elided(ends[1], HEAD)}", (number(e.after), *blank)))
    return Table("Rules", (("part", *(("±",) if errors else ()), *heads),), tuple(rows))


def _values(p: Part) -> tuple[str, str]:
    """Both values in few characters; of long lists that begin alike, what differs."""
    _, a, b = p.values[0]
    if short(a) != short(b):
        return short(a), short(b)
    apart = [pair for pair in zip(a.split(","), b.split(","), strict=False) if pair[0] != pair[1]]
    first, second = apart[0] if apart else (a, b)
    return elided(f"…{first}…", HEAD), elided(f"…{second}…", HEAD)


def _error(p: Part) -> str:
    return "" if p.error == 0 else f"{p.error:.4f}" if p.error >= 5e-5 else f"{p.error:.0e}"


def _signed(part: float) -> str:
    """Four decimals with a sign; what is smaller keeps a digit, so that only 0 looks like nothing.

    >>> _signed(0.19091), _signed(-3e-6), _signed(0.0)
    ('+0.1909', '-3e-06', '0')
    """
    if part == 0:
        return "0"
    return f"{part:+.4f}" if abs(part) >= 5e-5 else f"{part:+.0e}"


def short(value: str) -> str:
    """A value in few characters.

    >>> short("0.5,0.55,0.6,0.65,0.7"), short("all:0-10000000000,small:0-1024"), short("2.220446049250313e-16")
    ('0.5:0.7:0.05', 'all:0-1e+10,…', '2.2e-16')
    """
    value = _LONG.sub(lambda digits: f"{float(digits[0]):.2g}", value)
    try:
        numbers = [float(part) for part in value.split(",")]
    except ValueError:
        numbers = []
    steps = [b - a for a, b in itertools.pairwise(numbers)]
    if len(steps) > 2 and max(steps) - min(steps) < 1e-9:
        return f"{numbers[0]:.6g}:{numbers[-1]:.6g}:{steps[0]:.6g}"
    if len(value) <= SHORT:
        return value
    first, comma, _ = value.partition(",")
    return f"{first},…" if comma else elided(value, SHORT)


def _no_part(e: Explanation) -> str:
    """The rules that the data has nothing for."""
    named = [f"{p.rule} ({' → '.join(_values(p))})" for p in e.parts if p.note == NOTHING]
    return f"No effect on this data: {', '.join(named)}." if named else ""


def _how(e: Explanation) -> str:
    rules = sum(not p.note for p in e.parts)
    if not e.parts:
        return "The two protocols have the same rules."
    if not rules:
        return "None of the rules in which the two protocols differ can matter on this data."
    if e.exact:
        return (
            "A part is the mean of what its rule changes over all orders in which the rules can be changed: exact, "
            f"from {e.mixtures:,} mixtures of the two protocols; rules that can matter: {rules}."
        )
    return (
        f"A part is the mean of what its rule changes over {e.orders} random orders (seed {SEED}) of the {rules} rules "
        f"that can matter, ± its standard error; {e.mixtures:,} mixtures of the two protocols were evaluated."
    )


def _signatures(e: Explanation) -> str:
    return f"{printable(e.from_.signature())}, {printable(e.to.signature())} (boxscore {e.version})"


def _classes(e: Explanation, every: bool) -> tuple[Table, str]:
    """The classes with the largest gaps first, a column for each rule that can matter."""
    heads = tuple(elided(printable(p.name), HEAD) for p in (e.from_, e.to))
    ranked = sorted(e.per_class, key=lambda c: -abs(c.after - c.before))
    kept = ranked if every else ranked[:FEW]
    shown = [i for i, p in enumerate(e.parts) if not p.note and any(c.parts[i] for c in kept)]
    names = labels(c.name for c in e.per_class)
    rows = tuple(Row(names[c.name], _class_cells(c, shown)) for c in kept)
    table = Table("Classes: AP", ((*heads, "gap", *(e.parts[i].rule for i in shown)),), rows)
    left = len(ranked) - len(kept)
    return table, f"The {FEW} largest gaps of {len(ranked):,} classes. All: --all-classes" if left else ""


def _class_cells(c: ClassParts, shown: Sequence[int]) -> tuple[str, ...]:
    gap = c.after - c.before
    return (number(c.before), number(c.after), _signed(gap), *(_signed(c.parts[i]) for i in shown))
