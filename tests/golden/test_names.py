"""Signatures of protocols, and the public names with their parameters, compared with golden files."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, ForwardRef

import boxscore as bs
from boxscore import protocols

# Digests are printed with every number: for variants too, which users store.
VARIANTS = ("coco[iou=0.5]", "coco[max_detections=1,10,300]", "voc2012[areas=tiny:0-256,rest:256-]")


def test_digests(same: Callable[[str, str], None]) -> None:
    some = [protocols.get(name) for name in (*protocols.names(), *VARIANTS)]
    lines = [f"{p.signature()}\n    {p.signature_full()}\n" for p in some]
    lines += [f"{alias} = {name}\n" for alias, name in protocols.ALIASES.items()]
    same("digests.txt", "".join(lines))


def test_public_signatures(same: Callable[[str, str], None]) -> None:
    same("public.txt", "\n".join(described(f"bs.{name}", getattr(bs, name)) for name in bs.__all__))


def described(name: str, value: Any) -> str:
    """A public name with everything that programs can use of it."""
    if isinstance(value, ModuleType):
        return f"{name}\n" + "".join(described(f"{name}.{n}", getattr(value, n)) for n in value.__all__)
    if not inspect.isclass(value):
        return f"{name}{_call(value)}\n" if callable(value) else f"{name}: {type(value).__name__}\n"
    if issubclass(value, enum.Enum):
        return f"{name}\n" + "".join(f"    {member.name} = {int(member)}\n" for member in value)
    bases = [base.__name__ for base in value.__mro__[1:] if issubclass(base, Exception)]
    made = " < ".join([f"{name}{_call(value)}", *bases])
    return f"{made}\n" + "".join(f"    {line}\n" for line in _members(value))


def _members(kind: type) -> Iterator[str]:
    """What the package adds to a class, itself or by the classes it is made of."""
    for name in sorted(dir(kind)):
        owner = next((base for base in kind.__mro__ if name in vars(base)), object)
        if name.startswith("_") and name not in ("__getitem__", "__len__", "__iter__", "__add__"):
            continue
        if owner.__module__.partition(".")[0] != "boxscore":
            continue
        value = vars(owner)[name]
        if isinstance(value, (staticmethod, classmethod)):
            yield f"{type(value).__name__} .{name}{_call(value.__func__)}"
        elif inspect.isfunction(value):
            yield f".{name}{_call(value)}"
        elif isinstance(value, property) or hasattr(value, "func"):
            yield f"property .{name}"


def _call(value: Any) -> str:
    """Parameters and what is returned; annotations as the source writes them."""
    try:
        signature = inspect.signature(value)
    except ValueError:  # an exception that takes what every exception takes
        return ""
    parts: list[str] = []
    kinds = [p.kind for p in signature.parameters.values()]
    for n, p in enumerate(signature.parameters.values()):
        if p.kind is p.KEYWORD_ONLY and p.VAR_POSITIONAL not in kinds and p.KEYWORD_ONLY not in kinds[:n]:
            parts.append("*")
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is p.empty else f" = {p.default!r}" if _plain(p.default) else " = …"
        parts.append(f"{star}{p.name}{_annotation(p.annotation, ': ')}{default}")
    returned = "" if inspect.isclass(value) else _annotation(signature.return_annotation, " -> ")
    inner = ", ".join(parts) if sum(map(len, parts)) < 80 else "\n        " + ",\n        ".join(parts) + "\n    "
    return f"({inner}){returned}"


def _annotation(value: Any, before: str) -> str:
    if value is inspect.Signature.empty:
        return ""
    if isinstance(value, ForwardRef):
        value = value.__forward_arg__
    return before + (value if isinstance(value, str) else getattr(value, "__name__", str(value)))


def _plain(value: Any) -> bool:
    """Whether a default prints the same everywhere."""
    if isinstance(value, tuple):
        return all(map(_plain, value))
    return value is None or (isinstance(value, (str, int, float)) and not isinstance(value, enum.Enum))
