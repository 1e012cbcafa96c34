"""What all kinds of protocols have: fields that are rules, their documentation, their text, and the signature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any

from boxscore.errors import UsageError
from boxscore.protocols.forms import DEVIATIONS, PLAIN, Form
from boxscore.protocols.values import Deviation, as_text


class Choices(list[str]):
    """The values that a field may have, where it is a choice; a registry of what implements them may add to it."""


def rule(meaning: str, *values: str, default: Any, form: Form | None = None, of: str = "", **more: Any) -> Any:
    """A field that changes a number.

    `default` is neutral: the signature leaves it out, so that a new field changes no protocol that was signed before.
    `form` is how values are made and written where the type of the default does not say it. `of` is the field without
    which it means nothing: both are one rule.
    """
    how = PLAIN[type(default)] if form is None else form
    metadata = {"meaning": meaning, "values": Choices(values), "form": how, "of": of, **more}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Rules:
    """A frozen record of rules with a name; kinds of protocols add their fields, in parts.

    A part may have a method `_check`, which raises UsageError where its values make no sense.
    """

    name: str = ""
    about: str = field(default="", compare=False)
    source: str = field(default="", compare=False)  # the official code that it reproduces
    deviations: tuple[Deviation, ...] = field(default=(), compare=False, metadata={"form": DEVIATIONS})

    def __post_init__(self) -> None:
        for f in fields(self):
            # Values of other types would have other texts, and so other signatures.
            form = f.metadata.get("form", PLAIN[str])
            value = form.of(f.name, getattr(self, f.name))
            object.__setattr__(self, f.name, value)
            allowed = f.metadata.get("values")
            if allowed and value not in allowed:
                raise UsageError(f"{f.name}={value!r}; expected one of {', '.join(allowed)}")
        for part in type(self).__mro__:
            if "_check" in vars(part):
                part._check(self)  # type: ignore[attr-defined]

    @property
    def approximations(self) -> tuple[Deviation, ...]:
        """In what it does not do what its source does; none where it is equal."""
        return tuple(d for d in self.deviations if d.approximation)

    def rules(self) -> dict[str, str]:
        """Every field that changes a number, as text."""
        return {f.name: as_text(getattr(self, f.name)) for f in rule_fields(type(self))}

    def signature_full(self) -> str:
        """All rules, so that the number can be reproduced from the signature alone."""
        return "|".join(f"{name}:{value}" for name, value in self.rules().items())

    def signature(self) -> str:
        """The name and a digest of all rules: equal signatures, equal rules."""
        return f"{self.name}#{self.digest()}"

    def digest(self) -> str:
        """Eight hexadecimal digits that change whenever a rule does.

        They are taken over the rules that are not neutral, sorted by name: no new field, part or order of fields
        changes what was signed before.
        """
        import hashlib  # takes 4 ms, and only reports need it

        values = {f.name: getattr(self, f.name) for f in rule_fields(type(self)) if getattr(self, f.name) != f.default}
        text = "|".join(f"{name}:{as_text(value)}" for name, value in sorted(values.items()))
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def rule_fields(kind: type[Any]) -> Iterator[Field[Any]]:
    """The fields of a kind of protocol, or of a part, that change a number; those of one rule one after the other."""
    found = {f.name: f for f in fields(kind) if "meaning" in f.metadata}
    place = {name: i for i, name in enumerate(found)}

    def order(f: Field[Any]) -> tuple[int, bool]:
        return place.get(f.metadata["of"], place[f.name]), bool(f.metadata["of"])

    return iter(sorted(found.values(), key=order))


def names_of(*parts: type[Any]) -> tuple[str, ...]:
    """The names of the fields of some parts, each once, in their order."""
    return tuple(dict.fromkeys(f.name for part in parts for f in rule_fields(part)))


def values_of(rules: Any, *parts: type[Any]) -> tuple[Any, ...]:
    """The values of the fields of some parts: what a function depends on that reads nothing but these parts."""
    return tuple(getattr(rules, name) for name in names_of(*parts))


def allow(kind: type[Any], field_name: str, value: str) -> None:
    """Lets a field have a further value, for what registers an implementation of it."""
    allowed = next(f.metadata["values"] for f in rule_fields(kind) if f.name == field_name)
    if value not in allowed:
        allowed.append(value)
