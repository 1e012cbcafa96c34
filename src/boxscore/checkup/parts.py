"""Parts of the detections that may be misread while the rest is not: classes, folders, from some image on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore.checkup.sampling import Sample
from boxscore.errors import first_few
from boxscore.tables.model import Bools, Detections, Floats, Truth

AnyInts = npt.NDArray[np.signedinteger[Any]]
FEW = 8  # detections of a part below which nothing is said of it
CLEAR = 0.2  # what a part must gain to count as misread
MOST_FOLDERS = 64


class Part(NamedTuple):
    """Some of the detections: what they have in common, which of the sample they are, which rows of a table."""

    title: str
    members: Bools  # of the sample
    rows: Callable[[Truth | Detections], Bools]
    cut: tuple[str, int] = ("", 0)  # from ("from") or up to ("before") an image


@dataclass(frozen=True)
class Kind:
    """A way to divide the sample: the part of each detection (-1 for none), and what parts are called."""

    of: AnyInts
    count: int
    titled: Callable[[list[int]], str]
    rows: Callable[[list[int]], Callable[[Truth | Detections], Bools]]


def everything(sample: Sample) -> Part:
    """All detections."""
    return Part("", np.ones(len(sample), np.bool_), lambda table: np.ones(len(table), np.bool_))


def kinds(sample: Sample) -> Iterator[Kind]:
    """By class and by folder."""
    found, keys = sample.aligned.detections, sample.aligned.truth.images.key
    names = [f"'{name}'" for name in found.classes.name]
    yield Kind(
        found.label[sample.detection], len(names),
        lambda some: f"of class{'es' * (len(some) > 1)} {first_few((names[k] for k in some), len(some))}",
        lambda some: lambda table: np.isin(table.label, some),
    )  # fmt: skip
    if not any("/" in keys[i] for i in np.unique(sample.image).tolist()):
        return
    folders = [key.rpartition("/")[0] for key in keys]
    place = {name: k for k, name in enumerate(dict.fromkeys(folders))}
    if 1 < len(place) <= MOST_FOLDERS:
        of = np.array([*(place[name] for name in folders), -1])
        listed = list(place)
        yield Kind(
            of[sample.image], len(place),
            lambda some: f"on images in {first_few((listed[k] or 'the top folder' for k in some), len(some))}",
            lambda some: lambda table: np.isin(of[np.minimum(table.image, len(folders))], some),
        )  # fmt: skip


def misread_parts(sample: Sample, kind: Kind, gain: Floats) -> Iterator[tuple[int, Part]]:
    """For each reading the parts that gain clearly by it; `gain` has a row per reading, a column per detection."""
    size = np.bincount(kind.of[kind.of >= 0], minlength=kind.count)
    big = np.flatnonzero(size >= FEW)
    if not len(big) or (len(big) == 1 and size[big[0]] == len(sample)):
        return
    one_hot = (kind.of[:, None] == big[None, :]).astype(np.float64)
    means = gain @ one_hot / size[big]
    needed = CLEAR * (1 + 2 / np.sqrt(size[big]))  # chance does more in few
    for r in np.flatnonzero((means > needed).any(axis=1)).tolist():
        some = big[means[r] > needed].tolist()
        yield r, Part(kind.titled(some), np.isin(kind.of, some), kind.rows(some))


def cuts(sample: Sample, gain: Floats) -> Iterator[tuple[int, Part]]:
    """For each reading the images from the first, or to the last, that gain most by it together."""
    order = np.argsort(sample.image, kind="stable")
    image = sample.image[order]
    edges = np.append(np.flatnonzero(np.diff(image)), len(image) - 1)  # the last row of each image
    sums = np.cumsum(gain[:, order], axis=1)[:, edges]
    n = len(sample)
    for r in np.flatnonzero(sums.max(axis=1) > CLEAR * FEW).tolist():
        best = int(sums[r].argmax())
        if best < len(edges) - 1 and edges[best] + 1 >= 2 * FEW:
            yield r, cut_at(sample, "before", int(image[edges[best]]) + 1)
    rest = sums[:, -1:] - sums
    for r in np.flatnonzero(rest.max(axis=1) > CLEAR * FEW).tolist():
        best = int(rest[r].argmax())
        if n - edges[best] - 1 >= 2 * FEW:
            yield r, cut_at(sample, "from", int(image[edges[best] + 1]))


def cut_at(sample: Sample, side: str, at: int) -> Part:
    """The images from one on, or those before it."""
    keys, n = sample.aligned.truth.images.key, sample.aligned.known_images
    inside: Callable[[AnyInts], Bools] = (lambda image: image >= at) if side == "from" else (lambda image: image < at)
    title = f"from image {keys[at]} on" if side == "from" else f"up to image {keys[at - 1]}"
    title += f" ({n - at if side == 'from' else at:,} of {n:,} images)"
    return Part(title, inside(sample.image), lambda table: inside(table.image), (side, at))
