"""Damaged bytes give a result or an error that says what is wrong, never another exception. Seeded, so repeatable."""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import tarfile
import zipfile
from contextlib import suppress

import pytest

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.io.files import open_files

TRUTH = {
    "images": [
        {"id": 1, "file_name": "a.jpg", "width": 64, "height": 48, "neg_category_ids": [7, 1]},
        {"id": 2, "coco_url": "http://c/b.jpg", "not_exhaustive_category_ids": []},
    ],
    "annotations": [
        {"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2.5, 30, 4e1], "area": 1200.0, "iscrowd": 0},
        {"id": 2, "image_id": 2, "category_id": 7, "bbox": [5, 5, 10, 10], "area": 100, "iscrowd": 1},
    ],
    "categories": [{"id": 1, "name": "cat", "frequency": "r"}, {"id": 7, "name": "d\u00f6g", "frequency": "f"}],
}
RESULTS = [
    {"image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 40.5], "score": 0.9},
    {"image_id": 2, "category_id": 7, "bbox": [5, 5, 10, 9], "score": 0.25},
]
WHOLE = {**TRUTH, "annotations": [{**a, "score": 0.5} for a in TRUTH["annotations"]]}
WORDS = [
    *(b"null", b"NaN", b"-Infinity", b"1e999", b"true", b"-1", b"99999999999999999999"),
    *(b'"x"', b"{}", b"[]", b"\xff", b"\\ud800", b"", b",", b"\n", b"_"),
]


def damaged(text: bytes, rng: random.Random) -> bytes:
    """The text with up to three places deleted, overwritten, or cut off."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        length = rng.choice((0, 1, 1, 2, 5, 20))
        put = rng.choice((b"", bytes([rng.randrange(256)]), rng.choice(WORDS)))
        text = text[:at] + put + text[at + length :]
        if rng.random() < 0.05:
            text = text[: rng.randrange(len(text) + 1)]
    return text


def evaluated(truth, found, **how):
    """Whether it gave a result; the other good outcome is a complaint that says something."""
    try:
        result = bs.evaluate(truth, found, threads=1, **how)
    except bs.BoxscoreError as error:
        if not str(error).strip():
            raise
        return False
    return bool(result.metrics)


@pytest.mark.parametrize("part", range(4))
def test_damaged_json(tmp_path, part):
    rng = random.Random(part)
    good = 0
    texts = {"truth": json.dumps(TRUTH).encode(), "found": json.dumps(WHOLE if part % 2 else RESULTS).encode()}
    for round_ in range(500):
        which = "truth" if round_ % 2 else "found"
        sides = {**texts, which: damaged(texts[which], rng)}
        for name, text in sides.items():
            (tmp_path / name).write_bytes(text)
        good += evaluated(tmp_path / "truth", tmp_path / "found")
    assert 20 < good < 480  # both kinds of outcome are met


@pytest.mark.parametrize("part", range(4))
def test_damaged_text(tmp_path, part):
    rng = random.Random(part)
    lines = {
        "truth": {"a": b"cat 1 2 30 40\ntraffic light 5 5 20 20\n", "b": b"cat 4 4 9 9 difficult\r\n", "c": b""},
        "found": {"a": b"cat .9 1 2 30 40\ntraffic light 0.5 5 5 20 20\n", "b": b"", "c": b"cat 1e-3 1 1 2 2\n"},
    }
    good = 0
    for round_ in range(500):
        which = "truth" if round_ % 2 else "found"
        for side, files in lines.items():
            shutil.rmtree(tmp_path / side, ignore_errors=True)
            (tmp_path / side).mkdir()
            hurt = rng.choice("abc") if side == which else ""
            for name, text in files.items():
                (tmp_path / side / f"{name}.txt").write_bytes(damaged(text, rng) if name == hurt else text)
        form = rng.choice(({}, {"box": "xywh"}, {"box": "xyxy"}, {"coords": "relative", "image_size": (9, 9)}))
        good += evaluated(tmp_path / "truth", tmp_path / "found", protocol="voc2012", **form)
    assert 20 < good < 480


def packed(kind: str) -> bytes:
    memory = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("a.txt", "deep/b.txt"):
                archive.writestr(name, "cat 1 2 3 4\n" * 20)
        return memory.getvalue()
    with tarfile.open(fileobj=memory, mode="w") as archive:
        for name in ("a.txt", f"{'deep' * 40}.txt"):
            info = tarfile.TarInfo(name)
            info.size = 12
            archive.addfile(info, io.BytesIO(b"cat 1 2 3 4\n"))
    return memory.getvalue() if kind == "tar" else gzip.compress(memory.getvalue())


@pytest.mark.long
@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_damaged_archives_end_in_a_message(tmp_path, kind):
    whole, rng, path = packed(kind), random.Random(1), tmp_path / "a"
    for _ in range(400):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(content))
            match rng.randrange(4):
                case 0:
                    content[at] = rng.randrange(256)
                case 1:
                    content[at : at + 4] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f"))
                case 2:
                    del content[at : at + rng.randint(1, 30)]
                case 3:
                    content[at:at] = content[:20]
        path.write_bytes(content)
        with suppress(InputError):
            files = open_files(path)
            assert files.is_file or sum(len(files.bytes(name)) for name in files.paths) < 5000
