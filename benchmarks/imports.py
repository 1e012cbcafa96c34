"""How long the import behind `boxscore.evaluate` takes beyond `import numpy`, as a median over fresh processes.

python benchmarks/imports.py [--rounds 30] [module ...]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

import report


def main() -> None:
    """Print one row per module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=["boxscore.evaluation.run"])
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args()
    modules = ["numpy", *given.modules]
    taken: dict[str, list[float]] = {module: [] for module in modules}
    with tempfile.TemporaryDirectory() as bytecode:
        for module in modules:
            seconds_to_import(module, bytecode)  # compiles it, and tells at once if it is missing
        for _ in range(given.rounds):
            for module in modules:
                taken[module].append(seconds_to_import(module, bytecode))
    numpy = median(taken["numpy"])
    rows = [[name, f"{median(all_) * 1e3:.1f}", f"{(median(all_) - numpy) * 1e3:.1f}"] for name, all_ in taken.items()]
    print(report.table(["import", "ms, whole process", "ms beyond numpy"], rows))


def seconds_to_import(module: str, bytecode: str) -> float:
    """Start Python, import NumPy and one module, end; bytecode is kept in the given folder."""
    # As pip leaves a package: compiled, whatever the caller's environment says about writing bytecode.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import numpy, {module}"], check=True, env=environment)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
