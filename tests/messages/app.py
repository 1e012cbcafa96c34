"""The app that cannot be started: addresses, ports and files that it does not take."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Callable
from typing import Any

import pytest

from boxscore.cli.commands import run
from small_coco import TRUTH, file


def app(*words: str) -> Any:
    return run(["app", "--no-browser", *words])


def one_file() -> Any:
    return app(file("t.json", TRUTH))


def taken_port(patch: pytest.MonkeyPatch) -> Any:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        patch.setattr("boxscore.app.serving.UsageError", _with_any_port(other.getsockname()[1]))
        return app("--port", str(other.getsockname()[1]))


def _with_any_port(port: int) -> Callable[[str], Exception]:
    """The error with a port that is the same on every run."""
    from boxscore.errors import UsageError

    return lambda text: UsageError(text.replace(str(port), "8765"))


def without_starlette(patch: pytest.MonkeyPatch) -> Any:
    known = importlib.util.find_spec
    patch.setattr("importlib.util.find_spec", lambda name, *more: None if name == "starlette" else known(name, *more))
    return app()


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "--host 0.0.0.0: other machines could reach the page; expected --allow-remote with it",
        lambda: app("--host", "0.0.0.0"),
    ),
    ("--root-path tools; expected a path that begins with /", lambda: app("--root-path", "tools")),
    ("--port 70000; expected a number from 0 to 65535", lambda: app("--port", "70000")),
    ("--port x; expected a whole number from 0", lambda: app("--port", "x")),
    ("app needs DETECTIONS beside TRUTH, or neither of them", one_file),
    ("nothing.json: there is no such file or folder", lambda: app("--root", "nothing.json")),
    (
        "cannot listen on 127.0.0.1, port 8765 (Address already in use); expected a free port of this machine (--port)",
        taken_port,
    ),
    (
        "the app needs starlette and uvicorn; install them with: pip install starlette uvicorn",
        without_starlette,
    ),
]
