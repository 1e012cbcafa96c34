"""`boxscore draw --tubes`: a picture of each track that shows how often it is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from boxscore.cli.commands import run


def written(folder: Path) -> list[str]:
    """A square that drifts for four frames and is found in the last two."""
    (folder / "pics").mkdir()
    boxes = [[4 + 2 * f, 4, 10, 10] for f in range(4)]
    for f in range(4):
        Image.new("RGB", (40, 30)).save(folder / "pics" / f"{f}.png")
    images = [
        {"id": f, "file_name": f"{f}.png", "width": 40, "height": 30, "video_id": 1, "frame_id": f} for f in range(4)
    ]
    objects = [
        {"id": f + 1, "image_id": f, "category_id": 1, "bbox": boxes[f], "area": 100, "iscrowd": 0, "track_id": 7}
        for f in range(4)
    ]
    truth = {
        "videos": [{"id": 1, "name": "v"}],
        "images": images,
        "annotations": objects,
        "categories": [{"id": 1, "name": "cat"}],
    }
    found = [{"image_id": f, "category_id": 1, "bbox": boxes[f], "score": 0.9} for f in (2, 3)]
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "r.json").write_text(json.dumps(found))
    return [str(folder / "t.json"), str(folder / "r.json"), "--images", str(folder / "pics")]


@pytest.mark.parametrize(("form", "ending", "frames"), [("strip", "png", 1), ("apng", "png", 4), ("gif", "gif", 4)])
def test_a_file_for_each_track(tmp_path: Path, form: str, ending: str, frames: int) -> None:
    out = tmp_path / "out"
    assert run(["draw", *written(tmp_path), "-o", str(out), "--tubes", form, "-q"]) == 0
    assert [path.relative_to(out).as_posix() for path in out.rglob("*.*")] == [f"v/cat_7.{ending}"]
    with Image.open(out / "v" / f"cat_7.{ending}") as made:
        assert getattr(made, "n_frames", 1) == frames
        if form == "strip":
            assert made.width > 3 * made.height  # four frames side by side


def test_tracks_know_when_they_are_found(tmp_path: Path) -> None:
    import boxscore as bs
    from boxscore.report.tubes import tracks
    from video_cases import video_tables

    boxes = [[4.0 + 2 * f, 4.0, 14.0 + 2 * f, 14.0] for f in range(4)]
    tables = video_tables(
        [(("v", f), "cat", 7, boxes[f]) for f in range(4)], [(("v", f), "cat", 0.9, boxes[f]) for f in (2, 3)],
        [("v", f) for f in range(4)], ["cat"],
    )  # fmt: skip
    result = bs.evaluate(*tables, protocol="voc2012")
    assert result.numbers is not None
    (track,) = tracks(result.numbers.prepared.aligned, result.at(0.5))
    assert track.title == "cat 7 in v: found in 2 of 4 frames, delay 2"
    assert [step.found is not None for step in track.steps] == [False, False, True, True]
