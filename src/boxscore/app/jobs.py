"""Work in processes of their own, with progress, that can be ended at any moment: killing one takes nothing along."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from typing import Any

from boxscore.app.form import Form
from boxscore.app.work import work

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


class Job:
    """One piece of work; `keep` gets its value before the job is said to be done."""

    def __init__(
        self, number: int, kind: str, form: Form, keep: Callable[[Any], None], target: Callable[..., None] = work
    ) -> None:
        self.number, self.kind, self.state, self.text = number, kind, RUNNING, ""
        self.stage, self.done, self.whole = "starting", 0, 0
        self._begun, self._keep = time.monotonic(), keep
        self._ended: float | None = None
        self._lock = threading.Lock()
        spawned = multiprocessing.get_context("spawn")  # a fork would copy the locks of the server's threads
        self._hears, says = spawned.Pipe(duplex=False)
        self.process = spawned.Process(target=target, args=(says, kind, form), daemon=True)
        self.process.start()
        says.close()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def cancel(self) -> None:
        """Ends the process, if it is still at work, and waits for its end."""
        with self._lock:
            if self.state != RUNNING:
                return
            self.state, self._ended = CANCELLED, time.monotonic()
        self.process.kill()
        self.process.join()

    def to_dict(self) -> dict[str, Any]:
        """For the page."""
        return {
            "number": self.number, "kind": self.kind, "state": self.state, "stage": self.stage, "done": self.done,
            "whole": self.whole, "text": self.text, "seconds": (self._ended or time.monotonic()) - self._begun,
        }  # fmt: skip

    def _listen(self) -> None:
        while True:
            try:
                word, value = self._hears.recv()
            except (EOFError, OSError):
                self._end(FAILED, "the process ended before it was done; perhaps there was too little memory")
                break
            if word == "progress":
                self.stage, self.done, self.whole = value
            elif word == "failed":
                self._end(FAILED, value)
                break
            else:
                self._end(DONE, "", value)
                break
        self._hears.close()
        self.process.join()

    def _end(self, state: str, text: str, value: Any = None) -> None:
        with self._lock:
            if self.state != RUNNING:  # it was cancelled meanwhile
                return
            if state == DONE:
                self._keep(value)
            self.state, self.text, self._ended = state, text, time.monotonic()
