"""Records that cannot be used: the first is an error, or, on request, all are left out and accounted for."""

from __future__ import annotations

from collections import Counter
from types import TracebackType

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few

INVALID = "invalid record"  # how reasons begin for records that were left out because they cannot be used
_SHOWN = 3  # errors whose places are told


class Invalid:
    """What a reader does about a record that cannot be used by itself; as a context, about one that it fails to read.

    >>> invalid = Invalid(skip=True)
    >>> for text in ("1", "one"):
    ...     with invalid:
    ...         if not text.isdigit():
    ...             raise InputError("a.txt:2", f"'{text}' is not a number", "a number")
    >>> invalid.rejected()
    (('invalid record: expected a number', 1),)
    """

    def __init__(self, skip: bool = False) -> None:
        self.skip = skip
        self.errors: list[InputError] = []  # the first few
        self.reasons: Counter[str] = Counter()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(error, InputError):
            return False
        error.of_record = True
        if self.skip:
            self.add(error)
        return self.skip

    def add(self, error: InputError) -> None:
        """One more record that is left out."""
        self.reasons[f"{INVALID}: expected {error.expected}"] += 1
        if self.places_wanted:
            self.errors.append(error)

    @property
    def places_wanted(self) -> bool:
        """Whether anybody will see where the next one stands; looking it up may take long."""
        return len(self.errors) < _SHOWN

    def rejected(self) -> tuple[tuple[str, int], ...]:
        """The reasons, and how many records each holds for."""
        return tuple(sorted(self.reasons.items()))

    def findings(self) -> list[Finding]:
        """What was left out, with the first places."""
        if not (count := self.reasons.total()):
            return []
        return [finding("REC001", count, first_few((f"{e.where}: {e.found}" for e in self.errors), count, _SHOWN))]

    def nothing_left(self) -> InputError:
        """The error for a file of which no record can be used."""
        first, count = self.errors[0], self.reasons.total()
        more = f" (none of the {count:,} records can be used)" if count > 1 else " (it is the only record)"
        return InputError(first.where, first.actual + more, first.expected, first.hint)
