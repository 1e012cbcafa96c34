"""Tube AP beside AP frame by frame on the same boxes, from arrays; how time and memory grow with tracks.

    python benchmarks/tubes.py                      # 1,000 videos x 300 frames x 10 tracks, and growth
    python benchmarks/tubes.py --videos 100         # a tenth of that

Every measurement is a process of its own: CPU seconds of one `evaluate` from two tables, at one threshold, and by how
much it raises the highest resident set.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

import boxscore as bs
from boxscore.tables.model import Classes, Detections, Images, Truth

CLASSES = 5


def tables(videos: int, frames: int, tracks: int, seed: int = 1) -> tuple[Truth, Detections]:
    """Boxes that drift through 1,920 x 1,080 pixels in every frame; detections are the same a little off."""
    rng = np.random.default_rng(seed)
    n = videos * tracks
    start = rng.uniform((0, 0, 20, 20), (1700, 900, 200, 200), (n, 4))
    speed = rng.uniform(-1, 1, (n, 2)) * 300 / frames
    images = Images(
        [f"{v}#{f}" for v in range(videos) for f in range(frames)],
        video=[str(v) for v in range(videos) for _ in range(frames)],
        frame=np.tile(np.arange(frames), videos),
    )
    classes = Classes(tuple(f"class {k}" for k in range(CLASSES)), tuple(range(1, CLASSES + 1)))
    moved = start[:, None, :2] + speed[:, None] * np.arange(frames)[None, :, None]  # (tracks, frames, 2)
    # Rows as files have them: frame by frame.
    low = np.swapaxes(moved.reshape(videos, tracks, frames, 2), 1, 2).reshape(-1, 2)
    side = np.repeat(start[:, 2:].reshape(videos, 1, tracks, 2), frames, axis=1).reshape(-1, 2)
    label = np.repeat(rng.integers(0, CLASSES, n).reshape(videos, 1, tracks), frames, axis=1).reshape(-1)
    score = np.repeat(rng.uniform(0.2, 1, n).reshape(videos, 1, tracks), frames, axis=1).reshape(-1)
    rows = {
        "images": images,
        "classes": classes,
        "image": np.repeat(np.arange(videos * frames, dtype=np.int32), tracks),
        "label": label.astype(np.int32),
        "position": np.arange(len(low)),
        "track": np.tile(np.arange(tracks), videos * frames),
    }

    def boxes(at: np.ndarray) -> dict[str, np.ndarray]:
        return {"corners": np.concatenate([at, at + side], axis=1), "box_area": side[:, 0] * side[:, 1]}

    blurred = low + rng.normal(0, 4, low.shape)
    noisy = np.clip(score + rng.normal(0, 0.05, len(score)), 0, 1)
    flags = {"area": np.full(len(low), np.nan), "flags": np.zeros(len(low), np.uint16)}
    return Truth(**rows, **boxes(low), **flags), Detections(**rows, **boxes(blurred), score=noisy)


def measure(protocol: str, videos: int, frames: int, tracks: int) -> dict[str, float]:
    """CPU seconds, seconds and MiB of one evaluation in this process."""
    small = tables(2, 3, 2)
    bs.evaluate(*small, protocol=protocol)  # imports come first
    truth, found = tables(videos, frames, tracks)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, wall = time.process_time(), time.perf_counter()
    result = bs.evaluate(truth, found, protocol=protocol)
    used, passed = time.process_time() - start, time.perf_counter() - wall
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"cpu": used, "wall": passed, "mib": more / 1024, "value": next(iter(result.metrics.values()))}


def median(protocol: str, videos: int, frames: int, tracks: int, rounds: int) -> dict[str, float]:
    """The same in fresh processes, the median of each."""
    arguments = [protocol, *map(str, (videos, frames, tracks))]
    command = [sys.executable, __file__, "--one", *arguments]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(rounds)]
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--videos", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--tracks", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=4, metavar=("PROTOCOL", "VIDEOS", "FRAMES", "TRACKS"))
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one[0], *map(int, given.one[1:]))))
        return
    shape = (given.videos, given.frames, given.tracks)
    print(f"{shape[0]:,} videos x {shape[1]:,} frames x {shape[2]:,} tracks\n")
    print("| protocol | CPU s | s | MiB | value |\n|---|---:|---:|---:|---:|")
    made = {}
    for protocol in ("tf-voc", "stt-ap", "stt-ap-toolkit", "stt-ap-ranked", "imagenet-vid-motion", "average-delay"):
        one = made[protocol] = median(protocol, *shape, given.rounds)
        print(
            f"| {protocol} | {one['cpu']:.2f} | {one['wall']:.2f} | {one['mib']:.0f} | {one['value']:.4f} |", flush=True
        )
    print(f"\nstt-ap takes {made['stt-ap']['cpu'] / made['tf-voc']['cpu']:.2f} times the CPU time of tf-voc.\n")
    print("The same boxes in more and shorter tracks: pairs of tracks in a video grow with the square.\n")
    print("| tracks per video | frames | pairs per video | CPU s | MiB |\n|---:|---:|---:|---:|---:|")
    for factor in (1, 3, 10, 30):
        frames, tracks = given.frames // factor, given.tracks * factor
        one = median("stt-ap", given.videos // 10 or 1, frames, tracks, given.rounds)
        print(f"| {tracks} | {frames} | {tracks * tracks:,} | {one['cpu']:.2f} | {one['mib']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
