"""Random frames in every state of a socket, as a seat and as a viewer of every game: the server
never fails, frees every connection, and other matches are not affected."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from games import GAMES
from tests.e2e.arena import Arena
from tests.fuzz.neighbours import undisturbed

SEED = 20_240_601
FRAMES = 12
"""Frames sent on one connection, at most."""
BRIEF = {"turn_ms": 300, "startup_ms": 3_000}
"""So that what is left of a fuzzed match is soon over."""
HANDSHAKE = (
    "GET /ws/{role} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MESSAGES: list[dict[str, Any]] = [
    {
        "type": "hello",
        "protocol": 1,
        "token": "s_x",
        "match": "x",
        "once": ["maze"],
        "deltas": True,
        "steps": True,
        "client": "fuzz",
    },
    {"type": "ready"},
    {"type": "commands", "turn": 0, "commands": ["UP"], "id": 1, "seen": 0, "end_turn": True},
    {"type": "commands", "commands": [{"action": "up"}, 1, None]},
    {"type": "provisional", "turn": 0, "commands": ["UP"]},
    {"type": "info", "data": {"depth": 3}},
    {"type": "resync"},
    {"type": "seen", "turn": 0},
]
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2**63,
    1e308,
    "",
    "UP",
    "\ud800",
    "x" * 5_000,
    [],
    {},
    [[]],
    {"a": {"b": []}},
    "hello",
]
PATIENCE_S = 60.0
"""Much longer than anything takes: only a fault waits for it."""
SOON_S = 0.1


class Line:
    """One raw connection."""

    def __init__(self, arena: Arena, role: str) -> None:
        host, _, port = arena.url.removeprefix("http://").rpartition(":")
        self._socket = socket.create_connection((host, int(port)), PATIENCE_S)
        self._socket.sendall(HANDSHAKE.format(role=role).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._socket.recv(65536)
        assert head.startswith(b"HTTP/1.1 101 "), head
        self._heard = head.partition(b"\r\n\r\n")[2]

    def send(self, data: bytes) -> None:
        """As long as the server listens."""
        with contextlib.suppress(ConnectionError):
            self._socket.sendall(data)

    def say(self, **message: Any) -> None:
        self.send(framed(json.dumps(message).encode()))

    def until(self, heard: bytes) -> bool:
        """Read until this comes; False: the connection ended first."""
        while heard not in self._heard:
            try:
                more = self._socket.recv(65536)
            except ConnectionError:
                return False
            if not more:
                return False
            self._heard = self._heard[-len(heard) :] + more
        self._heard = self._heard.partition(heard)[2]
        return True

    def settle(self, dice: random.Random) -> None:
        """Until everything that was sent has been looked at; but a broken length may have swallowed
        the question."""
        nonce = dice.randbytes(8)
        self.send(framed(nonce, Opcode.PING))
        self.comes(bytes([0x8A, len(nonce)]) + nonce)

    def comes(self, heard: bytes) -> bool:
        """Whether this comes soon."""
        self._socket.settimeout(SOON_S)
        try:
            return self.until(heard)
        except TimeoutError:
            return False
        finally:
            self._socket.settimeout(PATIENCE_S)

    def close(self) -> None:
        self._socket.close()


def framed(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


# --- what is sent


def message(dice: random.Random) -> bytes:
    """A message of the protocol, perhaps with something wrong in it."""
    chosen = dict(dice.choice(MESSAGES))
    for _ in range(dice.randrange(3)):
        chosen[dice.choice([*chosen, "more"])] = dice.choice(VALUES)
    text = json.dumps(chosen).encode()
    if dice.random() < 0.2:
        cut = dice.randrange(len(text))
        text = text[:cut] + dice.randbytes(dice.randrange(4)) + text[cut + dice.randrange(4) :]
    return text


def mutated(dice: random.Random) -> bytes:
    """A frame with a few bits turned, its head's among them."""
    frame = bytearray(framed(message(dice)))
    for _ in range(dice.randint(1, 4)):
        frame[dice.randrange(min(len(frame), 40))] ^= 1 << dice.randrange(8)
    return bytes(frame)


def parts(dice: random.Random) -> bytes:
    """A message in parts, perhaps without its end, with a ping between."""
    text = message(dice)
    cuts = sorted(dice.randrange(len(text) + 1) for _ in range(dice.randint(1, 3)))
    pieces = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    frames = [framed(pieces[0], fin=False), framed(b"between", Opcode.PING)]
    frames += [framed(piece, Opcode.CONT, fin=False) for piece in pieces[1:-1]]
    return b"".join(frames) + framed(pieces[-1], Opcode.CONT, fin=dice.random() < 0.8)


def close(dice: random.Random) -> bytes:
    code = dice.choice([0, 999, 1000, 1001, 1005, 1006, 1012, 3000, 4429, 65535])
    return framed(struct.pack("!H", code) + dice.choice([b"", b"bye", b"\xff"]), Opcode.CLOSE)


KINDS: dict[str, Callable[[random.Random], bytes]] = {
    "message": lambda dice: framed(message(dice)),
    "binary": lambda dice: framed(message(dice), Opcode.BINARY),
    "noise": lambda dice: framed(dice.randbytes(dice.randrange(200))),
    "half a character": lambda dice: framed(b'{"type":"info","data":"\xed\xa0\x80"}'),
    "nested": lambda dice: framed(b'{"type":"info","data":' + b"[" * dice.randrange(1_000)),
    "parts": parts,
    "mutated": mutated,
    "no frame at all": lambda dice: dice.randbytes(dice.randint(1, 30)),
    "unmasked": lambda dice: Frame(Opcode.TEXT, message(dice)).serialize(mask=False),
    "ping": lambda dice: framed(dice.randbytes(dice.randrange(126)), Opcode.PING),
    "pong": lambda dice: framed(dice.randbytes(dice.randrange(126)), Opcode.PONG),
    "huge": lambda dice: framed(
        b'{"type":"info","data":"' + b"x" * dice.choice([60_000, 65_536, 200_000])
    ),
    "huge by its word": lambda dice: (
        b"\x81\xff" + struct.pack("!Q", dice.choice([2**20, 2**63 - 1, 2**64 - 1])) + b"\0" * 8
    ),
    "close": close,
}
USUAL = ("message", "message", "message", "parts", "mutated")


# --- to whom


def scene(arena: Arena, dice: random.Random, state: str) -> tuple[Line, list[Line]]:
    """A connection in this state, and the others that belong to it."""
    if state == "seat before hello":
        return Line(arena, "play"), []
    if state == "viewer before hello":
        return Line(arena, "watch"), []
    game = dice.choice(sorted(GAMES))
    made = arena.rest.create(game, clock=BRIEF)
    lobby = made["lobby"]
    if state == "viewer of a lobby":
        return greeted(arena, "watch", match=lobby), []
    seats = [arena.rest.join(lobby, game, "fuzzed") for _ in made["seats"]]
    if state == "seat before the start":
        return greeted(arena, "play", token=seats[0]["token"]), []
    lines = [greeted(arena, "play", token=seat["token"]) for seat in seats]
    line = lines.pop(dice.randrange(len(lines)))
    assert line.until(b'"type":"start"')
    if state == "viewer of a match":
        lines.append(line)
        line = greeted(arena, "watch", match=lobby)
        assert line.until(b'"type":"start"')
    elif state == "seat after the end":
        arena.rest.leave(lobby, seats[0]["token"])
        assert line.until(b'"type":"end"')
    elif state == "seat in its turn":
        lines.append(line)
        turns = itertools.islice(itertools.cycle(lines), 200)
        line = next((one for one in turns if one.comes(b'"act":true')), line)
        lines.remove(line)
    return line, lines


def greeted(arena: Arena, role: str, **fields: Any) -> Line:
    line = Line(arena, role)
    line.say(type="hello", protocol=1, **fields)
    assert line.until(b'"type":"hello"')
    return line


STATES = (
    "seat before hello",
    "viewer before hello",
    "viewer of a lobby",
    "seat before the start",
    "seat after the start",
    "seat in its turn",
    "seat after the end",
    "viewer of a match",
)


def one(arena: Arena, dice: random.Random, state: str) -> Counter[str]:
    """One connection in this state gets what comes to mind; what kinds of frames it got."""
    line, others = scene(arena, dice, state)
    sent: Counter[str] = Counter()
    try:
        for _ in range(dice.randint(1, FRAMES)):
            kind = dice.choice([*KINDS, *USUAL * 2])
            sent[kind] += 1
            line.send(KINDS[kind](dice))
        if dice.random() < 0.7:
            line.settle(dice)
    finally:
        for each in (line, *others):
            each.close()
    return sent


@pytest.mark.parametrize("seconds", [2, pytest.param(300, marks=pytest.mark.soak)])
def test_no_frame_makes_the_server_fail_or_disturbs_a_match(
    target: Arena, seconds: float, capsys: pytest.CaptureFixture[str]
):
    """Each connection's frames follow from its own number, which is reported on a failure."""
    first = SEED if seconds < 60 else int.from_bytes(os.urandom(4), "big")
    sent: Counter[str] = Counter()
    number = first
    with undisturbed(target) as matches:
        ends = time.monotonic() + seconds
        while number < first + len(STATES) or time.monotonic() < ends:
            state = STATES[number % len(STATES)]
            try:
                sent += one(target, random.Random(number), state)
            except Exception as fault:
                raise AssertionError(f"connection {number}, {state}") from fault
            number += 1

    with capsys.disabled():
        print(
            f"\n{sent.total()} frames to {number - first} connections from {first} on, beside "
            f"{len(matches)} matches"
        )
