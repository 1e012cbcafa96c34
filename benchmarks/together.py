"""What ten protocols at once cost beside `coco` alone, from arrays, in fresh processes.

python benchmarks/together.py [--workload dense] [--rounds 7]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import inputs
import report
import workloads

TEN = (
    "coco", "coco-fixed", "voc2007", "voc2012", "tf-voc", "tf-weighted-voc", "openimages-v2", "imagenet-det",
    "toolkit-voc", "toolkit-coco",
)  # fmt: skip


def main() -> None:
    """Print one row for each of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", default="dense", choices=list(workloads.WORKLOADS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=Path, default=workloads.DEFAULT_FOLDER)
    parser.add_argument("--measure", choices=["alone", "together"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(_seconds(given.workload, given.folder, TEN if given.measure == "together" else TEN[:1]))
        return
    workloads.files(workloads.WORKLOADS[given.workload], given.folder)  # made here, not in a measured process
    taken: dict[str, list[float]] = {"alone": [], "together": []}
    for _ in range(given.rounds):
        for what, all_ in taken.items():
            command = [sys.executable, __file__, "--measure", what, "--workload", given.workload]
            made = subprocess.run([*command, "--folder", given.folder], check=True, capture_output=True, text=True)
            all_.append(float(made.stdout))
    alone, together = (median(all_) for all_ in taken.values())
    rows = [
        ["coco", f"{alone:.3f}", f"{min(taken['alone']):.3f}", "1.0"],
        ["ten protocols", f"{together:.3f}", f"{min(taken['together']):.3f}", f"{together / alone:.1f}"],
    ]
    print(report.table([given.workload, "median s", "least s", "ratio"], rows))


def _seconds(workload: str, folder: Path, protocols: tuple[str, ...]) -> float:
    """From arrays to all numbers and the AP of every class."""
    from boxscore import evaluate_many

    ready = inputs.tables(workloads.columns(workloads.WORKLOADS[workload], folder))
    start = time.perf_counter()
    evaluate_many(ready.truth, ready.detections, protocols, box="xywh", classes=ready.classes)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
