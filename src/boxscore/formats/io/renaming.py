"""Renaming that neither replaces anything by accident nor leaves a moment without a folder, where the system can."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_NO_REPLACE, _EXCHANGE = 1, 2  # flags of Linux's renameat2
_HERE = -100  # AT_FDCWD: paths are relative to the working folder
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)  # an old kernel, or a file system without it


def exchange(one: Path, other: Path) -> bool:
    """Swaps two paths at once; False, with nothing done, where the system cannot."""
    return _renameat2(one, other, _EXCHANGE)


def rename_new(source: Path, target: Path) -> None:
    """Renames to a path where nothing is; raises FileExistsError where something is."""
    if _renameat2(source, target, _NO_REPLACE):
        return
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    source.rename(target)


def _renameat2(source: Path, target: Path, flag: int) -> bool:
    try:
        import ctypes

        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (ImportError, OSError, AttributeError, TypeError):  # not Linux, or without a C library to ask
        return False
    if call(_HERE, os.fsencode(source), _HERE, os.fsencode(target), flag) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(source), None, str(target))
