"""Records what Ultralytics computes on generated scenes: `python tests/oracles/record_ultralytics.py`.

It needs the package `ultralytics` (with torch), which the tests do not: they compare with the recording. Boxes are
given to the validator of the package as it compares them; what comes before (images, models, resizing) is not run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
import ultralytics
from ultralytics.models.yolo.detect import DetectionValidator

sys.path.insert(0, str(Path(__file__).parents[1]))
from ultralytics_scenes import SEEDS, Picture, scene, tied

RECORDING = Path(__file__).with_name("ultralytics.json")


class Validator(DetectionValidator):  # type: ignore[misc]
    """The validator of the package, with boxes that are on the image already."""

    def _prepare_batch(self, si: int, batch: Any) -> Any:
        boxes = torch.tensor([box for box, _ in batch[si].objects], dtype=torch.float32).reshape(-1, 4)
        labels = torch.tensor([float(label) for _, label in batch[si].objects])
        return {"cls": labels, "bboxes": boxes, "im_file": f"{si}.jpg"}


def computed(pictures: list[Picture]) -> dict[str, Any]:
    """The numbers of one scene: means, those of each class, and a digest of every AP (class, threshold)."""
    validator = Validator(args={"task": "detect", "mode": "val", "plots": False})
    validator.args.conf = 0.001  # what the validator takes where nothing is said
    validator.end2end, validator.seen, validator.is_custom_json, validator.build_gdict = True, 0, False, False
    validator.metrics.names = dict(enumerate("abcdef"))
    found = [
        torch.tensor([[*box, score, label] for box, label, score in p.detections]).reshape(-1, 6) for p in pictures
    ]
    predictions = [validator.postprocess(one[None])[0] for one in found]
    validator.update_metrics(predictions, pictures)
    validator.metrics.process()
    box = validator.metrics.box
    every = np.asarray(box.all_ap, np.float64)
    return {
        "AP": box.map, "AP50": box.map50, "AP75": box.map75, "P": box.mp, "R": box.mr,
        "classes": {int(k): [float(v) for v in box.class_result(i)] for i, k in enumerate(box.ap_class_index)},
        "all": hashlib.sha256(np.ascontiguousarray(every).astype("<f8").tobytes()).hexdigest()[:16],
    }  # fmt: skip


def stable() -> Any:
    """Equal scores in the order in which they come; numpy's own sort has none for them."""
    sort = np.argsort
    return mock.patch.object(np, "argsort", lambda a, *_, **__: sort(a, kind="stable"))


def main() -> None:
    """Writes the recording."""
    made: dict[str, Any] = {}
    for seed in SEEDS:
        pictures = scene(seed)
        with stable():
            made[str(seed)] = computed(pictures)
        if tied(pictures):
            made[str(seed)]["unsorted"] = {k: v[2:] for k, v in computed(pictures)["classes"].items()}
    versions = {"ultralytics": ultralytics.__version__, "torch": torch.__version__, "numpy": np.__version__}
    lines = ",\n".join(f'"{seed}": {json.dumps(numbers, sort_keys=True)}' for seed, numbers in made.items())
    RECORDING.write_text(f'{{"versions": {json.dumps(versions)},\n"scenes": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main()
