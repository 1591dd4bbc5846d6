"""A look inside a server process: what it holds."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.arena import Arena


def numbers(arena: Arena) -> Mapping[str, float]:
    """The server's metrics, summed over their labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(httpx.get(f"{arena.url}/metrics", trust_env=False).text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found
