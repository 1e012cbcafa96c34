"""What the server answers is what the library says."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scene
from starlette.testclient import TestClient

import boxscore as bs
from boxscore.app import judged, wire
from boxscore.app.numbers import STEPS, chosen_steps
from boxscore.evaluation.result import Result

TYPES = {"f8": np.float64, "f4": np.float32, "i4": np.int32, "u1": np.uint8}


def decoded(body: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """What the page makes of a binary answer."""
    (size,) = struct.unpack_from("<I", body)
    about = json.loads(body[4 : 4 + size])
    assert (4 + size) % 8 == 0
    return about, {
        c["name"]: np.frombuffer(body, TYPES[c["type"]], c["length"], 4 + size + c["at"]) for c in about["columns"]
    }


@pytest.fixture(scope="module", params=["coco", "voc2012"])
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def results(folder: Path, protocol: str) -> dict[str, Result]:
    truth = folder / "truth.json"
    return {letter: bs.evaluate(truth, folder / f"{letter.lower()}.json", protocol=protocol) for letter in "AB"}


def test_columns_survive_the_wire() -> None:
    columns = {
        "a": np.array([1.5, np.nan, np.inf]), "b": np.arange(3, dtype=np.uint8), "c": np.arange(5, dtype=np.int32),
        "none": np.zeros(0, np.float32),
    }  # fmt: skip
    about, back = decoded(wire.encoded(columns, name="é\ud800", value=math.nan, more=[np.int64(3), np.float64(0.5)]))
    assert {k: v for k, v in about.items() if k != "columns"} == {"name": "é?", "value": None, "more": [3, 0.5]}
    for name, column in columns.items():
        np.testing.assert_array_equal(back[name], column)


def test_overview(client: TestClient, results: dict[str, Result], protocol: str) -> None:
    answer = client.get(f"/api/overview?p={protocol}").json()
    assert answer["protocol"]["signature"] == results["A"].protocol.signature()
    for model in answer["models"]:
        result = results[model["letter"]]
        assert model["metrics"] == {k: None if math.isnan(v) else v for k, v in result.metrics.items()}
        assert model["ledger"] == json.loads(json.dumps(result.ledger.to_dict()))
        assert result.point is not None
        assert model["best"]["score"] == result.point.score


def test_classes(client: TestClient, results: dict[str, Result], protocol: str) -> None:
    answer = client.get(f"/api/classes?p={protocol}").json()
    assert answer["names"] == list(scene.CLASSES)
    for model in answer["models"]:
        for k, row in enumerate(results[model["letter"]].per_class):
            assert answer["objects"][k] == row.objects
            assert model["detections"][k] == row.detections
            values = {name: model["metrics"][name][k] for name in row.metrics}
            assert values == {name: None if math.isnan(v) else v for name, v in row.metrics.items()}


@pytest.mark.parametrize("score", [0.0, 0.31, 0.5, 0.77, 2.0])
def test_point(client: TestClient, results: dict[str, Result], protocol: str, score: float) -> None:
    for letter, result in results.items():
        answer, at = client.get(f"/api/point?p={protocol}&m={letter}&s={score}").json(), result.at(score)
        assert [answer[k] for k in ("tp", "fp", "fn")] == [at.true_positives, at.false_positives, at.false_negatives]
        for key, value in (("precision", at.precision), ("recall", at.recall), ("f1", at.f1)):
            assert answer[key] == (None if math.isnan(value) else value)
        for name, one in at.per_class.items():
            assert answer["classes"][name] == [None if math.isnan(v) else v for v in one]


def test_counts_at_steps_are_those_of_operating_points(
    client: TestClient, results: dict[str, Result], protocol: str
) -> None:
    for letter, result in results.items():
        about, columns = decoded(client.get(f"/api/steps?p={protocol}&m={letter}").content)
        n = len(columns["score"])
        tp, fp = (columns[name].reshape(-1, n) for name in ("tp", "fp"))
        for at in range(0, n, 7):
            point = result.at(float(columns["score"][at]))
            for k, name in enumerate(about["names"]):
                objects = columns["objects"][k]
                assert point.classes[name] == (tp[k, at], fp[k, at], objects - tp[k, at])


def test_steps_are_few_and_cover_all_scores() -> None:
    score = np.random.default_rng(0).random(10_000) ** 3
    steps = chosen_steps(score)
    assert len(steps) <= STEPS
    assert steps[0] == score.min()
    assert (np.diff(steps) > 0).all()
    assert 0.5 in steps
    assert chosen_steps(np.zeros(0)).tolist() == [0.0]


def test_curves(client: TestClient, results: dict[str, Result], protocol: str) -> None:
    about, columns = decoded(client.get(f"/api/curve?p={protocol}&class=dog").content)
    for model in about["models"]:
        curve = results[model["letter"]].curve("dog")
        np.testing.assert_array_equal(columns[f"{model['letter']}.recall"], curve.recall)
        np.testing.assert_array_equal(columns[f"{model['letter']}.precision"], curve.precision)
    about, columns = decoded(client.get(f"/api/mean?p={protocol}").content)
    for model in about["models"]:
        expected = results[model["letter"]]["AP50" if protocol == "coco" else "mAP"]
        assert model["ap"] == expected


@pytest.mark.parametrize("label", [None, "dog"])
@pytest.mark.parametrize("score", [0.0, 0.5])
def test_lists_of_images(
    client: TestClient, results: dict[str, Result], protocol: str, score: float, label: str | None
) -> None:
    query = f"p={protocol}&m=A&s={score}" + (f"&class={label}" if label else "")
    _, columns = decoded(client.get(f"/api/images?{query}&sort=name").content)
    point = results["A"].at(score)
    truth = results["A"].numbers.prepared.truth  # type: ignore[union-attr]
    for at, i in enumerate(columns["index"].tolist()):
        key = truth.images.key[i]
        for name, verdict in (("tp", "TP"), ("fp", "FP"), ("fn", "FN")):
            assert columns[name][at] == len(point.rows(verdict, label, key))
    for verdict, name in (("fp", "fp"), ("fn", "fn"), ("tp", "tp")):
        _, some = decoded(client.get(f"/api/images?{query}&verdict={verdict}").content)
        assert set(some["index"].tolist()) == set(columns["index"][columns[name] > 0].tolist())
        errors = some["fp"] + some["fn"]
        assert (np.diff(errors) <= 0).all()  # worst first


def test_one_image(client: TestClient, results: dict[str, Result], protocol: str) -> None:
    about, columns = decoded(client.get(f"/api/image?p={protocol}&i=5&m=A,B&s=0.5").content)
    assert (about["name"], about["width"], about["height"], about["picture"]) == ("scene 06.png", 160, 120, True)
    for letter, result in results.items():
        point, detections = result.at(0.5), result.numbers.prepared.detections  # type: ignore[union-attr]
        rows = np.flatnonzero(detections.image == 5)
        np.testing.assert_array_equal(columns[f"{letter}.score"], detections.score[rows])
        np.testing.assert_array_equal(columns[f"{letter}.corners"].reshape(-1, 4), detections.corners[rows])
        for verdict, name in ((judged.TRUE, "TP"), (judged.FALSE, "FP")):
            expected = np.isin(rows, point.rows(name))
            np.testing.assert_array_equal(columns[f"{letter}.verdict"] == verdict, expected)
        missed = np.isin(np.flatnonzero(result.numbers.prepared.truth.image == 5), point.rows("FN"))  # type: ignore[union-attr]
        np.testing.assert_array_equal(columns[f"{letter}.object_verdict"] == judged.MISSED, missed)
        pairs = dict(zip(point.pairs.detection.tolist(), point.pairs.overlap.tolist(), strict=True))
        for k, row in enumerate(rows.tolist()):
            value = columns[f"{letter}.overlap"][k]
            assert (math.isnan(value) and row not in pairs) or value == pairs[row]
            if row in pairs:
                assert columns[f"{letter}.best"][k] == pairs[row]


def test_tiles_have_the_boxes_that_count(client: TestClient, results: dict[str, Result]) -> None:
    about, columns = decoded(client.get("/api/tiles?p=coco&m=A&s=0.5&i=5,0").content)
    assert [one["index"] for one in about["images"]] == [5, 0]
    point = results["A"].at(0.5)
    for one, part in zip(about["images"], np.split(columns["verdict"], [about["images"][0]["boxes"]]), strict=True):
        counts = [len(point.rows(v, image=one["name"])) for v in ("TP", "FP", "FN")]
        assert [(part == v).sum() for v in (judged.TRUE, judged.FALSE, judged.MISSED)] == counts


def test_statistics_are_those_of_inspect(client: TestClient, folder: Path) -> None:
    answer = client.get("/api/data").json()
    made = bs.contents(bs.read_truth(folder / "truth.json")[0])
    assert (answer["images"], answer["boxes"], answer["flat"]) == (made.images, made.boxes, made.flat)
    assert [row[:4] for row in answer["classes"]] == [[c.name, c.id, c.boxes, c.images] for c in made.classes]
    assert [h["counts"] for h in answer["histograms"]] == [list(h.counts) for h in made.histograms]
    assert sum(answer["centres"]) == made.boxes
    assert answer["sizes"] == [[160, 120, 12]]
    assert client.get("/api/data?side=A").json()["side"] == "detections"


@pytest.mark.parametrize(
    ("place", "code"),
    [("overview?p=lvis", 404), ("point?m=Z", 404), ("point?m=AB", 404), ("point?s=nan", 400), ("point?s=x", 400),
     ("images?verdict=x", 400), ("images?class=x", 404), ("image?i=99", 404), ("image?i=-1", 404),
     ("steps?iou=0.123", 400), ("data?side=Z", 404), ("nothing", 404), ("tiles?i=99", 404)],
)  # fmt: skip
def test_what_there_is_not(client: TestClient, place: str, code: int) -> None:
    assert client.get(f"/api/{place}").status_code == code


def test_nothing_is_open(empty: TestClient) -> None:
    for place in ("overview", "classes", "data", "picture?i=0", "images"):
        assert (empty.get(f"/api/{place}").status_code) == 409
    assert empty.get("/api/state").json()["opened"] is None
    assert empty.post("/api/evaluate").status_code == 400
    assert "coco" in [name for name, _ in empty.get("/api/choices").json()["protocols"]]


def test_tables_and_plots_are_saved_once(client: TestClient, folder: Path) -> None:
    answer = client.post("/api/save", json={"folder": str(folder / "out"), "plots": True}).json()
    made = sorted(path.relative_to(folder / "out").as_posix() for path in (folder / "out").rglob("*") if path.is_file())
    assert len(made) == answer["files"]
    assert {"results.csv", "results.json"} < set(made)
    stored = json.loads((folder / "out" / "results.json").read_text())
    assert [r["protocol"] for r in stored["results"]] == ["coco", "coco", "voc2012", "voc2012"]
    again = client.post("/api/save", json={"folder": str(folder / "out")})
    assert again.status_code == 409
    assert client.post("/api/save", json={"folder": "/tmp/elsewhere"}).status_code == 403
    assert client.post("/api/save", json={"folder": str(folder / "no" / "where")}).status_code == 404
    assert client.post("/api/save", json={}).status_code == 400
