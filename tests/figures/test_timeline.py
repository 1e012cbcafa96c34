"""The timeline: when tracks exist, when they are found, and their delay, with few and many tracks."""

from __future__ import annotations

import pytest

import boxscore as bs
from boxscore.report.figures.making import made
from boxscore.report.views.timeline import view
from video_cases import video_tables


def result(tracks: int) -> bs.Result:
    """Track t exists in frames t to t + 9, with a gap at its fourth frame, and is found from its third on; 1 never."""
    frames = [("v", f) for f in range(tracks + 10)]
    boxes = {t: [100.0 * t, 0.0, 100.0 * t + 50, 50.0] for t in range(tracks)}
    objects = [(("v", t + k), "car", t, boxes[t]) for t in range(tracks) for k in range(10) if k != 3]
    found = [(("v", t + k), "car", 0.9, boxes[t]) for t in range(tracks) if t != 1 for k in (2, 4, 5)]
    return bs.evaluate(*video_tables(objects, found, frames, ["car"]), protocol="voc2012")


def test_runs_and_delays() -> None:
    shown = view([result(2)])
    (video,) = shown.videos
    first, second = video.tracks
    assert (first.name, first.exists, first.found, first.delay) == ("car 0", ((0, 2), (4, 9)), ((2, 2), (4, 5)), 2)
    assert (second.name, second.found, second.delay) == ("car 1", (), None)
    assert (shown.tracks, shown.missed, shown.hidden, shown.mean) == (2, 1, 0, 2.0)
    assert view([result(2)], rows=1).hidden == 1


@pytest.mark.parametrize("tracks", [1, 5, 40])
def test_rows_have_the_room_they_need(tracks: int) -> None:
    drawn = made("timeline", view([result(tracks)]))
    texts = [text.get_text() for text in drawn.axes.texts]
    assert sum(text.startswith("car ") for text in texts) == tracks + (tracks == 0)
    assert texts.count("never") == (tracks > 1)
