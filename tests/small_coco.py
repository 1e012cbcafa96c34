"""Small COCO files that several tables of messages start from; they are written into the current folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boxscore.joining.read import read_detections, read_truth

IMAGES = [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}]
OBJECTS = [{"id": i, "image_id": 1, "category_id": 1, "bbox": [1, 1, 5, 5]} for i in (1, 2, 3, 4, 5)]
TRUTH = {"images": IMAGES, "annotations": OBJECTS, "categories": [{"id": 1, "name": "cat"}]}
RESULTS = [{"image_id": 1, "category_id": 1, "bbox": [1, 1, 5, 5], "score": 0.9}] * 2


def file(name: str, content: Any) -> str:
    """Writes a file and returns its name."""
    if isinstance(content, bytes):
        Path(name).write_bytes(content)
    else:
        Path(name).write_text(content if isinstance(content, str) else json.dumps(content))
    return name


def truth(content: Any = TRUTH, **changes: Any) -> Any:
    """Reads a truth, by default the small one, with changed sections."""
    return read_truth(file("t.json", {**content, **changes} if changes else content))


def results(content: Any) -> Any:
    """Reads a list of results."""
    return read_detections(file("r.json", content))
