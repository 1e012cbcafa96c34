"""What to say of folders that hold only what lies beside annotations."""

from __future__ import annotations

from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_files import Listing, base, is_beside
from boxscore.formats.yolo.config import read_config


def no_labels(files: Files, looked_for: str) -> InputError | None:
    """What to say where texts that are no list of names are all there is: a data.yaml, or something to read."""
    if files.is_file:
        return None
    if sheets := files.ending(".yaml", ".yml"):
        splits = read_config(Listing(files), None).splits
        some = ", ".join(f"{name}: {first_few(places, len(places))}" for name, places in splits.items())
        says = f" ({base(sheets[0])} has {some})" if some else ""
        return InputError(files.name, f"no label files{says}", "a .txt file per image in the folders that it names")
    if all(is_beside(path) or path.lower().endswith((".md", ".rst")) for path in files.paths):
        some = first_few(files.paths, len(files.paths))
        return InputError(files.name, f"no annotations (it holds {some})", looked_for)
    return None
