"""A match that a program steps. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from botarena._play import game_called, map_text
from games.core.contract import AnyGame, Json, Reply, Seat, SeatResult
from games.core.journal import Journal
from games.core.match import Match
from games.core.parameters import configure

REWARDS: Final[Mapping[SeatResult | None, float]] = {
    "win": 1.0,
    "draw": 0.0,
    "loss": -1.0,
    "both_lost": -1.0,
    None: 0.0,
}
"""The reward at the end, by the result of the seat."""


class EnvStep(NamedTuple):
    """What one call of `Env.step` has done."""

    rewards: tuple[float, ...]
    """By seat: 1 for a win, -1 for a loss, 0 for a draw and before the end, and what `progress`
    has gained."""
    done: bool
    """Whether the match is over."""
    replies: dict[Seat, list[Reply]]
    """The game's replies to the commands of each seat, in order."""


class Env:
    """One match after the other of one game.

    Arguments:
        game: the name of a game, or a `Game`.
        config: parameters of the rules, such as `{"preset": "tiny"}`.
        map: the name of a map of the game, or the path of a map file.
        progress: a number for the view of a seat, such as its score. What it gains in a step is
            added to the reward of the seat.
        record: whether to keep the record of the match (`journal`).

    Raises BadSetup if no match can be made of the arguments.
    """

    def __init__(
        self,
        game: str | AnyGame,
        *,
        config: Mapping[str, Json] | None = None,
        map: str | Path | None = None,  # noqa: A002  the word of the command and of REST
        progress: Callable[[Json], float] | None = None,
        record: bool = False,
    ) -> None:
        self.game = game_called(game) if isinstance(game, str) else game
        """The game."""
        self.config = dict(config or {})
        """The given parameters."""
        self.map_text = None if map is None else map_text(self.game.name, map)
        """The text of the map; None: each match has its own board."""
        self.seats: int = self.game.seats(configure(self.game, self.config))
        """The number of seats."""
        self.match: Match
        """The present match; before the first `reset`, that of seed 0."""
        self._progress = progress
        self._record = record
        self._reached: list[float] = []
        self._written: list[str] = []
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a match. `seed`: 0 to 2**63 - 1; equal seeds and commands give equal matches."""
        self.match = Match.begin(self.game, self.config, seed, self.map_text)
        self._written = []
        if self._record:
            journal = self.match.journal = Journal(self._written.append)
            journal.header(
                self.game,
                match=f"{self.game.name}-{seed}",
                config=self.config,
                seed=seed,
                map_text=self.map_text,
                seats=[{"name": f"seat {seat}", "kind": "bot"} for seat in range(self.seats)],
            )
        self._settle()
        self._reached = self._progresses()

    @property
    def done(self) -> bool:
        """Whether the match is over."""
        return self.match.outcome is not None

    @property
    def awaited(self) -> frozenset[Seat]:
        """The seats that are to answer in the next step; empty when the match is over."""
        return self.match.awaited

    @property
    def journal(self) -> str:
        """The record so far as text, which `botarena.verify` checks in a file; or empty."""
        return "".join(self._written)

    def observe(self, seat: Seat) -> Json:
        """What the seat sees, as plain JSON: the view that its bot would get."""
        return self.match.view(seat)

    def legal(self, seat: Seat) -> list[Json]:
        """The commands that the seat may send now. Raises ValueError if the game lists none."""
        commands = self.match.legal(seat)
        if commands is None:
            raise ValueError(f"{self.game.name} does not list its legal commands")
        return commands

    def step(self, commands: Mapping[Seat, Json]) -> EnvStep:
        """Play a command of each seat, in the order of the seats, then go on to the next moment
        that awaits a seat.

        A list stands for several commands in order. In games without `end_turn` the turn is then
        over, as for a bot that answers once: a seat whose command was not accepted, or that has
        none here, is silent. In the others a turn lasts until `end_turn`; an awaited seat without
        a command is silent, with what the rules say of that. Commands that come after the end of
        the turn are dropped. Raises ValueError when the match is over, or for an unknown seat."""
        match = self.match
        if match.outcome is not None:
            raise ValueError("the match is over: call reset")
        unknown = commands.keys() - range(self.seats)
        if unknown:
            raise ValueError(f"expected seats 0 to {self.seats - 1}, got {sorted(unknown)}")
        turn, silent = match.turn, match.awaited - commands.keys()
        replies: dict[Seat, list[Reply]] = {seat: [] for seat in commands}
        for seat in sorted(commands):
            given = commands[seat]
            for command in given if isinstance(given, list) else (given,):
                if match.outcome is None and match.turn == turn:
                    replies[seat].append(match.apply(seat, command))
        closes = silent or self.game.end_turn is None
        if match.outcome is None and match.turn == turn and closes:
            match.advance()
        self._settle()
        return EnvStep(self._rewards(), self.done, replies)

    def _settle(self) -> None:
        """Let the game's own time pass until it awaits a seat."""
        while self.match.outcome is None and not self.match.awaited:
            self.match.advance()

    def _progresses(self) -> list[float]:
        if self._progress is None:
            return []
        return [self._progress(self.match.view(seat)) for seat in range(self.seats)]

    def _rewards(self) -> tuple[float, ...]:
        outcome = self.match.outcome
        rewards = [0.0] * self.seats
        if outcome is not None:
            rewards = [REWARDS[one.outcome] for one in outcome.seats]
        if self._progress is not None:
            before, self._reached = self._reached, self._progresses()
            rewards = [
                reward + now - then
                for reward, now, then in zip(rewards, self._reached, before, strict=True)
            ]
        return tuple(rewards)
