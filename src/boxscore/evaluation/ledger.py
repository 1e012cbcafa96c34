"""Where every box went: read = evaluated + ignored + dropped + rejected, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from boxscore.diagnostics.findings import Finding

FATES = ("evaluated", "added", "ignored", "dropped", "rejected")


@dataclass(frozen=True)
class Entry:
    """So many boxes had this fate for this reason."""

    fate: str
    reason: str
    count: int


@dataclass(frozen=True)
class Account:
    """The fates of all boxes of one side. Rows with fate "added" come on top of what was read.

    >>> Account("objects", 5, (Entry("evaluated", "", 4), Entry("ignored", "crowd", 1))).evaluated
    4
    """

    what: str
    read: int
    rows: tuple[Entry, ...]

    def __post_init__(self) -> None:
        added = sum(row.count for row in self.rows if row.fate == "added")
        others = sum(row.count for row in self.rows if row.fate != "added")
        assert all(row.fate in FATES and row.count >= 0 for row in self.rows), self.rows
        assert others == self.read + added, f"{self.what}: {others} accounted for, {self.read} read, {added} added"

    @property
    def evaluated(self) -> int:
        """How many took part in the numbers."""
        return sum(row.count for row in self.rows if row.fate == "evaluated")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"read": self.read, "rows": [asdict(row) for row in self.rows]}

    @staticmethod
    def from_dict(what: str, data: dict[str, Any]) -> Account:
        """The inverse of `to_dict`."""
        return Account(what, data["read"], tuple(Entry(**row) for row in data["rows"]))


def account(what: str, read: int, rows: Iterable[tuple[str, str, int]]) -> Account:
    """An account without its empty rows (but never without "evaluated")."""
    kept = (Entry(*row) for row in rows if row[2] or row[0] == "evaluated")
    return Account(what, read, tuple(kept))


@dataclass(frozen=True)
class ImageAccount:
    """Which images the two sides have."""

    truth: int
    detections: int
    matched: int
    only_truth: int
    only_detections: int

    def to_dict(self) -> dict[str, int]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Ledger:
    """The accounts of images, objects and detections."""

    images: ImageAccount
    objects: Account
    detections: Account
    findings: tuple[Finding, ...] = field(default=())
    tied: int = 0  # detections that share their score with another one of their class

    def to_dict(self) -> dict[str, Any]:
        """For JSON; findings stand beside the ledger there."""
        return {
            "images": self.images.to_dict(),
            "objects": self.objects.to_dict(),
            "detections": self.detections.to_dict(),
            "tied": self.tied,
        }

    @staticmethod
    def from_dict(data: dict[str, Any], findings: Iterable[dict[str, Any]] = ()) -> Ledger:
        """The inverse of `to_dict`."""
        return Ledger(
            ImageAccount(**data["images"]),
            Account.from_dict("objects", data["objects"]),
            Account.from_dict("detections", data["detections"]),
            tuple(Finding(**f) for f in findings),
            data["tied"],
        )
