"""Compressed bytes, unpacked up to a limit: a few thousand bytes can stand for more than any memory holds."""

from __future__ import annotations

import zlib

from boxscore.errors import InputError

MOST = 1 << 34  # bytes that one input may hold besides images: what is larger is a mistake or an attack
GZIP, GZIP_OR_ZLIB = 31, 47  # what zlib is to expect


def within_limit(name: str, size: int, what: str, expected: str) -> int:
    """The size, if it is below the limit; `what` has a place for the limit."""
    if size > MOST:
        raise InputError(name, what.format(f"{MOST >> 30} GiB" if MOST >> 30 else f"{MOST} bytes"), expected)
    return size


def unpacked(name: str, content: bytes, header: int, expected: str) -> bytes:
    """All members of gzip or zlib data; an error where they are damaged, end early or are too large."""
    parts, size, kind = list[bytes](), 0, "gzip" if header == GZIP else "compressed"
    try:
        while content:
            unpacking = zlib.decompressobj(wbits=header)
            parts.append(unpacking.decompress(content, MOST + 1 - size))
            size += len(parts[-1])
            within_limit(name, size, kind + " data of more than {} once unpacked", "less, or the unpacked file")
            if not unpacking.eof:
                raise zlib.error("it ends early")
            content = unpacking.unused_data.lstrip(b"\0")  # some programs fill up with zeros
    except zlib.error as error:
        raise InputError(name, f"damaged {kind} data ({error})", expected) from None
    return parts[0] if len(parts) == 1 else b"".join(parts)
