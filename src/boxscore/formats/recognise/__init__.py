"""Which format a path has, by what is in it, and which of its files are meant."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.record import CSV, SURE, TEXT, Format
from boxscore.formats.registry import described, each, find, foreign, lookup, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.formats.content import Candidate
    from boxscore.formats.recognise.answer import Answer

__all__ = ["Taken", "looked_for", "misfit", "recognise"]

_FEW = 50  # files of a folder that are looked into: enough to decide
_SWAPPED = "Truth comes first, then detections; were they swapped?"


class Taken(NamedTuple):
    """What was decided: the format, the files to read, and what the user should know of the decision."""

    form: str
    files: Files
    findings: tuple[Finding, ...] = ()


def recognise(files: Files, side: str, stated: str | None = None, split: str | None = None) -> Taken:
    """The format of one side, as stated or by content, and its files; an error says what was looked for."""
    if stated is None and files.is_file and (name := _at_a_glance(files)):
        return Taken(name, files)
    if (sheet := described(files.name, files.is_file)) and stated in (None, sheet):
        return Taken(sheet, files)
    if stated is not None:
        return Taken(stated, _as_stated(files, side, stated, split))
    from boxscore.formats.recognise.evidence import recognised
    from boxscore.formats.recognise.layout import narrowed

    answer = recognised(files, _FEW, everything=False)
    if not answer.candidates or _is_weak(answer.candidates[0]):
        from boxscore.formats.recognise.by_name import by_name

        answer = replace(answer, candidates=by_name(files) or answer.candidates)
    candidate = _candidate(answer, files, side)
    own = narrowed(files, candidate, split)
    if lookup(candidate.name).folder == own.is_file:
        raise _one_of_many(own, candidate)
    return Taken(candidate.name, own, _findings(answer, candidate))


def misfit(name: str, found: str, stated: str) -> InputError:
    """What to say where a folder was found and a file stated, or the other way round."""
    return InputError(name, f"{found}, stated as {stated}", lookup(stated).looks)


def looked_for(side: str) -> str:
    """The formats of a side, as messages list them."""
    *most, last = names(side)
    return f"{', '.join(most)} or {last} (`boxscore formats` tells how each looks)"


def _at_a_glance(files: Files) -> str:
    """The format that knows a file as its own by its first and last bytes; empty where none does."""
    for form in each():
        if isinstance(form, Format) and form.glance and form.function(form.glance)(files):
            return form.name
    return ""


def _is_weak(candidate: Candidate) -> bool:
    """Whether names of files tell more than the content that speaks for a candidate."""
    record = foreign().get(candidate.name)
    return record is not None and record.weak


def _reads(name: str, side: str) -> bool:
    form = find(name)
    return form is not None and bool(getattr(form, side))


def _as_stated(files: Files, side: str, stated: str, split: str | None) -> Files:
    """The files of a format that the user states; a folder is searched for the file where the format is one."""
    form = lookup(stated)
    if files.is_file:
        if form.folder:
            raise misfit(files.name, "a file", stated)
        return files
    if form.splits or not files.paths:
        own = files
    else:
        from boxscore.formats.recognise.evidence import recognised
        from boxscore.formats.recognise.layout import narrowed

        candidate = recognised(files, _FEW, everything=False).best(stated)
        own = files if candidate is None else narrowed(files, candidate, split)
    if form.folder is False and not own.is_file:
        raise misfit(files.name, "a folder", stated)
    return own


def _candidate(answer: Answer, files: Files, side: str) -> Candidate:
    """The best candidate that can be read as this side, unless another is as good."""
    can = [c for c in answer.candidates if _reads(c.name, side)]
    fitting = [c for c in can if side in c.sides] or can
    if not fitting:
        raise _none(answer, files, side)
    best = fitting[0]
    rivals = [c for c in fitting[1:] if c.level == best.level and not set(c.paths) & set(best.paths)]
    rivals = [c for c in rivals if c.name != best.name]
    if rivals:
        found = " or ".join(f"{c.name} ({c.reasons[0]})" for c in (best, *rivals))
        options = " or ".join(f"--{side}-format {c.name}" for c in (best, *rivals))
        raise InputError(files.name, f"what can be read as {found}", f"{options} ({side}_format= in Python)")
    return best


def _none(answer: Answer, files: Files, side: str) -> InputError:
    """What to say where nothing fits that can be read as this side."""
    best = answer.candidates[0] if answer.candidates else None
    if best is None:
        hint = f"State it with {side}_format, or see what `boxscore formats {files.name}` says."
        return InputError(files.name, _begins(answer, files), looked_for(side), hint)
    if (refused := foreign().get(best.name)) is not None:
        told: InputError | None = refused.function(refused.told)(files, looked_for(side)) if refused.told else None
        if told is not None:
            return told
        return InputError(files.name, f"this is {refused.title}, which is not read", "", refused.advice)
    form = find(best.name)
    looks = best.name if form is None else form.looks
    return InputError(files.name, f"what looks like {looks}", looked_for(side), _SWAPPED)


def _begins(answer: Answer, files: Files) -> str:
    """How a file begins, or what a folder holds."""
    if not files.is_file:
        return answer.found
    if answer.found.startswith("JSON"):
        return answer.found
    lines = [line.strip() for line in files.source().beginning().splitlines() if line.strip()]
    if not lines:
        return "the file is empty"
    return f"it begins with '{lines[0][:40]}'" if "\0" not in lines[0] and "�" not in lines[0] else answer.found


def _one_of_many(files: Files, candidate: Candidate) -> InputError:
    form = lookup(candidate.name)
    if files.is_file:
        found, hint = f"a single file of {form.title} ({candidate.reasons[0]})", "Give the folder that holds it."
    else:
        found, hint = f"{len(candidate.paths):,} files of {form.title}", "Give the path of the one that is meant."
    return InputError(files.name, found, form.looks, hint)


def _findings(answer: Answer, candidate: Candidate) -> tuple[Finding, ...]:
    """A note on what was not sure, for formats whose readers cannot find out by themselves."""
    form = lookup(candidate.name)
    if candidate.level == SURE or form.kind not in (CSV, TEXT):
        return ()
    return (finding("FMT001", 1, f"{answer.name} is read as {form.title}: {candidate.reasons[0]}"),)
