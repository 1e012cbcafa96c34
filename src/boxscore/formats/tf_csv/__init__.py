"""CSV files as TensorFlow's object detection tutorials write them."""

from __future__ import annotations

from boxscore.formats.record import CSV, FILE, Format

TF_CSV = Format(
    name="tf-csv", title="TensorFlow CSV", looks="tf-csv (a CSV file with filename, class, xmin, ymin, xmax, ymax)",
    home=__name__, listed=50, kind=CSV, per=FILE, folder=None,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", edit="edit:edited",
    look="signs:look",
    columns=(
        "filename|image|file|image_name|image_path|path|img|img_path|image_id|file_name",
        "class|label|name|category|cell_type|class_name|label_name|classname|class_id",
        "xmin|x_min|x1|left|x0", "ymin|y_min|y1|top|y0", "xmax|x_max|x2|right", "ymax|y_max|y2|bottom",
    ),
    keeps=("extensions", "folders", "sizes", "last_bits", "corner_bits"),
)  # fmt: skip
FORMATS = (TF_CSV,)
