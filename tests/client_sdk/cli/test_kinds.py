"""Every kind of a player with every verb that takes one, as in the table of docs/bots.md."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from client_sdk.api.botstack_c import COMPILERS
from client_sdk.local.players import KINDS, command, player_spec
from client_sdk.process import BotProcess
from client_sdk.rest import RestClient
from games import GAMES
from games.core.rerun import verify
from tests.client_sdk.cli.test_c_files import PLAYER
from tests.client_sdk.cli.test_tournament import toml

CHOICE = """
def choice(view):
    phase = view["phase"]
    if phase.startswith("abstain"):
        return {"type": "abstain", "value": False}
    if phase == "item":
        return {"type": "item", "slot": 0}
    return {"type": "shoot", "target": "opponent"}
"""
LINES = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "view":
        answer = {"turn": message["turn"], "commands": [choice(message["view"])]}
        print(json.dumps({"type": "commands"} | answer), flush=True)
        print("thinking", file=sys.stderr, flush=True)
"""
LUX = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"action": choice(json.loads(line)["obs"])}), flush=True)
"""
OURS = """
from botarena import Bot

class Mine(Bot):
    game = "botstack"

    def decide(self, view):
        return [choice(view)]

if __name__ == "__main__":
    Mine().run()
"""
FOREIGN = """
def abstain(me, other, gun, opponent_request):
    return False

def item(me, other, gun):
    return 0

def action(me, other, gun, next_bullet):
    return 1
"""
AGENT = """
def agent(observation, configuration):
    return choice(observation)
"""
FILES = {
    "ours": CHOICE + OURS,
    "foreign": FOREIGN,
    "agent": CHOICE + AGENT,
    "lines": CHOICE + LINES,
    "lux": CHOICE + LUX,
}
PYTHON = shlex.join([sys.executable, "-P"])
PATIENT = {"decision_timeout_ms": 20_000}

every_kind = pytest.mark.parametrize(
    "kind", ["house", "ours", "foreign", "agent", "c", "lines", "lux", "command", "webhook"]
)


class Webhook(BaseHTTPRequestHandler):
    """Answers as the other bots do."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer({"name": "hook", "version": "1"})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found: dict[str, Any] = {}
        exec(CHOICE, found)
        self.answer({"move": found["choice"](asked["board"])} if self.path == "/move" else {})

    def answer(self, value: dict[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def web_server(handler: type[BaseHTTPRequestHandler] = Webhook) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def named(kind: str, folder: Path) -> str:
    """The word for a bot of this kind, its files written."""
    if kind == "house":
        return "greedy"
    if kind == "c":
        if not any(map(shutil.which, COMPILERS)):
            pytest.skip("no C compiler is installed")
        (folder / "mine.c").write_text(PLAYER)
        return str(folder / "mine.c")
    file = folder / f"{kind}.py"
    file.write_text(FILES.get(kind, FILES["ours"]), encoding="utf-8")
    if kind == "command":
        return f"{PYTHON} {file}"
    return f"{kind}:{PYTHON} {file}" if kind in ("lines", "lux") else str(file)


@pytest.fixture
def word(kind: str, tmp_path: Path) -> Iterator[str]:
    if kind != "webhook":
        yield named(kind, tmp_path)
        return
    with web_server() as url:
        yield url


@every_kind
def test_play_takes_it(cli, word, tmp_path):
    given = [
        "--seed",
        1,
        "--set",
        "decision_timeout_ms=20000",
        "--replay-dir",
        tmp_path / "records",
    ]
    ran = cli("play", "botstack", word, "trivial", *given)

    assert ran.status == 0, ran.err
    assert re.search(r"^\S+ +1( +\S+){6} +0 +0", ran.out, re.MULTILINE), ran.out
    (journal,) = (tmp_path / "records").glob("*.journal.jsonl")
    assert verify(journal.read_bytes(), GAMES).kind == "ok"


@every_kind
def test_batch_takes_it(cli, word):
    ran = cli("batch", "botstack", word, "trivial", "--pairs", 1, "--jobs", 1, "--json", "--sprt")
    result = json.loads(ran.out)

    assert (result["pairs"], result["failed"]) == (1, [0, 0])


@every_kind
def test_check_bot_takes_it(cli, word):
    ran = cli("check-bot", word, "--game", "botstack")

    assert ran.status == 0, ran.out + ran.err
    assert "ready for a match of botstack" in ran.out


@every_kind
def test_join_takes_it(cli, word, server):
    with RestClient(server) as rest:
        lobby = rest.create("botstack", config=PATIENT)
        rest.add_bot(lobby["lobby"], "trivial", lobby["owner_token"])
        ran = cli("join", server, word, "--game", "botstack", "--lobby", lobby["lobby"])
        outcome = rest.match(lobby["lobby"])["outcome"]

    assert ran.status == 0, ran.err
    assert outcome["outcome"] in ("win", "draw", "both_lost")  # no forfeit: it played


@every_kind
def test_the_program_that_play_for_starts_takes_it(kind, word, server):
    with RestClient(server) as rest:
        lobby = rest.create("botstack", config=PATIENT)
        rest.add_bot(lobby["lobby"], "trivial", lobby["owner_token"])
        seat = rest.join(lobby["lobby"], "botstack", "mine")
    started = command("botstack", player_spec("botstack", word))
    with BotProcess(started, url=seat["url"], token=seat["token"], game="botstack") as process:
        assert process.wait(120) == 0, process.output
        assert ("thinking" in process.output) == (kind in ("c", "lines"))


def test_a_tournament_takes_all_but_webhooks(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bots = ["trivial"]
    for kind in ("agent", "lines", "lux", "command"):
        word = named(kind, tmp_path)
        key = kind if kind in ("lines", "lux", "command") else "file"
        bots.append(f"{key} = {word.removeprefix(f'{kind}:')!r}")
    plan = toml(tmp_path, *bots, format="round-robin", matches_per_pairing=1)
    ran = cli("tournament", "run", plan, "--jobs", 2)

    assert ran.status == 0, ran.out + ran.err
    assert "10 games" in ran.out
    assert "forfeit" not in ran.err

    refused = toml(tmp_path, "webhook = 'http://127.0.0.1:1'", "trivial", name="hooks")
    ran = cli("tournament", "run", refused)
    assert ran.status == 2
    assert "webhook: there is no such field; there are name, house, file" in ran.err


@pytest.mark.parametrize("verb", ["play", "batch", "join", "play-for", "check-bot"])
def test_the_help_names_the_kinds(cli, verb):
    said = re.sub(r"[\s│]+", " ", cli(verb, "--help").out)

    assert KINDS in said
