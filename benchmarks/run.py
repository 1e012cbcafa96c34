"""Measures evaluators side by side and prints Markdown tables.

python benchmarks/run.py --workloads small,dense --modes files --rounds 5
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import peers
import report
import scaling
import workloads
from runner import Job, Limits, interleaved


def main() -> None:
    """Run what the command line asks for."""
    given = _arguments()
    chosen = [peer for peer in peers.PEERS if peer.name in given.peers]
    present = [peer for peer in chosen if peer.installed]
    limits = Limits(given.seconds, given.gib)
    parts = [report.machine(present, [peer for peer in chosen if not peer.installed])]
    for mode in given.modes:
        if given.scaling:
            parts.append(f"## Growth of time, {mode}")
            parts.append(scaling.study(mode, present, given.rounds, given.folder, limits, _say))
            continue
        sizes = [workloads.WORKLOADS[name] for name in given.workloads]
        for size in sizes:
            workloads.files(size, given.folder)  # made here, so that no measured process has made them
        jobs = [Job(mode, size) for size in sizes]
        rows = interleaved(jobs, present, given.rounds, given.folder, limits, _say)
        for name, size, outcomes in zip(given.workloads, sizes, rows, strict=True):
            parts.append(
                f"## {name}, {mode}\n\n{size.images:,} images, {size.classes} classes, {size.objects:,} objects, "
                f"{size.detections:,} detections"
            )
            parts.append(report.comparison(outcomes))
    text = "\n\n".join(parts) + "\n"
    print(text)
    if given.output:
        given.output.write_text(text, encoding="utf-8")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


BOXES = ["small", "dense", "large"]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [peer.name for peer in peers.PEERS]
    for option, known in (("workloads", list(workloads.WORKLOADS)), ("modes", ["files", "arrays"]), ("peers", names)):
        default = BOXES if option == "workloads" else known  # masks take minutes to be drawn
        parser.add_argument(f"--{option}", default=default, type=_some_of(known), help="any of " + ",".join(known))
    parser.add_argument("--rounds", type=int, default=5, help="runs of each peer")
    parser.add_argument("--scaling", action="store_true", help="how time grows, in place of the workloads")
    parser.add_argument("--seconds", type=float, default=Limits.seconds, help="a longer run is stopped")
    parser.add_argument("--gib", type=float, default=Limits.gib, help="a run that takes more memory is stopped")
    parser.add_argument("--folder", type=Path, default=workloads.DEFAULT_FOLDER, help="where workloads are kept")
    parser.add_argument("-o", "--output", type=Path, help="write the tables here too")
    return parser.parse_args()


def _some_of(known: list[str]) -> Callable[[str], list[str]]:
    """Read a list of known words, separated by commas."""

    def words(text: str) -> list[str]:
        for word in text.split(","):
            if word not in known:
                raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(known)}")
        return text.split(",")

    return words


if __name__ == "__main__":
    main()
