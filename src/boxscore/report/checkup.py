"""A checkup as text and as JSON: what was found, what speaks for it, what to do."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boxscore.diagnostics.diagnoses import Checkup, Diagnosis
from boxscore.diagnostics.findings import Finding
from boxscore.report.text import WIDTH
from boxscore.report.words import printable, wrapped
from boxscore.tables.model import Detections, Truth

SCHEMA = "boxscore/checkup/1"
UNEXPLAINED = "LOW101"  # even as a note it is no all-clear
OPTIONS = {"--protocol": "a protocol that does not mind", "--max-detections": "look at all of them"}


class Given(NamedTuple):
    """What the user gave: truth and detections, and the options that say how to read them."""

    paths: tuple[str, ...] = ("TRUTH", "DETECTIONS")
    options: tuple[str, ...] = ()

    def command(self, name: str, *more: str) -> str:
        """A command on the same input."""
        return " ".join(["boxscore", name, *map(shlex.quote, (*self.paths, *self.options)), *more])


SOMETHING = Given()


def as_text(made: Checkup, given: Given = SOMETHING, columns: int = WIDTH) -> str:
    """What was read, all diagnoses, the gravest first, and how many there are."""
    lines = [f"{side:10}  {_read(table)}" for side, table in _tables(made)]
    for finding in made.findings:
        lines += _indented(f"{finding.severity:10}  {finding.code}: {printable(finding.text)}", columns, 0, 12)
    lines += [""] if lines else []
    for one in made:
        lines += [*_lines(one, given, columns), ""]
    return "\n".join([*lines, *_indented(summary(made), columns, 0)]) + "\n"


def _tables(made: Checkup) -> list[tuple[str, Truth | Detections]]:
    sides = zip(("truth", "detections"), made.tables or (), strict=False)
    return [(side, table) for side, table in sides if table is not None]


def _read(table: Truth | Detections) -> str:
    boxes = "objects" if isinstance(table, Truth) else "detections"
    images = f"{len(table.images):,} images, " if isinstance(table, Truth) else ""
    return f"{printable(table.source or 'values')} ({table.format or 'values'}): {images}{len(table):,} {boxes}"


def _lines(one: Diagnosis, given: Given, columns: int) -> Iterator[str]:
    yield f"{one.code} {one.severity}: {one.title}"
    text = printable(one.text[:1].upper() + one.text[1:])
    yield from _indented(text + "." * (text[-1:] not in ".?!"), columns, 2, 0)
    if one.evidence:
        yield "  evidence:"
        for evidence in one.evidence:
            yield from _indented(str(evidence), columns, 4)
    if one.examples:
        yield "  examples:" if len(one.examples) == one.count else f"  examples, of {one.count:,}:"
        for example in one.examples:
            yield from _indented(printable(example), columns, 4)
    first = "repair"
    for repair in repairs(one, given):
        if repair.startswith("boxscore "):  # to be copied, so never wrapped
            command, _, why = repair.partition("  # ")
            yield f"  {first}: {why}".rstrip()
            yield f"    {command}"
        else:
            yield from _indented(f"{first}: {repair}", columns, 2)
        first = "or"


def repairs(one: Diagnosis, given: Given = SOMETHING) -> Iterator[str]:
    """What to do about it: the option that reads it rightly, the command that fixes it, or advice."""
    if one.option and len(given.paths) == 1:
        yield f"give {one.option} with the file"
    elif one.option:
        why = OPTIONS.get(one.option.split()[0], "say how boxes are written")
        yield f"{given.command('eval', one.option)}  # {why}"
    if one.fix is not None and one.mends:
        yield f"{given.command('doctor', '--fix OUT')}  # write a corrected copy of the {one.side}"
    if one.repair:
        yield one.repair


def summary(made: Checkup) -> str:
    """How many diagnoses of each severity there are."""
    if not len(made):
        return "nothing found"
    counts = {s: sum(d.severity == s for d in made) for s in ("error", "warning", "note")}
    found = ", ".join(f"{n} {severity}{'s' * (n != 1)}" for severity, n in counts.items() if n)
    doubtful = counts["error"] or counts["warning"] or any(d.code == UNEXPLAINED for d in made)
    harmless = "" if doubtful else ", nothing that makes results wrong"
    return f"{found}{harmless}; `boxscore rule {made.diagnoses[0].code}` explains a code"


def as_finding(one: Diagnosis, given: Given) -> Finding:
    """A diagnosis as a finding of an evaluation, with the command that tells more."""
    evidence = f" ({one.evidence[0]})" if one.evidence else ""
    text = f"{printable(one.text)}{evidence}; for the evidence and the fix: {given.command('doctor')}"
    return Finding(one.code, one.severity, one.count, text)


def dumps(made: Checkup, version: str, given: Given = SOMETHING) -> str:
    """All of it as JSON, in a fixed order of keys."""
    document = {
        "schema": SCHEMA,
        "version": version,
        "inputs": [
            {"side": side, "path": t.source, "format": t.format, "images": len(t.images), "boxes": len(t)}
            for side, t in _tables(made)
        ],
        "diagnoses": [{**d.to_dict(), "repairs": list(repairs(d, given))} for d in made],
        "findings": [{"code": f.code, "severity": f.severity, "count": f.count, "text": f.text} for f in made.findings],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _indented(text: str, columns: int, indent: int, further: int = 2) -> Sequence[str]:
    """Text in lines, all but the first of them further in."""
    pieces = wrapped(text, max(columns - indent - further, 40))
    return [" " * (indent + (further if i else 0)) + piece for i, piece in enumerate(pieces)]
