"""Clients in the languages of the contest, each as strict as the contest's own, play whole matches:
seat 0 through a server's gateway, seat 1 through a bridge."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from client_sdk.gateway.cadre.messages import END, lobbied, written
from games import GAMES
from games.core.rerun import verify
from tests.client_sdk.gateway.joueur import FIELDS, OF_EVERY_OBJECT, Joueur, Tcp, ref
from tests.e2e.arena import PATIENCE_S, Arena, started
from tests.forked_process import ForkedProcess
from tests.waiting import eventually

pytestmark = pytest.mark.documents

CLIENTS: Final = Path(__file__).parent / "clients"
SETTINGS: Final = "mapWidth=12&mapHeight=8&maxTurns=12&randomSeed=3"
HOST: Final = "127.0.0.1"


@dataclass(frozen=True)
class Language:
    tools: tuple[str, ...]
    source: str
    run: tuple[str, ...]
    """`{made}`: what `build` makes, or the source."""
    build: tuple[str, ...] = ()
    made: str = ""
    needs: tuple[str, ...] = ()
    """Exits with 0 where its libraries are installed."""


LANGUAGES: Final = {
    "JavaScript": Language(("node",), "joueur.mjs", ("node", "{made}")),
    "c++": Language(
        ("g++",),
        "joueur.cpp",
        ("{made}",),
        ("g++", "-std=c++17", "-Wall", "-Werror", "-o", "{made}", "{source}"),
        "joueur",
    ),
    "Java": Language(
        ("javac", "java"),
        "Joueur.java",
        ("java", "-XX:TieredStopAtLevel=1", "-cp", "{made}", "Joueur"),
        ("javac", "-encoding", "UTF-8", "-d", "{made}", "{source}"),
        "classes",
    ),
    "C#": Language(
        ("mcs", "mono"),
        "Joueur.cs",
        ("mono", "{made}"),
        ("mcs", "-out:{made}", "{source}"),
        "joueur.exe",
    ),
    "Lua": Language(
        ("lua5.4",),
        "joueur.lua",
        ("lua5.4", "{made}"),
        needs=("lua5.4", "-e", "require 'socket' require 'cjson'"),
    ),
}


@dataclass(frozen=True)
class Ports:
    server: int
    bridge: int
    arena: Arena


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ports]:
    with started(tmp_path_factory.mktemp("languages"), BOTARENA_CADRE_PORT="0") as arena:
        log = eventually(lambda: [line for line in arena.log if "node=catastrophe" in line])
        server = int(re.findall(r"127\.0\.0\.1:(\d+)", log[0])[0])
        bridge = ForkedProcess(["bridge", "catastrophe", arena.url, "--listen", f"{HOST}:0"])
        try:
            found = re.findall(r"127\.0\.0\.1:(\d+)", bridge.stdout.readline())
            yield Ports(server, int(found[0]), arena)
        finally:
            bridge.kill()
            bridge.wait()
            bridge.close()


@pytest.fixture(scope="module")
def fields(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fields and types of all classes, a line each."""
    path = tmp_path_factory.mktemp("fields") / "fields.txt"
    path.write_text(
        "".join(
            f"{name} {field} {type_}\n"
            for name, own in FIELDS.items()
            for field, type_ in (own | (OF_EVERY_OBJECT if name != "Game" else {})).items()
        )
    )
    return path


def command(name: str, place: Path) -> list[str]:
    """Starts the client of a language, built in this folder."""
    language = LANGUAGES[name]
    for tool in language.tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if language.needs and subprocess.run(language.needs, capture_output=True).returncode:
        pytest.skip(f"the libraries of {' '.join(language.needs)} are not installed")
    source = str(CLIENTS / language.source)
    made = str(place / language.made) if language.made else source
    if language.build:
        words = [word.format(made=made, source=source) for word in language.build]
        subprocess.run(words, check=True)
    return [word.format(made=made) for word in language.run]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory, fields: Path) -> Callable[..., Any]:
    """Starts a client of a language, which is built once."""
    place = tmp_path_factory.mktemp("clients")

    @functools.cache
    def built(name: str) -> list[str]:
        return command(name, place)

    def start(name: str, port: int, seat: int = 0) -> subprocess.Popen[str]:
        who = ["-n", f"bot {seat}", "-i", str(seat), "-r", f"room {name}"]
        what = ["MegaMinerAI-20-Catastrophe", "-s", HOST, "-p", str(port)]
        return subprocess.Popen(
            [*built(name), str(fields), *what, *who, "--gameSettings", SETTINGS],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def moves(client: Joueur) -> bool:
    """The bot that each client has, for the strictest client."""
    for unit in client.units():
        for tile in client.around(client.object(unit["tile"])):
            if tile["unit"] is None and client.call(unit["id"], "move", tile=ref(tile["id"])):
                break
        for tile in client.around(client.object(unit["tile"])):
            if tile["harvestRate"] and client.call(unit["id"], "harvest", tile=ref(tile["id"])):
                break
        client.call(unit["id"], "rest")
    client.call(client.me["cat"], "changeJob", job="pope")
    client.call(client.me["cat"], "log", message="mi\u00e4u")
    return True


def hashes(ports: Ports, message: str) -> list[str]:
    """The hash of each turn of the match of this `over`, whose journal verifies."""
    journal = ports.arena.record(re.findall(r"/watch/(\w+)", message)[0], "journal")
    assert verify(journal, GAMES).kind == "ok"
    found = [json.loads(line).get("h") for line in journal.splitlines()]
    return [one for one in found if one]


@pytest.fixture(scope="module")
def reference(ports: Ports) -> list[str]:
    """The same match, played by the strictest client."""
    clients = [
        Joueur(
            Tcp(HOST, port),
            moves,
            playerName=f"bot {seat}",
            playerIndex=seat,
            requestedSession="reference",
            gameSettings=SETTINGS,
        )
        for seat, port in enumerate((ports.server, ports.bridge))
    ]
    with ThreadPoolExecutor() as threads:
        ends = [*threads.map(Joueur.run, clients)]
    return hashes(ports, ends[0][1]["message"])


@pytest.mark.parametrize("name", LANGUAGES, ids=lambda name: name.replace("#", "sharp"))
def test_a_client_of_each_language_plays_a_whole_match(
    name: str, ports: Ports, start: Callable[..., Any], reference: list[str]
):
    clients = [start(name, port, seat) for seat, port in enumerate((ports.server, ports.bridge))]
    try:
        ends = [client.communicate(timeout=PATIENCE_S) for client in clients]
    finally:
        for client in clients:
            client.kill()
    assert [client.returncode for client in clients] == [0, 0], ends
    assert [errors for _, errors in ends] == ["", ""]
    assert sorted(output.splitlines()[-1].lower() for output, _ in ends) == [
        "won false",
        "won true",
    ]
    assert hashes(ports, ends[0][0]) == reference


class Stub(threading.Thread):
    """A server that says the same whatever a client does."""

    def __init__(self, *messages: str) -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server((HOST, 0))
        self.port: int = self.listener.getsockname()[1]
        self.messages = messages

    def run(self) -> None:
        with self.listener:
            while True:
                connection, _ = self.listener.accept()
                with connection, contextlib.suppress(OSError):
                    self.answer(connection.makefile("rwb"))

    def answer(self, stream: Any) -> None:
        heard = b""
        while b'"play"' not in heard:
            if not (byte := stream.read(1)):
                return
            heard += byte
            if byte == END and b'"alias"' in heard:
                stream.write(b'{"event":"named","data":"Catastrophe"}' + END)
                stream.flush()
                heard = b""
        for message in self.messages:
            stream.write(message.encode() + END)
        stream.flush()
        stream.read()  # until the client has left


PLAYER: Final = {
    "gameObjectName": "Player",
    "id": "0",
    "logs": {"&LEN": 0},
    "name": "x",
    "units": {"&LEN": 0},
    "won": True,
}
BEGIN: Final = (
    written("lobbied", lobbied("room")),
    written("delta", {"currentTurn": 0, "gameObjects": {"0": PLAYER}}),
    written("start", {"playerID": "0"}),
)
OVER = '{"event":"over","data":{"message":"."}}'
TRAPS: Final = {
    "a float without a point": ('{"event":"delta","data":{"catEnergyMult":100}}', {}),
    "an empty delta": ('{"event":"delta","data":{}}', {}),
    "an unknown event": (
        '{"event":"ping"}',
        {"JavaScript": 26, "Java": 25, "Lua": 1, "C#": 26},
    ),
    "an int with a point": (
        '{"event":"delta","data":{"currentTurn":100.0}}',
        {"c++": 24, "Java": 24, "C#": 25},
    ),
    "an unknown field": ('{"event":"delta","data":{"startingFood":1}}', {"Java": 24}),
    "an array": (
        '{"event":"delta","data":{"units":[]}}',
        {"JavaScript": 24, "c++": 24, "Java": 24, "Lua": 24, "C#": 24},
    ),
    "null for a text": (
        '{"event":"over","data":{"message":null}}',
        {"JavaScript": 24, "c++": 24, "Lua": 24, "C#": 24},
    ),
    "a fatal": (
        '{"event":"fatal","data":{"message":"."}}',
        {"JavaScript": 28, "c++": 1, "Java": 28, "Lua": 28, "C#": 28},
    ),
}
"""What ends some of the clients, and their exit codes."""


@pytest.mark.parametrize("name", LANGUAGES, ids=lambda name: name.replace("#", "sharp"))
def test_the_clients_die_of_what_ends_those_of_the_contest(name: str, start: Callable[..., Any]):
    codes = {}
    for trap, (message, _) in TRAPS.items():
        stub = Stub(*BEGIN, message, OVER)
        stub.start()
        client = start(name, stub.port)
        try:
            client.communicate(timeout=PATIENCE_S)
        finally:
            client.kill()
        codes[trap] = client.returncode
    assert codes == {trap: ends.get(name, 0) for trap, (_, ends) in TRAPS.items()}
