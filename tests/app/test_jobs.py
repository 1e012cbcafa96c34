"""Work in processes of their own: it ends, it fails with the reason, and cancelling really ends it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
import scene

from boxscore.app.folders import Folders
from boxscore.app.form import Form
from boxscore.app.jobs import Job
from boxscore.app.workspace import Workspace


def wait(job: Job, condition: Any) -> None:
    end = time.monotonic() + 60
    while not condition(job):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_cancelling_ends_the_process() -> None:
    kept: list[Any] = []
    job = Job(1, "evaluate", Form(), kept.append, target=scene.endless)
    wait(job, lambda job: job.stage == "at it")
    assert (job.state, job.done, job.whole) == ("running", 1, 3)
    pid = job.process.pid
    assert pid is not None
    job.cancel()
    assert job.state == "cancelled"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    job.listener.join(10)
    assert not kept
    job.cancel()  # again changes nothing
    assert job.to_dict()["state"] == "cancelled"


def test_a_process_that_dies_is_said_to_have_failed() -> None:
    job = Job(1, "evaluate", Form(), lambda value: None, target=scene.dying)
    job.listener.join(60)
    assert (job.state, job.text) == (
        "failed",
        "the process ended before it was done; perhaps there was too little memory",
    )


def test_wrong_input_fails_with_its_message(folder: Path, tmp_path: Path) -> None:
    (folder / "broken.json").write_text("[{]")
    form = scene.form(folder)
    workspace = Workspace(Folders.of([folder]), Form(str(folder / "broken.json"), form.models))
    job = workspace.start("evaluate")
    job.listener.join(60)
    assert job.state == "failed"
    assert "broken.json" in job.text
    assert workspace.opened is None


def test_a_new_job_ends_the_old_one(folder: Path) -> None:
    workspace = Workspace(Folders.of([folder]), scene.form(folder))
    first = workspace.start("evaluate")
    second = workspace.start("check")
    assert first.state == "cancelled"
    assert not first.process.is_alive()
    second.listener.join(120)
    assert second.state == "done"
    assert workspace.opened is None
    assert workspace.checked is not None
    assert workspace.checked["truth"]["format"] == "coco"
    assert [m["boxes"] for m in workspace.checked["models"]] == [36, 12]
    assert not workspace.busy


def test_checking_says_what_cannot_be_read(folder: Path) -> None:
    (folder / "broken.json").write_text("[{]")
    form = Form(str(folder / "truth.json"), (scene.Model(str(folder / "broken.json")),))
    workspace = Workspace(Folders.of([folder]), form)
    workspace.start("check").listener.join(120)
    assert workspace.checked is not None
    assert "broken.json" in workspace.checked["models"][0]["error"]
    assert workspace.checked["truth"]["images"] == 12
