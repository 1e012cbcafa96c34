"""Fresh memory, defined."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def memory(size: int) -> npt.NDArray[np.uint8]:
    """So many bytes, whatever they hold."""
    return np.empty(size, np.uint8)
