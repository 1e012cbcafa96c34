"""Any number of threads gives the same bits, over enough rows and files that threads have something to share."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults.every_kernel import TASKS, bits, prepare, tasks


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("threads")
    prepare(made)
    return made


@pytest.mark.parametrize("task", TASKS)
def test_the_same_bits_by_any_number_of_threads(folder: Path, task: str) -> None:
    alone = bits(tasks(folder, 1)[task]())
    for threads in (2, 4, 4):
        assert bits(tasks(folder, threads)[task]()) == alone
