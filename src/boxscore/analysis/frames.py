"""Columns as a pandas data frame, where pandas is installed."""

from __future__ import annotations

from typing import Any

from boxscore.errors import UsageError


def data_frame(columns: Any, index: Any = None) -> Any:
    """Columns or rows as a pandas data frame."""
    try:
        import pandas
    except ImportError:
        raise UsageError("to_pandas() needs pandas; install it with: pip install pandas") from None
    return pandas.DataFrame(columns, index=index)
