"""Fonts that have the glyphs: of those installed, and what is written where none has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import NamedTuple

from matplotlib import font_manager, ft2font

PREFERRED = ("Helvetica Neue", "Helvetica", "Arial", "Liberation Sans", "DejaVu Sans")
ALWAYS = "DejaVu Sans"  # comes with matplotlib
# Looked at first where a glyph is missing: complete families whose styles fit together.
BROAD = ("Noto Sans", "Source Han Sans", "Hiragino", "PingFang", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic",
         "Arial Unicode MS", "Segoe UI", "WenQuanYi", "Droid Sans Fallback", "FreeSans")  # fmt: skip


class Fonts(NamedTuple):
    """Families in the order in which a glyph is looked for, and characters that none of them has."""

    families: tuple[str, ...]
    missing: frozenset[str]

    def written(self, text: str) -> str:
        r"""Text with characters that no font has as codes: never a box that could stand for anything.

        >>> Fonts(("DejaVu Sans",), frozenset("猫")).written("a 猫")
        'a \\u732b'
        """
        if self.missing.isdisjoint(text):
            return text
        return "".join(c.encode("unicode_escape").decode() if c in self.missing else c for c in text)


def fonts_for(texts: Iterable[str]) -> Fonts:
    """The usual font, and of those installed what it takes to write the rest."""
    wanted = {c for text in texts for c in text if not c.isspace()}
    base = _base()
    families, missing = [base], frozenset(wanted - _glyphs(_path(base)))
    if missing and base != ALWAYS:
        families.append(ALWAYS)
        missing -= _glyphs(_path(ALWAYS))
    for name, path in _others() if missing else ():
        here = missing & _glyphs(path)
        if here:
            families.append(name)
            missing -= here
        if not missing:
            break
    return Fonts(tuple(families), missing)


def texts_of(value: object) -> Iterable[str]:
    """All texts in a view, wherever they stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from texts_of(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_of(getattr(value, field.name))


@cache
def _base() -> str:
    there = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in PREFERRED if name in there), ALWAYS)


@cache
def _others() -> tuple[tuple[str, str], ...]:
    """All further families with the file of their regular style, broad ones first."""
    regular = {}
    for font in font_manager.fontManager.ttflist:
        plain = font.style == "normal" and str(font.weight) in ("400", "normal", "regular", "book")
        if plain and font.name not in regular and font.name not in PREFERRED and "Last Resort" not in font.name:
            regular[font.name] = font.fname
    rank = {name: next((i for i, broad in enumerate(BROAD) if name.startswith(broad)), len(BROAD)) for name in regular}
    return tuple((name, regular[name]) for name in sorted(regular, key=lambda name: (rank[name], len(name), name)))


def _path(family: str) -> str:
    return font_manager.findfont(font_manager.FontProperties(family=[family]))


@cache
def _glyphs(path: str) -> frozenset[str]:
    try:
        return frozenset(map(chr, ft2font.FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):  # a font that cannot be read has no glyphs
        return frozenset()
