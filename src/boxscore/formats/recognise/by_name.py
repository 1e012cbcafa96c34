"""What names say where content says nothing: files that are empty or broken, whose reader knows best what is wrong."""

from __future__ import annotations

from boxscore.formats.content import Candidate
from boxscore.formats.io.files import Files
from boxscore.formats.record import CLASS, IMAGE
from boxscore.formats.registry import formats


def by_name(files: Files) -> tuple[Candidate, ...]:
    """The format that the names of files stand for, if any."""
    for form in formats(everything=False):
        for sign in (sign for sign in form.signs if sign.named):
            if files.is_file and form.per not in (IMAGE, CLASS) and files.name.lower().endswith(sign.named):
                return (Candidate(form.name, sign.level, (f"its name ends with {sign.named[0]}",), ("",), sign.sides),)
            paths = () if files.is_file or form.per not in (IMAGE, CLASS) else files.ending(*sign.named)
            if paths:
                reason = f"{len(paths):,} file{'s' * (len(paths) != 1)} named as such, {paths[0]} first"
                return (Candidate(form.name, sign.level, (reason,), tuple(paths), sign.sides),)
    return ()
