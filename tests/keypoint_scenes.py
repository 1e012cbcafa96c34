"""Scenes with keypoints: crowds, objects without labelled points, results with and without boxes, ties."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

COORDINATES = (0, 3, 10, 10.25, 17.3, 40, 41.5, 77.7, 100)
SIDES = (0.1, 12.0, 33.3, 64, 100.7)
AREAS = (0, 0.1, 300.5, 1024, 1024.0, 5000.25, 9216, 20000)
POINTS = (1, 2, 7, 8, 9, 17, 21)


class PoseScene(NamedTuple):
    """Truth and results as COCO has them, and the sigmas of the points."""

    truth: dict[str, Any]
    results: list[dict[str, Any]]
    sigmas: tuple[float, ...]


@st.composite
def pose_scenes(draw: Any, *, many: bool = True) -> PoseScene:
    """Scenes with up to three images, two classes and a few objects; with `many` some cells have more than 20."""
    n = draw(st.sampled_from(POINTS))
    sigmas = tuple(draw(st.lists(st.sampled_from((0.025, 0.05, 0.079, 0.107, 1.5)), min_size=n, max_size=n)))
    images, classes = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    some = st.sampled_from(COORDINATES)
    place = st.tuples(st.integers(1, images), st.integers(1, classes))
    annotations: list[dict[str, Any]] = []
    for i in range(draw(st.integers(0, 7))):
        image, label = draw(place)
        seen = draw(st.one_of(st.just([0] * n), st.lists(st.sampled_from((0, 1, 2)), min_size=n, max_size=n)))
        points = draw(st.lists(st.tuples(some, some), min_size=n, max_size=n))
        labelled = sum(v > 0 for v in seen)
        annotations.append({
            "id": draw(st.sampled_from((i, i + 1, 5))), "image_id": image, "category_id": label,
            "keypoints": [v for (x, y), s in zip(points, seen, strict=True) for v in (x, y, s)],
            "num_keypoints": draw(st.sampled_from((labelled,) * 6 + (0, 3))),
            "bbox": [draw(some), draw(some), draw(st.sampled_from(SIDES)), draw(st.sampled_from(SIDES))],
            "area": draw(st.sampled_from(AREAS)), "iscrowd": draw(st.sampled_from((0, 0, 0, 1))),
        })  # fmt: skip
    results = [draw(_result(annotations, n, place, some)) for _ in range(draw(st.integers(1, 12)))]
    if many and draw(st.sampled_from((False, False, True))):
        first = results[0]
        results += [{**first, "score": (k * 7 % 11) / 10} for k in range(draw(st.sampled_from((19, 20, 24))))]
    boxed = draw(st.sampled_from(("none", "all", "not the first")))
    for k, result in enumerate(results):
        if boxed == "all" or (boxed == "not the first" and k):
            result["bbox"] = [1.0, 2.0, draw(st.sampled_from(SIDES)), draw(st.sampled_from(SIDES))]
    truth = {
        "images": [{"id": i, "width": 200, "height": 150, "file_name": f"{i}.jpg"} for i in range(1, images + 1)],
        "annotations": annotations,
        "categories": [{"id": k, "name": f"class {k}"} for k in range(1, classes + 1)],
    }
    return PoseScene(truth, results, sigmas)


@st.composite
def _result(draw: Any, annotations: list[dict[str, Any]], n: int, place: Any, some: Any) -> dict[str, Any]:
    image, label = draw(place)
    values = [v for _ in range(n) for v in (draw(some), draw(some), draw(st.sampled_from((0, 1, 0.37))))]
    if annotations and draw(st.integers(0, 4)):  # most are an object's points, moved a little
        near = draw(st.sampled_from(annotations))
        image, label = near["image_id"], near["category_id"]
        shift, turn = draw(st.sampled_from((0, 0, 0.5, 1, 2.75, 9))), draw(st.sampled_from((1, -1)))
        values = [v if k % 3 == 2 else v + shift * turn**k for k, v in enumerate(near["keypoints"])]
    score = draw(st.sampled_from((0.9, 0.8, 0.8, 0.5, 0.25)))
    return {"image_id": image, "category_id": label, "keypoints": values, "score": score}
