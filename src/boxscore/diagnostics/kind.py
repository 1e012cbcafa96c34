"""A kind of diagnostic: something that a user can be told about the input."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("error", "warning", "note")  # the gravest first


class Kind(NamedTuple):
    """All that is known of it before it is met; what is raised is a `Finding` or a `Diagnosis` of its code.

    What a finding says has the places {count}, {detail}, and for the grammar {s}, {es}, {are}, {have}, {were}. What the
    doctor alone raises is worded where it is found, and says nothing here.
    """

    code: str  # stable: scripts rely on it
    severity: str  # the usual one; the doctor may find a case more or less grave
    title: str
    says: str = ""
    about: str = ""  # how it comes about and what it does, where `says` does not tell
    advice: str = ""
    aliases: tuple[str, ...] = ()  # codes that it had before, and is still found by
