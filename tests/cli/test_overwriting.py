"""What is replaced and what never is: folders with other things in them, links, devices, files for folders."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore.formats.io import placing
from boxscore.formats.io.placing import place

Command = Callable[..., Any]


def convert(boxscore: Command, target: str, form: str = "voc-xml") -> Any:
    return boxscore("convert", "truth.json", target, "--to", form, "--overwrite")


def test_a_folder_with_other_things_is_not_touched(boxscore: Command, folder: Path) -> None:
    assert convert(boxscore, "out").code == 0
    (folder / "out" / "a.jpg").write_text("a picture")
    (folder / "out" / ".notes").write_text("mine")
    before = {path: path.read_bytes() for path in (folder / "out").iterdir()}
    done = convert(boxscore, "out")
    assert done.code == 2
    assert "out: it holds 2 other files, which would be lost (.notes, a.jpg); expected a new path" in done.err
    assert {path: path.read_bytes() for path in (folder / "out").iterdir()} == before
    assert not list(folder.glob(".out*"))
    for name in (".notes", "a.jpg"):
        (folder / "out" / name).unlink()
    (folder / "out" / "a.xml").write_text("an old one")
    (folder / "out").chmod(0o750)
    assert convert(boxscore, "out").code == 0
    assert b"<annotation>" in (folder / "out" / "a.xml").read_bytes()
    assert (folder / "out").stat().st_mode & 0o777 == 0o750


def test_links_stay_links(boxscore: Command, folder: Path) -> None:
    (folder / "real").mkdir()
    (folder / "link").symlink_to("real")
    (folder / "real.json").write_text("old")
    (folder / "link.json").symlink_to("real.json")
    (folder / "nowhere.json").symlink_to("new.json")
    assert convert(boxscore, "link").code == 0
    assert convert(boxscore, "link.json", "coco").code == 0
    assert boxscore("eval", "truth.json", "found.json", "-o", "link.json").code == 0
    for name in ("link", "link.json"):
        assert (folder / name).is_symlink()
    assert sorted(path.name for path in (folder / "real").iterdir()) == ["a.xml", "b.xml", "c.xml"]
    assert json.loads((folder / "real.json").read_text())["schema"] == "boxscore/result/1"
    refused = boxscore("convert", "truth.json", "nowhere.json", "--to", "coco")
    assert (refused.code, (folder / "new.json").exists()) == (2, False)
    assert "nowhere.json: already exists" in refused.err
    assert convert(boxscore, "nowhere.json", "coco").code == 0
    assert (folder / "new.json").exists()
    assert (folder / "nowhere.json").is_symlink()


@pytest.mark.parametrize(
    "arguments", [["draw", "truth.json", "--images", "."], ["doctor", "truth.json", "--fix"]], ids=["draw", "doctor"]
)
def test_a_link_to_nothing_is_there_already(boxscore: Command, folder: Path, arguments: list[str]) -> None:
    (folder / "link").symlink_to("nothing")
    done = boxscore(*arguments, *(["-o"] if arguments[0] == "draw" else []), "link")
    assert done.code == 2
    assert "already exists" in done.err


def test_a_file_for_a_folder_and_back(boxscore: Command, folder: Path) -> None:
    (folder / "pictures").mkdir()
    (folder / "pictures" / "a.jpg").write_text("mine")
    done = convert(boxscore, "pictures", "coco")
    assert (done.code, (folder / "pictures" / "a.jpg").read_text()) == (2, "mine")
    assert "pictures: a folder, where a file is to be written; expected another path" in done.err
    done = convert(boxscore, "found.json", "voc-xml")
    assert done.code == 2
    assert json.loads((folder / "found.json").read_text())


def test_devices_are_written_to(boxscore: Command, folder: Path) -> None:
    done = convert(boxscore, "/dev/stdout", "tf-csv")
    assert done.code == 0
    assert done.out.startswith("filename,width,height,class")
    assert not Path("/dev/null").is_file()
    assert convert(boxscore, "/dev/null", "coco").code == 0
    assert not Path("/dev/null").is_file()


def test_what_comes_between_is_kept(tmp_path: Path) -> None:
    """A file that somebody puts into the old folder while the new one is made and put in place."""
    place([("a.txt", b"1")], tmp_path / "out")
    notes: list[str] = []

    def meanwhile(folder: Path, names: list[str]) -> list[str]:
        found = real(folder, names)
        (folder / "b.jpg").write_text("mine")
        return found

    real = placing._others
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(placing, "_others", meanwhile)
        place([("a.txt", b"2")], tmp_path / "out", overwrite=True, tell=notes.append)
    (kept,) = (path for path in tmp_path.rglob("b.jpg"))
    assert kept.read_text() == "mine"
    assert str(kept.parent.parent) in notes[0]
    assert os.listdir(tmp_path / "out") == ["a.txt"]  # noqa: PTH208


def test_an_interrupted_run_is_told(boxscore: Command, folder: Path) -> None:
    old = folder / ".out.boxscore-x1" / "before" / "out"
    old.mkdir(parents=True)
    (old / "a.xml").write_text("mine")
    done = boxscore("convert", "truth.json", "out", "--to", "voc-xml")
    assert done.code == 2
    assert "note        out is back: an interrupted run had moved it away" in done.err
    assert (folder / "out" / "a.xml").read_text() == "mine"
    done = convert(boxscore, "out")
    assert f"note        {folder}/.out.boxscore-x1 is left by a run that was interrupted" in done.err
