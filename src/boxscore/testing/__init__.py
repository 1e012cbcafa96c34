"""Strategies for hypothesis: small scenes with everything that evaluators disagree about, and protocols of mixed rules.

Needs hypothesis (`pip install hypothesis`); nothing else in the package imports it.

>>> scene = Scene((7, 3), ((1, "cat"),), (Object(7, 1, (0.0, 0.0, 20.0, 20.0), 1, 400.0),), ())
>>> scene.truth()["annotations"][0]["bbox"]
[0.0, 0.0, 20.0, 20.0]
"""

from __future__ import annotations

from boxscore.testing.scene import Box, Detection, Object, Scene
from boxscore.testing.strategies import protocols, scenes

__all__ = ["Box", "Detection", "Object", "Scene", "protocols", "scenes"]
