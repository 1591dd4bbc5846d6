"""The base of every bot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, NoReturn

from client_sdk.link import HeadlessLink, Link
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.start import Start
    from games.core.contract import Reply


class Bot:
    """The base class of every bot. `botarena.<game>` has a base class for each game; this one
    receives and answers plain JSON."""

    game: ClassVar[str] = ""
    """The name of the game that the bot plays; empty: any game."""
    name: str = ""
    """The name of the bot; by default that of its file."""
    author: str = ""
    """Who wrote it."""
    start_only: ClassVar[tuple[str, ...]] = ()
    """Top-level fields of the view that the server sends once. The bot gets them in every view."""
    wants_changes: ClassVar[bool] = False
    """Whether results have the changes that the commands made, where the game reveals them."""
    link: Link = HeadlessLink()
    """The connection to the server during a match."""
    _required: ClassVar[str] = "decide"
    """The method that a bot has to define, unless it defines `decide`."""

    def on_start(self, start: Start) -> None:
        """Called once, before the first turn. Return within `start.within_ms`."""

    def decide(self, view: Json) -> Iterable[Json]:
        """The commands of one turn, in order. No command means silence, which costs what the rules
        of the game say."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define decide")

    def on_results(self, results: Sequence[Reply]) -> None:
        """Called with the results of one frame of commands (without a server: of one turn), in
        order. On a server, refused and rejected results look the same, and `changes` is set only if
        the bot has `wants_changes`."""

    def on_view(self, view: Json) -> None:
        """Called with a view that requires no answer."""

    def on_event(self, event: dict[str, Json]) -> None:
        """Called with an event: `{"e": "timeout", "turn": 3, "seat": 0, "data": null}`."""

    def on_end(self, outcome: dict[str, Json]) -> None:
        """Called once, when the match is over, with its outcome as JSON."""

    def run(self) -> NoReturn:
        """Play one match on a server, then exit. The command line and the environment say where."""
        from client_sdk.program import run

        raise SystemExit(run(self))
