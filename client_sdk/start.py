"""What a bot gets before its first turn, with and without sockets alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from client_sdk.wire import messages
from client_sdk.wire.messages import Clock, SeatInfo
from games.core.contract import Json

if TYPE_CHECKING:
    from games.core.contract import Pacing
    from games.core.match import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The match that a bot is about to play. It has a field for each value of the start message,
    hence their number."""

    game: str
    """The name of the game."""
    match: str
    """The match's id; empty without a server."""
    seat: int
    """The bot's seat, from 0."""
    seats: tuple[SeatInfo, ...]
    """All seats and their players, in order."""
    config: dict[str, Json]
    """The game's parameters with the values that they have."""
    clock: Clock
    """The limits of the match, in ms."""
    turn: int
    """The turn that is open."""
    view: Json
    """What the seat sees now."""
    within_ms: int | None
    """The time for preprocessing in ms; None: there is none, or it is over."""

    @property
    def role(self) -> str:
        """What the game calls the bot's seat."""
        return self.seats[self.seat].role

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(seat.name for seat in self.seats)


def start_from(message: messages.MatchStart) -> Start:
    """The start that the server sent to a seat."""
    if message.seat is None:
        raise ValueError("a viewer has no seat to start in")
    return Start(
        game=message.game,
        match=message.match,
        seat=message.seat,
        seats=message.seats,
        config=message.config,
        clock=message.clock,
        turn=message.turn,
        view=message.view,
        within_ms=message.within_ms,
    )


def start_of(match: Match, seat: int, names: Sequence[str] = ()) -> Start:
    """The start of a headless match for one seat. `names` by seat, by default the roles."""
    from games.core.parameters import described

    roles = match.game.roles
    called = [names[place] if place < len(names) else roles[place] for place in range(match.seats)]
    return Start(
        game=match.game.name,
        match="",
        seat=seat,
        seats=tuple(
            SeatInfo(place, roles[place], called[place], "bot") for place in range(match.seats)
        ),
        config=described(match.rules),
        clock=clock_of(match.pacing),
        turn=match.turn,
        view=match.view(seat),
        within_ms=match.pacing.preprocessing_ms or None,
    )


def clock_of(pacing: Pacing) -> Clock:
    """The limits that the players of a match get."""
    return Clock(**{limit: getattr(pacing, limit) for limit in Clock.__struct_fields__})
