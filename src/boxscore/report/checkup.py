"""A checkup as text and as JSON: what was found, what speaks for it, what to do."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence

from boxscore.diagnosis import Checkup, Diagnosis
from boxscore.report.text import WIDTH
from boxscore.report.words import printable, wrapped

SCHEMA = "boxscore/checkup/1"
Paths = tuple[str, ...]  # truth and detections as the user gave them


def as_text(made: Checkup, paths: Paths = (), columns: int = WIDTH) -> str:
    """All diagnoses, the gravest first, and how many there are."""
    lines = [line for one in made for line in (*_lines(one, paths, columns), "")]
    return "\n".join([*lines, *_indented(summary(made, paths), columns, 0)]) + "\n"


def _lines(one: Diagnosis, paths: Paths, columns: int) -> Iterator[str]:
    yield f"{one.code} {one.severity}: {one.title}"
    yield from _indented(printable(one.text[:1].upper() + one.text[1:]) + ".", columns, 2)
    if one.evidence:
        yield "  evidence:"
        for evidence in one.evidence:
            yield from _indented(str(evidence), columns, 4)
    if one.examples:
        yield "  examples:" if len(one.examples) == one.count else f"  examples, of {one.count:,}:"
        for example in one.examples:
            yield from _indented(printable(example), columns, 4)
    for repair in repairs(one, paths):
        yield from _indented(repair, columns, 2)


def repairs(one: Diagnosis, paths: Paths = ()) -> Iterator[str]:
    """What to do about it: the option that reads it rightly, the command that mends it, or advice."""
    both = " ".join(map(shlex.quote, paths)) or "TRUTH DETECTIONS"
    if one.option and (len(paths) != 1 or not one.option.startswith("--max")):
        yield f"repair: boxscore eval {both} {one.option}" + ("" if len(paths) != 1 else " …")
    if one.fix is not None and one.mends:
        yield f"{'or' if one.option else 'repair'}: boxscore doctor {both} --fix OUT writes the {one.side} without this"
    if one.repair:
        yield f"{'or' if one.option or one.fix is not None else 'repair'}: {one.repair}"


def summary(made: Checkup, paths: Paths = ()) -> str:
    """How many diagnoses of each severity there are."""
    counts = {s: sum(d.severity == s for d in made) for s in ("error", "warning", "note")}
    if not len(made):
        return "nothing found"
    texts = [f"{n} {severity}{'s' * (n != 1)}" for severity, n in counts.items() if n]
    found = ", ".join(texts)
    more = f"; `boxscore rule {made.diagnoses[0].code}` tells more of a code"
    return found + (more if counts["error"] or counts["warning"] else "; nothing that makes results wrong" + more)


def short(one: Diagnosis, paths: Paths) -> list[str]:
    """Two lines for the end of an evaluation."""
    evidence = f" ({one.evidence[0]})" if one.evidence else ""
    both = " ".join(map(shlex.quote, paths))
    return [
        f"{one.severity:10}  {one.code}: {printable(one.text)}{evidence}",
        f"{'':10}  boxscore doctor {both} tells more",
    ]


def dumps(made: Checkup, version: str, paths: Paths = ()) -> str:
    """All of it as JSON, in a fixed order of keys."""
    tables = [t for t in made.tables or () if t is not None]
    document = {
        "schema": SCHEMA,
        "version": version,
        "inputs": [
            {"side": side, "path": t.source, "format": t.format, "images": len(t.images), "boxes": len(t)}
            for side, t in zip(("truth", "detections"), tables, strict=False)
        ],
        "diagnoses": [{**d.to_dict(), "repairs": list(repairs(d, paths))} for d in made],
        "findings": [{"code": f.code, "severity": f.severity, "count": f.count, "text": f.text} for f in made.findings],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _indented(text: str, columns: int, indent: int) -> Sequence[str]:
    pieces = wrapped(text, max(columns - indent - 2, 40))
    return [" " * indent + ("  " if i else "") + piece for i, piece in enumerate(pieces)]
