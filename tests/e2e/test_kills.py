"""A server that is killed at any moment and restarted loses nothing that a client knows of, and
does nothing twice.

Scripted bots play all games at once on one server. A killed process has written everything that its
clients know of; its last write is cut at any byte after that. In turns the match then has to be the
same as without a kill. By the clock that is unknown: the earlier record is a prefix of the later
one, with every answered command."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws

from client_sdk.address import socket_url
from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.errors import ServerRefused
from client_sdk.rest import RestClient
from client_sdk.wire.codes import BAD_TOKEN, MATCH_OVER
from client_sdk.wire.messages import End, MatchStart, Results, View
from games import GAMES
from games.core.rerun import verify
from tests.core.records import begun, fields_of
from tests.e2e.arena import PATIENCE_S, eventually, free_port, hello, receive
from tests.e2e.forked import forked, kill
from tests.games.entries import ENTRIES

Json = Any

CONFIGS: Mapping[str, Mapping[str, Json]] = {
    "botstack": {},
    "catastrophe": {"map_width": 12, "map_height": 8, "max_turns": 30},
    "cookoff": {"total_turns": 20, "failure_policy": "skip", "turn_time_ms": 0, "init_time_ms": 0},
    "pyrat": {
        "preset": "tiny",
        "max_turns": 50,
        "move_timeout_ms": 0,
        "preprocessing_timeout_ms": 0,
    },
    "zooscape": {"seats": 2, "map_size": 9, "max_ticks": 80, "tick_ms": 15},
}
ENDS: Mapping[str, Json] = {"catastrophe": {"cmd": "end_turn"}, "cookoff": {"type": "end_turn"}}
HOUSE = {"stale_turn", "already_acted"}
"""The result of a repeated command."""
MESSAGES = 120
"""Messages until the server is killed again, at most."""
STARTED = 60_000
"""ms that a match waits for its seats: only a fault reaches it."""


def script(game: str, seed: int, seat: int, turn: int, view: Json) -> list[list[Json]]:
    """What a seat says in a turn, frame by frame: always the same."""
    chance = random.Random(f"{seed} {seat} {turn}")
    if game == "botstack":
        return [[botstack(chance, seat, view)]]
    if game not in ENDS:
        return [[ENTRIES[game].command(chance)]]
    end = ENDS[game]
    frames = [
        [
            command
            for _ in range(chance.randint(1, 3))
            if not end.items() <= (command := ENTRIES[game].command(chance)).items()
        ]
        for _ in range(chance.randint(0, 2))
    ]
    return [frame for frame in frames if frame] + [[end]]


def botstack(chance: random.Random, seat: int, view: Json) -> Json:
    if view["phase"].startswith("abstain"):
        return {"type": "abstain", "value": False}
    if view["phase"] == "item":
        return {"type": "item", "slot": 0}
    return {"type": "shoot", "target": chance.choice(("self", "opponent"))}


def undisturbed(
    game: str, seed: int, config: Mapping[str, Json] | None = None, *, mute: bool = False
) -> list[dict[str, Json]]:
    """The record of the match that is played when nothing happens to it; `mute`: by the clock,
    without a command."""
    match, written = begun(GAMES[game], CONFIGS[game] if config is None else config, seed)
    while match.outcome is None:
        for seat in () if mute else sorted(match.awaited):
            for frame in script(
                game, seed, seat, match.turn, json.loads(json.dumps(match.view(seat)))
            ):
                for command in frame:
                    match.apply(seat, command)
        if (mute or not match.awaited) and match.outcome is None:
            match.advance()
    return fields_of("".join(written))


class Fuse:
    """Ends the server when its clients have received this number of messages, at an arbitrary point
    of its work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left = 0
        self._pid: int | None = None
        self._signal = signal.SIGKILL

    def light(self, messages: int, pid: int, sent: signal.Signals = signal.SIGKILL) -> None:
        with self._lock:
            self._left, self._pid, self._signal = messages, pid, sent

    def burn(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left <= 0 and self._pid is not None:
                os.kill(self._pid, self._signal)
                self._pid = None


class Bot(threading.Thread):
    """A scripted seat, with the SDK's connection: it comes back by itself."""

    def __init__(self, game: str, seed: int, taken: Mapping[str, Json], fuse: Fuse) -> None:
        super().__init__(daemon=True)
        self.fuse = fuse
        self.game, self.seed, self.seat = game, seed, int(taken["seat"])
        self.started = threading.Event()
        self.quiet = 0
        """How often it has looked, and there was nothing."""
        self.shown = 0
        """The newest turn."""
        self.commands_sent: list[tuple[int, Json]] = []
        """By the clock: everything, with the frame's id."""
        self.answered: dict[int, Results] = {}
        """By the frame's id."""
        self.frames: dict[int, int] = {}
        """Number of frames sent for a turn."""
        self.mute = False
        """Sends nothing."""
        self.over = False
        self.fault: Exception | None = None
        self.connection = Connection(
            socket_url(str(taken["url"])),
            Conversation(token=str(taken["token"]), client="scripted"),
            patience_s=PATIENCE_S,
            delay=lambda attempt, gone_s, grace_s: 0.02,
        )

    def run(self) -> None:
        try:
            with self.connection:
                while not self.over:
                    message = self.connection.next(0.02)
                    if message is None:
                        self.quiet += 1
                    else:
                        self.fuse.burn()
                        self.hear(message)
        except ServerRefused as refusal:
            self.over = refusal.code in (
                MATCH_OVER.code,
                BAD_TOKEN.code,
            )  # it ended in the moment of the kill
            self.fault = None if self.over else refusal
        except Exception as fault:  # noqa: BLE001
            self.fault = fault

    def hear(self, message: object) -> None:
        match message:
            case MatchStart():
                self.shown = max(self.shown, message.turn)
                self.connection.ready()
                self.started.set()
            case View():
                self.shown = max(self.shown, message.turn)
                if message.act and not self.mute:
                    self.speak(message.turn, message.view)
            case Results():
                assert isinstance(message.id, int)
                self.answered[message.id] = message
                if self.game in ENDS and self.connection.conversation.turn == message.turn:
                    self.speak(message.turn, None)
            case End():
                self.over = True

    def speak(self, turn: int, view: Json) -> None:
        """The turn's next frame."""
        frames = script(self.game, self.seed, self.seat, turn, view)
        number = self.frames.get(turn, 0)
        if number < len(frames):
            self.frames[turn] = number + 1
            realtime = self.game == "zooscape"
            if realtime:
                self.commands_sent.append(
                    (self.connection.conversation._ids + 1, frames[number][0])
                )
            self.connection.commands(None if realtime else turn, frames[number])

    def acknowledged(self) -> tuple[int, int]:
        """The newest turn in which commands of it were answered, and how many of them; by the clock
        no turn, and an upper bound for all."""
        if self.game == "zooscape":
            return -1, sum(id_ <= max(self.answered, default=0) for id_, _ in self.commands_sent)
        newest = max((results.turn for results in self.answered.values()), default=-1)
        return newest, sum(
            len(results.results) for results in self.answered.values() if results.turn == newest
        )

    @property
    def away(self) -> bool:
        return self.connection._socket is None


@dataclass
class Played:
    """One match, and what has become of it."""

    game: str
    seed: int
    id: str
    bots: list[Bot]
    kept: bytes = b""
    """What was written when the server died last."""


@dataclass
class Figures:
    kills: int = 0
    matches: int = 0
    cut: int = 0
    answered: int = 0
    lines: list[int] = field(default_factory=list)


def seated(rest: RestClient, chance: random.Random, fuse: Fuse) -> Iterator[Played]:
    for game, config in CONFIGS.items():
        seed = chance.randrange(1 << 32)
        lobby = rest.create(game, config=dict(config), seed=seed, clock={"startup_ms": STARTED})[
            "lobby"
        ]
        bots = [Bot(game, seed, rest.join(lobby, game, f"bot {seat}"), fuse) for seat in range(2)]
        yield Played(game, seed, lobby, bots)


def journal(data: Path, match: Played) -> Path:
    return data / "matches" / f"{match.id}.journal.jsonl"


def acknowledged(match: Played, record: bytes) -> int:
    """Where the lines end that a client knows of: answered commands, turns followed by a shown one,
    what opened that one, the end."""
    lines = record.splitlines(keepends=True)
    answers = [bot.acknowledged() for bot in match.bots]
    shown = max(bot.shown for bot in match.bots)
    size = end = 0
    for number, line in enumerate(lines):
        size += len(line)
        fields = json.loads(line) if line.endswith(b"\n") else {"k": ""}
        known = number == 0 or (fields["k"] == "end" and any(bot.over for bot in match.bots))
        if fields["k"] == "command":
            turn, left = answers[fields["s"]]
            known = fields["n"] < turn or (
                (fields["n"] == turn or match.game == "zooscape") and left > 0
            )
            answers[fields["s"]] = turn, left - (match.game == "zooscape" or fields["n"] == turn)
        known = known or (
            fields["k"] in ("turn", "advance") and fields["n"] < shown + (match.game in ENDS)
        )
        end = size if known else end
    return end


def after_the_kill(
    data: Path, matches: list[Played], chance: random.Random, figures: Figures
) -> None:
    """All has been heard that the dead server had sent; then its last write turns out to be
    torn."""
    for bot in (bot for match in matches for bot in match.bots):
        eventually(lambda bot=bot: bot.over or bot.fault or bot.away)
        looked = bot.quiet
        eventually(lambda bot=bot, looked=looked: bot.over or bot.fault or bot.quiet > looked)
    for match in matches:
        record = journal(data, match).read_bytes()
        assert record.startswith(match.kept), match
        cut = chance.randint(acknowledged(match, record), len(record))
        figures.cut += cut < len(record)
        figures.lines.append(record.count(b"\n"))
        journal(data, match).write_bytes(record[:cut])
        match.kept = record[: record.rfind(b"\n", 0, cut) + 1]


def check(data: Path, match: Played, outcome: Mapping[str, Json], figures: Figures) -> None:
    record = journal(data, match).read_bytes()
    assert record.startswith(match.kept)
    assert verify(record, GAMES).kind == "ok"
    lines = fields_of(record.decode())
    for bot in match.bots:
        mine = [line for line in lines if line["k"] == "command" and line["s"] == bot.seat]
        figures.answered += sum(len(results.results) for results in bot.answered.values())
        if match.game == "zooscape":
            over = {
                id_
                for id_, results in bot.answered.items()
                if results.results[0].code == "game_not_running"
            }
            kept = (
                bot.answered.keys() - over
            )  # what comes after the end is answered, and stands in no record
            assert in_order(
                [command for id_, command in bot.commands_sent if id_ in kept],
                [line["c"] for line in mine],
            )
            assert in_order(
                [line["c"] for line in mine], [command for _, command in bot.commands_sent]
            )
    if match.game == "zooscape":
        return
    expected = undisturbed(match.game, match.seed)
    for seat in (0, 1):
        assert fates(lines, seat) == fates(expected, seat), (match.game, seat)
    assert hashes(lines) == hashes(expected), match.game
    true = expected[-1]["outcome"]
    assert (outcome["outcome"], outcome["winner"], outcome["reason"]) == (
        true["outcome"],
        true["winner"],
        true["reason"],
    )
    assert [seat["score"] for seat in outcome["seats"]] == [seat["score"] for seat in true["seats"]]


def fates(lines: list[dict[str, Json]], seat: int) -> list[tuple[Json, ...]]:
    """Every command of a seat that was looked at, with its turn and its fate."""
    return [
        (line["n"], line["c"], line["v"], line["r"])
        for line in lines
        if line["k"] == "command" and line["s"] == seat and line["r"] not in HOUSE
    ]


def hashes(lines: list[dict[str, Json]]) -> list[Json]:
    """The state's after each turn and at the end."""
    return [line["h"] for line in lines if line["k"] in ("turn", "end")]


def in_order(some: list[Json], all_: list[Json]) -> bool:
    """Whether these are among those, each once, in the same order."""
    rest = iter(all_)
    return all(any(one == other for other in rest) for one in some)


def play(data: Path, seed: int, kills: int, figures: Figures) -> None:
    """One match of each game on a server that is killed so often."""
    chance = random.Random(seed)
    port = free_port()
    with ExitStack() as stack:
        process, rest = stack.enter_context(forked(port, data))
        fuse = Fuse()
        matches = list(seated(rest, chance, fuse))
        bots = [bot for match in matches for bot in match.bots]
        for bot in bots:
            bot.start()
        for bot in bots:
            assert bot.started.wait(PATIENCE_S)
        for _ in range(kills):
            fuse.light(chance.randint(1, MESSAGES), process.pid)
            eventually(
                lambda process=process: (
                    not process.is_alive() or all(bot.over or bot.fault for bot in bots)
                )
            )
            kill(process)
            figures.kills += 1
            after_the_kill(data, matches, chance, figures)
            process, rest = stack.enter_context(forked(port, data))
        for bot in bots:
            bot.join(PATIENCE_S)
        for match in matches:
            check(data, match, ended(rest, match), figures)
        assert [None] * len(bots) == [bot.fault for bot in bots]
        figures.matches += len(matches)


@pytest.mark.parametrize(
    ("seeds", "kills"),
    [((1,), 10), ((2,), 10), pytest.param(range(100, 120), 10, marks=pytest.mark.soak)],
    ids=["10 kills", "10 other kills", "200 kills"],
)
def test_no_kill_changes_a_match(seeds: tuple[int, ...], kills: int, tmp_path: Path) -> None:
    figures = Figures()
    for seed in seeds:
        data = tmp_path / str(seed)
        data.mkdir()
        try:
            play(data, seed, kills, figures)
        except Exception as fault:
            raise AssertionError(f"seed {seed}: {fault}") from fault
    assert figures.kills == kills * len(seeds)
    print(
        f"{figures.kills} kills over {figures.matches} matches, {figures.cut} last writes torn, "
        f"{figures.answered} commands answered: none lost, none done twice, every state hash and "
        "outcome as without a kill"
    )


def test_the_scripts_play_the_same_match_without_a_kill(tmp_path: Path) -> None:
    play(tmp_path, 5, 0, Figures())


SHORT: Mapping[str, Mapping[str, Json]] = {
    "botstack": {"reconnect_grace_ms": 100},
    "catastrophe": {"map_width": 12, "map_height": 8, "max_turns": 30, "reconnect_grace_ms": 100},
    "cookoff": {
        "total_turns": 20,
        "failure_policy": "skip",
        "turn_time_ms": 20_000,
        "init_time_ms": 0,
    },
    "pyrat": {
        "preset": "tiny",
        "max_turns": 50,
        "move_timeout_ms": 20_000,
        "fault_policy": "strict",
    },
    "zooscape": {"seats": 2, "map_size": 9, "max_ticks": 400, "tick_ms": 10},
}
ALONE = dict.fromkeys(("botstack", "catastrophe", "pyrat"), "disconnect") | {
    "zooscape": "max_ticks",
    "cookoff": "disconnected",
}
"""How a match ends to which one seat returns: by the rules for absent seats."""


def test_a_client_that_does_not_return_after_a_kill_is_absent_by_the_games_rules(
    tmp_path: Path,
) -> None:
    """A match to which no seat returns was interrupted. Viewers find every match in its current
    state."""
    port, fuse = free_port(), Fuse()
    with ExitStack() as stack:
        process, rest = stack.enter_context(forked(port, tmp_path))
        matches = []
        for game, config in SHORT.items():
            for _ in range(2):
                lobby = rest.create(game, config=dict(config), clock={"startup_ms": 8_000})["lobby"]
                matches.append(
                    Played(
                        game,
                        1,
                        lobby,
                        [Bot(game, 1, rest.join(lobby, game, "bot"), fuse) for _ in range(2)],
                    )
                )
        for bot in (bot for match in matches for bot in match.bots):
            bot.mute = True
            bot.start()
        for bot in (bot for match in matches for bot in match.bots):
            assert bot.started.wait(PATIENCE_S)
        kill(process)
        for abandoned, halved in zip(matches[::2], matches[1::2], strict=True):
            for bot in (*abandoned.bots, halved.bots[0]):
                bot.over = True
                bot.join(PATIENCE_S)
            halved.bots[1].mute = False
        _, rest = stack.enter_context(forked(port, tmp_path))
        with ws.connect(
            f"ws://127.0.0.1:{port}/ws/watch", compression=None, proxy=None
        ) as spectator:
            assert hello(spectator, match=matches[0].id)["match"] == matches[0].id
            start = receive(spectator)
            assert (start["type"], start["match"]) == ("start", matches[0].id)
            assert receive(spectator)["event"] == "resumed"
        for abandoned, halved in zip(matches[::2], matches[1::2], strict=True):
            absent, present = (ended(rest, match) for match in (abandoned, halved))
            assert (absent["outcome"], absent["reason"]) == ("aborted", "interrupted"), abandoned
            assert present["reason"] == ALONE[halved.game], (halved.game, present)
            halved.bots[1].join(PATIENCE_S)
            assert halved.bots[1].over


def ended(rest: RestClient, match: Played) -> dict[str, Json]:
    """The outcome, once there is one."""
    return eventually(lambda: rest.match(match.id).get("outcome"))
