"""Progress: on terminals, after a second, gone at the end."""

from __future__ import annotations

import io

import pytest

from boxscore.cli import output
from boxscore.joining.read import Reading, read_truth


class Terminal(io.StringIO):
    """A stream that says that it is one."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(output.time, "monotonic", lambda: now[0])
    return now


def test_a_bar_after_a_second(monkeypatch, clock):
    stream = Terminal()
    monkeypatch.setattr(output.sys, "stderr", stream)
    with output.progress("reading") as tell:
        tell(1, 10)
        assert stream.getvalue() == ""
        clock[0] = 1.5
        tell(5, 10)
        tell(6, 10)  # too soon after
        assert stream.getvalue() == "\rreading     ███████████████░░░░░░░░░░░░░░░ 5 of 10"
    assert stream.getvalue().endswith(" \r")


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_where_nobody_looks(monkeypatch, quiet):
    monkeypatch.setattr(output.sys, "stderr", Terminal() if quiet else io.StringIO())
    with output.progress("reading", quiet) as tell:
        assert tell is None


def test_files_are_told_as_they_are_read(tmp_path):
    for i in range(5):
        shape = '{"shapes": [{"label": "cat", "points": [[0, 0], [9, 9]], "shape_type": "rectangle"}]'
        (tmp_path / f"{i}.json").write_text(f'{shape}, "imagePath": "{i}.jpg", "imageWidth": 20, "imageHeight": 20}}')
    told = []
    read_truth(tmp_path, Reading(truth_format="labelme", tell=lambda done, whole: told.append((done, whole))))
    assert told[-1] == (5, 5)
