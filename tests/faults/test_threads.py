"""Threads that cannot be started: the work is done by those that run, to the same bits."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import boxscore as bs
from boxscore import cli
from boxscore.tables.threads import thread_count
from faults.every_kernel import TASKS, prepare, tables
from faults.preloaded import HERE, Run, python_with_faults

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("threads")
    prepare(made)
    return made


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return python_with_faults(tmp_path_factory.mktemp("library"))


@pytest.mark.long
@pytest.mark.parametrize("task", TASKS)
def test_kernels_go_on_with_the_threads_there_are(python: Run, folder: Path, task: str) -> None:
    done = python(str(HERE / "every_kernel.py"), "threads", str(folder), task)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["calls"] > 0  # it does start threads


def test_the_command_line_says_the_same_without_threads(python: Run, folder: Path) -> None:
    sides = [str(folder / f"coco {side}") for side in ("truth", "detections")]
    command = ("-m", "boxscore.cli", "eval", *sides, "--format", "json", "--threads")
    plain, none = python(*command, "1"), python(*command, "4", FAIL_THREADS_FIRST=1, FAIL_THREADS_LAST=10**9)
    many = python(*command, "99999999999")
    assert plain.returncode == 0
    assert json.loads(plain.stdout)["results"][0]["metrics"]["AP"] > 0
    for other in (none, many):
        assert (other.returncode, other.stdout, other.stderr) == (0, plain.stdout, plain.stderr)


def test_no_more_than_four_threads_per_core() -> None:
    assert [thread_count(n) for n in (0, 1, 4 * CORES, 4 * CORES + 1, 10**5, 10**11, 10**30)] == [
        CORES, 1, *[4 * CORES] * 5
    ]  # fmt: skip


@pytest.mark.parametrize("threads", [10**5, 10**11])
def test_any_number_of_threads_gives_the_same_bits(threads: int) -> None:
    truth, detections = tables(3000, 150)
    few, many = (bs.evaluate(truth, detections, threads=n).to_dict() for n in (1, threads))
    assert few == many


@pytest.mark.parametrize("threads", ["-1", "-99999999999", "2.5", "many"])
def test_no_number_of_threads_on_the_command_line(capfd: pytest.CaptureFixture[str], threads: str) -> None:
    assert cli.main(["eval", "a", "b", "--threads", threads]) == 2
    assert capfd.readouterr() == ("", f"boxscore: --threads {threads}; expected a whole number from 0\n")
