"""Text files with one box per line."""

from __future__ import annotations

from boxscore.formats.record import BOTH, IMAGE, POSSIBLE, Format, Sign
from boxscore.formats.record import TEXT as LINES

TEXT = Format(
    name="text", title="text", looks="text (a folder with a text file per image)", home=__name__, listed=20,
    kind=LINES, per=IMAGE, folder=True, open=("box", "coords"), look="signs:LOOK",
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", edit="read:edited",
    signs=(Sign(named=(".txt",), sides=BOTH, level=POSSIBLE),),
    keeps=("empty_images", "folders", "last_bits"),
)  # fmt: skip
FORMATS = (TEXT,)
