"""Every benchmark, one after the other: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

import subprocess
import sys

ALL = (
    ("headless",),
    ("turns",),
    ("commands",),
    ("rpc",),
    ("kitchen",),
    ("states",),
    ("ticks",),
    ("ticks", "--neighbours"),
    ("bodies",),
    ("ends",),
    ("workers", "games"),
    ("workers", "matches"),
    ("house_ladder",),
)
"""A module and its options."""

for name, *options in ALL:
    print("==", name, *options, flush=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *options], check=True)
