"""The interface between a bot and its driver: a bot's link, and what drivers need of a bot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from client_sdk.wire.messages import Clock
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.start import Start
    from games.core.contract import Reply
    from games.core.match import Match


class Link(Protocol):
    """What a bot can do and ask while it thinks. Times are seconds of `time.monotonic`."""

    def turn(self) -> int | None:
        """The number of the open turn; None: unknown, because no match has begun."""
        ...

    def deadline(self, begun: float, clock: Clock) -> float | None:
        """When the time for the open turn, which began at `begun`, is up; None: no limit."""
        ...

    def stopped(self) -> bool:
        """Whether the server has sent stop."""
        ...

    def provisional(self, commands: Iterable[Json]) -> None:
        """Send the best answer so far, which is played if the time runs out."""
        ...

    def info(self, data: Json) -> None:
        """Send something to the viewers, who see it when the turn is closed."""
        ...

    def send_out_of_turn(self, commands: Iterable[Json]) -> bool:
        """Send commands that belong to no turn, such as a resignation.

        False: this link cannot send them."""
        ...

    def send_early(self, commands: Iterable[Json]) -> bool:
        """Send some commands of the open turn before `decide` returns the others.

        Does not wait for their results. False: they were not sent, and `decide` must return them or
        they must be sent later."""
        ...

    def pending_results(self) -> list[list[Reply]]:
        """The results that have come since the bot was asked, as a list for each frame.

        `on_results` is not called for them."""
        ...

    def fresh_view(self) -> Json | None:
        """The view of the open turn after all commands that were sent early.

        Waits for the server; results that come before the view are dropped. None: the turn is over,
        or there is no server.
        """
        ...

    def bank_s(self) -> float | None:
        """The time bank in seconds as the server last sent it; None: unknown."""
        ...

    def banks_s(self) -> tuple[float | None, ...] | None:
        """The banks of all seats in seconds as of the view that the bot gets or got last; None for
        a seat without one, or instead of all if the match has none or there is no server that sends
        them."""
        ...


class HeadlessLink:
    """The link of a headless match.

    There is no server to measure time, so a turn's time runs by the bot's own clock."""

    def __init__(self, match: Match | None = None) -> None:
        self._match = match

    def turn(self) -> int | None:
        return None if self._match is None else self._match.turn

    def deadline(self, begun: float, clock: Clock) -> float | None:
        return begun + clock.turn_ms / 1000 if clock.turn_ms else None

    def stopped(self) -> bool:
        return False

    def provisional(self, commands: Iterable[Json]) -> None:
        """Ignored: no time runs out, so the answer itself is always played."""

    def info(self, data: Json) -> None:
        """Ignored: there are no viewers."""

    def send_out_of_turn(self, commands: Iterable[Json]) -> bool:
        return False

    def send_early(self, commands: Iterable[Json]) -> bool:
        return False

    def pending_results(self) -> list[list[Reply]]:
        return []

    def fresh_view(self) -> Json | None:
        return None

    def bank_s(self) -> float | None:
        return None

    def banks_s(self) -> tuple[float | None, ...] | None:
        return None


class HeadlessBot(Protocol):
    """What a driver of headless matches needs of a bot or of a wrapper around one."""

    link: Link

    @property
    def name(self) -> str: ...
    def on_start(self, start: Start) -> None: ...
    def on_view(self, view: Json) -> None: ...
    def decide(self, view: Json) -> Iterable[Json]: ...
    def on_results(self, results: Sequence[Reply]) -> None: ...
    def on_end(self, outcome: dict[str, Json]) -> None: ...


class LiveBot(HeadlessBot, Protocol):
    """What the driver of matches on a server needs of a bot."""

    name: str

    @property
    def game(self) -> str: ...
    @property
    def start_only(self) -> tuple[str, ...]: ...
    @property
    def wants_changes(self) -> bool: ...
    def on_event(self, event: dict[str, Json]) -> None: ...
