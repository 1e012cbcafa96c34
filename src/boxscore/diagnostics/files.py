"""Files, their formats, and what of them was not read or not used."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

FILES = (
    Kind(
        "FIL001", "warning", "pipes, sockets and devices in a folder",
        says="{count} pipe{s}, socket{s} or device{s} in a folder {were} not opened ({detail})",
        advice="Take them out of the folder, or give a pipe on its own as the path to read.",
    ),
    Kind(
        "FIL101", "error", "another container",
        about="The file is not what its name says.",
    ),
    Kind(
        "FIL102", "error", "file that cannot be read",
        about="What the reader says of it stands in the text.",
    ),
    Kind(
        "FMT001", "note", "format inferred",
        says="{detail}",
        advice="State it with --truth-format or --detections-format to be sure; `boxscore formats PATH` says what "
        "else fits.",
    ),
    Kind(
        "SPL001", "note", "split chosen",
        says="{detail}",
        advice="State it with --split NAME (split= in Python); a data.yaml stands for its validation split.",
    ),
    Kind(
        "REC001", "warning", "invalid records left out",
        says="{count} invalid record{s} {were} left out ({detail})",
        advice="Correct the records; without --skip-invalid the file is refused.",
    ),
    Kind(
        "COL001", "note", "columns that are not used",
        says="{count} column{s} {are} not used ({detail})",
        advice="Leave them out, or give them one of the names that are understood.",
    ),
    Kind(
        "OPT001", "note", "file not used",
        says="{detail}",
        advice="Leave the option out, or check that truth and detections are in the format that it belongs to.",
    ),
)  # fmt: skip
