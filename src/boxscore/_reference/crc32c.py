"""Castagnoli's cyclic redundancy check, defined."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def crc32c(bytes: npt.NDArray[np.uint8]) -> int:
    """The rest of a division of polynomials over bits, lowest bit first, begun and ended with all bits turned.

    >>> hex(crc32c(np.frombuffer(b"123456789", np.uint8)))
    '0xe3069283'
    """
    rest = 0xFFFFFFFF
    for byte in bytes.tolist():
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (0x82F63B78 if rest & 1 else 0)
    return rest ^ 0xFFFFFFFF
