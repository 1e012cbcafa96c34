"""Text files by the forms of their lines, taken together: asks the text formats, and ranks nothing by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from boxscore.formats.content import COMMENTS, EMPTY, Candidate, File, Question, Texts, counted
from boxscore.formats.recognise.text_forms import NUMBERS, OTHER, Forms, TextFormat, described
from boxscore.formats.record import BOTH, SURE, Format


def signs(files: Sequence[File], forms: Forms, everything: tuple[str, ...], folder: bool) -> list[Candidate]:
    """The formats that text files fit; `everything` are the paths of all files of the folder."""
    nothing = {EMPTY, COMMENTS, OTHER, NUMBERS, *_without_objects(forms)}
    found = []
    for one in forms.formats:
        if (names := one.look.names) is None:
            continue
        if named := [file for file in files if names.pattern.fullmatch(file.base)]:
            reason = f"{counted(len(named))} named as {names.named_as} ({named[0].base})"
            found.append(Candidate(one.record.name, SURE, (reason,), tuple(f.path for f in named), names.sides))
            files = [file for file in files if file not in named and file.form not in nothing]
            if names.alone or not files:
                return found
    texts = _texts(files, forms, nothing, everything, folder)
    if not files:
        return found
    for one in forms.formats:
        if one.look.judge is not None and (judged := one.look.judge(texts)):
            alike = next((other.look.alike for other in forms.formats if other.record.name == one.record.before), None)
            return [*found, *judged, *(alike(texts) if alike is not None else ())]
    return found + _by_form(texts, forms)


def why_not(one: TextFormat, files: Sequence[File], forms: Forms, folder: bool) -> str:
    """Why text files are not of a format."""
    lines = [(file, line) for file in files for line in file.lines]
    if not lines:
        return "no line has numbers"
    if folder and isinstance(one.record, Format) and one.record.folder is False:
        return "it is a folder"
    fitting = one.look.fitting
    found = next(((f, line) for f, line in lines if line.form not in fitting), None) if fitting else None
    if found is None:
        return one.look.why_not
    file, line = found
    place = f"{file.path}:{line.number}" if file.path else f"line {line.number}"
    return f"{one.look.why_not} ({place}: {described(line.form, forms.forms)})"


def questions(name: str, files: Sequence[File], forms: Forms) -> list[Question]:
    """What the files of a format leave open."""
    asked = next((one.look.questions for one in forms.formats if one.record.name == name), None)
    return [] if asked is None else asked(files)


def _without_objects(forms: Forms) -> list[str]:
    """Forms of files that hold no objects."""
    looks = [(one.record.name, one.look) for one in forms.formats if not one.look.objects]
    return [form for name, look in looks for form in (name, *(form.name for form in look.forms))]


def _texts(
    files: Sequence[File], forms: Forms, nothing: set[str], everything: tuple[str, ...], folder: bool
) -> Texts:  # fmt: skip
    """Files for judgement: those of the form that most of them have, and the empty ones."""
    counts = Counter(file.form for file in files if file.form not in nothing)
    if not counts:
        return Texts(files, "", (), (), folder, everything)
    main = counts.most_common(1)[0][0]
    shared = {form.name for form in forms.forms if form.shared}
    own = [file for file in files if file.form == main or (file.form in shared and main in shared)]
    empty = tuple(file.path for file in files if file.form == EMPTY)
    return Texts(files, main, own, tuple(file.path for file in own) + empty, folder, everything)


def _by_form(texts: Texts, forms: Forms) -> list[Candidate]:
    """The format whose form no other writes."""
    if not texts.main or any(file.lines and file.lines[0].form != texts.main for file in texts.own):
        return []  # or a table whose header nobody knows
    for one in forms.formats:
        own = {form.name: form for form in one.look.forms}
        form = own.get(texts.main)
        if form is None and not (one.look.begins and texts.main == one.record.name):
            continue
        if form is not None and form.shared:
            return []
        where = f"the lines of {counted(len(texts.own))} have" if texts.folder else "its lines have"
        reason = f"{where} the form '{texts.own[0].first[:60]}'"
        return [Candidate(one.record.name, SURE, (reason,), texts.paths, form.sides if form else BOTH)]
    return []
