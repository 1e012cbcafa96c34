"""MOTChallenge."""

from __future__ import annotations

from boxscore.formats.record import FILE, SIDES, TEXT, Format

MOT = Format(
    name="mot", title="MOTChallenge",
    looks="mot (gt.txt, det.txt or a tracker's output of MOTChallenge, or a folder of sequences)",
    home=__name__, listed=250, kind=TEXT, per=FILE, folder=None, look="signs:LOOK",
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", boxes=SIDES,
    keeps=("empty_images", "sizes", "frames", "track", "ignore", "last_bits"),
)  # fmt: skip
FORMATS = (MOT,)
