"""A client that a common generator makes from the OpenAPI document plays along: lobby, seat, list,
replay."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from tests.e2e.arena import PATIENCE_S, QUICK, Arena, eventually

CONFIG = {
    "package_name_override": "generated_botarena",
    "content_type_overrides": {
        "application/x-ndjson": "text/plain",
        "image/png": "application/octet-stream",
    },
    "post_hooks": [],
}


@pytest.fixture(scope="module")
def made(
    arena: Arena, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str, dict[str, Any]]:
    """The folder of the package, what the generator printed, and what it was made from."""
    folder = tmp_path_factory.mktemp("generated")
    document = httpx.get(f"{arena.url}/api/v1/openapi.json", trust_env=False, timeout=PATIENCE_S)
    folder.joinpath("openapi.json").write_bytes(document.content)
    folder.joinpath("config.json").write_text(json.dumps(CONFIG))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json"]
    options = ["--config", "config.json", "--meta", "none", "--output-path", "generated_botarena"]
    done = subprocess.run(
        [*command, *options],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout + done.stderr, document.json()


@pytest.fixture
def part(made: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """A module of the generated package, by its name in there."""
    monkeypatch.syspath_prepend(str(made[0]))
    yield lambda name: importlib.import_module(f"generated_botarena.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "generated_botarena"]:
        del sys.modules[name]


def test_the_generator_covers_everything(made: Any):
    folder, output, document = made
    operations = {
        op["operationId"] for methods in document["paths"].values() for op in methods.values()
    }
    calls = {path.stem for path in folder.glob("generated_botarena/api/*/*.py")} - {"__init__"}

    assert "WARNING" not in output, output
    assert "ERROR" not in output, output
    assert operations == calls


@pytest.fixture
def call(arena: Arena, part: Callable[[str], ModuleType]) -> Callable[..., Any]:
    """An operation of the generated client: the whole answer."""

    def called(name: str, *path: str, token: str | None = None, **fields: Any) -> Any:
        kind = "Client" if token is None else "AuthenticatedClient"
        shown = {} if token is None else {"token": token}
        with getattr(part("client"), kind)(base_url=arena.url, **shown) as client:
            return part(f"api.{name}").sync_detailed(*path, client=client, **fields)

    return called


def test_a_generated_client_creates_joins_lists_and_fetches_a_replay(call: Any, part: Any):
    models = part("models")
    request = models.CreateLobby.from_dict(
        {"game": "pyrat", "config": dict(QUICK["pyrat"]), "bots": ["greedy"]}
    )

    lobby = call("lobbies.create_lobby", body=request).parsed
    seat = call("lobbies.join_lobby", lobby.lobby, body=models.JoinLobby(name="generated")).parsed
    listed = call("lobbies.list_lobbies", game="pyrat").parsed
    left = call("lobbies.leave_lobby", lobby.lobby, token=seat.token).parsed
    call("lobbies.start_lobby", lobby.lobby, token=lobby.owner_token)
    over = eventually(
        lambda: (found := call("lobbies.get_lobby", lobby.lobby).parsed).state == "over" and found
    )
    match = call("matches.get_match", lobby.lobby).parsed
    replay = eventually(
        lambda: (got := call("matches.get_replay", lobby.lobby)).status_code == 200 and got.parsed
    )

    assert lobby.lobby in [one.lobby for one in listed]
    assert (seat.lobby, left.seat) == (lobby.lobby, seat.seat)
    assert [one.outcome for one in over.outcome.seats] == [
        one.outcome for one in match.outcome.seats
    ]
    assert "greedy" in [player.bot for player in match.players]
    assert len([json.loads(line) for line in replay.splitlines()]) > 2


def test_a_generated_client_reads_the_errors(call: Any, part: Any):
    answer = call("lobbies.get_lobby", "nowhere")
    wrong = call("lobbies.create_lobby", body=part("models").CreateLobby(game="chess"))

    assert (answer.status_code, answer.parsed.code) == (404, "no_such_lobby")
    assert (wrong.status_code, wrong.parsed.code, wrong.parsed.field) == (
        404,
        "unknown_game",
        "game",
    )
    assert "pyrat" in wrong.parsed.allowed
