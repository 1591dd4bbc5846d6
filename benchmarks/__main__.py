"""Every benchmark, one after the other: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

import subprocess
import sys

ALL = (
    ("headless",),
    ("env",),
    ("engines",),
    ("load", "turns", "--game", "all"),
    ("load", "viewers"),
    ("load", "idle"),
    ("load", "start"),
    ("stages",),
    ("stages", "--game", "zooscape"),
    ("commands",),
    ("rpc",),
    ("kitchen",),
    ("states",),
    ("ticks",),
    ("ticks", "--neighbours"),
    ("bodies",),
    ("ends",),
    ("workers", "games"),
    ("contest", "results"),
    ("contest", "leader"),
    ("contest", "kills"),
    ("pupils",),
    ("workers", "matches"),
    ("house_ladder",),
    ("books",),
)
"""A module and its options."""

for name, *options in ALL:
    print("==", name, *options, flush=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *options], check=True)
