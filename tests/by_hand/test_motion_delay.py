"""Motion and delay of objects in videos, by hand."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import boxscore as bs
from boxscore.evaluation.tracked import motion
from boxscore.metrics import Expression
from boxscore.metrics.delay import delays
from boxscore.protocols import Area
from boxscore.tables.model import Detections, Flag, Truth
from video_cases import video_tables


def square(x: float, side: float = 10) -> list[float]:
    """A square whose last pixel belongs to it."""
    return [x, 0, x + side - 1, side - 1]


def test_motion_is_the_mean_overlap_with_the_frames_around() -> None:
    # frame 0  |----------|                  5 of 15 columns shared with frame 1, none with frame 2
    # frame 1       |----------|             5 of 15 with either neighbour
    # frame 2            |----------|
    # frame 13 |----------|                  frame 2 is 11 frames away: nothing to compare with
    objects = [(("v", f), "a", 7, square(x)) for f, x in ((0, 0), (1, 5), (2, 10), (13, 0))]
    truth, _ = video_tables(objects, [], [("v", f) for f in range(14)], ["a"])
    assert motion(truth).tolist() == [(1 / 3 + 0) / 2, 1 / 3, (0 + 1 / 3) / 2, np.inf]


def test_tracks_of_other_videos_and_classes_are_others() -> None:
    objects = [(("v", 0), "a", 7, square(0)), (("w", 1), "a", 7, square(0)), (("v", 1), "b", 7, square(0))]
    truth, _ = video_tables(objects, [], [("v", 0), ("v", 1), ("w", 1)], ["a", "b"])
    assert motion(truth).tolist() == [np.inf] * 3


# Frames 0 and 1 have an object S that stays (motion 1, slow) and an object F that jumps (motion 0, fast):
#   frame 0   S at 0   F at 100        frame 1   S at 0   F at 200        frame 2   nothing
OBJECTS = [
    (("v", 0), "a", 1, square(0)), (("v", 1), "a", 1, square(0)),
    (("v", 0), "a", 2, square(100)), (("v", 1), "a", 2, square(200)),
]  # fmt: skip
ON_S = (("v", 0), "a", 0.5, square(0))
FAR = (("v", 0), "a", 0.9, square(500))
BESIDE_F = (("v", 0), "a", 0.8, square(108))  # shares 2 of 18 columns with F
ON_NOTHING = (("v", 2), "a", 0.95, square(0))


@pytest.mark.parametrize(
    ("found", "slow", "fast"),
    [
        ([ON_S], 1 / 2, 0.0),  # one of two boxes of S; outside of its range the match is left out
        # Equally far from S and F: in either range one object of two is outside, so it counts 1/2.
        ([ON_S, FAR], 1 / 2 * 1 / (1 + 1 / 2), 0.0),
        ([ON_S, BESIDE_F], 1 / 2, 0.0),  # nearest to F: left out among the slow
        # A frame without objects is like an object of motion 0: of 5, 2 are slow and 3 fast.
        ([ON_S, ON_NOTHING], 1 / 2 * 1 / (1 + 2 / 5), 0.0),
        ([ON_S, FAR, BESIDE_F, ON_NOTHING], 1 / 2 * 1 / (1 + 1 / 2 + 2 / 5), 0.0),
        # F found below all of them: 1/2 + 1 + 3/5 false.
        ([(("v", 0), "a", 0.1, square(100)), FAR, BESIDE_F, ON_NOTHING], 0.0, 1 / 2 * 1 / (1 + 1 / 2 + 1 + 3 / 5)),
    ],
)
def test_false_positives_by_the_nearest_object(
    found: list[tuple[tuple[str, int], str, float, list[float]]], slow: float, fast: float
) -> None:
    tables = video_tables(OBJECTS, found, [("v", f) for f in range(3)], ["a"])
    result = bs.evaluate(*tables, protocol="imagenet-vid-motion")
    assert result["mAP.slow"] == pytest.approx(slow, rel=0, abs=1e-15)  # sums of shares
    assert result["mAP.fast"] == pytest.approx(fast, rel=0, abs=1e-15)
    assert np.isnan(result["mAP.medium"])
    assert result.reasons["mAP.medium"] == "no medium objects"


ALL, SMALL = Area("all", -math.inf, math.inf), Area("small", 0.0, 100.0)
STATED = Area("stated", 0.0, 100.0, "annotation")


@pytest.mark.parametrize("areas", [(ALL,), (ALL, SMALL), (SMALL, ALL, STATED), (STATED, ALL)])
def test_the_nearest_object_says_the_same_of_a_range_alone_and_in_company(areas: tuple[Area, ...]) -> None:
    # S (9 x 9) is found; N is a crowd, which is ignored, and so is what is beside it; FAR is as far from both.
    # In an image of two objects of which one is outside of the range, FAR counts 1/2, whatever the range is.
    objects = [(("v", 0), "a", 1, square(0)), (("v", 0), "a", 2, square(100))]
    truth, found = video_tables(objects, [ON_S, BESIDE_F, FAR], [("v", 0)], ["a"])
    truth = dataclasses.replace(truth, flags=np.array([0, int(Flag.CROWD)], np.uint16))
    rules = dataclasses.replace(
        bs.protocols.get("imagenet-vid-motion"), size_from="box", areas=areas, crowd="ignored", summary="voc"
    )
    result = bs.evaluate(truth, found, protocol=rules)
    assert result.numbers is not None
    for i, area in enumerate(areas):
        assert result[f"AP[area={area.name}]"] == pytest.approx(1 / (1 + 1 / 2), rel=0, abs=1e-15)
        assert result.tally.shares is not None
        assert sorted(result.tally.shares[:, i].tolist()) == [0.5, 1.0, 1.0]
        pairs = result.numbers.pairs(Expression("TP", area=area.name))
        assert pairs.ignored[:, 0].tolist() == result.tally.ignored[:, i].tolist()


def test_an_object_alone_in_its_track_is_in_no_range() -> None:
    tables = video_tables([(("v", 0), "a", 1, square(0))], [ON_S], [("v", 0)], ["a"])
    result = bs.evaluate(*tables, protocol="imagenet-vid-motion")
    assert result["mAP"] == 1.0
    assert result.tally.to_find.tolist() == [[1, 0, 0, 0]]


def two_tracks(further: list[tuple[tuple[str, int], str, float, list[float]]]) -> tuple[Truth, Detections]:
    """A and B exist in frames 0 to 10; A is found from frame 4 on, B never."""
    # A  ....xxxxxxx   delay 4
    # B  ...........   delay 9, up to the last frame that is looked at
    objects = [(("v", f), "a", track, square(100 * track, 50)) for f in range(11) for track in (1, 2)]
    found = [(("v", f), "a", 0.9, square(100, 50)) for f in range(4, 11)]
    return video_tables(objects, [*found, *further], [("v", f) for f in range(11)], ["a"])


def test_delays_four_and_nine() -> None:
    result = bs.evaluate(*two_tracks([]), protocol="average-delay")
    assert result.numbers is not None
    made = delays(result.numbers)
    assert made.delay.tolist() == [[4, 9]] * 6
    assert made.found.tolist() == [[4, -1]] * 6
    assert result["AD"] == pytest.approx(6.5, rel=0, abs=1e-14)
    assert result["AD.medium"] == result["AD"]
    assert np.isnan(result["AD.small"])


def test_the_last_frame_counts_where_the_rule_says_so() -> None:
    result = bs.evaluate(*two_tracks([]), protocol="average-delay[last_frame=counted,delay_limit=8]")
    assert result["AD"] == pytest.approx((4 + 8) / 2, rel=0, abs=1e-14)  # B: 10 frames, cut to 8


def test_a_score_that_lets_too_many_in_is_not_used() -> None:
    # 22 objects; at 0.1 false positives per object 3 are too many (3/22 > 0.1), so detections count down to the third
    # of them, at 0.5. B is found in frame 2 at 0.4: too late for that ratio, in time for the others.
    false = [(("v", f), "a", 0.5, square(900)) for f in range(3)]
    result = bs.evaluate(*two_tracks([*false, (("v", 2), "a", 0.4, square(200, 50))]), protocol="average-delay")
    assert result.numbers is not None
    made = delays(result.numbers)
    assert made.scores.tolist() == [0.5, *[-np.inf] * 5]
    assert made.delay.tolist() == [[4, 9], *[[4, 2]] * 5]
    expected = 1 / np.mean([1 / (6.5 + 1), *[1 / (3 + 1)] * 5]) - 1
    assert result["AD"] == pytest.approx(expected, rel=0, abs=1e-14)


def test_exactly_half_is_true_but_does_not_find_a_track() -> None:
    # The box covers half of the object in continuous coordinates: with the last pixel inside it is more, a true
    # positive; what finds a track must exceed one half without it.
    objects = [(("v", f), "a", 1, [0, 0, 100, 100]) for f in range(3)]
    found = [(("v", f), "a", 0.9, [0, 0, 50, 100]) for f in range(2)]
    tables = video_tables(objects, found, [("v", f) for f in range(3)], ["a"])
    result = bs.evaluate(*tables, protocol="average-delay")
    assert result["TP"] == 2
    assert result["AD"] == pytest.approx(1.0, rel=0, abs=1e-15)  # never found: frames 0 to 1


def shifted(by: int) -> tuple[Truth, Detections]:
    """An object that moves by its own width in every frame, and detections a frame late (1) or early (-1)."""
    objects = [(("v", f), "a", 1, square(10 * f)) for f in range(5)]
    found = [(("v", f + by), "a", 0.9, square(10 * f)) for f in range(5)]
    truth, _ = video_tables(objects, [], [("v", f) for f in range(5)], ["a"])
    _, detections = video_tables([], found, [("v", f + by) for f in range(5)], ["a"])
    return truth, detections


@pytest.mark.parametrize(("by", "frames"), [(1, "1 to 5"), (-1, "-1 to 3")])
def test_frames_counted_from_another_number(by: int, frames: str) -> None:
    for protocol in ("voc2012", "average-delay"):
        findings = {f.code: f.text for f in bs.evaluate(*shifted(by), protocol=protocol).ledger.findings}
        assert findings["VID001"] == (
            "5 more detections would overlap an object by 0.5 if all were moved by a frame; "
            f"in video 'v' they have frames {frames}, the ground truth 0 to 4"
        )


def test_frames_that_fit_as_they_are_say_nothing() -> None:
    truth, detections = shifted(0)
    assert not bs.evaluate(truth, detections, protocol="voc2012").ledger.findings
    # A single detection beyond the last frame, all others in place.
    _, more = video_tables(
        [], [(("v", f), "a", 0.9, square(10 * f)) for f in range(6)], [("v", f) for f in range(6)], ["a"]
    )
    assert [f.code for f in bs.evaluate(truth, more, protocol="voc2012").ledger.findings] == ["IMG001"]


def test_tracks_in_unknown_videos() -> None:
    objects = [(("v", 0), "a", 1, square(0))]
    truth, _ = video_tables(objects, [], [("v", 0)], ["a"])
    _, found = video_tables(
        [], [(("v", 0), "a", 0.9, square(0)), (("w", 0), "a", 0.9, square(0))], [("v", 0), ("w", 0)], ["a"]
    )
    found = dataclasses.replace(found, track=np.array([1, 2]))
    findings = bs.evaluate(truth, found, protocol="stt-ap").ledger.findings
    told = {f.code: f.text for f in findings}
    assert told["VID002"] == "1 track is in videos that the truth does not list (w)"
    assert "IMG001" not in told
