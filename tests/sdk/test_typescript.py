"""The TypeScript SDK: its types are current, and its bot plays whole matches on a server."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest

from client_sdk.bots import HOUSE
from client_sdk.cli.scaffold import Language, new_bot
from client_sdk.process import BotProcess, python_bot
from client_sdk.wire.codes import CLOSES, MAX_FRAME, PROTOCOL
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import (
    PATIENCE_S,
    QUICK,
    Arena,
    eventually,
    free_port,
    hello,
    receive,
    started,
)
from tests.sdk import typescript
from tests.sdk.typescript import ANY_GAME, EXAMPLE, ROOT, SDK

CONFIG = {"preset": "tiny", "move_timeout_ms": 3_000}


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory):
    with started(tmp_path_factory.mktemp("arena")) as running:
        yield running


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_types", SDK / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_are_generated_from_the_schemas() -> None:
    for name, text in generator().sources().items():
        assert (SDK / "src" / name).read_text(encoding="utf-8") == text, "run: make schemas"


def test_the_generator_knows_every_form_or_says_so() -> None:
    typed = generator().typed

    assert typed({"anyOf": [{"enum": ["a", 1]}, {"type": "null"}]}) == '"a" | 1 | null'
    assert typed({"type": "array", "items": {"enum": ["a", "b"]}}) == '("a" | "b")[]'
    assert typed({"type": "object", "additionalProperties": {"type": "integer"}}) == (
        "Record<string, number>"
    )
    with pytest.raises(ValueError, match="no type of TypeScript"):
        typed({"type": "date"})


def evaluated(script: str) -> object:
    """What a script writes as JSON, as a module beside the driver."""
    program = typescript.node()
    done = subprocess.run(
        [program, "--input-type=module", "--eval", script],
        cwd=SDK,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_both_sdks_know_the_same_close_codes() -> None:
    known = evaluated(
        "import { CLOSES, MAX_FRAME, PROTOCOL } from 'botarena';"
        "console.log(JSON.stringify([PROTOCOL, MAX_FRAME, CLOSES]))"
    )

    closes = {
        str(status): {"code": close.code, "text": close.text, "retry": close.retry}
        for status, close in CLOSES.items()
    }
    assert known == [PROTOCOL, MAX_FRAME, closes]


def test_both_sdks_wait_alike_between_attempts() -> None:
    from client_sdk.retry import delay_s

    asked = [
        (attempt, gone, grace, chance)
        for attempt in (0, 1, 5)
        for gone in (0, 300, 4_000, 9_900, 60_000)
        for grace in (None, 10_000)
        for chance in (0.0, 0.5, 1.0)
    ]
    waits = evaluated(
        "import { delayMs } from 'botarena';"
        f"console.log(JSON.stringify({json.dumps(asked)}.map((one) => delayMs(...one))))"
    )

    assert waits == pytest.approx(
        [
            1000 * delay_s(attempt, gone / 1000, None if grace is None else grace / 1000, chance)
            for attempt, gone, grace, chance in asked
        ]
    )


def test_both_sdks_read_addresses_alike() -> None:
    from client_sdk.address import http_url, socket_url

    addresses = [
        "http://127.0.0.1:8000",
        "https://arena.example/",
        "ws://host:1/ws/play",
        "wss://host/base/ws/watch",
        "host:8000",
        "http://[::1]:8000/api/v1",
        "http://host/base/",
    ]
    read = evaluated(
        "import { httpUrl, socketUrl } from 'botarena';"
        f"console.log(JSON.stringify({json.dumps(addresses)}"
        ".map((one) => [httpUrl(one), socketUrl(one)])))"
    )

    assert read == [[http_url(one), socket_url(one)] for one in addresses]


def test_an_absent_server_is_given_up() -> None:
    said = evaluated(
        "import { ConnectionLost, play } from 'botarena';"
        "const waits = [];"
        "const delay = (attempt, goneMs, graceMs) => (waits.push([attempt, graceMs]), 5);"
        "const log = { debug() {}, info() {}, warn() {}, error() {} };"
        "const seat = { url: 'http://127.0.0.1:9', token: 's_1' };"
        "const lost = await play({ decide: () => [] }, seat, { patienceMs: 100, delay, log })"
        ".catch((fault) => fault instanceof ConnectionLost);"
        "console.log(JSON.stringify([lost, waits.filter(([, graceMs]) => graceMs !== null)]))"
    )

    assert said == [True, []]


def bot(**seat: str) -> BotProcess:
    return BotProcess([typescript.node(), str(EXAMPLE)], game="pyrat", **seat)


def test_a_typescript_bot_plays_a_whole_match(arena: Arena) -> None:
    program = typescript.node()
    lobby = arena.rest.create("pyrat", config=CONFIG)["lobby"]
    mine, house = (arena.rest.join(lobby, "pyrat", name) for name in ("mine", "house"))
    with (
        BotProcess(
            [program, str(EXAMPLE)], game="pyrat", url=mine["url"], token=mine["token"]
        ) as one,
        BotProcess(
            python_bot("pyrat/random"), game="pyrat", url=house["url"], token=house["token"]
        ) as other,
    ):
        assert (one.wait(PATIENCE_S), other.wait(PATIENCE_S)) == (0, 0), one.output + other.output
    result = arena.over(lobby)["outcome"]

    assert result["winner"] == mine["seat"], result
    assert "was not carried out" not in one.output
    assert mine["token"] not in one.output
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"


@pytest.mark.parametrize("game", ["botstack", "catastrophe", "cookoff", "zooscape"])
def test_a_typescript_bot_plays_every_kind_of_game(game: str, arena: Arena) -> None:
    """Turns of many commands and realtime too."""
    program = typescript.node()
    lobby = arena.rest.create(game, config=dict(QUICK[game]))["lobby"]
    seats = [arena.rest.join(lobby, game, name) for name in ("one", "other")]
    with ExitStack() as bots:
        playing = [
            bots.enter_context(
                BotProcess(
                    [program, str(ANY_GAME)], game=game, url=seat["url"], token=seat["token"]
                )
            )
            for seat in seats
        ]
        ended = [one.wait(PATIENCE_S) for one in playing]
    result = arena.over(lobby)["outcome"]

    assert ended == [0, 0], [one.output for one in playing]
    assert result["outcome"] in {"win", "draw", "both_lost"}
    assert all("was not carried out" not in one.output for one in playing), playing[0].output
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"


@pytest.fixture(scope="module")
def new_bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `new-bot --language typescript` writes for each game, compiled as its README says."""
    program, folder = typescript.node(), tmp_path_factory.mktemp("new_bots")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "botarena").symlink_to(SDK)
    for game in GAMES:
        new_bot(game, folder / game, Language.TYPESCRIPT)
        assert (folder / game / "package.json").exists()
        assert f'botarena play {game} "node bot.ts"' in (folder / game / "README.md").read_text()
    options = ["--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"]
    files = [f"{game}/bot.ts" for game in GAMES]
    built = subprocess.run(
        [program, str(typescript.COMPILER), *options, *files],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert (built.returncode, built.stdout) == (0, "")
    return folder


@pytest.mark.parametrize("game", ["catastrophe", "pyrat"])
def test_a_new_bot_in_typescript_plays_a_whole_match(
    game: str, arena: Arena, new_bots: Path
) -> None:
    config = CONFIG if game == "pyrat" else dict(QUICK[game])
    lobby = arena.rest.create(game, config=config, bots=[next(iter(HOUSE[game]))])["lobby"]
    seat = arena.rest.join(lobby, game, "new")
    command = [typescript.node(), str(new_bots / game / "bot.js")]
    with BotProcess(command, game=game, url=seat["url"], token=seat["token"]) as playing:
        assert playing.wait(PATIENCE_S) == 0, playing.output
    [mine] = [one for one in arena.over(lobby)["outcome"]["seats"] if one["seat"] == seat["seat"]]

    assert not re.search("the bot failed|bad_command|rejected", playing.output), playing.output
    assert mine["timeouts"] == 0


def test_a_typescript_bot_returns_to_a_server_that_was_killed(tmp_path: Path) -> None:
    typescript.node()
    port = free_port()
    config = CONFIG | {"preset": "default", "max_turns": 120}
    with ExitStack() as bots:
        with started(tmp_path, port=port) as first:
            lobby = first.rest.create("pyrat", config=config)["lobby"]
            seats = [first.rest.join(lobby, "pyrat", name) for name in ("one", "other")]
            with first.socket("watch") as spectator:
                hello(spectator, match=lobby)
                playing = [
                    bots.enter_context(bot(url=seat["url"], token=seat["token"])) for seat in seats
                ]
                while receive(spectator, "view")["turn"] < 5:
                    pass
                first.process.kill()
                first.process.wait()
        with started(tmp_path, port=port) as second:
            second.over(lobby)
            assert [one.wait(PATIENCE_S) for one in playing] == [0, 0], [
                one.output for one in playing
            ]
            record = second.record(lobby, "journal")

    assert b'"e":"resumed"' in record
    assert verify(record, GAMES).kind == "ok"


def joined(arena: Arena, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The example takes a seat by itself."""
    return subprocess.run(
        [typescript.node(), str(EXAMPLE), "--url", arena.url, *options],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def test_a_typescript_bot_takes_a_seat_by_name_invite_and_password(arena: Arena) -> None:
    typescript.node()
    private = arena.rest.create(
        "pyrat", config=CONFIG, bots=["greedy"], private=True, password="open sesame"
    )
    account = arena.rest.sign_up("js")
    done = joined(
        arena,
        "--lobby",
        private["lobby"],
        "--name",
        "Ünïcode",
        "--invite",
        private["invite"],
        "--password",
        "open sesame",
        BOTARENA_KEY=account["key"],
    )
    seat = next(
        seat
        for seat in arena.over(private["lobby"], private["owner_token"])["seats"]
        if seat["name"] == "Ünïcode"
    )

    assert done.returncode == 0, done.stderr
    assert seat["account"] == account["account"]


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--lobby", "there is none"], 3, "no_such_lobby"),
        (["--token", "s_unknown"], 3, "bad_token"),
        (["--url", "ftp://host"], 2, "expected an address such as"),
        (["--speed", "9"], 2, "--speed"),
        (["--url", "http://127.0.0.1:9"], 4, "cannot be reached"),
    ],
)
def test_the_exit_code_says_how_a_typescript_bot_ended(
    options: list[str], status: int, said: str, arena: Arena
) -> None:
    done = joined(arena, *options)

    assert (done.returncode, said in done.stderr) == (status, True), done.stderr


def test_an_interrupted_typescript_bot_says_so(arena: Arena) -> None:
    process = subprocess.Popen(
        [typescript.node(), str(EXAMPLE), "--url", arena.url, "--lobby", "new"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    eventually(lambda: "connected to match" in process.stderr.readline())
    process.send_signal(2)
    _, said = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130
    assert "interrupted" in said


def test_the_package_is_what_the_readme_shows() -> None:
    readme = (SDK / "README.md").read_text(encoding="utf-8")
    package = json.loads((SDK / "package.json").read_text(encoding="utf-8"))

    assert f"botarena-{package['version']}.tgz" in readme
    assert all(f"| {code} |" in readme for code in (0, 2, 3, 4, 130))
    assert (ROOT / "examples" / "typescript" / "bot.ts").is_file()
