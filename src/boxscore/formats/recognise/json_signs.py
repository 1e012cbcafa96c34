"""JSON files by their keys: the signs of each format's record, asked in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boxscore.formats.io.json_keys import Outline, has
from boxscore.formats.record import BOTH, JSON, POSSIBLE, Format, Seen, Sign
from boxscore.formats.registry import asked


def signs(seen: Outline, end: str = "", everything: bool = False) -> list[Seen]:
    """The formats that an outline fits, the best first; `end` is how the file ends."""
    records = asked(JSON, everything)
    for record in records:
        for sign in record.signs:
            if sign.end and sign.end in end:
                return [Seen(record.name, sign.level, sign.reason, sign.sides)]
    for record in records:
        for sign in record.signs:
            if sign.paths and _met(sign, seen):
                return [Seen(record.name, sign.level, sign.reason or f"it has {_listed(sign.paths)}", sign.sides)]
    for record in records:
        if record.look and (found := record.function(record.look)(seen.value)) is not None:
            return [found]
    for record in records:
        if isinstance(record, Format) and record.fallback and record.function(record.fallback)(seen.value):
            return [Seen(record.name, POSSIBLE, f"it is JSON with {keys(seen.value)}", BOTH)]
    return []


def far_words() -> list[tuple[str, str]]:
    """Words at the end of a file that have all of it searched for others."""
    return [(sign.far, sign.end) for record in asked(JSON, False) for sign in record.signs if sign.far]


def _met(sign: Sign, seen: Outline) -> bool:
    if sign.complete and not seen.complete:
        return False
    return all(has(seen.value, path) for path in sign.paths) and not any(has(seen.value, path) for path in sign.unless)


def keys(value: Any) -> str:
    """The keys of an outline, in words."""
    if isinstance(value, dict):
        some = [f"`{key[:30]}`" for key in value]
        return f"the keys {_few(some)}" if some else "no keys"
    if isinstance(value, list):
        inner = value[0] if value else None
        if isinstance(inner, dict):
            return f"a list of records with {_few([f'`{key[:30]}`' for key in inner])}"
        return "a list of values" if value else "an empty list"
    return "a single value"


def _few(words: Sequence[str]) -> str:
    return ", ".join(words[:6]) + (", …" if len(words) > 6 else "")


def _listed(paths: Sequence[str]) -> str:
    words = [f"`{path}`" for path in paths]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
