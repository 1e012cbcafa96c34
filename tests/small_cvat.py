"""Small CVAT files that several tests start from."""

from __future__ import annotations

from collections import Counter

from boxscore.formats.io.source import Source
from boxscore.formats.io.writing import made
from boxscore.tables.model import Detections, Truth
from table_scenes import named_rows, said

LABELS = "<labels><label><name>cat</name></label><label><name>dog</name></label></labels>"


def xml(*elements: str, meta: str = f"<task>{LABELS}</task>") -> Source:
    text = (
        f'<?xml version="1.0"?><annotations><version>1.1</version><meta>{meta}</meta>{"".join(elements)}</annotations>'
    )
    return Source("a.xml", None, text.encode())


def image(*shapes: str, name: str = "a.jpg", more: str = "") -> str:
    return f'<image id="0" name="{name}" width="20" height="10" {more}>{"".join(shapes)}</image>'


BOX = '<box label="dog" occluded="0" xtl="1.5" ytl="2" xbr="4.25" ybr="6" z_order="0"/>'


def track(*shapes: str, key: int = 0, label: str = "dog", more: str = "") -> str:
    return f'<track id="{key}" label="{label}" {more}>{"".join(shapes)}</track>'


def at(frame: int, x: float, more: str = "", inner: str = "") -> str:
    return f'<box frame="{frame}" xtl="{x}" ytl="2" xbr="{x + 4}" ybr="6" {more}>{inner}</box>'


def task(start: int = 0, stop: int = 4, step: str = "", more: str = "<name>v.mp4</name>") -> str:
    size = "<original_size><width>20</width><height>10</height></original_size>"
    frames = f"<start_frame>{start}</start_frame><stop_frame>{stop}</stop_frame><frame_filter>{step}</frame_filter>"
    return f"<task>{more}{frames}{size}{LABELS}</task>"


def written(table: Truth | Detections, form: str) -> Source:
    ((name, content),) = made(table, form)
    assert name == ""
    return Source("a.xml", None, content)


def rows_of(truth: Truth) -> Counter:
    more = {row: [] for row in range(len(truth))}
    for row, *text in said(truth):
        more[row].append(tuple(text))
    return Counter(
        (*named, int(track), int(flags), tuple(more[row]))
        for row, (named, track, flags) in enumerate(zip(named_rows(truth), truth.track, truth.flags, strict=True))
    )
