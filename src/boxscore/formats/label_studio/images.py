"""What a task of Label Studio calls its images: addresses, uploads, paths below a folder that it serves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import IMAGES
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.record_values import clean

_USUAL = ("image", "img", "images", "url", "photo", "picture", "ocr", "captioning")  # names of fields of `data`
_UPLOAD = re.compile(r"(?:.*/)?upload/(?:\d+/)?(?:[0-9a-f]{8}-)?([^/]+)")  # `8 digits-` go before names of uploads
_PAGE = re.compile(r"_(\d+)$")


def image_names(task: Value) -> list[str]:
    """The names of the images of a task, mostly one."""
    data = task["data"] if task.has("data") else task
    fields = data.object()
    usual = [name for name in _USUAL if name in fields]
    for name in (*usual, *fields):
        texts = _texts(fields[name])
        if texts and (name in usual or all(text.lower().split("?")[0].endswith(IMAGES) for text in texts)):
            return [_path(text) for text in texts]
    if task.has("data"):
        return [str(task["id"].whole())] if task.has("id") else [task.path]
    raise task.wrong("no image", "a task with the address of an image")


def _texts(value: Any) -> list[str]:
    """The addresses under a field: one, or those of a list, as text or under `url`."""
    inside = value if isinstance(value, list) else [value]
    inside = [one.get("url") if isinstance(one, dict) else one for one in inside]
    return [clean(one) for one in inside] if all(isinstance(one, str) and one.strip() for one in inside) else []


def _path(address: str) -> str:
    """The path of an address, without server and percent signs.

    >>> _path("/data/upload/1/0a1b2c3d-cat%201.jpg"), _path("https://x.org/a/b.jpg?v=1"), _path("s3://bucket/a.jpg")
    ('/data/upload/1/0a1b2c3d-cat 1.jpg', 'a/b.jpg', 'a.jpg')
    >>> _path("/data/local-files/?d=set%20one/a.jpg"), _path("a\\\\b#1.jpg")
    ('set one/a.jpg', 'a/b#1.jpg')
    """
    if "local-files/?d=" in address and (inside := parse_qs(urlsplit(address).query).get("d")):
        return inside[0].replace("\\", "/").lstrip("/")
    if "://" in address:
        return unquote(urlsplit(address).path, errors="replace").lstrip("/") or address
    return unquote(address, errors="replace").replace("\\", "/")


def own_name(source: str, names: Sequence[str]) -> dict[str, str]:
    """What each image is to be called: uploads as before they were uploaded, where that is no other's name."""
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        found = f"images in several tasks ({first_few(twice, len(twice))})"
        raise InputError(source, found, "a task of its own for every image", "Export each of the projects by itself.")
    short = {name: match[1] if (match := _UPLOAD.fullmatch(name)) else name.lstrip("/") for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def page_of(region: Value) -> int:
    """Which image of its task a region is in: `item_index`, or the number at the end of the name of its control."""
    if region.has("item_index"):
        return max(region["item_index"].whole(), 0)
    name = region.get("to_name")
    match = _PAGE.search(name.value) if name is not None and isinstance(name.value, str) else None
    return int(match[1]) if match else 0
