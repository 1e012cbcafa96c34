"""Track AP equals TrackEval's TrackMAP, per class, threshold and range, on every case of TAO and YouTube-VIS."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs

RANGES = {
    "all": None, "area_s": "small", "area_m": "medium", "area_l": "large",
    "time_s": "short", "time_m": "middle", "time_l": "long",
}  # fmt: skip


def case(data: Path, family: str, seed: int) -> tuple[Any, Any, Any]:
    """Ground truth, results and official values of a case."""
    loaded = json.loads((data / f"reference/cases/{family}/{family}_{seed}.json").read_text())
    return loaded["input"]["gt"], loaded["input"]["tracker"], loaded["expected"]


def evaluated(folder: Path, truth: Any, found: Any, protocol: str) -> bs.Result:
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "found.json").write_text(json.dumps(found))
    return bs.evaluate(folder / "truth.json", folder / "found.json", protocol=protocol)


def compare(result: bs.Result, expected: dict[str, Any]) -> tuple[int, int]:
    """Demands equal values bit for bit; returns how many are numbers, and how many are undefined on both sides."""
    numbers = undefined = 0
    for name, metrics in expected.items():
        for field, values in metrics["TrackMAP"].items():
            metric, _, part = field.partition("_")
            keys = {"area": RANGES[part], "class": None if name.startswith("cls_comb") else name}
            given = "".join(f",{key}={value}" for key, value in keys.items() if value)
            for iou, value in zip(result.protocol.iou, values, strict=True):
                text = f"{metric}[iou={iou!r}{given}]"
                if value == -1:  # as TrackEval writes what there is nothing to find for
                    assert math.isnan(result[text]), (name, text)
                    undefined += 1
                else:
                    assert result[text] == value, (name, text)
                    numbers += 1
    return numbers, undefined


@pytest.mark.parametrize("seed", [11, 12, 13])
@pytest.mark.parametrize("cap", [300, 5])
def test_tao(data: Path, tmp_path: Path, seed: int, cap: int) -> None:
    truth, found, expected = case(data, "tracking_tao", seed)
    own = expected[f"max_per_image_{cap}"]
    result = evaluated(tmp_path, truth, found, f"tao[max_per_frame={cap}]")
    numbers, undefined = compare(result, own)
    assert (numbers + undefined) == 5 * 14 * 10
    assert numbers > 500
    # TrackEval reports thresholds one by one; what people quote is their mean.
    whole = own["cls_comb_cls_av"]["TrackMAP"]["AP_all"]
    assert result["AP"] == pytest.approx(math.fsum(whole) / 10, rel=0, abs=1e-12)  # added up in another order
    assert result["AP50"] == whole[0]
    assert result["AP75"] == whole[5]


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_youtube_vis(data: Path, tmp_path: Path, seed: int) -> None:
    truth, found, expected = case(data, "tracking_ytvis", seed)
    result = evaluated(tmp_path, truth, found, "youtube-vis")
    numbers, undefined = compare(result, expected)
    assert (numbers + undefined) == 5 * 8 * 10
    assert numbers > 150
    whole = expected["cls_comb_cls_av"]["TrackMAP"]["AP_all"]
    assert result["AP"] == pytest.approx(math.fsum(whole) / 10, rel=0, abs=1e-12)


def test_several_protocols_at_once_give_the_same(data: Path, tmp_path: Path) -> None:
    truth, found, expected = case(data, "tracking_tao", 12)
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    (tmp_path / "found.json").write_text(json.dumps(found))
    several = ["tao", "stt-ap-ranked[track_class=first]", "tao[max_per_frame=5]"]
    first, _, second = bs.evaluate_many(tmp_path / "truth.json", tmp_path / "found.json", several)
    compare(first, expected["max_per_image_300"])
    compare(second, expected["max_per_image_5"])
