"""Names of protocols by what they compare."""

from __future__ import annotations

from boxscore import overlaps, protocols

OF_BOXES = [name for name in protocols.names() if not overlaps.needed([protocols.get(name)])]
