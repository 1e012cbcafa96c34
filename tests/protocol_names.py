"""Names of protocols by what they compare."""

from __future__ import annotations

from boxscore import overlaps, protocols

OF_SCENES = [name for name in protocols.names() if "end_boxes" not in overlaps.get(protocols.get(name)).needs]
OF_RELATIONS = [name for name in protocols.names() if name not in OF_SCENES]
OF_BOXES = [name for name in protocols.names() if not overlaps.needed([protocols.get(name)])]
