"""How long `import boxscore` takes beyond `import numpy`, as a median over fresh processes.

python benchmarks/imports.py [--rounds 30] [module ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from statistics import median

import report


def main() -> None:
    """Print one row per module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=["boxscore"])
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args()
    modules = ["numpy", *given.modules]
    for module in modules:
        seconds_to_import(module)  # compiles the module's bytecode, and tells at once if it is missing
    taken: dict[str, list[float]] = {module: [] for module in modules}
    for _ in range(given.rounds):
        for module in modules:
            taken[module].append(seconds_to_import(module))
    numpy = median(taken["numpy"])
    rows = [[name, f"{median(all_) * 1e3:.1f}", f"{(median(all_) - numpy) * 1e3:.1f}"] for name, all_ in taken.items()]
    print(report.table(["import", "ms, whole process", "ms beyond numpy"], rows))


def seconds_to_import(module: str) -> float:
    """Start Python, import NumPy and one module, end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import numpy, {module}"], check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
