"""How much memory a large file takes: a multiple of its size that one object per value would exceed by far."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MOST = 6.0  # times the size of the file: 3 to 5 is usual, and Python values of all records would take 8 to 12
SIZE = 12_000_000

# What `resource` knows as the peak includes that of the process which started this one.
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells the peak of memory")


def _box(i: int) -> dict[str, Any]:
    return {"image_id": i // 8 + 1, "category_id": i % 80 + 1, "bbox": [i % 300 + 0.25, i % 200 + 0.5, 30.75, 40.5]}


def _results(n: int) -> Any:
    return [{**_box(i), "score": (i % 997) / 997} for i in range(n)]


def _truth(n: int, **more: Any) -> Any:
    return {
        "images": [{"id": i, "file_name": f"{i:012}.jpg", "width": 640, "height": 480} for i in range(1, n // 8 + 2)],
        "annotations": [{"id": i + 1, **_box(i), "area": 1246.375, "iscrowd": 0, **more} for i in range(n)],
        "categories": [{"id": i, "name": f"c{i}"} for i in range(1, 81)],
    }


def _odd(n: int) -> Any:
    """A file that the kernel leaves to the careful reader."""
    made = _truth(n)
    made["annotations"][n // 2]["iscrowd"] = True
    return made


def _polygons(n: int) -> Any:
    return _truth(n, segmentation=[[round(0.37 * k * k, 2) for k in range(40)]])


FILES: dict[str, tuple[str, int, Callable[[int], Any]]] = {  # side, bytes of a record, content
    "results": ("detections", 112, _results),
    "truth": ("truth", 130, _truth),
    "unusual truth": ("truth", 130, _odd),
    "polygons": ("truth", 400, _polygons),
}
CODE = """
import sys
from boxscore.cli import main
code = main()
(peak,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak, file=sys.stderr)
sys.exit(code)
"""


def peak(*arguments: str) -> int:
    """The most memory that a command takes, in bytes."""
    run = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return int(run.stderr.split()[-1]) * 1024


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "command"), [*((name, "inspect") for name in FILES), ("unusual truth", "convert"), ("polygons", "convert")]
)
def test_a_line_takes_a_few_times_its_size(tmp_path: Path, name: str, command: str) -> None:
    side, record, content = FILES[name]
    peaks = []  # of a tiny file, which is what the program itself takes, and of the large one
    for file, n in (("small.json", 10), ("large.json", SIZE // record)):
        path = tmp_path / file
        path.write_text(json.dumps(content(n)))
        more = [str(tmp_path / f"made {file}"), "--to", "coco"] if command == "convert" else []
        peaks.append(peak(command, str(path), *more, "--side", side))
    ratio = (peaks[1] - peaks[0]) / path.stat().st_size
    print(f"{name}: {ratio:.1f} times its size")
    assert ratio < MOST
