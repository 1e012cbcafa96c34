"""Starts `measure.py` in fresh processes, peer after peer, round after round."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from calls import Numbers, Thresholds
from peers import Peer
from workloads import Size

MEASURE = Path(__file__).with_name("measure.py")


@dataclass(frozen=True)
class Limits:
    """When a peer is stopped or no longer repeated."""

    seconds: float = 120.0  # of one run
    gib: float = 12.0  # address space of one run
    patience: float = 180.0  # seconds in all runs of one row; above it, a peer is not repeated


@dataclass(frozen=True)
class Outcome:
    """All runs of one peer in one row."""

    seconds: tuple[float, ...] = ()
    peaks: tuple[float, ...] = ()  # MiB
    numbers: Numbers | None = None
    stopped: str = ""  # why it has no further runs, in the words of the table

    @property
    def time(self) -> float:
        """Median seconds; nan without a run."""
        return median(self.seconds) if self.seconds else float("nan")

    @property
    def peak(self) -> float:
        """Median MiB; nan without a run."""
        return median(self.peaks) if self.peaks else float("nan")


@dataclass(frozen=True)
class Job:
    """One row of a table: the same work for each peer."""

    mode: str
    size: Size
    thresholds: Thresholds = None


def interleaved(
    jobs: Sequence[Job], peers: Sequence[Peer], rounds: int, folder: Path, limits: Limits, say: Callable[[str], None]
) -> list[dict[str, Outcome]]:
    """Run every peer on every job once per round, so that a slow minute of the machine hits all of them."""
    outcomes = [{peer.name: Outcome() for peer in peers} for _ in jobs]
    for number in range(rounds):
        # Each round starts with another peer, so that nobody always runs after the same neighbour.
        start = number % max(len(peers), 1)
        for job, row in zip(jobs, outcomes, strict=True):
            for peer in (*peers[start:], *peers[:start]):
                before = row[peer.name]
                if not before.stopped and sum(before.seconds) <= limits.patience:
                    row[peer.name] = after = run_once(job, peer, folder, limits, before)
                    say(f"{job.mode} {peer.name}: {after.stopped or f'{after.seconds[-1]:.3f} s'}")
    return outcomes


def run_once(job: Job, peer: Peer, folder: Path, limits: Limits, before: Outcome) -> Outcome:
    """One more run, in its own process."""
    size = job.size
    command = [sys.executable, str(MEASURE), peer.name, job.mode]
    command += [str(amount) for amount in (size.images, size.classes, size.objects, size.detections)]
    command += ["--folder", str(folder), "--seconds", str(limits.seconds), "--gib", str(limits.gib)]
    command += ["--task", size.task, *([] if size.boxed else ["--boxless"])]
    if job.thresholds is not None:
        command += ["--thresholds", *map(str, job.thresholds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return replace(before, stopped=_reason(done, limits))
    line = json.loads(done.stdout)
    return Outcome(
        (*before.seconds, line["seconds"]),
        (*before.peaks, line["peak_mib"]),
        Numbers(line["summary"], line["per_class"]),
    )


def _reason(done: subprocess.CompletedProcess[str], limits: Limits) -> str:
    if sys.platform != "win32" and done.returncode == -signal.SIGALRM:
        return f"> {limits.seconds:g} s"
    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    # Python raises MemoryError, C++ aborts with bad_alloc, Rust with "memory allocation of … failed".
    if any(word in done.stderr for word in ("MemoryError", "bad_alloc", "memory allocation of")):
        return f"> {limits.gib:g} GiB"
    return f"failed: {last[:120]}"
