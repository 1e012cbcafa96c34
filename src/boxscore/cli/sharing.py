"""Options that commands have in common with `boxscore eval`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from boxscore.cli import evaluate

Command = Callable[..., int]


def with_options_of_eval(*without: str) -> Callable[[Command], Command]:
    """Gives a command every option of `eval` as `**given`, but those that it has itself and those named here.

    So an option for reading that `eval` learns is there in the other commands, too.
    """

    def shared(command: Command) -> Command:
        own = [p for p in _parameters(command) if p.kind is not p.VAR_KEYWORD]
        names = {*without, *(p.name for p in own)}
        more = [p.replace(kind=p.KEYWORD_ONLY) for p in _parameters(evaluate.command) if p.name not in names]
        changed: Any = command
        changed.__signature__ = inspect.Signature([*own, *more], return_annotation=int)
        changed.__annotations__ = {p.name: p.annotation for p in (*own, *more)} | {"return": int}
        return command

    return shared


def _parameters(command: Command) -> list[inspect.Parameter]:
    return list(inspect.signature(command, eval_str=True).parameters.values())
