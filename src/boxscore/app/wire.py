"""Columns in one binary body: a header in JSON with names, types and lengths, then the arrays, each aligned to 8."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

TYPES = {"float64": "f8", "float32": "f4", "int32": "i4", "uint8": "u1"}
_STEP = 8  # typed arrays of a page begin at multiples of their size


def encoded(columns: Mapping[str, npt.NDArray[Any]], **more: Any) -> bytes:
    """Columns and what goes with them as one body.

    >>> body = encoded({"score": np.array([0.5])}, name="a")
    >>> int.from_bytes(body[:4], "little"), len(body) % 8
    (84, 0)
    """
    listed, parts, at = [], list[bytes](), 0
    for name, column in columns.items():
        data = np.ascontiguousarray(column).tobytes()
        listed.append({"name": name, "type": TYPES[column.dtype.name], "length": int(column.size), "at": at})
        parts += [data, bytes(-len(data) % _STEP)]
        at += len(data) + -len(data) % _STEP
    header = json.dumps({"columns": listed, **plain(more)}, ensure_ascii=False).encode()
    header += b" " * (-(len(header) + 4) % _STEP)
    return struct.pack("<I", len(header)) + header + b"".join(parts)


def plain(value: Any) -> Any:
    """A value as JSON has it: undefined and infinite numbers are null, lone surrogates of file names question marks."""
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, Mapping):
        return {plain(str(key)): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return value
