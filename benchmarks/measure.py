"""Runs one evaluator once, in this process, and prints what it took as one line of JSON.

    python benchmarks/measure.py hotcoco files 5000 80 37000 37000

`run.py` starts this anew for every run, so that no run profits from the caches or the memory of another. A run over the
limit of time ends by SIGALRM, one over the limit of memory by a failed allocation.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import calls
import peers
import task_calls
import workloads


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=[peer.name for peer in peers.PEERS])
    parser.add_argument("mode", choices=["files", "arrays"])
    for amount in ("images", "classes", "objects", "detections"):
        parser.add_argument(amount, type=int)
    parser.add_argument("--task", default="boxes", choices=["boxes", *task_calls.IOU_TYPES])
    parser.add_argument("--boxless", action="store_true", help="detections with masks or keypoints have no boxes")
    parser.add_argument("--thresholds", type=float, nargs="+", help="overlap thresholds in place of COCO's ten")
    parser.add_argument("--folder", type=Path, default=workloads.DEFAULT_FOLDER)
    parser.add_argument("--seconds", type=float, default=0.0, help="stop the run after this time; 0: never")
    parser.add_argument("--gib", type=float, default=0.0, help="address space the process may take; 0: any")
    given = parser.parse_args()
    amounts = given.images, given.classes, given.objects, given.detections
    size = workloads.Size(*amounts, task=given.task, boxed=not given.boxless)
    peer = peers.by_name(given.peer)
    thresholds = tuple(given.thresholds) if given.thresholds else None
    _limit_memory(given.gib)
    with _quiet():
        for module in peer.modules:
            import_module(module)
        run = _job(peer, given.mode, size, given.folder, thresholds)
        baseline = _reset_peak()
        _limit_time(given.seconds)
        start, cpu_start = time.perf_counter(), time.process_time()
        numbers = run()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
        _limit_time(0.0)
        peak = _peak() - baseline
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_mib": peak / 2**20, **asdict(numbers)}))


def _job(
    peer: peers.Peer, mode: str, size: workloads.Size, folder: Path, thresholds: calls.Thresholds
) -> Callable[[], calls.Numbers]:
    """Everything up to the moment at which the clock starts; the input of a run from memory is ready by then."""
    place = workloads.files(size, folder)
    if mode == "arrays" and size.task == "boxes":
        ready = peer.prepare(workloads.columns(size, folder))
        return lambda: peer.arrays(ready, thresholds)
    if mode == "arrays":
        parsed = peer.parse(place)
        return lambda: peer.task_records(parsed, size.task)
    for path in (place.truth, place.detections):
        path.read_bytes()  # into the system's cache, for the first run as for the last
    if size.task != "boxes":
        return lambda: peer.task_files(place.truth, place.detections, size.task)
    return lambda: peer.files(place.truth, place.detections, thresholds)


def _limit_time(seconds: float) -> None:
    """Let the system end this process after so many seconds, in compiled code too."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(gib: float) -> None:
    """Keep a hungry evaluator from taking the machine down."""
    if gib and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(gib * 2**30), resource.RLIM_INFINITY))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence standard output, that of compiled code too."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _reset_peak() -> int:
    """Forget the memory that preparations took; the bytes in use now."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        # Freed pages that the allocator keeps would hide what the run itself needs.
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return _status("VmRSS")
    except OSError:
        return _peak()


def _peak() -> int:
    """The most bytes in use since the reset, or of the whole process where the system cannot reset."""
    try:
        return _status("VmHWM")
    except OSError:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))


if __name__ == "__main__":
    main()
