"""Drawings that cannot be made: without images, or of images that cannot be read."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from boxscore.cli.commands import run
from small_coco import RESULTS, TRUTH, file


def drawn(*words: str, truth: Any = TRUTH, **images: bytes) -> Any:
    """Draws on the images `NAME.jpg` in the folder `pics`."""
    Path("pics").mkdir()
    for name, content in images.items():
        Path("pics", f"{name}.jpg").write_bytes(content)
    return run(["draw", file("t.json", truth), *words])


def into(target: str, *words: str, **more: Any) -> Any:
    return drawn(*words, "--images", "pics", "-o", target, **more)


def photo() -> bytes:
    content = io.BytesIO()
    Image.new("L", (64, 64)).save(content, "BMP")
    return content.getvalue()


def huge(patch: pytest.MonkeyPatch) -> Any:
    """A photo with more pixels than Pillow opens."""
    patch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    return into("out", a=photo())


CASES: list[tuple[str, Callable[..., Any]]] = [
    ("--images is missing; expected the folder with the images", lambda: drawn("-o", "out")),
    ("-o is missing; expected the folder to write the drawings to", lambda: drawn("--images", "pics")),
    ("-o t.json: already exists; expected a new folder", lambda: into("t.json", c=photo())),
    ("--limit 0; expected a whole number from 1", lambda: into("out", "--limit", "0", a=photo())),
    ("--limit all; expected a whole number from 1", lambda: into("out", "--limit", "all", a=photo())),
    (
        "--protocol toolkit: a group of protocols; expected a single one",
        lambda: into("out", file("r.json", RESULTS), "--protocol", "toolkit", a=photo()),
    ),
    (
        "pics: none of the images of the ground truth (a.jpg, b.jpg); expected at least one",
        lambda: into("out", c=photo()),
    ),
    (
        "pics: none of the images of the ground truth; expected at least one",
        lambda: into("out", a=photo(), truth={**TRUTH, "images": [], "annotations": []}),
    ),
    (
        "pics/a.jpg: an image that cannot be read (unknown kind); expected a complete image",
        lambda: into("out", a=b"no picture"),
    ),
    (
        "pics/a.jpg: an image that cannot be read (Image size (4096 pixels) exceeds limit of 200 pixels, could be "
        "decompression bomb DOS attack.); expected a complete image",
        huge,
    ),
    (
        "pics/a.jpg: an image that cannot be read (image file is truncated (10 bytes not processed)); expected a "
        "complete image",
        lambda: into("out", a=photo()[:-54]),
    ),
]
