"""What a command takes, as its parameters declare it: `iou: Annotated[str | None, Option(metavar="T", help=…)]`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

from boxscore.cli.groups import BASIC


class Argument(NamedTuple):
    """A word of a command line that has its place."""

    metavar: str
    help: str
    values: str = ""  # what completion offers: the name of a list


class Option:
    """An option: its flags (else `--name` of the parameter), what stands for its value, and what it means.

    `group` is where help has it, `values` the name of a list that completion offers (else what the metavar lists).
    """

    def __init__(self, *flags: str, metavar: str = "", help: str, group: str = BASIC, values: str = "") -> None:
        self.flags, self.metavar, self.help, self.group, self.values = flags, metavar, help, group, values


class Parameter(NamedTuple):
    """An argument (without flags) or an option of a command."""

    name: str
    flags: tuple[str, ...]
    metavar: str
    help: str
    switch: bool  # takes no value
    many: bool
    made: Callable[[str], Any]
    required: bool
    default: Any
    group: str
    values: str

    @property
    def flag(self) -> str:
        """The long flag."""
        return max(self.flags, key=len)


class Declared(NamedTuple):
    """A command: its text, arguments and options."""

    text: str
    arguments: tuple[Parameter, ...]
    options: tuple[Parameter, ...]


@cache
def declared(command: Callable[..., int]) -> Declared:
    """What a command takes: text, Path, a switch (bool) or several texts (list)."""
    made = [_parameter(p) for p in inspect.signature(command, eval_str=True).parameters.values()]
    arguments, options = (tuple(p for p in made if bool(p.flags) is wanted) for wanted in (False, True))
    return Declared(inspect.getdoc(command) or "", arguments, options)


def _parameter(parameter: inspect.Parameter) -> Parameter:
    kind, meant = get_args(parameter.annotation)
    kinds = {kind, *get_args(kind)}  # of `Path | None` too
    flags: tuple[str, ...] = ()
    if isinstance(meant, Option):
        flags = meant.flags or (f"--{parameter.name.replace('_', '-')}",)
    required = parameter.default is parameter.empty
    return Parameter(
        parameter.name,
        flags,
        meant.metavar,
        meant.help,
        switch=kind is bool,
        many=list[str] in kinds,
        made=Path if Path in kinds else str,
        required=required,
        default=None if required else parameter.default,
        group=meant.group if isinstance(meant, Option) else "",
        values=meant.values,
    )
