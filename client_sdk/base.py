"""The base of every bot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, NoReturn

from client_sdk.link import Alone, Link
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.start import Start
    from games.core.contract import Reply


class Bot:
    """The base of every bot. `client_sdk.api.<game>` has the idioms; this one speaks plain JSON."""

    game: ClassVar[str] = ""
    """Which game it plays; empty: any."""
    name: str = ""
    author: str = ""
    once: ClassVar[tuple[str, ...]] = ()
    """Top-level fields of the view that the server need not repeat; the bot finds them in every
    view all the same."""
    wants_changes: ClassVar[bool] = False
    """Whether results come with the changes that the commands made, where the game tells them."""
    link: Link = Alone()
    """The way to the server while a match is on."""

    def on_start(self, start: Start) -> None:
        """Once, before the first turn: the time to prepare (`start.within_ms`)."""

    def decide(self, view: Json) -> Iterable[Json]:
        """The commands of one turn, in order; none: silence."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define decide")

    def on_results(self, results: Sequence[Reply]) -> None:
        """What became of the commands of one frame (headless: of one turn), in order. Over a socket
        refused and rejected look alike, and an `ok` tells its changes only to a bot that
        `wants_changes`."""

    def on_view(self, view: Json) -> None:
        """A view that asks nothing of this seat."""

    def on_event(self, event: dict[str, Json]) -> None:
        """Something around the match: `{"e": "timeout", "turn": 3, "seat": 0, "data": null}`."""

    def on_end(self, outcome: dict[str, Json]) -> None:
        """The match is over; the result record."""

    def run(self) -> NoReturn:
        """Play one match on a server, then exit; `client_sdk.program` says how it is found."""
        from client_sdk.program import run

        raise SystemExit(run(self))
