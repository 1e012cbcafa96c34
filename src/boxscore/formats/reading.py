"""How to read what the content does not say."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boxscore.errors import UsageError

BOXES = ("xywh", "xyxy", "cxcywh")
ALIASES = {"xyrb": "xyxy"}  # x y right bottom, as Object-Detection-Metrics calls it
COORDS = ("absolute", "relative")


@dataclass(frozen=True)
class Reading:
    """What the user states about the input; None where the content must say it."""

    box: str | None = None
    truth_box: str | None = None  # where the two sides differ
    detections_box: str | None = None
    coords: str | None = None
    image_size: tuple[float, float] | None = None
    classes: tuple[str, ...] | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        for name in ("box", "truth_box", "detections_box"):
            value = getattr(self, name)
            object.__setattr__(self, name, ALIASES.get(value, value))
            if value is not None and ALIASES.get(value, value) not in BOXES:
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(BOXES)}")
        if self.coords is not None and self.coords not in COORDS:
            raise UsageError(f"coords={self.coords!r}; expected one of {', '.join(COORDS)}")
        size = self.image_size
        if size is not None and (len(size) != 2 or not all(math.isfinite(side) and side > 0 for side in size)):
            raise UsageError(f"image_size={size!r}; expected width and height, both above 0")
        if self.classes is not None and len(set(self.classes)) < len(self.classes):
            twice = next(name for name in self.classes if self.classes.count(name) > 1)
            raise UsageError(f"classes has '{twice}' twice; expected different names")
