"""The numbers of a video in the table of sequences are exactly those of an evaluation of that video alone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore.tables.model import Detections, Images, Truth, select
from effort import examples
from video_cases import video_tables

PROTOCOLS = ("coco", "voc2012", "imagenet-vid-motion", "average-delay", "stt-ap", "lvis[unverified=counted]")


def scene(seed: int, videos: int) -> tuple[Truth, Detections]:
    rng = np.random.default_rng(seed)
    frames = [(f"v{v}", f) for v in range(videos) for f in range(int(rng.integers(1, 8)))]
    objects, found = [], []
    for video, frame in frames:
        for track in range(4):
            if rng.random() < 0.7:
                x, label = 40.0 * track + 2 * frame, "ab"[(track + int(video[1:])) % 2]
                objects.append(((video, frame), label, track, [x, 0.0, x + 30 + 30 * track, 40.0]))
                if rng.random() < 0.8:
                    shift = float(rng.uniform(-12, 12))
                    box = [x + shift, 0.0, x + shift + 30 + 30 * track, 40.0]
                    found.append(((video, frame), label, round(float(rng.random()), 1), box))
        if rng.random() < 0.3:
            found.append(((video, frame), "a", round(float(rng.random()), 1), [500.0, 0.0, 530.0, 40.0]))
    truth, detections = video_tables(objects, found, frames, ["a", "b"])
    return truth, replace(detections, track=rng.integers(0, 10_000, len(found)))


def alone(truth: Truth, detections: Detections, video: str) -> tuple[Truth, Detections]:
    """Both sides with the images of one video only, made by hand."""
    assert truth.images.video is not None
    assert truth.images.frame is not None
    place = [i for i, name in enumerate(truth.images.video) if name == video]
    images = Images(
        [truth.images.key[i] for i in place], video=[video] * len(place), frame=truth.images.frame[np.array(place)]
    )
    number = np.full(len(truth.images), -1, np.int32)
    number[place] = np.arange(len(place))
    sides = [select(table, np.isin(table.image, place)) for table in (truth, detections)]
    made = [replace(table, images=images, image=number[table.image]) for table in sides]
    assert isinstance(made[0], Truth)
    assert isinstance(made[1], Detections)
    return made[0], made[1]


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from(PROTOCOLS))
def test_a_video_alone(seed: int, videos: int, protocol: str) -> None:
    truth, detections = scene(seed, videos)
    whole = bs.evaluate(truth, detections, protocol=protocol)
    rows = whole.sequences()
    assert [row.name for row in rows] == [f"v{v}" for v in range(videos)]
    for row in rows:
        one = bs.evaluate(*alone(truth, detections, row.name), protocol=protocol)
        np.testing.assert_array_equal(list(row.metrics.values()), list(one.metrics.values()))
        assert list(row.metrics) == list(one.metrics)
        assert row.reasons == one.reasons
        assert (row.objects, row.detections) == (one.ledger.objects.evaluated, int(one.tally.detections.sum()))


def test_a_single_video_has_the_numbers_of_the_whole() -> None:
    truth, detections = scene(3, 1)
    result = bs.evaluate(truth, detections, protocol="coco")
    (row,) = result.sequences()
    for name, value in result.metrics.items():
        assert row.metrics[name] == value or (math.isnan(value) and math.isnan(row.metrics[name])), name


def test_the_tables_differ_between_videos() -> None:
    """Else the law would say little."""
    truth, detections = scene(5, 3)
    values = [row.metrics["AP"] for row in bs.evaluate(truth, detections, protocol="coco").sequences()]
    assert len(set(values)) == 3


def test_images_that_are_no_frames_are_refused() -> None:
    truth, detections = scene(3, 1)
    plain = Images(list(truth.images.key))
    result = bs.evaluate(replace(truth, images=plain), replace(detections, images=plain), protocol="voc2012")
    with pytest.raises(bs.InputError, match="images that are not frames of videos; expected frames of videos"):
        result.sequences()
