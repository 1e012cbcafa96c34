"""A COCO file and its results with all that is unusual and still right."""

from __future__ import annotations

import json

TRUTH = {
    "info": {"nested": [1, {"annotations": []}], "text": 'a "quoted" \\ }, { one'},
    "images": [
        {"id": 5, "file_name": "b.jpg", "width": 100, "height": 50},
        {"id": 3, "file_name": "ü/a.jpg", "width": 10.5, "height": 50},
        {"id": 9, "file_name": "c \\u00e4.jpg", "width": 1, "height": 1},
    ],
    "annotations": [
        {"id": 1, "image_id": 3, "category_id": 20, "bbox": [1.5, 2, 3, 4], "area": 11, "iscrowd": 0},
        {
            "id": 2,
            "image_id": 5,
            "category_id": 10,
            "bbox": [0.1, 0.2, 0.3, 0.4],
            "area": 0.12,
            "iscrowd": 1,
            "ignore": 1,
        },
        {"id": 3, "image_id": 5, "category_id": 20, "bbox": [1e1, -2, 3.25, 4], "segmentation": [[1, 2, 3]]},
    ],
    "categories": [{"id": 20, "name": "cat", "supercategory": "x"}, {"id": 10, "name": "dög"}],
}
RESULTS = [
    {"image_id": 3, "category_id": 20, "bbox": [1.5, 2, 3, 4], "score": 0.9},
    {"image_id": 5, "category_id": 10, "bbox": [0.1, 0.2, 0.3, 0.4], "score": 0.123456789012345678},
    {"image_id": 5, "category_id": 20, "bbox": [10, -2, 3, 4], "score": 1},
]


def write(path, value):
    """Writes text, or anything else as JSON, and returns the path as text."""
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)
