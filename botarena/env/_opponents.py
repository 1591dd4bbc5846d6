"""The other seats of an environment for one seat."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from botarena._play import BotLike, opened_bot
from botarena.env._env import Env, EnvStep
from client_sdk.base import Bot
from client_sdk.link import HeadlessLink
from client_sdk.start import start_of
from games.core.contract import Json, Seat, outcome_json

Policy: TypeAlias = Callable[[Json, list[Json]], Json]
"""A command, or a list of them, for the view of a seat and its legal commands."""

Opponent: TypeAlias = BotLike | Policy
"""What `botarena.play` takes as a player, or a function."""


class OtherSeats:
    """Plays seats of an `Env`: bots get what they get in a match without a server, functions are
    called once in each step that awaits them."""

    def __init__(self, env: Env, seats: Iterable[Seat], opponent: Opponent) -> None:
        self._env = env
        self._seats = list(seats)
        self._opponent = opponent
        self._bots: dict[Seat, Bot] = {}
        self._open = contextlib.ExitStack()
        self._viewed: dict[Seat, int] = {}

    def begin(self) -> None:
        """Start new bots for the match that has begun. Raises BadBot."""
        self.close()
        opponent, match = self._opponent, self._env.match
        self._viewed = {}
        if not isinstance(opponent, str | Path | type | Bot):
            return
        if isinstance(opponent, Bot) and len(self._seats) > 1:
            raise ValueError("one bot cannot play several seats: give its class, file or name")
        names = [f"seat {number}" for number in range(match.seats)]
        for seat in self._seats:
            bot = opened_bot(self._env.game.name, opponent, self._open)
            bot.link = HeadlessLink(match)
            bot.on_start(start_of(match, seat, names))
            self._bots[seat] = bot

    def commands(self) -> dict[Seat, Json]:
        """What the awaited ones of the seats play now."""
        env, policy = self._env, self._opponent
        commands: dict[Seat, Json] = {}
        for seat in self._seats:
            bot = self._bots.get(seat)
            if seat in env.awaited:
                view = env.observe(seat)
                if bot is not None:
                    commands[seat] = [*bot.decide(view)]
                elif not isinstance(policy, str | Path | type | Bot):
                    commands[seat] = policy(view, env.legal(seat))
            elif bot is not None and self._viewed.get(seat) != env.match.turn:
                self._viewed[seat] = env.match.turn
                bot.on_view(env.observe(seat))
        return commands

    def hear(self, step: EnvStep) -> None:
        """Tell the bots what has become of their commands, and of the match."""
        for seat, bot in self._bots.items():
            if step.replies.get(seat):
                bot.on_results(step.replies[seat])
            if self._env.match.outcome is not None:
                bot.on_view(self._env.observe(seat))
                bot.on_end(outcome_json(self._env.match.outcome))

    def close(self) -> None:
        """End the processes of bots that have one."""
        self._bots = {}
        self._open.close()
