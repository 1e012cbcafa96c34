"""A folder, the same as an archive: the same files under the same paths."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from boxscore.formats.io.files import open_files
from boxscore.joining.read import Reading, read_truth

FILES = {"a.txt": b"cat 1 2 3 4\n", "b.txt": b"", "deep/c.txt": b"dog 1 1 2 2\n"}


def as_folder(root: Path) -> Path:
    for name, content in {**FILES, ".hidden": b"?"}.items():
        path = root / "made" / "top" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root / "made" / "top"


def as_zip(root: Path) -> Path:
    path = root / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**FILES, "../__MACOSX/x": b"?"}.items():
            archive.writestr(f"top/{name}", content)
    return path


def as_tar(root: Path, packed: bool = False) -> Path:
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as archive:
        for name, content in FILES.items():
            info = tarfile.TarInfo(f"./top/{name}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    path = root / "no_extension"
    path.write_bytes(gzip.compress(memory.getvalue()) if packed else memory.getvalue())
    return path


@pytest.mark.parametrize("made", [as_folder, as_zip, as_tar, lambda root: as_tar(root, packed=True)])
def test_the_same_files(tmp_path, made):
    files = open_files(made(tmp_path))
    assert not files.is_file
    assert {path: files.bytes(path) for path in files.paths} == FILES
    assert files.below("deep").bytes("c.txt") == files.one("deep/c.txt").bytes() == FILES["deep/c.txt"]
    assert files.source("a.txt").bytes() == FILES["a.txt"]
    assert files.ending(".TXT".lower()) == sorted(FILES)


@pytest.mark.parametrize("made", [as_folder, as_zip, as_tar])
def test_the_same_boxes(tmp_path, made):
    truth, _ = read_truth(made(tmp_path), Reading(box="xyxy"))
    assert truth.images.key == ["a", "b", "deep/c"]
    assert np.array_equal(truth.corners, [[1, 2, 3, 4], [1, 1, 2, 2]])
