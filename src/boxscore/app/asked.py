"""What a request asks for: the names of the page's address, checked, and what they stand for in the workspace."""

from __future__ import annotations

import math

from starlette.exceptions import HTTPException
from starlette.requests import Request

from boxscore.app import judged, numbers
from boxscore.app.form import LETTERS
from boxscore.app.workspace import Opened, Workspace


class Asked:
    """What a request asks for, by the names of the page's address."""

    def __init__(self, request: Request, workspace: Workspace) -> None:
        self.query, self.workspace, self.path = request.query_params, workspace, request.path_params

    def text(self, name: str) -> str:
        """A text; empty where it is not given."""
        return self.query.get(name, "")

    def number(self, name: str) -> float | None:
        """A finite number; None where it is not given."""
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise HTTPException(400, f"expected a number as {name}")
        return value

    def index(self, text: str) -> int:
        """The number of an image."""
        judged_images = judged.images_of(self.opened.outcome.models[0].aligned)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < judged_images):
            raise HTTPException(404, "there is no such image")
        return int(text)

    @property
    def opened(self) -> Opened:
        """What is open."""
        return self.workspace.need()

    def columns(self) -> list[numbers.Column]:
        """All models with their results by the protocol."""
        opened = self.opened
        letters = LETTERS[: len(opened.outcome.models)]
        return [(*opened.model(letter), opened.result(letter, self.text("p"))) for letter in letters]

    def score(self, letter: str) -> float:
        """The score that is asked for, else that of the best F1."""
        stated = self.number("s")
        if stated is not None:
            return stated
        best = self.opened.result(letter, self.text("p")).point
        return best.score if best is not None and not math.isnan(best.score) else math.inf

    def judged(self, letter: str) -> judged.Judged:
        """All boxes of a model with their verdicts."""
        opened, score, iou = self.opened, self.score(letter), self.number("iou")
        model = opened.model(letter)[1]
        if model.aligned.truth.track is not None and opened.result(letter, self.text("p")).protocol.overlap == "tube":
            raise HTTPException(409, "verdicts of tracks cannot be shown on single frames")
        point = opened.point(letter, self.text("p"), score, iou)
        rules = opened.result(letter, self.text("p")).protocol
        key = ("judged", opened.model(letter)[0], opened.protocol(self.text("p")), score, iou)
        return opened.once(key, lambda: judged.Judged.at(model.aligned, point, rules))
