"""Videos and tracks that are missing or wrong, and options that need them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import boxscore as bs
from boxscore import evaluate, protocols
from boxscore.cli import draw_tubes
from boxscore.cli.commands import run
from boxscore.formats.io.files import open_files
from boxscore.joining.align import align
from boxscore.tables.model import Detections, Truth
from small_coco import RESULTS, TRUTH, file
from video_cases import video_tables

BOX = [0.0, 0.0, 9.0, 9.0]
FRAME_BY_FRAME = "Without tracks, evaluate frame by frame: --protocol imagenet-vid, or any other protocol of boxes."
NAMED = "Videos come from formats that name them (such as COCO with video_id, STT JSON, CVAT video)."


def one_frame(*tracks: int) -> tuple[Truth, Detections]:
    """Boxes of these tracks, all in one frame, and a detection."""
    objects = [(("v", 0), "a", track, BOX) for track in tracks]
    return video_tables(objects, [(("v", 0), "a", 0.9, BOX)], [("v", 0)], ["a"])


def scored(protocol: str, *tracks: int) -> bs.Result:
    return evaluate(*one_frame(*(tracks or (1,))), protocol=protocol)


def of_tracks() -> bs.Result:
    """A track and one that finds it."""
    truth, found = one_frame(1)
    return evaluate(truth, replace(found, track=np.array([1])), protocol="stt-ap")


def normalized() -> Any:
    """Tracks in normalized coordinates, which the command has in pixels by then."""
    truth, found = (replace(side, relative=True) for side in one_frame(1))
    point = evaluate(truth, found, protocol="coco").at(0.5)
    return draw_tubes.write(align(truth, found), point, "gif", open_files("."), Path("out"), None, True)


def drawn(truth: str, found: str) -> Any:
    """Draws tracks on the images of a folder that has only others."""
    Path("pics").mkdir()
    Image.new("L", (8, 8)).save("pics/other.png")
    return run(["draw", truth, found, "--images", "pics", "-o", "out", "--tubes", "gif"])


def evaluated(*words: str) -> Any:
    return run(["eval", file("t.json", TRUTH), file("r.json", RESULTS), *words])


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "truth: track 1 of video 'v' has two boxes in frame 0; expected one box per frame of a track\n"
        "  Do two objects share a track id?",
        lambda: scored("average-delay", 1, 1),
    ),
    (
        f"truth: no track ids; expected frames of videos with track ids, for size_from=motion\n  {FRAME_BY_FRAME}",
        lambda: scored("imagenet-vid-motion", -1),
    ),
    (
        "t.json: images that are not frames of videos; expected frames of videos with track ids, for "
        f"size_from=track-side\n  {FRAME_BY_FRAME}",
        lambda: evaluated("--protocol", "average-delay"),
    ),
    (
        f"t.json: images that are not frames of videos; expected frames of videos\n  {NAMED}",
        lambda: evaluated("--sequences"),
    ),
    (
        "--sequences with --format junit; expected one of table, json, csv, md",
        lambda: evaluated("--sequences", "--format", "junit"),
    ),
    ("--sequences and --table; expected one of them", lambda: evaluated("--sequences", "--table", "ap")),
    (
        "this result holds only its stored numbers; those of single videos need a new evaluation",
        lambda: scored("voc2012").without_numbers().sequences(),
    ),
    (
        "the delay needs tracks and their sizes; --protocol average-delay reads them",
        lambda: scored("voc2012")["AD"],
    ),
    (
        "delay_ratios=0.2,0.1; expected numbers above 0, ascending",
        lambda: protocols.get("average-delay[delay_ratios=0.2,0.1]"),
    ),
    (
        "delay_limit=0; expected a number of frames above 0",
        lambda: protocols.get("average-delay[delay_limit=0]"),
    ),
    (
        "a timeline shows one detection set; expected one result",
        lambda: bs.plot.timeline([scored("voc2012"), scored("voc2012")]),
    ),
    (
        "a timeline is drawn frame by frame, which stt-ap does not evaluate; expected a protocol of boxes such as coco",
        lambda: bs.plot.timeline([of_tracks()]),
    ),
    (
        "--tubes shows what finds a track; expected DETECTIONS, too",
        lambda: run(["draw", file("t.json", TRUTH), "--images", ".", "-o", "out", "--tubes", "gif"]),
    ),
    (
        "--tubes with normalized coordinates; expected pixels (--images also gives the sizes)",
        normalized,
    ),
    (
        "pics: none of the frames of the ground truth; expected at least one",
        lambda: drawn(file("gt.txt", "1,1,1,1,5,5,1,1,1\n"), file("d.txt", "1,1,1,1,5,5,0.9,-1,-1,-1\n")),
    ),
]
