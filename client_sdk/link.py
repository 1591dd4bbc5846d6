"""The interface between a bot and its driver: the link that the bot asks, and what drivers need of
a bot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from client_sdk.wire.messages import Clock
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.start import Start
    from games.core.contract import Reply


class Link(Protocol):
    """What a bot can do and ask while it thinks. Times are seconds of `time.monotonic`."""

    def deadline(self, begun: float, clock: Clock) -> float | None:
        """When the open turn, begun at this moment, is over; None: no limit."""
        ...

    def stopped(self) -> bool:
        """Whether the server has said stop."""
        ...

    def provisional(self, commands: Iterable[Json]) -> None:
        """The best answer so far: played if the time runs out."""
        ...

    def info(self, data: Json) -> None:
        """Show viewers something; they see it when the turn is closed."""
        ...

    def now(self, commands: Iterable[Json]) -> bool:
        """Send what answers no turn, such as resigning. False: that cannot be done here."""
        ...

    def say(self, commands: Iterable[Json]) -> bool:
        """Send some of the open turn's commands ahead of the others, where a turn is many, without
        waiting for their results.

        False: that cannot be done now or here, and they are to be sent later, with what `decide`
        returns at the latest."""
        ...

    def heard(self) -> list[list[Reply]]:
        """The results that came while the bot thinks, a list per frame; `on_results` is not called
        with them."""
        ...

    def look(self) -> Json | None:
        """The open turn's view with everything in it that was said so far; results that came before
        it are dropped.

        Waits for the server. None: the turn is over, or there is no server to ask.
        """
        ...

    def bank_s(self) -> float | None:
        """The bank when the turn was opened, or as the server last sent it; None: unknown."""
        ...


class Alone:
    """The link of a headless match: no server measures, so a bot gets its turn's time by its own
    clock."""

    def deadline(self, begun: float, clock: Clock) -> float | None:
        return begun + clock.turn_ms / 1000 if clock.turn_ms else None

    def stopped(self) -> bool:
        return False

    def provisional(self, commands: Iterable[Json]) -> None:
        """Nothing would ever be played instead of the answer."""

    def info(self, data: Json) -> None:
        """Ignored: there are no viewers."""

    def now(self, commands: Iterable[Json]) -> bool:
        return False

    def say(self, commands: Iterable[Json]) -> bool:
        return False

    def heard(self) -> list[list[Reply]]:
        return []

    def look(self) -> Json | None:
        return None

    def bank_s(self) -> float | None:
        return None


class Playing(Protocol):
    """What `headless` needs of a bot, or of something that stands between it and one."""

    @property
    def name(self) -> str: ...
    def on_start(self, start: Start) -> None: ...
    def on_view(self, view: Json) -> None: ...
    def decide(self, view: Json) -> Iterable[Json]: ...
    def on_results(self, results: Sequence[Reply]) -> None: ...
    def on_end(self, outcome: dict[str, Json]) -> None: ...


class Linked(Playing, Protocol):
    """What `live` needs of a bot."""

    name: str
    link: Link

    @property
    def game(self) -> str: ...
    @property
    def once(self) -> tuple[str, ...]: ...
    @property
    def wants_changes(self) -> bool: ...
    def on_event(self, event: dict[str, Json]) -> None: ...
