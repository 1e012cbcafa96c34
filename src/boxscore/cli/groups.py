"""The groups of options, in the order of help."""

from __future__ import annotations

BASIC, FILES, BOXES, CLASSES, EXTRA, OUTPUT = GROUPS = (
    "Basic options", "Files", "Boxes and sizes", "Classes", "Open Images and ImageNet", "Output",
)  # fmt: skip
