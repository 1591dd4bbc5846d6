"""Games of players that are programs: each a process, on a server for these games."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path

from client_sdk import stamps
from client_sdk.address import socket_url
from client_sdk.bounds import Bounds
from client_sdk.connection import Connection
from client_sdk.console import UserError, note, progress
from client_sdk.conversation import Conversation
from client_sdk.errors import ServerRefused
from client_sdk.local.headless import FinishedGame, Schedule, Setting
from client_sdk.local.players import LINES_HINT, PlayerSpec, bounds_of, command
from client_sdk.local.seated import SeatStats
from client_sdk.local.server import MATCHES, local_server
from client_sdk.process import BotProcess, printable
from client_sdk.replay import JOURNAL_SUFFIX
from client_sdk.rest import RestClient
from client_sdk.running import running_s
from client_sdk.sandbox import NoSandbox
from client_sdk.wire.codes import MATCH_OVER
from client_sdk.wire.messages import End, MatchStart, ServerHello
from games.core.contract import Json
from games.core.journal import lines
from games.core.text import text_of

LOOK_S = 0.2
"""Interval at which programs are checked for their end, seconds."""
SHOWN_LINES = 8
"""Of what a failed program has said."""


def play_served(
    setting: Setting,
    players: Sequence[PlayerSpec],
    schedule: Schedule,
    log: Callable[[int, int, int, str], Path] | None = None,
) -> list[FinishedGame]:
    """All games of a run, one after the other. `log`: the file for the output of a program, by
    number of the game, seed, seat and label. Raises UserError, ServerRefused, ConnectionLost."""
    finished = []
    with (
        tempfile.TemporaryDirectory() as folder,
        local_server(Path(folder)) as url,
        RestClient(url) as rest,
        progress(len(schedule)) as advance,
    ):
        for number, (seed, seating) in enumerate(schedule, start=1):
            game = number, seed, seating, players
            labels = [players[who].label for who in seating]
            kept = None if log is None else partial(_log, log, number, seed, labels)
            done = play_one_served(rest, url, Path(folder), setting, *game, log=kept)
            finished.append(done)
            advance()
    return finished


def _log(
    log: Callable[[int, int, int, str], Path],
    number: int,
    seed: int,
    labels: Sequence[str],
    seat: int,
) -> Path:
    return log(number, seed, seat, labels[seat])


def play_one_served(
    rest: RestClient,
    url: str,
    folder: Path,
    setting: Setting,
    number: int,
    seed: int,
    seating: tuple[int, ...],
    players: Sequence[PlayerSpec],
    *,
    patience_s: float | None = None,
    bounds: Bounds | None = None,
    log: Callable[[int], Path] | None = None,
) -> FinishedGame:
    """One game to its end, on a server that keeps its records in this folder.

    `patience_s`: how long it is waited for its bots. `bounds`: what each that is no house bot may
    use. `log`: by seat the file for what its program prints.

    Raises NotStarted, UserError, ServerRefused, ConnectionLost.
    """
    game = _Game(rest, url, setting, [players[who] for who in seating], seed, bounds, log)
    outcome = game.play(patience_s)
    journal = text_of((folder / MATCHES / f"{game.match}{JOURNAL_SUFFIX}").read_bytes(), exact=True)
    turns, stats = stats_of(journal, len(seating))
    return FinishedGame(
        number, seed, seating, outcome, turns, stats, journal if setting.record else None
    )


class NotStarted(UserError):
    """The programs at these seats did not come to the match."""

    def __init__(self, why: str, seats: Sequence[int]) -> None:
        super().__init__(why)
        self.seats = tuple(seats)


class _Game:
    """One private lobby, its programs, and a viewer that waits for the end."""

    def __init__(
        self,
        rest: RestClient,
        url: str,
        setting: Setting,
        seated: Sequence[PlayerSpec],
        seed: int,
        bounds: Bounds | None,
        log: Callable[[int], Path] | None,
    ) -> None:
        limits = {} if setting.limit_s is None else {"turn_ms": round(setting.limit_s * 1000)}
        game = setting.game.name
        lobby = rest.create(
            game,
            config=dict(setting.config),
            map_text=setting.map_text,
            seed=seed,
            private=True,
            clock=limits,
        )
        self.match: str = lobby["lobby"]
        self._rest = rest
        self._url = url
        self._game = game
        self._owner: str = lobby["owner_token"]
        self._seated = seated
        self._bounds = bounds
        self._log = log
        self._seats = [
            rest.join(self.match, game, player.label, seat=at, invite=lobby["invite"])
            for at, player in enumerate(seated)
        ]
        self._gone: set[int] = set()

    def play(self, patience_s: float | None = None) -> dict[str, Json]:
        """The outcome. Raises NotStarted, also if a seat is not connected within this time."""
        until = inf if patience_s is None else running_s() + patience_s
        conversation = Conversation(
            match=self.match, token=self._owner, client="botarena play", deltas=True
        )
        with ExitStack() as stack:
            connection = stack.enter_context(
                Connection(socket_url(self._url, "watch"), conversation)
            )
            while not isinstance(connection.next(), ServerHello):
                pass
            programs = [stack.enter_context(self._program(at)) for at in range(len(self._seated))]
            started = False
            while True:
                message = connection.next(timeout=LOOK_S)
                if isinstance(message, End):
                    return message.outcome
                started = started or isinstance(message, MatchStart)
                if message is None:
                    self._look_after(programs, started)
                if not started and running_s() > until:
                    self._give_up()

    def _program(self, at: int) -> BotProcess:
        player, seat = self._seated[at], self._seats[at]
        try:
            return BotProcess(
                command(self._game, player),
                url=seat["url"],
                token=seat["token"],
                game=self._game,
                cwd=Path(player.home) if player.home else None,
                bounds=bounds_of(player, self._bounds),
                log=None if self._log is None else self._log(at),
            )
        except NoSandbox:
            raise
        except OSError as fault:
            raise NotStarted(f"{player.spec} cannot be started: {fault}", [at]) from None

    def _give_up(self) -> None:
        """Raises NotStarted with the names of the missing players, if there are any."""
        seats = self._rest.lobby(self.match, self._owner)["seats"]
        if missing := [at for at, seat in enumerate(seats) if not seat["connected"]]:
            who = ", ".join(self._seated[at].label for at in missing)
            raise NotStarted(f"{who} did not connect in time", missing)

    def _look_after(self, programs: Sequence[BotProcess], started: bool) -> None:
        """A program that ended too early: no match is played, or during one the seat resigns."""
        for at, program in enumerate(programs):
            if program.returncode is None or at in self._gone:
                continue
            said = printable("\n".join(program.tail.splitlines()[-SHOWN_LINES:]))
            ended = f"{self._seated[at].label} {program.cause}"
            if not started:
                ended += " before the match began"
                if program.returncode == 0:  # as one that found its standard input closed
                    ended += f"; {LINES_HINT}"
                raise NotStarted(f"{ended}\n{said}".rstrip(), [at])
            self._gone.add(at)
            try:
                self._rest.leave(self.match, self._seats[at]["token"])
            except ServerRefused as fault:
                if fault.code != MATCH_OVER.code:
                    raise
                continue  # it ended with the match, whose end we have not read yet
            note(f"{ended} during the match; its seat resigns\n{said}".rstrip())


def stats_of(journal: str, seats: int) -> tuple[int, list[SeatStats]]:
    """Turns played, and each seat's statistics on the server. Raises BrokenLine, Differs."""
    stats = [SeatStats() for _ in range(seats)]
    charged: dict[tuple[int, int], float] = {}
    turns = 0
    for line in lines(journal):
        fields = line.fields
        if fields["k"] == "turn":
            turns = stamps.whole(fields, "n") + 1
        elif fields["k"] == "command":
            seat, turn = stamps.seat(fields, seats), stamps.whole(fields, "n")
            stats[seat].illegal += fields.get("v") == "rejected"
            if "t" in fields:
                charged.setdefault((seat, turn), 0)
                if (times := stamps.turn_times(fields)) is not None:
                    charged[seat, turn] = times["charged"] / 1000
        elif fields["k"] == "event" and fields.get("e") == "timeout":
            stats[stamps.seat(fields, seats)].late += 1
    for (seat, _), seconds in charged.items():
        one = stats[seat]
        one.turns += 1
        one.total_s += seconds
        one.longest_s = max(one.longest_s, seconds)
    return turns, stats
