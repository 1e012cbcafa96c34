"""Which images of two lists are the same."""

from __future__ import annotations

import numpy as np

from boxscore.tables.model import Images, Indices, index_of


def same_images(own: Images, others: Images) -> Indices:
    """For each of the others its index among one's own, by id where both have ids, else by name; -1 for none."""
    if others is own:
        return np.arange(len(own), dtype=np.int32)
    if own.id is not None and others.id is not None:
        return index_of(others.id, own.id)
    place = {key: i for i, key in reversed(list(enumerate(own.key)))}
    return np.array([place.get(key, -1) for key in others.key], np.int32)
