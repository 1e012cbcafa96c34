"""What is open: the form, the work under way, the results of models by protocols."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

from boxscore.analysis.operating_point import OperatingPoint
from boxscore.app.folders import Folders
from boxscore.app.form import LETTERS, Form
from boxscore.app.jobs import RUNNING, Job
from boxscore.app.pictures import Pictures
from boxscore.app.work import Evaluated, Outcome
from boxscore.evaluation.prepare import prepare
from boxscore.evaluation.result import Result
from boxscore.metrics import Numbers
from boxscore.metrics.summary import wanted
from boxscore.protocols import Protocol

Value = TypeVar("Value")
KEPT = 64  # answers that are remembered: operating points, statistics


@dataclass(eq=False)
class Opened:
    """An evaluation that can be looked at; pages ask for it by its number, so that old answers are not mixed in."""

    number: int
    outcome: Outcome
    pictures: Pictures
    _kept: OrderedDict[Any, Any] = field(default_factory=OrderedDict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def rules(self) -> list[Protocol]:
        """The protocols, in their order."""
        return [result.protocol for result in self.outcome.models[0].results] if self.outcome.models else []

    def protocol(self, name: str | None) -> int:
        """The number of a protocol by its signature or name; the first where none is named."""
        for k, protocol in enumerate(self.rules):
            if name in (None, "", protocol.signature(), protocol.name):
                return k
        raise HTTPException(404, "no such protocol was evaluated")

    def model(self, letter: str | None) -> tuple[str, Evaluated]:
        """A model by its letter; the first where none is named."""
        k = LETTERS.find(letter) if letter else 0
        if not 0 <= k < len(self.outcome.models) or (letter and len(letter) != 1):
            raise HTTPException(404, "there is no such model")
        return LETTERS[k], self.outcome.models[k]

    def result(self, letter: str | None, protocol: str | None) -> Result:
        """A result with the boxes behind it, which do not come with it from the process that made it."""
        key, model = self.model(letter)
        k = self.protocol(protocol)

        def made() -> Result:
            stored = model.results[k]
            numbers = Numbers(stored.tally, *wanted(stored.protocol), prepared=prepare(model.aligned, self._asked(k)))
            return replace(stored, numbers=numbers)

        return self.once(("result", key, k), made)

    def point(self, letter: str | None, protocol: str | None, score: float, iou: float | None) -> OperatingPoint:
        """The operating point of a model at a score."""
        result = self.result(letter, protocol)
        key = ("point", self.model(letter)[0], self.protocol(protocol), score, iou)
        return self.once(key, lambda: result.at(score, iou=iou))

    def once(self, key: Any, make: Callable[[], Value]) -> Value:
        """A value that is made once and remembered for a while."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                kept: Value = self._kept[key]
                return kept
            made = self._kept[key] = make()
            while len(self._kept) > KEPT:
                oldest = next(k for k in self._kept if k[0] != "result")
                del self._kept[oldest]
            return made

    def _asked(self, k: int) -> Protocol:
        """The protocol as it was asked for; a result has one whose size ranges the data may have resolved."""
        return self.outcome.form.rules()[k]


class Workspace:
    """The state of the server: changed by whoever has the token, from several threads."""

    def __init__(self, folders: Folders, form: Form | None = None) -> None:
        self.folders, self.form = folders, form or Form()
        self.opened: Opened | None = None
        self.checked: dict[str, Any] | None = None
        self.job: Job | None = None
        self._lock, self._count = threading.Lock(), 0

    def start(self, kind: str) -> Job:
        """Begins work on the form; ends what is under way."""
        form = self.form.located(self.folders.within)
        if kind == "evaluate" and not (form.truth and form.models):
            raise HTTPException(400, "an evaluation needs a ground truth and at least one model")
        form.rules()
        with self._lock:
            if self.job is not None:
                self.job.cancel()
            self._count += 1
            keep = self._keep_checked if kind == "check" else self._keep_opened
            self.job = Job(self._count, kind, form, keep)
            return self.job

    def cancel(self) -> None:
        """Ends the work under way, if there is any."""
        with self._lock:
            if self.job is not None:
                self.job.cancel()

    @property
    def busy(self) -> bool:
        """Whether something is being worked on."""
        return self.job is not None and self.job.state == RUNNING

    def need(self) -> Opened:
        """What is open; raises where nothing is."""
        if self.opened is None:
            raise HTTPException(409, "nothing is open yet")
        return self.opened

    def _keep_opened(self, outcome: Outcome) -> None:
        images = outcome.form.options.get("images")
        number = 1 if self.opened is None else self.opened.number + 1
        self.opened = Opened(number, outcome, Pictures(images, outcome.truth.images.key))

    def _keep_checked(self, value: dict[str, Any]) -> None:
        self.checked = value
