"""Small inputs, and the command line run inside the test."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boxscore.cli import main

TRUTH: dict[str, Any] = {
    "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}, {"id": 3, "file_name": "c.jpg"}],
    "annotations": [
        {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 50], "area": 2500, "iscrowd": 0},
        {"id": 2, "image_id": 1, "category_id": 2, "bbox": [100, 100, 100, 100], "area": 10000, "iscrowd": 0},
        {"id": 3, "image_id": 2, "category_id": 1, "bbox": [0, 0, 120, 120], "area": 14400, "iscrowd": 0},
        {"id": 4, "image_id": 2, "category_id": 2, "bbox": [200, 0, 60, 60], "area": 3600, "iscrowd": 1},
    ],
    "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
}
FOUND: list[dict[str, Any]] = [
    {"image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 50], "score": 0.9},
    {"image_id": 1, "category_id": 2, "bbox": [100, 100, 90, 100], "score": 0.8},
    {"image_id": 2, "category_id": 1, "bbox": [60, 60, 30, 30], "score": 0.4},
]


class Run(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "BOXSCORE_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with truth.json and found.json."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "truth.json").write_text(json.dumps(TRUTH))
    (tmp_path / "found.json").write_text(json.dumps(FOUND))
    return tmp_path


@pytest.fixture
def boxscore(folder: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Runs a command line in the folder."""

    def run(*arguments: str) -> Run:
        capfd.readouterr()
        code = main(arguments)
        out, err = capfd.readouterr()
        return Run(code, out, err)

    return run


@pytest.fixture
def evaluated(boxscore: Callable[..., Run]) -> Callable[..., Run]:
    """Runs `boxscore eval truth.json found.json` with further arguments."""
    return lambda *arguments: boxscore("eval", "truth.json", "found.json", *arguments)


@pytest.fixture
def as_json(evaluated: Callable[..., Run]) -> Callable[..., list[dict[str, Any]]]:
    """The results of the same as values."""

    def run(*arguments: str) -> list[dict[str, Any]]:
        done = evaluated("--format", "json", *arguments)
        assert done.code == 0, done.err
        results: list[dict[str, Any]] = json.loads(done.out)["results"]
        return results

    return run
