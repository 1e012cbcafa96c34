"""What can be seen of files cheaply: what kind of content each begins with, for a sample of those of a folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from boxscore.errors import first_few
from boxscore.formats.io.ends import beginning
from boxscore.formats.io.files import IMAGES, Files

SAMPLE = 200  # files of a folder that are looked into
_ASIDE = re.compile(  # what stands beside annotations, by the last part of its path
    r"(classes|labels?|_classes|labelmap|label_colors|predefined_classes|synsets?|requirements)\.txt|notes\.json|"
    r".*\.(names|labels|data|ya?ml|pbtxt|ini|cache|md|py|cfg|sh|log|html?|pdf|zip|gz|mp4|avi|pcd|weights|pt)|"
    r"readme.*|licen[cs]e.*|dataset_meta\.json|image_sizes\.json",
    re.IGNORECASE,
)
_MAGIC = (  # the beginning of a file and its kind
    (b"\xff\xd8\xff", "images"), (b"\x89PNG", "images"), (b"GIF8", "images"), (b"BM", "images"),
    (b"II*\0", "images"), (b"MM\0*", "images"),
    (b"PAR1", "parquet"), (b"PK\3\4", "zip"), (b"\x93NUMPY", "numpy"), (b"\x89HDF", "hdf5"), (b"MATLAB 5", "matlab"),
)  # fmt: skip
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_JSON = re.compile(r'\{\s*(["}]|$)|\[\s*([\[{"\]\-\d]|null|true|false|NaN|$)')
_XML = re.compile(r"<[?!A-Za-z_]")


class Piece(NamedTuple):
    """A file, the kind of its content, and how it begins if that is text."""

    path: str
    kind: str
    text: str


@dataclass(frozen=True)
class Look:
    """What was seen of files."""

    files: Files
    pieces: tuple[Piece, ...]  # what was looked into
    looked: int  # files that were looked into, of so many
    whole: int
    aside: tuple[str, ...]  # files that say something else than boxes, by their names
    images: int

    def of(self, *kinds: str) -> list[Piece]:
        """The pieces of some kinds."""
        return [piece for piece in self.pieces if piece.kind in kinds]

    @property
    def found(self) -> str:
        """What is there, in words."""
        if self.files.is_file:
            kind = self.pieces[0].kind
            return _FILE_WORDS.get(kind, f"a file of {kind}")
        counts = Counter(piece.kind for piece in self.pieces).most_common()
        if self.looked < self.whole:
            words = [f"{self.whole:,} files (looked into {self.looked}: {', '.join(_counted(*one) for one in counts)})"]
        else:
            words = [_counted(*one) for one in counts]
        words += [_counted("images", self.images)] * bool(self.images)
        if others := self.files.skipped:
            words.append(f"{first_few(others, len(others))}, not opened")
        what = "folder" if self.files.root is not None else "archive"
        if not words:
            return f"an empty {what}"
        return f"{'a' if what == 'folder' else 'an'} {what} with {' and '.join(words)}"


def _counted(kind: str, count: int) -> str:
    if kind == "images":
        return f"{count:,} image{'s' * (count != 1)}"
    return f"{count:,} {_WORDS.get(kind, kind)} file{'s' * (count != 1)}"


_WORDS = {"json": "JSON", "xml": "XML", "record": "TFRecord", "parquet": "Parquet", "numpy": "NumPy"}
_FILE_WORDS = {
    "json": "a JSON file", "xml": "an XML file", "text": "a text file", "record": "a TFRecord file",
    "empty": "an empty file", "images": "an image", "binary": "a binary file", "zip": "an archive",
    "parquet": "a Parquet file", "pickle": "a pickle file",
}  # fmt: skip


def look(files: Files, most: int = SAMPLE) -> Look:
    """Looks into a file, or into a sample of a folder: of each folder and extension some."""
    if files.is_file:
        return Look(files, (_piece(files, ""),), 1, 1, (), 0)
    images = [path for path in files.paths if path.lower().endswith(IMAGES)]
    rest = [path for path in files.paths if not path.lower().endswith(IMAGES)]
    aside = [path for path in rest if _ASIDE.fullmatch(path.rpartition("/")[2]) or _in_image_sets(path)]
    known = set(aside)
    wanted = [path for path in rest if path not in known] or (aside if not images else [])
    some = _sample(wanted, most)
    pieces = [_piece(files, path) for path in some]
    seen = tuple(piece for piece in pieces if piece.kind != "images")
    more = len(pieces) - len(seen)
    return Look(files, seen, len(seen), len(wanted) - more, tuple(aside), len(images) + more)


def kind_of(start: bytes) -> str:
    """What kind of content begins so.

    >>> kind_of(b'{"a": 1}'), kind_of(b"<a/>"), kind_of(b"[net]\\n"), kind_of(b"PAR1"), kind_of(b"")
    ('json', 'xml', 'text', 'parquet', 'empty')
    """
    for magic, kind in _MAGIC:
        if start.startswith(magic):
            return kind if kind != "images" or magic != b"BM" or b"\0" in start[:64] else "text"
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "images"
    if _is_record(start):
        return "record"
    if _PICKLE.match(start):
        return "pickle"
    text = start.decode("utf-8-sig", "replace").lstrip()
    if "\0" in text[:1000]:
        return "binary"
    if _JSON.match(text):
        return "json"
    if _XML.match(text):
        return "xml"
    return "text" if text else "empty"


def _piece(files: Files, path: str) -> Piece:
    try:
        start = beginning(files, path)
    except OSError:  # its reader will say it
        return Piece(path, "unreadable", "")
    kind = kind_of(start)
    return Piece(path, kind, start.decode("utf-8-sig", "replace") if kind in ("json", "xml", "text") else "")


def _in_image_sets(path: str) -> bool:
    return "ImageSets/" in path or path.startswith("__MACOSX")


def _sample(paths: Sequence[str], most: int) -> list[str]:
    """Files of every folder and extension, in turn, until there are enough; those of one kind evenly spaced."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        groups.setdefault((folder, name.rpartition(".")[2] if "." in name else ""), []).append(path)
    spread = [group[:: max(1, len(group) // most)] for group in groups.values()]
    turns = (path for turn in zip_longest(*spread) for path in turn if path is not None)
    return sorted(path for path, _ in zip(turns, range(most), strict=False))


def _is_record(start: bytes) -> bool:
    """Whether a TFRecord begins so: eight bytes of length and their masked CRC-32C."""
    if len(start) < 12 or any(start[5:8]):  # a length of a terabyte is none
        return False
    crc = 0xFFFFFFFF
    for byte in start[:8]:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    return masked == int.from_bytes(start[8:12], "little")
