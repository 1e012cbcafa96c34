"""The digests that stored cases have instead of large arrays."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np


def digest(values: np.ndarray) -> dict[str, Any]:
    """As INDEX.md of the cases defines it."""
    flat = values.reshape(-1)
    there = flat > -1
    weights = (np.arange(len(flat)) * 7919 % 1009) / 1009
    return {
        "shape": list(values.shape),
        "n_absent": int((~there).sum()),
        "sum": float(flat[there].sum()),
        "sum_sq": float((flat[there] ** 2).sum()),
        "weighted_sum": float((np.where(there, flat, 0.0) * weights).sum()),
        "sha256_nano": hashlib.sha256(np.rint(flat * 1e9).astype("<i8").tobytes()).hexdigest(),
    }
