"""Lines of text files, each by its form: which of the formats' forms takes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from boxscore.formats.content import COMMENTS, EMPTY, File, Line, LineForm, TextLook, Values, Words, number
from boxscore.formats.record import TEXT, Known
from boxscore.formats.registry import asked

LINES = 20_000  # that are looked at in all
OTHER, NUMBERS = "other", "numbers"  # lines that no form takes
_SEPARATORS = re.compile("[,;]")


class TextFormat(NamedTuple):
    """A text format, and how it is recognised."""

    record: Known
    look: TextLook


class Forms:
    """The forms of all text formats, in the order in which they are asked."""

    def __init__(self, everything: bool | None) -> None:
        """Those of this package, with `everything` of others as well; with None not any."""
        records = [] if everything is None else [record for record in asked(TEXT, everything) if record.look]
        self.formats = tuple(TextFormat(record, record.at(record.look)) for record in records)
        self.forms = [form for one in self.formats for form in one.look.forms]
        self._fitting: dict[tuple[int, tuple[int, ...], bool], list[LineForm]] = {}

    def file(self, path: str, text: str, complete: bool = True) -> File:
        """The lines of a text by their forms; the last one does not count where the text goes on."""
        listed = text.splitlines()
        if not complete and len(listed) > 1:
            listed.pop()
        kept = [(place, line.strip()) for place, line in enumerate(listed[:LINES], 1) if line.strip()]
        if not kept:
            return File(path, EMPTY, (), "")
        first, start = kept[0][1], [line for _, line in kept[:3]]
        for one in self.formats:
            if one.look.begins is not None and one.look.begins(start):
                return File(path, one.record.name, (), first)
        heads = [(one.look.heads, one.look.forms[0].name) for one in self.formats if one.look.heads is not None]
        lines = tuple(
            self._line(place, line)
            for place, line in kept
            if not line.startswith("#") and not any(head.match(line) for head, _ in heads)
        )
        if not lines:
            return File(path, next((form for head, form in heads if head.match(first)), COMMENTS), (), first)
        return File(path, Counter(line.form for line in lines).most_common(1)[0][0], lines, first)

    def _line(self, place: int, line: str) -> Line:
        taken = _words(line)
        shape = len(taken.words), taken.texts, taken.commas
        if (forms := self._fitting.get(shape)) is None:
            forms = self._fitting[shape] = [form for form in self.forms if _allows(form, *shape)]
        for form in forms:
            found = _plainly(taken) if form.read is None else form.read(taken)
            if found is not None:
                return Line(form.name, *found, place)
        few = len(taken.words) < 5 and not taken.commas
        name, values = _plainly(taken)
        if few or taken.texts or taken.commas:
            return Line(OTHER, line if few else taken.words[0], () if few or taken.texts else values, place)
        return Line(NUMBERS, name, values, place)


def described(form: str, forms: Sequence[LineForm]) -> str:
    """What lines of a form hold, in words."""
    words = {OTHER: "other words", NUMBERS: "other numbers"} | {one.name: one.called for one in forms if one.called}
    return words.get(form, f"a line of {form}")


def _words(line: str) -> Words:
    words = line.split()
    commas = line.count(",") >= 4 or line.count(";") >= 4
    if commas := commas and (len(words) == 1 or all(word.endswith((",", ";")) for word in words[:-1])):
        words = [word for part in _SEPARATORS.split(line) if (word := part.strip())] or [line]
    values = [number(word) for word in words]
    return Words(line, words, values, tuple(i for i, value in enumerate(values) if value is None), commas)


def _allows(form: LineForm, words: int, texts: tuple[int, ...], commas: bool) -> bool:
    return words in form.words and form.texts in (None, texts) and form.commas in (None, commas)


def _plainly(taken: Words) -> tuple[str, Values]:
    """The first text, or the first number of all where there is none; and the numbers."""
    numbers = taken.numbers
    if taken.commas or taken.texts:
        return taken.words[taken.texts[0] if taken.texts else 0], numbers
    return taken.words[0], numbers[1:]
