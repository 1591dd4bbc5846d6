"""The metrics of one server, for Prometheus at `/metrics`. Label values are fixed words: no name,
no id, no token."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from server.match_record import MatchEnded

LAG_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
LEFT = "left"
"""The code of a connection that its client ended."""


class Metrics:
    """Counters since the start of the server, and gauges that are read at each scrape.

    It has an attribute for each counter, hence their number.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def count(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"botarena_{name}", what, labels, registry=self.registry)

        self.frames_received = 0
        """Plain numbers: this is counted for every frame."""
        self.frames_sent = 0
        """Over connections that have ended."""
        self._over = count("matches_over", "Matches that ended, by how.", "game", "outcome")
        self._time_losses = count("time_losses", "Matches that a seat lost on time.", "game")
        self._timeouts = count("timeouts", "Turns in which a seat ran out of time.", "game")
        self._refused = count(
            "commands_refused", "Commands of seats that were refused, by code.", "game", "code"
        )
        self._infos = count("infos_dropped", "Info messages beyond the limit of a turn.", "game")
        self._skipped = count("views_skipped", "Views that newer ones replaced unsent.", "game")
        self._bad_frames = count("bad_frames", "Frames that were no message.", "role")
        self._closed = count(
            "connections_closed", "Connections that ended, by our code.", "role", "code"
        )
        self._turned_away = count(
            "connections_refused", "Connections refused at the handshake, by code.", "code"
        )
        self._requests = count("requests", "Requests over HTTP.", "method", "status")
        self._requests_refused = count("requests_refused", "Requests refused, by code.", "code")
        self._store_failures = count("store_failures", "Failed writes to store or disk.", "what")
        self._pauses = count("pauses", "Pauses of this process, of a second or longer.")
        self._paused = count("paused_seconds", "Seconds of all pauses of this process.")
        self._lag = Spread("loop_lag", "How late the loop's own timer rings.")
        self._lateness = Spread("tick_lateness", "How late ticks of realtime matches are played.")
        self.registry.register(self._lag)
        self.registry.register(self._lateness)
        ProcessCollector(registry=self.registry)

    def watch(self, now: Callable[[], Iterable[Metric]]) -> None:
        """Ask this at every look."""
        self.registry.register(_Asked(lambda: [*self._frames(), *now()]))

    def text(self) -> bytes:
        """Everything, in Prometheus' own format."""
        return generate_latest(self.registry)

    def _frames(self) -> Iterable[Metric]:
        yield CounterMetricFamily(
            "botarena_frames_received", "Websocket frames of clients.", self.frames_received
        )

    # --- what happens

    def match_ended(self, ended: MatchEnded) -> None:
        game, result = ended.record.game, ended.record.result
        self._over.labels(game, result["outcome"]).inc()
        self._timeouts.labels(game).inc(sum(seat.get("timeouts", 0) for seat in result["seats"]))
        self._skipped.labels(game).inc(sum(seat.get("skipped", 0) for seat in result["seats"]))

    def time_loss(self, game: str) -> None:
        """A match that at least one seat lost by running out of time."""
        self._time_losses.labels(game).inc()

    def command_refused(self, game: str, code: str) -> None:
        self._refused.labels(game, code).inc()

    def info_dropped(self, game: str) -> None:
        self._infos.labels(game).inc()

    def bad_frame(self, role: str) -> None:
        self._bad_frames.labels(role).inc()

    def closed(self, role: str, code: str | None) -> None:
        """A connection ended. None: we gave no code, its client went."""
        self._closed.labels(role, code or LEFT).inc()

    def turned_away(self, code: str) -> None:
        self._turned_away.labels(code).inc()

    def request(self, method: str, status: int) -> None:
        self._requests.labels(method if method in METHODS else "other", status).inc()

    def request_refused(self, code: str) -> None:
        self._requests_refused.labels(code).inc()

    def store_failed(self, what: str) -> None:
        """`what`: a fixed word for what was to be written (`result`, `journal`)."""
        self._store_failures.labels(what).inc()

    def lag(self, late: int) -> None:
        """ns"""
        self._lag.observe(late)

    def paused(self, ms: int) -> None:
        """The process did not run for this long."""
        self._pauses.inc()
        self._paused.inc(ms / 1000)

    def tick(self, late: int) -> None:
        """ns"""
        self._lateness.observe(late)


class Spread(Collector):
    """A histogram of what happens hundreds of times a second: plain numbers until they are
    scraped."""

    _BOUNDS = tuple(round(bound * 1e9) for bound in LAG_S)

    def __init__(self, name: str, what: str) -> None:
        self._name = f"botarena_{name}_seconds"
        self._what = what
        self._counts = [0] * (len(LAG_S) + 1)
        self._total = 0

    def observe(self, length: int) -> None:
        """ns; what is below zero counts as zero."""
        length = max(0, length)
        self._counts[bisect_left(self._BOUNDS, length)] += 1
        self._total += length

    def collect(self) -> Iterable[Metric]:
        bounds = [*map(str, LAG_S), "+Inf"]
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._what, buckets, self._total / 1e9)


class _Asked(Collector):
    def __init__(self, now: Callable[[], Iterable[Metric]]) -> None:
        self._now = now

    def collect(self) -> Iterable[Metric]:
        return self._now()


def gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(f"botarena_{name}", what, value)


def gauges(
    name: str, what: str, labels: tuple[str, ...], values: Mapping[tuple[str, ...], float]
) -> Metric:
    family = GaugeMetricFamily(f"botarena_{name}", what, labels=labels)
    for which, value in sorted(values.items()):
        family.add_metric(which, value)
    return family
