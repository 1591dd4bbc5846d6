"""What a server's metrics say."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from tests.server.live_server import LiveServer


def number(live_server: LiveServer, name: str, **labels: str) -> float:
    """The sum of all samples of this name that have these labels."""
    text = live_server.http.get("/metrics").text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )
