"""CSV files as TensorFlow's object detection tutorials write them."""

from __future__ import annotations

from boxscore.formats.record import CSV, FILE, Format

TF_CSV = Format(
    name="tf-csv", title="TensorFlow CSV", looks="tf-csv (a CSV file with filename, class, xmin, ymin, xmax, ymax)",
    home=__name__, listed=50, kind=CSV, per=FILE, folder=None,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", edit="edit:edited",
    keeps=("extensions", "folders", "sizes", "last_bits", "corner_bits"),
)  # fmt: skip
FORMATS = (TF_CSV,)
