"""Every benchmark, one after the other: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

import subprocess
import sys

ALL = ("headless", "turns", "kitchen")

for name in ALL:
    print(f"== {name}", flush=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)
