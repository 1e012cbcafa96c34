"""What small command lines cost: CPU time (user and system) of fresh processes, as medians.

python benchmarks/starting.py [--rounds 15]
"""

from __future__ import annotations

import argparse
import json
import os
import resource  # not on Windows
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import report

TRUTH = {
    "images": [{"id": 1}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 50], "area": 2500, "iscrowd": 0}],
    "categories": [{"id": 1, "name": "cat"}],
}
FOUND = [{"image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 45], "score": 0.9}]
MODULE = ("-m", "boxscore")
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "import numpy": ("-c", "import numpy"),
    "import boxscore": ("-c", "import boxscore"),
    "boxscore --version": (*MODULE, "--version"),
    "boxscore --help": (*MODULE, "--help"),
    "boxscore eval --help": (*MODULE, "eval", "--help"),
    "boxscore eval, one box": (*MODULE, "eval", "truth.json", "found.json"),
}


def main() -> None:
    """Print one row per command line; they take turns, so that all meet the same machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "truth.json").write_text(json.dumps(TRUTH))
        (Path(folder) / "found.json").write_text(json.dumps(FOUND))
        for n in range(rounds + 1):
            for name, words in COMMANDS.items():
                seconds = cpu_seconds(words, folder)
                if n:  # the first round compiles
                    taken[name].append(seconds)
    rows = [[name, f"{median(all_) * 1e3:.0f}", f"{min(all_) * 1e3:.0f}"] for name, all_ in taken.items()]
    print(report.table(["", "median ms of CPU", "least"], rows))


def cpu_seconds(words: tuple[str, ...], folder: str) -> float:
    """User and system time of one process."""
    # As pip leaves a package: compiled, whatever the caller's environment says about writing bytecode.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
