"""Label Studio."""

from __future__ import annotations

from boxscore.formats.record import BOTH, FILE, FLAGS, JSON, Boxes, Format, Sign

LABEL_STUDIO = Format(
    name="label-studio", title="Label Studio", looks="label-studio (a JSON export of Label Studio, full or JSON-MIN)",
    home=__name__, listed=240, kind=JSON, per=FILE,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections",
    boxes=Boxes("xywh", "relative", "x y width height in percent"),
    signs=(
        Sign(("[].data", "[].annotations"), BOTH),
        Sign(("[].data", "[].completions"), BOTH),
        Sign(("[].data", "[].predictions"), BOTH),
        Sign(("[].annotations[].result",), BOTH),
        Sign(("[].annotator",)),
        Sign(("[].annotation_id", "[].lead_time")),
    ),
    lacks="tasks with `data` and `annotations`",
    keeps=("empty_images", "extensions", "folders", "sizes", *FLAGS, "outside"),
)  # fmt: skip
FORMATS = (LABEL_STUDIO,)
