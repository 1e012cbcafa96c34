"""Masks of Open Images: a file beside the boxes, joined as the official command line joins them."""

from __future__ import annotations

import base64
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from boxscore import InputError, evaluate
from boxscore.cli import main
from boxscore.formats.io.rle import text_of
from boxscore.joining.read import ReadOptions, read_detections, read_truth
from boxscore.tables.model import Flag
from boxscore.tables.shapes import Shape

BOXES = "ImageID,LabelName,XMin,XMax,YMin,YMax,IsGroupOf\n"
MASKS = "ImageID,LabelName,ImageWidth,ImageHeight,XMin,XMax,YMin,YMax,IsGroupOf,Mask\n"
PICTURED = "MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks\n"
FOUND = "ImageID,ImageWidth,ImageHeight,LabelName,Score,Mask\n"


def packed(*counts: int) -> str:
    return base64.b64encode(zlib.compress(text_of(counts).encode())).decode()


LEFT, RIGHT, NOTHING = packed(0, 8, 8), packed(8, 8), packed(16)  # of 4 x 4 pixels


def joined(folder: Path, boxes: str, masks: str, **how: object) -> object:
    (folder / "boxes.csv").write_text(BOXES + boxes)
    (folder / "masks.csv").write_text(masks)
    options = ReadOptions(masks=folder / "masks.csv", needs=("masks",), **how)
    return read_truth(folder / "boxes.csv", options)[0]


def kinds(truth: object) -> list[list[float]]:
    return [[v for _, values in row for v in values] for row in truth.shapes]


def test_an_outer_join(tmp_path: Path) -> None:
    truth = joined(
        tmp_path,
        "a,cat,0,0.5,0,1,0\n"  # its mask is the third
        "a,cat,0.5,1,0,1,0\n"  # it has none
        "a,cat,0,1,0,1,1\n"  # the mask of the same box is not that of a group
        "a,dog,0.25,1,0,1,0\n",  # it has two
        f"{MASKS}a,dog,4,4,0.25,1.0,0,1,0,{LEFT}\na,dog,4,4,.25,1,0,1,0,{RIGHT}\na,cat,4,4,0,5e-1,0,1,0,{LEFT}\n"
        f"a,cat,4,4,0,1,0,1,0,{RIGHT}\nb,cat,4,4,0,1,0,1,0,\n",
    )
    left, right = [4, 4, 0, 8, 8], [4, 4, 8, 8]
    assert kinds(truth) == [left, [], [], left, right, right, []]
    assert [truth.images.key[i] for i in truth.image] == [*"aaaaa", "a", "b"]
    assert [truth.classes.name[k] for k in truth.label] == ["cat", "cat", "cat", "dog", "dog", "cat", "cat"]
    assert truth.flags.tolist() == [0, 0, Flag.GROUP_OF, 0, 0, 0, 0]
    assert truth.position.tolist() == [0, 1, 2, 3, 3, 4, 5]
    assert truth.corners.tolist()[3] == [1, 0, 4, 4]  # in pixels, as sizes are known
    assert truth.added == (("copies of boxes with several masks", 1), ("masks whose box is not in the boxes", 2))


def test_boxes_alone_need_no_masks(tmp_path: Path) -> None:
    (tmp_path / "boxes.csv").write_text(f"{BOXES}a,cat,0,1,0,1,0\n")
    truth = read_truth(tmp_path / "boxes.csv", ReadOptions(masks="not there"))[0]
    assert truth.shapes is None


@pytest.mark.parametrize("place", ["masks", "zip", "beside"])
def test_pictures(tmp_path: Path, place: str) -> None:
    """In the folder of the file, in one below it, or in an archive of masks there; resized to the image."""
    image = pytest.importorskip("PIL.Image")
    folder = tmp_path / "masks" if place == "masks" else tmp_path
    folder.mkdir(exist_ok=True)
    image.fromarray(np.array([[0, 255], [0, 255]], np.uint8)).save(folder / "m1.png")
    if place == "zip":
        with zipfile.ZipFile(tmp_path / "train-masks-0.zip", "w") as archive:
            archive.write(folder / "m1.png", "m1.png")
        (folder / "m1.png").unlink()
    rows = f"{PICTURED}m1.png,a,cat,0f,0.500000,1,0,1,0.9,\n"
    assert kinds(joined(tmp_path, "a,cat,0.5,1,0,1,0\n", rows)) == [[2, 2, 2, 2]]
    resized = joined(tmp_path, "a,cat,0.5,1,0,1,0\n", rows, image_size=(4.0, 4.0))
    assert kinds(resized) == [[4, 4, 8, 8]]


def test_left_out_masks(tmp_path: Path) -> None:
    rows = f"{MASKS}a,cat,4,4,0,1,0,1,0,eeee\nb,cat,4,4,0,1,0,1,0,{LEFT}\n"
    boxes = "a,cat,0,1,0,1,0\nb,cat,0,1,0,1,0\n"
    with pytest.raises(InputError, match=r"masks.csv:2: a Mask that cannot be unpacked"):
        joined(tmp_path, boxes, rows)
    truth = joined(tmp_path, boxes, rows, skip_invalid=True)
    assert kinds(truth) == [[4, 4, 0, 8, 8]]
    assert [truth.images.key[i] for i in truth.image] == ["b"]
    assert [count for _, count in truth.rejected] == [1]


def test_a_predicted_mask_without_pixels_vanishes(tmp_path: Path) -> None:
    (tmp_path / "found.csv").write_text(f"{FOUND}a,4,4,cat,0.9,{NOTHING}\na,4,4,cat,0.8,{LEFT}\n")
    found = read_detections(tmp_path / "found.csv", ReadOptions(needs=("masks",)))[0]
    assert found.corners.tolist() == [[0, 0, 0, 0], [0, 0, 2, 4]]
    (tmp_path / "boxes.csv").write_text(f"{BOXES}a,cat,0,0.5,0,1,0\n")
    (tmp_path / "masks.csv").write_text(f"{MASKS}a,cat,4,4,0,0.5,0,1,0,{LEFT}\n")
    result = evaluate(
        tmp_path / "boxes.csv", tmp_path / "found.csv", protocol="openimages-challenge-segm",
        masks=tmp_path / "masks.csv",
    )  # fmt: skip
    assert result["mAP"] == 1.0


def test_sizes_that_only_predictions_know(tmp_path: Path) -> None:
    """Image b has neither masks nor predictions: everything is compared in normalized coordinates."""
    (tmp_path / "boxes.csv").write_text(f"{BOXES}a,cat,0,0.5,0,1,0\na,cat,0.5,1,0,1,0\nb,cat,0.5,1,0,1,0\n")
    (tmp_path / "masks.csv").write_text(f"{MASKS}a,cat,4,4,0,0.5,0,1,0,{LEFT}\n")
    (tmp_path / "found.csv").write_text(f"{FOUND}a,4,4,cat,0.9,{RIGHT}\na,4,4,cat,0.8,{LEFT}\n")
    result = evaluate(
        tmp_path / "boxes.csv", tmp_path / "found.csv", protocol="openimages-challenge-segm",
        masks=tmp_path / "masks.csv",
    )  # fmt: skip
    assert result["mAP"] == 1.0  # the first detection is on the object without a mask
    assert result.tally.ignored[:, 0].tolist() == [1, 0]


def test_on_the_command_line(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data / "reference" / "tensorflow_od" / "seed0"
    words = [
        "eval", str(folder / "boxes.csv"), str(folder / "pred_masks.csv"), "--protocol", "openimages-challenge-segm",
        "--set", "absorbed_weight=1", "--masks", str(folder / "segm.csv"), "--image-labels", str(folder / "labels.csv"),
        "--hierarchy", str(folder / "hierarchy.json"), "--label-map", str(folder / "labelmap.pbtxt"),
        "--format", "csv", "--quiet",
    ]  # fmt: skip
    assert main(words) == 0
    printed = capsys.readouterr().out
    with (folder / "metrics_seg_cli_expanded.csv").open() as file:
        official = next(line for line in file if "mAP" in line).strip().rpartition(",")[2]
    assert official in printed


def test_shapes_of_both_kinds(tmp_path: Path) -> None:
    truth = joined(tmp_path, "a,cat,0,1,0,1,0\n", f"{MASKS}a,cat,4,4,0,1,0,1,0,{LEFT}\n")
    assert truth.shapes.kind.tolist() == [Shape.RLE]
