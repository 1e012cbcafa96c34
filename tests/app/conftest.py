"""A server with the small data set open, and one with nothing open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import scene
from starlette.testclient import TestClient

from boxscore.app.folders import Folders
from boxscore.app.workspace import Workspace


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the small data set."""
    return scene.make(tmp_path_factory.mktemp("app") / "data")


@pytest.fixture(scope="session")
def workspace(folder: Path) -> Workspace:
    """A workspace in which they are evaluated; tests do not change it."""
    return scene.evaluated(folder)


@pytest.fixture(scope="session")
def client(workspace: Workspace) -> Iterator[TestClient]:
    """Who has the token asks the server of that workspace."""
    with scene.asking(workspace) as made:
        yield made


@pytest.fixture
def empty(folder: Path) -> Iterator[TestClient]:
    """Who has the token asks a server with nothing open."""
    with scene.asking(Workspace(Folders.of([folder]))) as made:
        yield made
