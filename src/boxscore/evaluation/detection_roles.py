"""What detections are for the matching, besides boxes with scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boxscore.joining.align import Aligned
from boxscore.protocols.parts import Tracks
from boxscore.tables.model import Bools

EXCUSED, LEAVES_FREE = 1, 2  # roles in the kernel: ignored where it finds nothing; what it finds stays free


def detection_roles(excused: Bools | None, leaving: Bools | None) -> npt.NDArray[np.uint8] | None:
    """The roles of detections as the kernel takes them; None where they have none."""
    made = None
    for rows, role in ((excused, EXCUSED), (leaving, LEAVES_FREE)):
        if rows is not None:
            bits = rows.astype(np.uint8) * np.uint8(role)
            made = bits if made is None else made | bits
    return made


def leaving_free(tracks: Aligned, rules: Tracks) -> Bools | None:
    """Which detected tracks leave their object free, because the official code takes their id 0 for none.

    It gives ids that several videos share anew, and then none of them is 0. It numbers tracks that have no ids from 0
    on, by the names of their videos.
    """
    found = tracks.detections
    if rules.track_zero == "ordinary" or found.tubes is None or not len(found):
        return None
    if rules.track_zero == "id":
        rows = np.flatnonzero(np.zeros(0) if found.track is None else found.track == 0)
        rows = rows[:0] if len(rows) > 1 else rows
    else:
        known = np.flatnonzero((found.image >= 0) & (found.image < tracks.known_images))
        order = found.images.order[found.image[known]]
        rows = known[np.lexsort((found.position[known], order))[:1]]
    if not len(rows):
        return None
    leaving = np.zeros(len(found), np.bool_)
    leaving[rows] = True
    return leaving


def any_excused(role: npt.NDArray[np.uint8] | None) -> bool:
    """Whether a detection is ignored where it finds nothing."""
    return role is not None and bool((role & EXCUSED).any())
