"""Pipes: what can be read only once is read whole, once, and never waited for without end."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.io import pipes
from boxscore.formats.io.files import open_files
from boxscore.formats.io.source import open_source
from boxscore.joining.read import Reading, read_detections, read_truth

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
N = 20_000  # records: more than a pipe holds at a time
IMAGES = [{"id": i, "file_name": f"{i}.jpg"} for i in range(100)]
ROWS = [{"id": k + 1, "image_id": k % 100, "category_id": 1, "bbox": [k % 300, 5, 10, 20 + k % 7]} for k in range(N)]
TRUTH = json.dumps({"images": IMAGES, "annotations": ROWS, "categories": [{"id": 1, "name": "cat"}]}).encode()
FOUND = json.dumps([{**row, "score": 0.5} for row in ROWS]).encode()


def pipe(path: Path, content: bytes, after: float = 0.0) -> str:
    """A named pipe that somebody writes to, perhaps after a while."""
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb") as file:
            time.sleep(after)
            file.write(content)

    threading.Thread(target=write, daemon=True).start()
    return str(path)


@pytest.mark.parametrize("packed", [False, True])
def test_all_rows_of_a_pipe(tmp_path, packed):
    truth, found = ((gzip.compress(text) if packed else text) for text in (TRUTH, FOUND))
    objects, _ = read_truth(pipe(tmp_path / "t", truth))
    detections, _ = read_detections(pipe(tmp_path / "d", found), None, objects)
    assert len(objects) == len(detections) == N
    assert objects.source == str(tmp_path / "t")


def test_an_unnamed_pipe_whose_writer_has_gone(tmp_path):
    reader, writer = os.pipe()
    os.write(writer, b"cat 1 2 3 4\n")
    os.close(writer)
    assert open_source(f"/dev/fd/{reader}").bytes() == b"cat 1 2 3 4\n"
    assert open_source(f"/dev/fd/{reader}").bytes() == b""  # at once: nobody can come any more
    os.close(reader)


def test_a_slow_writer_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(pipes, "WAIT", 0.05)
    assert open_source(pipe(tmp_path / "p", b"x", after=0.3)).bytes() == b"x"


def test_a_writer_that_comes_late(tmp_path):
    os.mkfifo(tmp_path / "p")
    threading.Timer(0.2, lambda: (tmp_path / "p").write_bytes(b"x")).start()
    assert open_source(tmp_path / "p").bytes() == b"x"


def test_an_archive_from_a_pipe(tmp_path):
    import zipfile

    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("a.txt", "cat 1 2 3 4\n")
    assert open_files(pipe(tmp_path / "p", memory.getvalue())).paths == ("a.txt",)


def test_files_for_both_sides_are_read_once(tmp_path):
    rows = "a.jpg,100,200\n" * 3
    for side, row in (("t", "x 0.1 0.1 0.5 0.5\n"), ("d", "x 0.9 0.1 0.1 0.5 0.5\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.txt").write_text(row)
    how = Reading(coords="relative", sizes=pipe(tmp_path / "s", rows.encode()))
    expected = Reading(coords="relative", image_size=(100, 200))
    truth = [read_truth(tmp_path / "t", one)[0] for one in (how, expected)]
    found = [read_detections(tmp_path / "d", one)[0] for one in (how, expected)]
    for one, other in (truth, found):
        assert not one.relative
        assert np.array_equal(one.corners, other.corners)
    names = Reading(classes=pipe(tmp_path / "c", b"cat\ndog\n"))
    assert names.of("truth").classes == names.of("detections").classes == ("cat", "dog")


@pytest.mark.parametrize("name", ["map_classes", "image_list", "class_list", "label_map", "hierarchy", "image_labels"])
def test_options_keep_what_came(tmp_path, name):
    how = Reading(**{name: pipe(tmp_path / "p", b"some text")})
    for side in ("truth", "detections"):
        assert open_source(getattr(how.of(side), name)).bytes() == b"some text"


def test_the_doctor_reads_a_pipe_as_often_as_he_likes(tmp_path, monkeypatch):
    text = b'[{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 2}'  # ends too early
    (tmp_path / "t.json").write_bytes(TRUTH)
    made = bs.doctor(str(tmp_path / "t.json"), pipe(tmp_path / "d", text))
    assert [d.code for d in made if d.side == "detections"] == ["FIL102"]
    assert "ends too early" in made.diagnoses[0].text
    made = bs.doctor(str(tmp_path / "t.json"), pipe(tmp_path / "e", b"%PDF-1.4"))
    assert [d.code for d in made if d.side == "detections"] == ["FIL101"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"%PDF-1.4")))
    assert "FIL101" in [d.code for d in bs.doctor(str(tmp_path / "t.json"), "-")]


def test_pipes_in_a_folder_are_not_opened(tmp_path):
    (tmp_path / "a.txt").write_text("cat 1 2 3 4\n")
    os.mkfifo(tmp_path / "b.txt")
    (tmp_path / "c.txt").symlink_to("b.txt")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "d.txt"))
    truth, findings = read_truth(tmp_path, Reading(box="xyxy"))
    assert truth.images.key == ["a"]
    (found,) = [f for f in findings if f.code == "FIL001"]
    assert found.text == (
        f"3 pipes, sockets or devices in a folder were not opened "
        f"({tmp_path}: b.txt (a pipe), c.txt (a pipe), d.txt (a socket))"
    )


def test_a_folder_of_images_with_a_pipe(tmp_path):
    from PIL import Image

    Image.new("RGB", (30, 20)).save(tmp_path / "a.png")
    os.mkfifo(tmp_path / "b.png")
    columns = {"image": ["a.png"], "labels": ["x"], "boxes": [[1, 2, 3, 4]]}
    truth, findings = read_truth(columns, Reading(box="xyxy", images=tmp_path))
    assert truth.images.width is not None
    assert truth.images.width.tolist() == [30]
    assert [f.code for f in findings] == ["FIL001"]


def test_a_broken_link_is_still_complained_of(tmp_path):
    (tmp_path / "a.txt").symlink_to("nowhere")
    with pytest.raises(InputError, match="No such file"):
        read_truth(tmp_path, Reading(box="xyxy", truth_format="text"))
