"""Names of protocols by what they compare."""

from __future__ import annotations

from boxscore import overlaps, protocols

OF_RELATIONS = [name for name in protocols.names() if "end_boxes" in overlaps.get(protocols.get(name)).needs]
# Sizes of tracks take frames of videos, which scenes are not.
OF_VIDEOS = [name for name in protocols.names() if protocols.get(name).of_tracks]
OF_SCENES = [name for name in protocols.names() if name not in (*OF_RELATIONS, *OF_VIDEOS)]
OF_BOXES = [name for name in protocols.names() if not overlaps.needed([protocols.get(name)])]
