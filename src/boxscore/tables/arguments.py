"""Arguments of public functions: unknown names and wrong types get an error of ours, with the nearest known name."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

from boxscore.errors import UnknownName, UsageError

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")


class Kind(NamedTuple):
    """What an argument must be, and how messages say it."""

    fits: Callable[[Any], bool]
    expected: str


def a(expected: str, *types: type) -> Kind:
    """A value of one of these types."""
    return Kind(lambda value: isinstance(value, types), expected)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


TEXT = a("text", str)
PATH = a("a path", str, Path)
NUMBER = Kind(_is_number, "a number")
WHOLE = Kind(_is_whole, "a whole number")
NAMES = Kind(lambda value: isinstance(value, Iterable) and not isinstance(value, (str, bytes)), "a list of names")


METRIC = TEXT._replace(expected="the name of a metric as text, such as 'AP50'")
CLASS = TEXT._replace(expected="the name of a class as text")


def maybe(kind: Kind) -> Kind:
    """The same, or None."""
    return Kind(lambda value: value is None or kind.fits(value), kind.expected)


SLICE = {"iou": maybe(NUMBER), "area": maybe(TEXT), "max_detections": maybe(WHOLE)}


def checked(*more: Iterable[inspect.Parameter], **kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Checks the names of all arguments of a function, and the kinds of some, before it is called.

    `more` are those that its `**keywords` take; help and notebooks show them as if they were written out.

    >>> @checked(size=NUMBER)
    ... def grow(size, by=1): return size + by
    >>> grow("2")
    Traceback (most recent call last):
    boxscore.errors.UsageError: grow: size='2'; expected a number
    >>> grow(2, byy=3)
    Traceback (most recent call last):
    boxscore.errors.UnknownName: grow: unknown argument 'byy'; did you mean 'by'? (known: size, by)
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = [p.name for p in own]
        further = [p for some in more for p in some if p.name not in names]
        known = dict.fromkeys([*names, *(p.name for p in further)])
        title = function.__qualname__.rpartition("<locals>.")[2].removesuffix(".__init__").removesuffix(".__getitem__")
        owner, dot, method = title.partition(".")

        def called(args: tuple[Any, ...]) -> str:
            """What the user called: a method is the object's own, whatever class it inherits it from."""
            own = args and names[:1] == ["self"]
            return f"{type(args[0]).__name__ if own else owner}{dot}{method}"

        @wraps(function)
        def call(*args: P.args, **keywords: P.kwargs) -> R:
            for name in keywords:
                if name not in known:
                    raise UnknownName("argument", name, [n for n in known if n != "self"], called(args))
            for name, value in (*zip(names, args, strict=False), *keywords.items()):
                if name in kinds and not kinds[name].fits(value):
                    raise UsageError(f"{called(args)}: {name}={_shown(value)}; expected {kinds[name].expected}")
            return function(*args, **keywords)

        if further:
            written = inspect.signature(function).replace(parameters=[*own, *further])
            setattr(call, "__signature__", written)  # noqa: B010 (mypy refuses the assignment)
        return call

    return decorate


def checked_fields(**kinds: Kind) -> Callable[[type[C]], type[C]]:
    """The same for the fields of a dataclass."""

    def decorate(cls: type[C]) -> type[C]:
        setattr(cls, "__init__", checked(**kinds)(cls.__init__))  # noqa: B010 (mypy refuses the assignment)
        return cls

    return decorate


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"a value of type {type(value).__name__}"
