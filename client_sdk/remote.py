"""What bots have in common that decide outside this process: the limits of a turn, and what the
silence of a bot means."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final, Literal, Self, TypeAlias

from client_sdk.base import Bot
from client_sdk.link import HeadlessLink
from client_sdk.start import Start
from client_sdk.turn_limit import TurnLimit
from games.core.contract import AnyGame, Json, Pacing
from games.core.parameters import configure

HUNG: Final = 2
"""Limits that a bot lets pass in a row until it counts as hung, where a late bot plays on."""

WhySilent: TypeAlias = Literal["timeout", "not_ready", "disconnect"]
"""Why a bot says nothing."""


class RemoteBot(Bot):
    """A bot that is asked elsewhere. A context manager: leaving it ends what it has started."""

    def __init__(
        self, game: AnyGame, limit_s: float | None = None, longest_s: float | None = None
    ) -> None:
        """`limit_s`: the time of a turn where no server keeps it, by default the match's own.
        `longest_s`: the time of a turn where a match has no limit."""
        self._game = game
        self._limit_s = limit_s
        self._longest_s = longest_s
        self._pacing = Pacing()
        self._limit: TurnLimit | None = None
        self._start: Start | None = None
        self._silence: WhySilent | None = None
        """Why no answer is expected any more; None: the bot is well."""
        self._missed = 0
        """Limits that it has let pass since its last answer in time."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End what it has started. Doing it twice is no fault."""
        raise NotImplementedError

    def settle(self) -> None:
        """Wait until what its process has written so far is in its log, but not for long."""

    @property
    def forfeits(self) -> str | None:
        """The reason for which the game's rules end a match whose bot has ended; None: it plays on,
        in silence."""
        if self._silence is None or self._game.command_for_silence is not None:
            return None
        return self._pacing.forfeit_for(self._silence)

    def on_start(self, start: Start) -> None:
        self._start = start
        self._pacing = pacing = self._game.pacing(configure(self._game, start.config))
        # A clock of ticks does not run here: a bot has the time of a turn without one.
        self._limit = TurnLimit.of(replace(pacing, tick_ms=None))

    def _within_s(self) -> float | None:
        """The time for the turn that opens now, with the bank; None: no limit."""
        assert self._start is not None
        if self._limit_s is not None:
            return self._limit_s
        if not self._on_server():
            return self._longest_s if self._limit is None else self._limit.begin()
        begun = time.monotonic()
        until = self.link.deadline(begun, self._start.clock)
        return self._longest_s if until is None else until - begun + (self._bank_s() or 0)

    def _bank_s(self) -> float | None:
        """What is left of the bank; None: the match has none, or it is unknown."""
        if self._on_server() or self._limit_s is not None or self._limit is None:
            return self.link.bank_s()
        return self._limit.bank_s if self._pacing.bank_ms else None

    def _took(self, seconds: float) -> None:
        """The turn took this long: where no server keeps the bank it is less now."""
        if self._limit is not None:
            self._limit.end(seconds)

    def _on_server(self) -> bool:
        return not isinstance(self.link, HeadlessLink)

    def _hangs(self) -> bool:
        """A limit has passed. Whether nothing more is expected of the bot."""
        self._missed += 1
        # Who forfeits a bot that is not ready in time forfeits one that does not answer in time.
        return self._pacing.late_ready != "plays" or self._missed >= HUNG

    def _silent(self, reason: WhySilent) -> list[Json]:
        """What the referee has for a seat that says nothing, for this reason."""
        command_for = self._game.command_for_silence
        return [] if command_for is None else [command_for(reason)]
