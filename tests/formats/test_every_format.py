"""Every format that can be written: recognised by content alone, read back, and what it loses is what it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.formats.holding import HELD, losses
from boxscore.formats.io.same_images import stem
from boxscore.formats.io.writing import write
from boxscore.formats.registry import formats, lookup
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth, row_numbers

KEYS = ["a.jpg", "übung b.jpg", "empty.jpg"]
SIZES = {"width": np.array([640.0, 320.0, 64.0]), "height": np.array([480.0, 240.0, 64.0])}
CORNERS = np.array([[10, 20, 110.5, 220.25], [0, 0, 64, 48], [5, 6, 20, 30]], np.float64)
AREA = (CORNERS[:, 2] - CORNERS[:, 0]) * (CORNERS[:, 3] - CORNERS[:, 1])
WRITES_TRUTH = [form.name for form in formats() if form.write_truth]
WRITES_DETECTIONS = [form.name for form in formats() if form.write_detections]
# Lists are counted from 0, and from 1 where files count so.
UNLISTED = (
    r"(class|label) ('?(traffic light|1)'?.*; expected (one of the 1 listed|a number below 1)|2, .*; expected 1 to 1)"
)
OF_VIDEOS = ("stt", "cvat-video", "youtube-vis", "mot")  # whose images are frames
FRAMES = {"video": ["v.mp4"] * 3, "frame": np.arange(3)}


def columns(form: str) -> tuple[Images, Classes, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    images = Images(KEYS, None, **SIZES)
    if form in OF_VIDEOS:
        images = Images(KEYS, None, np.full(3, 640.0), np.full(3, 480.0), **FRAMES)
    if form in ("voc-results", "dota"):  # names with spaces do not fit there
        images = Images([key.replace(" ", "_") for key in KEYS], None, **SIZES)
    classes = Classes(("cat", "traffic light"), ("cat", "traffic light"))
    image, label = np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32)
    return images, classes, image, label, CORNERS, AREA, row_numbers(3)


def ends(form: str) -> dict[str, Any]:
    """Of formats of relations: each box with itself, so that the box around both is the same."""
    if "relations" not in lookup(form).keeps:
        return {}
    _, classes, _, label, *_ = columns(form)
    labels = np.stack([label, label], 1)
    return {"end_boxes": np.hstack([CORNERS, CORNERS]), "end_labels": labels, "end_classes": classes}


def truth(form: str) -> Truth:
    flags = np.array([int(Flag.DIFFICULT), 0, int(Flag.OCCLUDED)], np.uint16)
    return Truth(*columns(form), "made", "made", area=np.full(3, np.nan), flags=flags, **ends(form))


def detections(form: str) -> Detections:
    return Detections(*columns(form), "made", "made", score=np.array([0.9, 0.25, 0.5]), **ends(form))


def options(form: str) -> Reading:
    """What a format leaves open and the numbers cannot tell."""
    return Reading(box="xywh" if form == "text" else None, shapes=True)


def rows(table: Truth | Detections) -> list[tuple[object, ...]]:
    """What is compared: names without extensions, classes, boxes to a millionth of a pixel, scores."""
    scale = np.array([[1.0] * 4] * len(table))
    if table.relative:
        size = {stem(key): (w, h) for key, w, h in zip(KEYS, *SIZES.values(), strict=True)}
        scale = np.array([[*size[stem(table.images.key[i]).replace("_", " ")]] * 2 for i in table.image])
    scores = table.score if isinstance(table, Detections) else np.zeros(len(table))
    return sorted(
        (stem(table.images.key[i]).replace("_", " "), table.classes.name[k], *np.round(box, 4).tolist(), round(s, 6))
        for i, k, box, s in zip(table.image, table.label, table.corners * scale, scores.tolist(), strict=True)
    )


@pytest.mark.parametrize("form", WRITES_TRUTH)
def test_truth_is_recognised_and_comes_back(tmp_path: Path, form: str) -> None:
    table = truth(form)
    write(table, tmp_path / "made", form)
    made, _ = read_truth(tmp_path / "made", options(form))
    assert made.format == form
    keys = {stem(key) for key in made.images.key}
    if form == "cvat-video":  # frames have their numbers for names
        assert np.array_equal(made.corners, table.corners)
        return
    if form in OF_VIDEOS:
        assert np.array_equal(np.sort(made.corners, axis=0), np.sort(table.corners, axis=0))
        return
    assert rows(made) == rows(table)
    assert ("empty" in keys) == ("empty_images" in lookup(form).keeps)
    for flag in ("difficult", "occluded"):
        bit = int(Flag[flag.upper()])
        kept = ((made.flags & bit) != 0).any()
        assert kept == (flag in lookup(form).keeps), flag


@pytest.mark.parametrize("form", WRITES_DETECTIONS)
def test_detections_are_recognised_and_come_back(tmp_path: Path, form: str) -> None:
    table = detections(form)
    write(table, tmp_path / "made", form)
    made, _ = read_detections(tmp_path / "made", options(form))
    assert made.format in (form, "coco-results")
    if form in OF_VIDEOS:
        assert sorted(made.score.tolist()) == sorted(table.score.tolist())
        return
    assert rows(made) == rows(table)


def bare(path: Path) -> Path:
    """A file or a folder whose names have lost their extensions."""
    for file in sorted(path.rglob("*"), reverse=True):
        if file.is_file() and file.suffix != ".yaml":
            file.rename(file.with_suffix(""))
    return path


@pytest.mark.parametrize("form", [name for name in WRITES_TRUTH if name not in OF_VIDEOS])
def test_truth_comes_back_without_extensions(tmp_path: Path, form: str) -> None:
    write(truth(form), tmp_path / "made", form)
    made, _ = read_truth(bare(tmp_path / "made"), options(form))
    assert (made.format, rows(made)) == (form, rows(truth(form)))


@pytest.mark.parametrize("form", ["voc-results", "dota"])
def test_results_come_back_without_extensions(tmp_path: Path, form: str) -> None:
    write(detections(form), tmp_path / "made", form)
    made, _ = read_detections(bare(tmp_path / "made"))
    assert (made.format, rows(made)) == (form, rows(detections(form)))


@pytest.mark.parametrize("form", formats(), ids=lambda form: form.name)
def test_what_is_kept_has_a_name(form):
    assert set(form.keeps) <= set(HELD)
    assert bool(form.keeps) == bool(form.write_truth or form.write_detections)


def test_losses_by_hand():
    lost = dict(losses(truth("yolo"), lookup("yolo")))
    assert lost == {
        "extensions of image names": 3, "image sizes": 3, "flag 'difficult'": 1, "flag 'occluded'": 1,
        "boxes to their last bits: they become normalized": 3,
    }  # fmt: skip
    assert losses(truth("voc-xml"), lookup("voc-xml")) == []


def refusing(names: list[str]) -> list[str]:
    """Formats whose files do not list their classes; relations have classes of their own (test_relations)."""
    return [name for name in names if "classes" not in lookup(name).tells and "relations" not in lookup(name).keeps]


@pytest.mark.parametrize("form", refusing(WRITES_TRUTH))
def test_objects_of_a_class_that_is_not_listed_are_refused(tmp_path: Path, form: str) -> None:
    write(truth(form), tmp_path / "made", form)
    both = replace(options(form), classes=("cat", "traffic light"))
    assert read_truth(tmp_path / "made", both)[0].label.tolist() == [0, 1, 1]
    with pytest.raises(InputError, match=UNLISTED) as error:
        read_truth(tmp_path / "made", replace(options(form), classes=("cat",)))
    assert error.value.where.startswith(str(tmp_path))


@pytest.mark.parametrize("form", refusing(WRITES_DETECTIONS))
def test_detections_of_a_class_that_is_not_listed_are_refused(tmp_path: Path, form: str) -> None:
    write(detections(form), tmp_path / "made", form)
    read_detections(tmp_path / "made", replace(options(form), classes=("cat", "traffic light")))
    with pytest.raises(InputError, match=UNLISTED) as error:
        read_detections(tmp_path / "made", replace(options(form), classes=("cat",)))
    assert error.value.where.startswith(str(tmp_path))


def test_the_law_asks_nearly_all_formats() -> None:
    assert {*WRITES_TRUTH} - {*refusing(WRITES_TRUTH)} == {"coco", "open-images-vrd"}
