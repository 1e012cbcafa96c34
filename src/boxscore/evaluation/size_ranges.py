"""Rules that need the truth to be known: size ranges by quantile or relative to the image, sigmas of keypoints."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from boxscore.errors import InputError
from boxscore.evaluation.sizes import object_sizes
from boxscore.overlaps.sigmas import resolved_sigmas
from boxscore.protocols import Area, Protocol
from boxscore.tables.model import Truth


def resolved(protocol: Protocol, truth: Truth) -> Protocol:
    """The protocol with quantiles as sizes in pixels and sigmas as values, which then stand in the signature."""
    if protocol.overlap == "keypoints":
        protocol = replace(protocol, sigmas=resolved_sigmas(truth, protocol.sigmas))
    if protocol.area_unit == "image" and not truth.relative:
        _sizes_known(truth)
    if protocol.area_unit != "quantile":
        return protocol
    listed = (truth.image >= 0) & (truth.label >= 0)

    def edge(q: float, of: str) -> float:
        if q <= 0 or q >= 1:
            return math.copysign(math.inf, q - 0.5)
        size = object_sizes(truth, replace(protocol, size_from=of or protocol.size_from))[listed]
        return float(np.quantile(size, q)) if len(size) else 0.0

    areas = tuple(Area(a.name, edge(a.low, a.of), edge(a.high, a.of), a.of) for a in protocol.areas)
    return replace(protocol, areas=areas, area_unit="pixels")


def _sizes_known(truth: Truth) -> None:
    width, height = truth.images.width, truth.images.height
    used = np.unique(truth.image[truth.image >= 0])
    known = np.zeros(len(used), np.bool_) if width is None or height is None else (width * height > 0)[used]
    if not known.all():
        unknown = int((~known).sum())
        raise InputError(
            truth.source or "truth",
            f"{unknown:,} image{'s have' if unknown > 1 else ' has'} no width and height",
            "the size of every image with objects (area_unit=image)",
            "Pass --images FOLDER, --sizes FILE or --image-size WIDTH,HEIGHT (images=, sizes=, image_size= in Python).",
        )
