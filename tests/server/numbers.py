"""What a server's metrics say."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from tests.server.house import House


def number(house: House, name: str, **labels: str) -> float:
    """The sum of all samples of this name that have these labels."""
    text = house.http.get("/metrics").text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )
