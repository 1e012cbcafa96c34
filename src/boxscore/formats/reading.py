"""How to read what the content does not say."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import UsageError

BOXES = ("xywh", "xyxy", "cxcywh")
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
            if value is not None and value not in BOXES:
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(BOXES)}")
        if self.coords is not None and self.coords not in COORDS:
            raise UsageError(f"coords={self.coords!r}; expected one of {', '.join(COORDS)}")
