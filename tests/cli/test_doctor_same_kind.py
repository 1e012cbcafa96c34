"""`doctor --fix` writes the kind of container that it read: the same files, layout, columns and packing."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.formats.io.writing import Writing, write
from boxscore.formats.registry import formats
from boxscore.joining.read import read_truth
from boxscore.tables.model import Classes, Detections, Truth, select
from doctor.scenes import good

Command = Callable[..., Any]
Table = Truth | Detections


@pytest.fixture
def tables(folder: Path) -> tuple[Truth, Detections]:
    """A good data set, also as t.json, d.json and sizes.json; its images are in folders."""
    truth, found = good(11, small=True)
    assert found is not None
    write(truth, folder / "t.json", "coco")
    write(found, folder / "d.json", "coco")
    sizes = {key: [w, h] for key, w, h in zip(truth.images.key, truth.images.width, truth.images.height, strict=True)}
    (folder / "sizes.json").write_text(json.dumps(sizes))
    return truth, found


def swapped(table: Any) -> Any:
    """The table with x and y exchanged."""
    return replace(table, corners=np.ascontiguousarray(table.corners[:, [1, 0, 3, 2]]))


def content(path: Path) -> dict[str, bytes]:
    """Everything below a path, in a folder or an archive, or of a file."""
    if path.is_dir():
        return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
    raw = path.read_bytes()
    if raw[:4] == b"PK\3\4":
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    if raw[257:262] != b"ustar":
        return {"": raw}
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}  # type: ignore[union-attr]


def ap(done: Any) -> float:
    assert done.code == 0, done.err
    value: float = json.loads(done.out)["results"][0]["metrics"]["AP"]
    return value


def fixed(boxscore: Command, truth: str, found: str, out: str, *options: str, tolerance: float = 1e-12) -> Any:
    """Fixes the swapped side, and demands the AP of the good files of what was written, read with the same options.

    Shares times sizes are the old numbers but for their last bits; the rest is exact.
    """
    done = boxscore("doctor", truth, found, "--fix", out, *options)
    assert "without BOX101" in done.err, done.out + done.err
    side = "truth" if "the truth without" in done.err else "detections"
    sides = (out, found) if side == "truth" else (truth, out)
    before = ap(boxscore("eval", "t.json", "d.json", "--format", "json"))
    assert ap(boxscore("eval", *sides, "--format", "json", *options)) == pytest.approx(before, abs=tolerance)
    return done


def rows(files: dict[str, bytes]) -> list[list[str]]:
    return [
        line.split() for name in sorted(files) if name.endswith(".txt") for line in files[name].decode().split("\n")
    ]


def test_a_folder_of_text_keeps_its_files_and_lines(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections]
) -> None:
    write(swapped(tables[1]), folder / "made", "text", Writing(box="xyxy"))
    (folder / "in" / "run 1").mkdir(parents=True)
    for name, lines in content(folder / "made").items():  # names, endings and a comment that no writer would make
        own = folder / "in" / "run 1" / name.replace(".txt", ".TXT")
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_bytes(b"# by hand\r\n" + lines.replace(b"\n", b"\r\n"))
    (folder / "in" / "README.md").write_text("notes")
    fixed(boxscore, "t.json", "in", "out", "--detections-box", "xyxy", tolerance=0)
    before, after = content(folder / "in"), content(folder / "out")
    assert [*after] == [*before]
    assert after["README.md"] == b"notes"
    for name in before:
        if name.endswith(".TXT"):
            old, new = (text.split(b"\r\n") for text in (before[name], after[name]))
            assert len(old) == len(new)
            assert [line.rsplit(None, 4)[0] for line in new[1:-1]] == [line.rsplit(None, 4)[0] for line in old[1:-1]]
            assert (new[0], new[-1]) == (b"# by hand", b"")


@pytest.mark.parametrize("confidence", ["first", "last"])
@pytest.mark.parametrize("layout", ["labels/val/", "", "predict/"])
def test_yolo_keeps_its_layout(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections], layout: str, confidence: str
) -> None:
    write(swapped(tables[1]), folder / "made", "yolo", Writing(confidence=confidence))
    before = {}
    for name, lines in content(folder / "made").items():
        if name.startswith("labels/"):
            before[layout + name.removeprefix("labels/")] = lines
    names = "\n".join(tables[0].classes.name).encode()
    before[f"{layout.partition('/')[0] + '/' if layout else ''}classes.txt"] = names
    for name, lines in before.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(lines)
    fixed(boxscore, "t.json", "in", "out", "--confidence", confidence)
    after = content(folder / "out")
    assert {*after} == {*before}
    at = 1 if confidence == "first" else 5
    assert [(r[0], r[at], len(r)) for r in rows(after) if len(r) == 6] == [
        (r[0], r[at], len(r)) for r in rows(before) if len(r) == 6
    ]


def test_yolo_truth_with_its_images(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    """All of a data set is there again: what says where things are, and the images that tell their sizes."""
    from PIL import Image

    truth, _ = tables
    write(swapped(truth), folder / "in", "yolo")
    for key, w, h in zip(truth.images.key, truth.images.width, truth.images.height, strict=True):
        place = folder / "in" / "images" / key
        place.parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (int(w), int(h))).save(place)
    (folder / "in" / "images" / "empty.png").write_bytes((folder / "in" / "images" / truth.images.key[0]).read_bytes())
    done = boxscore("doctor", "in", "d.json", "--fix", "out", "--images", "in/images")
    assert done.err == "written     out (yolo): the truth without BOX101\n"
    before, after = content(folder / "in"), content(folder / "out")
    assert [*after] == [*before]
    assert all(after[name] == before[name] for name in before if not name.startswith("labels/"))
    made = boxscore("eval", "out", "d.json", "--format", "json")  # the images beside the labels have sizes
    assert ap(made) == pytest.approx(ap(boxscore("eval", "t.json", "d.json", "--format", "json")), abs=1e-12)


def packed_zip(files: dict[str, bytes], path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files.items():
            archive.writestr(name, lines)


def packed_tar(files: dict[str, bytes], path: Path) -> None:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        for name, lines in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(lines)
            archive.addfile(info, io.BytesIO(lines))


NAMES = {"coco": "found.json", "tf-csv": "found.csv"}
OF_VIDEOS = ("stt", "cvat-video", "youtube-vis", "mot")  # these images are none
OF_RELATIONS = ("open-images-vrd",)  # these are single boxes
# Of these, kitti cannot hold classes that end with a number.
OTHERS = ("yolo", "text", "open-images", "kitti", *OF_VIDEOS, *OF_RELATIONS)


@pytest.mark.parametrize("form", [form.name for form in formats() if form.write_detections and form.name not in OTHERS])
def test_every_format_keeps_its_kind(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections], form: str
) -> None:
    write(swapped(tables[1]), folder / "in", form)
    fixed(boxscore, "t.json", "in", "out")
    assert [*content(folder / "out")] == [*content(folder / "in")]


def test_open_images_twice(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    write(tables[1], folder / "in.csv", "open-images")
    first, _, rest = (folder / "in.csv").read_text().partition("\n")
    before = (folder / "in.csv").read_text()
    (folder / "in.csv").write_text(f"{first}\n{rest}{rest}")
    assert "without DUP101" in boxscore("doctor", "t.json", "in.csv", "--fix", "out.csv").err
    assert len((folder / "out.csv").read_text().splitlines()) == len(before.splitlines())


PACKED: dict[str, Callable[[dict[str, bytes], Path], None]] = {
    "in.zip": packed_zip, "in.tar": packed_tar, "in.tar.gz": packed_tar,
}  # fmt: skip


@pytest.mark.parametrize("form", ["yolo", "text", "coco", "voc-xml", "tf-csv"])
@pytest.mark.parametrize("name", [*PACKED])
def test_an_archive_stays_one(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections], name: str, form: str
) -> None:
    write(swapped(tables[1]), folder / "made", form)
    files = {f"set 1/{path or NAMES[form]}": lines for path, lines in content(folder / "made").items()}
    PACKED[name](files, folder / name)
    options = {"yolo": ("--confidence", "last"), "text": ("--box", "xywh")}.get(form, ())
    fixed(boxscore, "t.json", name, f"out{name[2:]}", *options)
    raw = (folder / f"out{name[2:]}").read_bytes()
    assert raw[:2] == {"in.zip": b"PK", "in.tar.gz": b"\x1f\x8b"}.get(name, raw[:2])
    assert [*content(folder / f"out{name[2:]}")] == [*content(folder / name)]


@pytest.mark.parametrize("form", ["coco", "tf-csv"])
def test_a_packed_file_stays_packed(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections], form: str
) -> None:
    write(swapped(tables[1]), folder / "made", form)
    (folder / "in.gz").write_bytes(gzip.compress((folder / "made").read_bytes()))
    fixed(boxscore, "t.json", "in.gz", "out.gz")
    assert (folder / "out.gz").read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize("layout", ["", "Annotations/", "VOC2012/Annotations/"])
def test_voc_xml_keeps_its_files(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections], layout: str
) -> None:
    write(swapped(tables[1]), folder / "made", "voc-xml")
    for name, text in content(folder / "made").items():
        place = folder / "in" / (layout + name.replace(".xml", ".XML"))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    fixed(boxscore, "t.json", "in", "out")
    assert [*content(folder / "out")] == [*content(folder / "in")]


def test_a_csv_file_keeps_its_columns(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    found = tables[1]
    lines = ["note;conf;image;label;x1;y1;x2;y2"]
    for image, label, c, score in zip(found.image, found.label, found.corners.tolist(), found.score, strict=True):
        x0, y0, x1, y1 = map(repr, c)
        name = found.images.key[image]
        lines.append(f"kept;{float(score)!r};{name};{found.classes.name[label]};{y0};{x0};{y1};{x1}")
    (folder / "in.csv").write_text("\n".join(lines) + "\n")
    fixed(boxscore, "t.json", "in.csv", "out.csv", tolerance=0)
    after = (folder / "out.csv").read_text().split("\n")
    assert after[0] == lines[0]
    assert [line.split(";")[:4] for line in after[1:-1]] == [line.split(";")[:4] for line in lines[1:]]


def test_classes_keep_their_numbers(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    """Class ids that are one too high come back as ids."""
    truth, found = tables
    sizes = np.stack([truth.images.width, truth.images.height], axis=1)[found.image]
    for image, key in enumerate(truth.images.key):
        file = folder / "in" / f"{key[:-4]}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        own = found.image == image
        shares = found.corners[own] / np.tile(sizes[own], 2)
        ids = [int(truth.classes.id[k]) + 1 for k in found.label[own]]
        file.write_text("".join(
            f"{k} {float((a + c) / 2)!r} {float((b + d) / 2)!r} {float(c - a)!r} {float(d - b)!r} {float(s)!r}\n"
            for k, (a, b, c, d), s in zip(ids, shares, found.score[own], strict=True)
        ))  # fmt: skip
    done = boxscore("doctor", "t.json", "in", "--fix", "out", "--confidence", "last")
    assert "written     out (yolo): the detections without CLS101" in done.err
    before, after = rows(content(folder / "in")), rows(content(folder / "out"))
    known = [r for r in before if r and int(r[0]) - 1 in truth.classes.id]
    assert [[str(int(r[0]) - 1), *r[1:]] for r in known] == [r for r in after if r]
    assert ap(boxscore("eval", "t.json", "out", "--confidence", "last", "--format", "json")) == pytest.approx(
        ap(boxscore("eval", "t.json", "d.json", "--format", "json")), abs=1e-12
    )


def test_images_of_other_numbers_are_files_of_other_names(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections]
) -> None:
    write(tables[1], folder / "made", "text")
    (folder / "in").mkdir()
    for name, lines in content(folder / "made").items():
        number = int(re.findall(r"\d+", name)[-1])
        (folder / "in" / f"{number + 100_000}.txt").write_bytes(lines)
    done = boxscore("doctor", "t.json", "in", "--fix", "out", "--box", "xywh")
    assert "out (text): the detections without IMG101" in done.err, done.out + done.err
    assert sorted(content(folder / "out").values()) == sorted(content(folder / "in").values())
    assert ap(boxscore("eval", "t.json", "out", "--box", "xywh", "--format", "json")) == ap(
        boxscore("eval", "t.json", "d.json", "--format", "json")
    )


def test_rows_that_are_there_twice_go(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    write(tables[1], folder / "in", "text")
    good_lines = content(folder / "in")
    first = max(good_lines, key=lambda name: len(good_lines[name]))
    for name, lines in good_lines.items():
        (folder / "in" / name).write_bytes(lines * 2)
    done = boxscore("doctor", "t.json", "in", "--fix", "out", "--box", "xywh")
    assert "without DUP101" in done.err, done.out
    assert content(folder / "out")[first] == good_lines[first]
    assert content(folder / "out") == good_lines


def test_names_that_the_format_has_not_are_told(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections]
) -> None:
    write(swapped(tables[1]), folder / "made", "voc-results")
    (folder / "in").mkdir()
    for name, lines in content(folder / "made").items():
        (folder / "in" / name.replace("comp4", "comp3").replace("test", "val")).write_bytes(lines)
    done = fixed(boxscore, "t.json", "in", "out")
    assert "note        out: its files have the names that are usual for VOC results: comp" in done.err


def test_rows_without_a_class_are_told(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    truth, found = tables
    shifted = tuple(f"{int(key) + 1}" for key in truth.classes.id)
    write(replace(found, classes=Classes(shifted, shifted)), folder / "in", "text")
    first = next((folder / "in").rglob("*.txt"))
    first.write_text(f"99 0.5 1 2 3 4\n{first.read_text()}")
    done = boxscore("doctor", "t.json", "in", "--fix", "out.zip", "--box", "xywh")
    assert "the detections without CLS101" in done.err, done.out + done.err
    assert "note        out.zip: left out: 1 row whose image or class the ground truth does not have" in done.err
    assert "note        out.zip is a folder, as in is, whatever its name says" in done.err
    made = boxscore("eval", "t.json", "out.zip", "--box", "xywh", "--format", "json")
    assert ap(made) == ap(boxscore("eval", "t.json", "d.json", "--format", "json"))


def test_polygons_become_boxes_and_that_is_told(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections]
) -> None:
    write(swapped(tables[1]), folder / "in", "yolo")
    for file in (folder / "in" / "labels").rglob("*.txt"):
        made = []
        for k, cx, cy, w, h, score in (map(float, line.split()) for line in file.read_text().splitlines()):
            x0, y0, x1, y1 = cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2
            made.append(f"{k:g} {x0!r} {y0!r} {x1!r} {y0!r} {x1!r} {y1!r} {score!r}\n")
        file.write_text("".join(made))
    done = fixed(boxscore, "t.json", "in", "out", "--confidence", "last")
    assert f"note        out: {len(tables[1])} polygons became boxes" in done.err


def test_shards_stay_shards(boxscore: Command, folder: Path, tables: tuple[Truth, Detections]) -> None:
    found = swapped(tables[1])
    (folder / "in").mkdir()
    for k in range(2):
        half = select(found, found.image % 2 == k)
        kept = np.flatnonzero(np.arange(len(found.images)) % 2 == k)
        columns = {name: getattr(found.images, name)[kept] for name in ("id", "width", "height")}
        images = replace(found.images, key=[found.images.key[i] for i in kept], **columns)
        half = replace(half, images=images, image=(half.image // 2).astype(np.int32))
        write(half, folder / "in" / f"x.record-0000{k}-of-00002", "tfrecord")
    fixed(boxscore, "t.json", "in", "out")
    assert [*content(folder / "out")] == [*content(folder / "in")]


@pytest.mark.parametrize("form", ["voc-xml", "labelme"])
def test_a_file_of_one_image_stays_a_file(boxscore: Command, folder: Path, form: str) -> None:
    box = [[0, 0, 9, 9], [2, 2, 2, 9]]  # the second has no width
    truth, _ = read_truth([{"boxes": box, "labels": [1, 1]}], box="xyxy")
    sizes = {"width": np.array([32.0]), "height": np.array([32.0])}
    write(replace(truth, images=replace(truth.images, **sizes)), folder / "made", form)
    ((name, text),) = content(folder / "made").items()
    (folder / name).write_bytes(text)
    done = boxscore("doctor", name, "--fix", "out")
    assert "the truth without BOX001" in done.err, done.out + done.err
    assert (folder / "out").is_file()
    assert ("called by the name of the file; keep that (0.xml, in another folder)" in done.err) == (form == "voc-xml")


def test_examples_name_the_file_of_their_image(
    boxscore: Command, folder: Path, tables: tuple[Truth, Detections]
) -> None:
    """The detections list their images in another order than the truth."""
    write(tables[1], folder / "in", "text")
    done = boxscore("doctor", "t.json", "in", "--box", "xywh", "--format", "json")
    examples = [text for one in json.loads(done.out)["diagnoses"] for text in one["examples"]]
    named = [re.fullmatch(r"(\S+)\.txt: record \d+, image (?:.*/)?(\S+)\.jpg.*", text) for text in examples]
    assert len(named) >= 3
    assert all(found is not None and found[1] == found[2] for found in named), examples
