"""The time of day, for people; clocks of matches use `time.monotonic_ns`."""

import time


def wall_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
