"""What recognition says of a path, and the list of formats, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from boxscore.formats.content import Candidate, Question
from boxscore.formats.recognise.answer import Answer
from boxscore.formats.record import Format
from boxscore.formats.registry import described, find, foreign, formats, lookup, names
from boxscore.report.text import WIDTH
from boxscore.report.words import printable, wrapped

SCHEMA = "boxscore/formats/1"
_SIDES = ("truth", "detections")


def answer_text(answer: Answer, side: str | None = None, columns: int = WIDTH) -> str:
    """Candidates with their reasons, what to do, what is open, and what was refused."""
    lines = [*_lines(f"{answer.name}: {answer.found}", columns, "", "   "), ""]
    if not answer.candidates:
        lines += ["No format fits.", ""]
    for rank, candidate in enumerate(answer.candidates, 1):
        lines += _candidate(rank, candidate, side, columns)
    lines += _advice(answer, side, columns)
    if answer.questions:
        lines += ["", "Open"]
        for question in answer.questions:
            lines += _question(question, columns)
    return "\n".join([*lines, "", "Refused", *_refused(answer, columns)]) + "\n"


def answer_json(answer: Answer) -> str:
    """The same for machines."""
    document = {
        "schema": SCHEMA,
        "path": answer.name,
        "found": answer.found,
        "candidates": [{"rank": k, **asdict(c), "readable": readable(c)} for k, c in enumerate(answer.candidates, 1)],
        "questions": [asdict(question) for question in answer.questions],
        "refused": [asdict(refused) for refused in answer.refused],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def readable(candidate: Candidate) -> list[str]:
    """The sides that a candidate can be read as."""
    return [side for side in candidate.sides if candidate.name in names(side)]


def format_list(columns: int = WIDTH) -> str:
    """All formats: what is read and written of each side, and how it looks."""
    width = max(len(form.name) for form in formats())
    lines = [f"{'':{width}}  {'truth':11}  detections", ""]
    for form in formats():
        what = f"{form.name:{width}}  {_does(form, 'truth'):11}  {_does(form, 'detections'):11}  "
        lines += _lines(_look_only(form), columns, what, " " * len(what))
    titles = ", ".join(refused.title for refused in foreign().values())
    lines += ["", *_lines(f"Known by name, and not read: {titles}.", columns, "", "")]
    return "\n".join([*lines, "", "`boxscore formats PATH` says which of them a path is."]) + "\n"


def formats_json() -> str:
    """The same for machines."""
    rows = [
        {
            "name": form.name, "title": form.title, "looks": form.looks,
            "read": [side for side in _SIDES if getattr(form, side)],
            "write": [side for side in _SIDES if getattr(form, f"write_{side}")], "keeps": list(form.keeps),
        }
        for form in formats()
    ]  # fmt: skip
    refused = [{"name": f.name, "title": f.title, "advice": f.advice} for f in foreign().values()]
    document = {"schema": SCHEMA, "formats": rows, "not_read": refused}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _does(form: Format, side: str) -> str:
    words = [
        word for word, place in (("read", getattr(form, side)), ("write", getattr(form, f"write_{side}"))) if place
    ]
    return ", ".join(words) or "-"


def _look_only(form: Format) -> str:
    """How a format looks, without its name before."""
    _, _, inside = form.looks.partition(" (")
    return inside.removesuffix(")") or form.looks


def title_of(name: str) -> str:
    """What a format is called."""
    form = foreign().get(name) or find(name)
    return name if form is None else form.title


def _candidate(rank: int, candidate: Candidate, side: str | None, columns: int) -> list[str]:
    start = f"{rank}  {candidate.name:13} {candidate.level:9} "
    return _lines("; ".join(candidate.reasons), columns, start, " " * len(start))


def _advice(answer: Answer, side: str | None, columns: int) -> list[str]:
    """The command to use, or why there is none."""
    best = answer.candidates[0] if answer.candidates else None
    if best is None:
        return _lines("If you know the format, state it with --truth-format or --detections-format.", columns, "", "")
    if (refused := foreign().get(best.name)) is not None:
        return ["", *_lines(f"This is {refused.title}, which is not read. {refused.advice}", columns, "", "")]
    lines = []
    for name in _SIDES if side is None else (side,):
        lines += _use(answer, name, columns)
    return ["", *lines] if lines else ["", f"{best.name} cannot be read as {side or 'truth or detections'}."]


def _use(answer: Answer, side: str, columns: int) -> list[str]:
    """The command that reads a path as a side, by the first candidate that can be."""
    best = next((c for c in answer.candidates if side in readable(c)), None)
    if best is None:
        return []
    if answer.is_file and lookup(best.name).folder and described(answer.name) != best.name:
        return _lines(f"As {side}: this is one file of {best.name}; give the folder that holds it.", columns, "", "   ")
    said = "".join(f" {_statement(question)}" for question in answer.questions) if best is answer.candidates[0] else ""
    sides = f"{answer.name} DETECTIONS" if side == "truth" else f"TRUTH {answer.name}"
    return [f"As {side}:", f"   boxscore eval {sides} --{side}-format {best.name}{said}"]  # in one piece, to be copied


def _statement(question: Question) -> str:
    return question.answer or f"[{' or '.join(question.options)}]"


def _question(question: Question, columns: int) -> list[str]:
    says = f"the numbers speak for {question.answer}" if question.answer else "the content does not tell"
    lines = _lines(f"{question.text}: {says}; state {' or '.join(question.options)}", columns, "   ", "   ")
    for evidence in question.evidence:
        lines += _lines(evidence, columns, "   - ", "     ")
    return lines


def _refused(answer: Answer, columns: int) -> list[str]:
    """Formats that are refused for the same reason share a line."""
    groups: dict[str, list[str]] = {}
    for refused in answer.refused:
        groups.setdefault(refused.why, []).append(refused.name)
    lines: list[str] = []
    for why, alike in groups.items():
        lines += _named(alike, why, columns)
    return lines


def _named(names: Sequence[str], why: str, columns: int) -> list[str]:
    return _lines(f"{', '.join(names)}: {why}", columns, "   ", "      ")


def _lines(text: str, columns: int, first: str, other: str) -> list[str]:
    """Text in lines, the first of which begins otherwise than the others."""
    inside = wrapped(printable(text), max(columns - max(len(first), len(other)), 20))
    return [(other if k else first) + line for k, line in enumerate(inside)]
