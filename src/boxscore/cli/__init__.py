"""The command line: parses, calls the library, prints, returns an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from boxscore import __version__
from boxscore.cli.codes import BROKEN_PIPE, BUG, INPUT, INTERRUPTED, USAGE, OutputClosedError
from boxscore.cli.stdout import fitting
from boxscore.errors import BoxscoreError, InputError, readable

__all__ = ["main"]

OUT_OF_MEMORY = "out of memory\n  Close other programs, raise the memory limit, or evaluate fewer images at a time."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code; the entry point `boxscore`."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        from boxscore.cli.commands import run

        return run(given)
    except InputError as error:
        hint = "\n  --skip-invalid leaves such records out and accounts for them." if error.of_record else ""
        return _complain(f"{error}{hint}", INPUT)
    except BoxscoreError as error:
        return _complain(str(error), USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OutputClosedError, BrokenPipeError):
        _silence()
        return BROKEN_PIPE
    except MemoryError:
        return _complain(OUT_OF_MEMORY, INPUT)
    except Exception as error:
        if os.environ.get("BOXSCORE_DEBUG"):
            raise
        what = " ".join(str(error).split())
        return _complain(
            f"this is a bug in boxscore {__version__}, not yours: {type(error).__name__}: {what}\n"
            "  Please report it with the command and the traceback that BOXSCORE_DEBUG=1 adds.",
            BUG,
        )


def _complain(text: str, code: int) -> int:
    try:
        print(fitting(readable(f"boxscore: {text}"), sys.stderr.encoding), file=sys.stderr)
    except BrokenPipeError:
        _silence()
    return code


def _silence() -> None:
    """Whoever read the output has gone: nothing may be written any more, not even when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):  # not a real file, as under a test
            continue
    os.close(nowhere)
