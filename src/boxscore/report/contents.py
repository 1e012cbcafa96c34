"""The contents of tables as text, Markdown and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from boxscore.analysis.contents import QUANTILES, Contents, Histogram
from boxscore.evaluation.ledger import ImageAccount
from boxscore.report.markdown import page_markdown
from boxscore.report.table import Page, Row, Table
from boxscore.report.text import WIDTH, page_text
from boxscore.report.words import labels, printable

SCHEMA = "boxscore/contents/1"
MOST = 30  # classes that are shown unless all are asked for
BAR = 30  # characters of the longest bar


def as_text(
    made: Sequence[Contents], account: ImageAccount | None = None, columns: int = WIDTH, every: bool = False
) -> str:
    """All tables, one under the other."""
    return "\n".join(page_text(page, columns) for page in _pages(made, account, every))


def as_markdown(made: Sequence[Contents], account: ImageAccount | None = None, every: bool = False) -> str:
    """The same in GitHub's Markdown."""
    return "\n".join(page_markdown(page) for page in _pages(made, account, every))


def dumps(made: Sequence[Contents], account: ImageAccount | None, version: str) -> str:
    """The same as JSON, in a fixed order of keys; undefined is null."""
    document: dict[str, object] = {"schema": SCHEMA, "version": version, "contents": [_values(one) for one in made]}
    if account is not None:
        document["images"] = {
            "truth": account.truth, "detections": account.detections, "matched": account.matched,
            "only_truth": account.only_truth, "only_detections": account.only_detections,
        }  # fmt: skip
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _values(made: Contents) -> dict[str, object]:
    return {
        "side": made.side, "path": made.source, "format": made.format, "images": made.images,
        "empty_images": made.empty_images, "boxes": made.boxes, "rejected": dict(made.rejected),
        "coords": "relative" if made.relative else "absolute", "flat": made.flat, "outside": made.outside,
        "holds": dict(made.holds), "shapes": dict(made.shapes),
        "classes": [
            {"name": c.name, "id": c.id, "boxes": c.boxes, "images": c.images, "width": _finite(c.width),
             "height": _finite(c.height)}
            for c in made.classes
        ],
        "quantiles": {
            name: {f"{q:g}": _finite(v) for q, v in zip(QUANTILES, values, strict=True)}
            for name, values in made.quantiles.items()
        },
        "histograms": [
            {"title": h.title, "edges": [_finite(e) for e in h.edges], "counts": list(h.counts)}
            for h in made.histograms
        ],
    }  # fmt: skip


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _pages(made: Sequence[Contents], account: ImageAccount | None, every: bool) -> list[Page]:
    pages = []
    for one in made:
        pages += [_overview(one), _classes(one, every), _quantiles(one), *map(_histogram, one.histograms)]
    if account is not None:
        rows = (
            ("in the truth", account.truth), ("in the detections", account.detections), ("in both", account.matched),
            ("only in the truth", account.only_truth), ("only in the detections", account.only_detections),
        )  # fmt: skip
        pages.append(Page((), Table("Images", (("images",),), tuple(Row(text, (f"{n:,}",)) for text, n in rows))))
    return pages


def _overview(made: Contents) -> Page:
    what = "objects" if made.side == "truth" else "detections"
    rows = [
        Row("images", (f"{made.images:,}",), f"{made.empty_images:,} without {what}"),
        Row(what, (f"{made.boxes:,}",), "normalized" if made.relative else "in pixels"),
        Row("classes", (f"{len(made.classes):,}",)),
        *(Row(f"rejected: {reason}", (f"{n:,}",)) for reason, n in made.rejected),
        *(Row(f"with {name}", (f"{n:,}",), f"{n / max(made.boxes, 1):.1%} of all") for name, n in made.shapes),
        *(Row(text, (f"{n:,}",)) for text, n in made.holds if text not in dict(made.shapes)),
        *([Row("degenerate boxes", (f"{made.flat:,}",))] if made.flat else []),
        Row("boxes that leave the image", ("n/a" if made.outside is None else f"{made.outside:,}",),
            "image sizes are not known" if made.outside is None else ""),
    ]  # fmt: skip
    source = ((made.side, f"{printable(made.source)} ({made.format})"),)
    return Page(source, Table("Contents", (("count",),), tuple(rows)))


def _classes(made: Contents, every: bool) -> Page:
    ordered = sorted(made.classes, key=lambda row: -row.boxes)
    shown = ordered if every else ordered[:MOST]
    whole = max(made.boxes, 1)
    names = labels(c.name for c in made.classes)
    sides = {c.name: (_number(c.width), _number(c.height)) for c in shown}
    rows = tuple(
        Row(names[c.name], (f"{c.boxes:,}", f"{c.boxes / whole:.1%}", f"{c.images:,}", *sides[c.name])) for c in shown
    )
    left = len(ordered) - len(shown)
    notes = (f"… and {left:,} more classes (--all-classes shows them)",) if left else ()
    heads = (("boxes", "share", "images", "median width", "median height"),)
    return Page((), Table("Classes", heads, rows, notes))


def _quantiles(made: Contents) -> Page:
    names = {0.0: "least", 0.5: "median", 1.0: "most"}
    heads = (tuple(names.get(q, f"{q:.0%}") for q in QUANTILES),)
    rows = tuple(Row(name, tuple(_number(v) for v in values)) for name, values in made.quantiles.items())
    return Page((), Table("Quantiles", heads, rows))


def _histogram(made: Histogram) -> Page:
    largest = max(made.counts, default=0) or 1
    total = sum(made.counts) or 1
    rows = tuple(
        Row(_bin(low, high, made.of_images), (f"{n:,}", f"{n / total:.1%}"), "█" * math.ceil(BAR * n / largest))
        for low, high, n in _filled(made)
    )
    return Page(
        (),
        Table(
            made.title[:1].upper() + made.title[1:],
            (("images" if made.of_images else "boxes", "share"),),
            rows,
        ),
    )


def _filled(made: Histogram) -> list[tuple[float, float, int]]:
    """The bins from the first to the last that is not empty."""
    bins = list(zip(made.edges, made.edges[1:], made.counts, strict=False))
    used = [i for i, (_, _, n) in enumerate(bins) if n]
    return bins[used[0] : used[-1] + 1] if used else []


def _bin(low: float, high: float, whole: bool) -> str:
    if math.isinf(high):
        return f"from {low:.4g}"
    if whole:
        return f"{low:.4g}" if high == low + 1 else f"{low:.4g} to {high - 1:.4g}"
    return f"below {high:.4g}" if math.isinf(low) or not low else f"{low:.4g} to {high:.4g}"


def _number(value: float) -> str:
    if math.isnan(value):
        return "n/a"
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"
