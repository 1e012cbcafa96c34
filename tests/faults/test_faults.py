"""A run that is killed, refused or out of space at any file operation: the old target or the new one, always whole."""

from __future__ import annotations

import json
import re
import resource
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image

from boxscore.cli import main
from faults.injection import Died, Fault, dies_at, full_from, injected, refused, tree

TRUTH: dict[str, Any] = {
    "images": [
        {"id": 1, "file_name": "a.png", "width": 64, "height": 48},
        {"id": 2, "file_name": "s/b.png", "width": 64, "height": 48},
    ],
    "annotations": [
        {"id": 0, "image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 20], "area": 600, "iscrowd": 0},
        {"id": 1, "image_id": 2, "category_id": 1, "bbox": [4, 4, 16, 16], "area": 256, "iscrowd": 0},
    ],
    "categories": [{"id": 1, "name": "cat"}],
}
FOUND = [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 20], "score": 0.5}]


class Scene(NamedTuple):
    """A command, what it writes, and the command that makes what is there before, if anything is."""

    command: str
    target: str
    before: str = ""
    exchange: bool = True  # whether the system can swap two folders at once


NEW_CSV, NEW_FOLDER = "convert t.json out.csv --to tf-csv", "convert t.json out --to text"
OLD_CSV, OLD_FOLDER = "convert old.json out.csv --to tf-csv", "convert old.json out --to text"
SCENES = {
    "a new file": Scene(NEW_CSV, "out.csv"),
    "over a file": Scene(f"{NEW_CSV} --overwrite", "out.csv", OLD_CSV),
    "a new folder": Scene(NEW_FOLDER, "out"),
    "over a folder": Scene(f"{NEW_FOLDER} --overwrite", "out", OLD_FOLDER),
    "over a folder, by two renames": Scene(f"{NEW_FOLDER} --overwrite", "out", OLD_FOLDER, False),
    "over a folder behind a link": Scene("convert t.json link --to text --overwrite", "out", OLD_FOLDER),
    "draw": Scene("draw t.json --images images -o out", "out"),
    "doctor --fix": Scene("doctor t.json --fix out.json", "out.json"),
    "doctor --fix of a folder": Scene("doctor labels --image-size 64,48 --fix out", "out"),
    "doctor --fix of an archive": Scene("doctor labels.zip --image-size 64,48 --fix out.zip", "out.zip"),
    "eval -o": Scene("eval t.json d.json -o out.json", "out.json", "eval old.json d.json -o out.json"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    old = {**TRUTH, "annotations": TRUTH["annotations"][:1]}
    for name, value in (("t.json", TRUTH), ("old.json", old), ("d.json", FOUND)):
        (tmp_path / name).write_text(json.dumps(value))
    (tmp_path / "labels" / "s").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "labels.zip", "w") as archive:
        for name in ("a.txt", "s/b.txt"):  # the second box has no width
            (tmp_path / "labels" / name).write_text("0 0.5 0.5 0.2 0.2\n0 0.5 0.5 0 0.2\n")
            archive.write(tmp_path / "labels" / name, name)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "link").symlink_to("out")
    (tmp_path / "images" / "s").mkdir(parents=True)
    for name in ("a", "s/b"):
        Image.new("RGB", (8, 6), "white").save(tmp_path / "images" / f"{name}.png")
    return tmp_path


def restore(folder: Path, content: dict[str, Any]) -> None:
    """Makes a folder hold what a tree says, and nothing else."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name, value in content.items():  # in order, so that a folder comes before what is in it
        if value is None:
            (folder / name).mkdir()
        elif isinstance(value, tuple):
            (folder / name).symlink_to(value[1])
        else:
            (folder / name).write_bytes(value)


def at(content: dict[str, Any], target: str) -> dict[str, Any]:
    """What is at and below a target."""
    return {name: value for name, value in content.items() if name == target or name.startswith(f"{target}/")}


def shape(content: dict[str, Any]) -> str:
    """A tree as a text that does not depend on the random part of hidden names."""
    return re.sub(r"\.boxscore-\w+", ".boxscore-", repr(sorted(content.items())))


def faults(asked: list[str]) -> Iterator[tuple[str, Fault, bool]]:
    """Everything that can happen at each operation, and whether it is a death."""
    for n, name in enumerate(asked, 1):
        yield f"dies before {name} ({n})", dies_at(n), True
        if name == "write":
            yield f"dies within {name} ({n})", dies_at(n, half=True), True
        if name in ("open", "write", "mkdir"):
            yield f"full from {name} ({n})", full_from(n), False
        yield f"{name} ({n}) is refused", refused(n), False


@pytest.mark.parametrize("scene", SCENES.values(), ids=[*SCENES])
def test_the_old_or_the_new_is_whole(folder: Path, capsys: pytest.CaptureFixture[str], scene: Scene) -> None:
    command = scene.command.split()
    if scene.before:
        assert main(scene.before.split()) == 0
    before = tree(folder)
    with injected(None, scene.exchange) as asked:
        assert main(command) == 0
    after = tree(folder)
    old, new = at(before, scene.target), at(after, scene.target)
    assert {*asked} >= {"open", "write", "mkdir", "rmdir"}
    assert {*after} - {*before} == {*new} - {*old}, "a run that is not disturbed leaves nothing else"
    seen = set[str]()
    for where, fault, dies in faults(asked):
        restore(folder, before)
        capsys.readouterr()
        code = -1
        try:
            with injected(fault, scene.exchange):
                code = main(command)
        except Died:
            assert dies, where
        said, now = capsys.readouterr().err, tree(folder)
        assert dies or code in (0, 2, 3), f"{where}: {said}"
        assert dies or code == 0 or "cannot be written" in said, f"{where}: {said}"
        for name, value in before.items():
            assert name in old or now.get(name, "gone") == value, f"{where}: {name} of the user"
        hidden = {name.split("/")[0] for name in now} - {*before, *after}
        assert all(name.startswith(f".{scene.target}.boxscore-") for name in hidden), f"{where}: {hidden}"
        if at(now, scene.target):
            assert at(now, scene.target) in (old, new), where
        else:
            assert not old or (dies and not scene.exchange and "rename" in where), f"{where}: nothing is there"
        assert dies or (at(now, scene.target) == (old if code else new)), f"{where}: exit code {code}"
        if shape(now) in seen:  # what comes next depends on nothing else
            continue
        seen.add(shape(now))
        again = main(command)
        said = capsys.readouterr().err
        if at(now, scene.target) == new and not scene.before:
            assert (again, "already" in said) == (2, True), where
        else:
            assert again == 0, f"{where}: {said}"
            assert at(tree(folder), scene.target) == new, where
        assert (not hidden) or ".boxscore-" in said or command[0] == "eval", f"{where}: leftovers are told"
        if old and not at(now, scene.target):
            assert f"{scene.target} is back" in said


KILLED = """
import os, signal, sys
from boxscore.cli import main
from boxscore.formats.io import placing
write = os.write
def die(descriptor, content):
    if descriptor > 2:
        write(descriptor, bytes(content)[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    return write(descriptor, content)
os.write = die
main(sys.argv[1:])
"""


def test_a_real_kill_leaves_what_a_simulated_one_leaves(folder: Path) -> None:
    command = SCENES["over a folder"].command.split()
    assert main(OLD_FOLDER.split()) == 0
    before = tree(folder)
    done = subprocess.run([sys.executable, "-c", KILLED, *command], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    killed = tree(folder)

    restore(folder, before)
    with injected() as asked:
        main(command)
    restore(folder, before)
    with pytest.raises(Died), injected(dies_at(asked.index("write") + 1, half=True)):
        main(command)
    assert at(killed, "out") == at(before, "out")
    assert shape(killed) == shape(tree(folder))


def test_files_larger_than_the_system_allows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error of the system itself, in the middle of a write."""
    assert main(OLD_FOLDER.split()) == 0
    before = tree(folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    was = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5, hard))
    try:
        code = main(SCENES["over a folder"].command.split())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, was)
    assert (code, tree(folder)) == (3, before)
    assert "cannot be written (File too large)" in capsys.readouterr().err


def test_a_disk_that_is_really_full(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file system in memory, full but for the old target."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a file system: the full disk is only simulated")
    try:
        assert main(["convert", "old.json", "disk/out", "--to", "text"]) == 0
        before = tree(disk / "out")
        with (disk / "filler").open("wb", buffering=0) as filler:
            try:
                while filler.write(bytes(4096)):
                    pass
            except OSError:
                pass
        capsys.readouterr()
        code = main(["convert", "t.json", "disk/out", "--to", "text", "--overwrite"])
        said = capsys.readouterr().err
        assert (code, tree(disk / "out")) == (3, before)
        assert "cannot be written (No space left on device)" in said
        assert sorted(path.name for path in disk.iterdir()) == ["filler", "out"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)
