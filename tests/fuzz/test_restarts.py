"""Seats that send everything that a client may send, on a server that is killed and stopped while
they play: only what is no message, or no answer, may have no effect. Each match has to be the one
that is played without all that.

Both seats of a match of every game play a script, over the SDK's connection, which comes back by
itself. Between the script's frames they send hostile ones: no rule of a game or of the server gives
any of these an effect."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from client_sdk.rest import RestClient
from client_sdk.wire.messages import Results, View
from games import GAMES
from games.core.contract import Rejected
from games.core.rerun import verify
from tests.core.records import fields_of
from tests.e2e.arena import PATIENCE_S, connected, eventually, free_port
from tests.e2e.forked import forked
from tests.e2e.test_kills import (
    ENDS,
    STARTED,
    Bot,
    Fuse,
    Played,
    ended,
    hashes,
    journal,
    undisturbed,
)

Json = Any

CONFIGS: Mapping[str, Mapping[str, Json]] = {
    "botstack": {"rounds_per_match": 1, "max_rejects_per_decision": 0},
    "catastrophe": {
        "map_width": 12,
        "map_height": 8,
        "max_turns": 10,
        "max_bad_messages": 1_000_000,
    },
    "cookoff": {"total_turns": 8, "failure_policy": "skip", "turn_time_ms": 0, "init_time_ms": 0},
    "pyrat": {
        "preset": "tiny",
        "max_turns": 20,
        "move_timeout_ms": 0,
        "preprocessing_timeout_ms": 0,
    },
    "zooscape": {"seats": 2, "map_size": 9, "max_ticks": 40, "tick_ms": 25},
}
"""Penalties for rejected commands and frames are switched off."""
SILENT = "zooscape"
"""By the clock a match is the same each time only if no seat plays: here the seats send hostile
frames only."""
ALTERNATE = ("catastrophe", "cookoff")
"""Each seat has every second turn."""
BANK_MS = 600_000
LENIENT = {
    "DRAIN_MS": "0",
    "BAD_FRAMES": "1000000",
    "FRAMES_PER_SECOND": "100000",
    "REFUSALS_PER_TURN": "1000000",
}
MESSAGES = 60
"""Messages that the seats receive until the server ends again, at most."""

WORDS: tuple[Json, ...] = (
    None, True, 0, -1, 5, 0.5, 10**300, "", "hello", "\n", "x" * 3_000, [], [1], {}, [[[]]],
    {"clock": 5}, {"clock": {"charged": 0}}, {"clock": {"charged": 10**9, "lag": -1}},
    {"clock": {"charged": "x"}}, {"within_ms": 0}, {"dropped": "all", "skipped": None},
    {"e": "timeout", "s": 0, "d": {"clock": {"charged": 1}}},
    {"k": "break", "s": [0, 1], "r": "resignation"}, {"k": "end", "outcome": {}},
    {"chain": "0" * 32}, {"draw": [{"kind": 3}]},
)  # fmt: skip
IDS: tuple[Json, ...] = (None, -1, 0, 2**63, 10**30, "", "1", "frame", "x" * 80)
"""Those of the script count from 1."""
NO_IDS: tuple[Json, ...] = (0.5, True, [], {}, "x" * 81)
TURNS: tuple[Json, ...] = (10**6, 2**63, 10**30)
"""Far from being open."""
NO_TURNS: tuple[Json, ...] = (-1, 0.5, "1", True, [], {})
NO_MESSAGES: tuple[str | bytes, ...] = (
    "", "null", "[]", "{}", '{"type":"info"', '{"type":3}', '{"type":"start"}',
    '{"type":"commands"}', "[" * 5_000, "{" * 33, "x" * 60_000,
    '{"type":"info","data":' + "[" * 40 + "]" * 40 + "}", '{"type":"info","data":1e999}',
    '{"type":"info","data":NaN}', '{"type":"info","data":"' + "x" * 5_000 + '"}',
    '{"type":"info","data":"s_' + "a" * 32 + '"}',
    b"", b"\x00\xff", b'{"type":"ready"}', b'{"type":"commands","turn":0,"commands":[]}',
)  # fmt: skip


class Hostile(Bot):
    """Plays its script, and sends hostile frames in between."""

    def __init__(self, game: str, seed: int, taken: Mapping[str, Json], fuse: Fuse) -> None:
        super().__init__(game, seed, taken, fuse)
        self.chance = random.Random(f"{seed} {self.seat}")
        self.sent: Counter[str] = Counter()
        self.mute = game == SILENT
        self.newest = -2
        """The newest turn that this seat has had."""

    def hear(self, message: object) -> None:
        if isinstance(message, Results) and not self.own(message):
            return
        super().hear(message)
        if isinstance(message, View):
            self.annoy(message.turn, acts=message.act)

    def own(self, results: Results) -> bool:
        return isinstance(results.id, int) and 1 <= results.id <= self.connection.conversation._ids

    def speak(self, turn: int, view: Json) -> None:
        self.newest = turn
        self.annoy(turn, acts=True)
        super().speak(turn, view)

    def annoy(self, turn: int, *, acts: bool) -> None:
        """Some frames that have no effect, with the turn of the newest view."""
        for _ in range(self.chance.randint(0, 3)):
            kind = self.chance.choice(KINDS)
            frame = getattr(self, kind)(turn, acts)
            socket = self.connection._socket
            if socket is not None:
                self.sent[kind] += 1
                with contextlib.suppress(ConnectionClosed, OSError):
                    socket.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    def hello(self, turn: int, acts: bool) -> Json:
        fields = {
            "type": "hello",
            "protocol": self.chance.choice((0, 1, 2, "1")),
            "token": self.chance.choice((None, "s_x", "x")),
        }
        return fields | {"match": self.chance.choice(WORDS), "once": ["maze"], "client": "\n"}

    def ready(self, turn: int, acts: bool) -> Json:
        return {"type": "ready", "turn": self.chance.choice(WORDS)}

    def resync(self, turn: int, acts: bool) -> Json:
        return {"type": "resync", "data": self.chance.choice(WORDS)}

    def seen(self, turn: int, acts: bool) -> Json:
        return {"type": "seen", "turn": self.chance.choice((turn, 0, *TURNS, *NO_TURNS))}

    def info(self, turn: int, acts: bool) -> Json:
        data = self.chance.choice(WORDS)
        return {
            "type": "info",
            "data": self.chance.choice((data, [data], {"text": data})),
            "turn": self.chance.choice((None, turn, -1)),
        }

    def provisional(self, turn: int, acts: bool) -> Json:
        """No turn is timed out here, so that none is ever played."""
        turns = (turn, turn + 1, *TURNS, *NO_TURNS)
        return {
            "type": "provisional",
            "turn": self.chance.choice(turns),
            "commands": self.chance.sample(WORDS, 2),
        }

    def commands(self, turn: int, acts: bool) -> Json:
        """For a turn that is not open, or for the open one what no turn is answered with."""
        chance = self.chance
        fields = {
            "type": "commands",
            "id": chance.choice(IDS),
            "end_turn": chance.random() < 0.3,
            "seen": chance.choice((None, turn)),
        }
        if chance.random() < 0.2:
            broken = (
                {"id": chance.choice(NO_IDS)}
                if chance.random() < 0.5
                else {"turn": chance.choice(NO_TURNS)}
            )
            return fields | {"turn": turn, "commands": [ENDS.get(self.game)]} | broken
        answers = [
            *chance.sample(WORDS, 2),
            ENDS.get(self.game, "UP"),
            {"action": "up"},
            {"type": "shoot", "target": "self"},
        ]
        if self.game == SILENT:
            return fields | {
                "commands": no_answers(self.game, answers),
                "turn": chance.choice((None, *TURNS)),
            }
        if chance.random() < 0.5:
            return fields | {"turn": chance.choice((*TURNS, *range(turn))), "commands": answers}
        if self.game in ENDS and acts:
            return fields | {"turn": None, "commands": answers}
        return fields | {
            "turn": turn,
            "end_turn": False,
            "commands": answers
            if not acts and self.others(turn)
            else no_answers(self.game, answers),
        }

    def others(self, turn: int) -> bool:
        """Whether this turn is the other seat's for certain. A view that gives a seat nothing to do
        does not say so: at the start and after a restart the turn may still open for it, once both
        seats are there."""
        return self.game in ALTERNATE and turn == self.newest + 1

    def no_message(self, turn: int, acts: bool) -> str | bytes:
        return self.chance.choice(NO_MESSAGES)


KINDS = (
    "hello",
    "ready",
    "resync",
    "seen",
    "info",
    "info",
    "provisional",
    "commands",
    "commands",
    "no_message",
)


def no_answers(game: str, commands: Iterable[Json]) -> list[Json]:
    """Those of them that the game cannot read, whatever the moment."""
    return [command for command in commands if not readable(game, command)]


def readable(game: str, command: Json) -> bool:
    rules = GAMES[game]
    try:
        rules.parse(rules.from_shorthand(command))
    except Rejected:
        return False
    return True


def stranger(port: int, match: str, chance: random.Random) -> None:
    """A client without a seat that sends some hello and then anything."""
    hellos: tuple[Json, ...] = (
        {"token": "s_x"},
        {"match": match},
        {"match": "x"},
        {"match": match, "token": "o_x"},
        {"protocol": 2},
        {},
    )
    with (
        contextlib.suppress(ConnectionClosed),
        connected(f"ws://127.0.0.1:{port}/ws/{chance.choice(('play', 'watch'))}") as socket,
    ):
        socket.send(json.dumps({"type": "hello", "protocol": 1} | chance.choice(hellos)))
        for _ in range(5):
            socket.send(
                chance.choice(
                    (
                        *NO_MESSAGES,
                        '{"type":"info","data":{"clock":{"charged":0}}}',
                        '{"type":"resync"}',
                    )
                )
            )


def seated(rest: RestClient, chance: random.Random, fuse: Fuse) -> list[Played]:
    matches = []
    for game, config in CONFIGS.items():
        seed = chance.randrange(1 << 32)
        clock = {"startup_ms": STARTED}
        if game != SILENT:
            clock |= {"turn_ms": 0, "bank_ms": BANK_MS, "increment_ms": 0, "absence_ms": BANK_MS}
        lobby = rest.create(game, config=dict(config), seed=seed, clock=clock)["lobby"]
        bots = [
            Hostile(game, seed, rest.join(lobby, game, f"bot {seat}"), fuse) for seat in range(2)
        ]
        matches.append(Played(game, seed, lobby, list(bots)))
    return matches


def check(data: Path, match: Played, outcome: Mapping[str, Json]) -> None:
    record = journal(data, match).read_bytes()
    assert verify(record, GAMES).kind == "ok"
    lines, expected = (
        fields_of(record.decode()),
        undisturbed(match.game, match.seed, CONFIGS[match.game], mute=match.game == SILENT),
    )
    assert hashes(lines) == hashes(expected), match.game
    assert played(lines) == played(expected), match.game
    true = expected[-1]["outcome"]
    assert [outcome[name] for name in ("outcome", "winner", "reason")] == [
        true[name] for name in ("outcome", "winner", "reason")
    ]
    assert [seat["score"] for seat in outcome["seats"]] == [seat["score"] for seat in true["seats"]]
    assert [seat["timeouts"] for seat in outcome["seats"]] == [0, 0]
    if match.game != SILENT:
        for seat, counted in enumerate(outcome["seats"]):
            assert counted["bank_ms"] == pytest.approx(BANK_MS - charged(lines, seat), abs=0.1), (
                match.game,
                seat,
            )


def played(lines: list[dict[str, Json]]) -> list[tuple[Json, ...]]:
    """Every command that changed something."""
    return sorted(
        (line["n"], line["s"], json.dumps(line["c"]))
        for line in lines
        if line["k"] == "command" and line["v"] == "ok"
    )


def charged(lines: list[dict[str, Json]], seat: int) -> float:
    """What the referee's stamps say, ms: the last one of each turn counts."""
    stamped = {
        line["n"]: line["t"]["charged"]
        for line in lines
        if line.get("s") == seat and "charged" in line.get("t", {})
    }
    return sum(stamped.values())


def play(data: Path, seed: int, ends: Iterable[signal.Signals]) -> Counter[str]:
    """One match of each game on a server that ends so often, in these ways; what kinds of hostile
    frames were sent."""
    chance = random.Random(seed)
    port = free_port()
    settings = {f"BOTARENA_{name}": value for name, value in LENIENT.items()}
    with ExitStack() as stack:
        process, rest = stack.enter_context(forked(port, data, **settings))
        fuse = Fuse()
        matches = seated(rest, chance, fuse)
        bots = [bot for match in matches for bot in match.bots]
        for bot in bots:
            bot.start()
        for bot in bots:
            assert bot.started.wait(PATIENCE_S)
        for end in ends:
            for match in matches:
                stranger(port, match.id, chance)
            fuse.light(chance.randint(1, MESSAGES), process.pid, end)
            eventually(
                lambda process=process: (
                    not process.is_alive() or all(bot.over or bot.fault for bot in bots)
                )
            )
            process.kill()
            process.join()
            process, rest = stack.enter_context(forked(port, data, **settings))
        for bot in bots:
            bot.join(PATIENCE_S)
        for match in matches:
            check(data, match, ended(rest, match))
        assert [None] * len(bots) == [bot.fault for bot in bots]
    assert not [
        line
        for line in (data / "log").read_text().splitlines()
        if "Traceback" in line or "level=error" in line
    ]
    return sum((bot.sent for bot in bots if isinstance(bot, Hostile)), Counter())


@pytest.mark.parametrize(
    ("seeds", "times"),
    [(1, 1), pytest.param(20, 5, marks=pytest.mark.soak)],
    ids=["killed and stopped once", "killed and stopped 100 times"],
)
def test_only_hostile_frames_have_no_effect(
    seeds: int, times: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = 20_240_601 if seeds == 1 else int.from_bytes(os.urandom(4), "big")
    sent: Counter[str] = Counter()
    for seed in range(first, first + seeds):
        data = tmp_path / str(seed)
        data.mkdir()
        try:
            sent += play(data, seed, [signal.SIGKILL, signal.SIGTERM] * times)
        except Exception as fault:
            raise AssertionError(f"seed {seed}") from fault
    assert set(sent) == set(KINDS)
    with capsys.disabled():
        print(
            f"\n{sent.total()} hostile frames over {2 * times * seeds} ends of a server, from "
            f"seed {first} on"
        )
