"""A version that was handed in is a player of the games that the pool plays, in the sandbox."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from client_sdk.local.games import Task, play
from client_sdk.sandbox import missing
from server.errors import Refusal
from server.store.submissions import Submission
from server.submissions.players import BOUNDS, folder_of, player
from server.submissions.recipe import Recipe, recipe

from .test_archive import zipped

WALKS = b"""
from botarena.pyrat import Bot
class Walks(Bot):
    def decide(self, view):
        return [view["moves"][0]] if view["moves"] else []
"""
LINES = b"""#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "view":
        print(json.dumps({"commands": message["view"]["moves"][:1]}), flush=True)
"""


def version(content: bytes, **fields: object) -> Submission:
    given = {"id": "s", "bot": "b", "version": 1, "account": "a", "state": "active"}
    return Submission(**given | {"created_ms": 0, "sha256": sha256(content).hexdigest()} | fields)


@pytest.mark.skipif(missing() is not None, reason="there is no sandbox here")
def test_files_and_programs_that_were_handed_in_play_from_a_cache(tmp_path: Path):
    cache = tmp_path / "cache"
    file = version(WALKS, file="walks.py", kind="file", entry="walks.py")
    packed = zipped(("bot/run", LINES), ("bot/more.txt", b""))
    program = version(packed, file="bot.zip", kind="lines", entry="./run")
    players = [player(file, WALKS, cache, "one"), player(program, packed, cache, "two")]

    assert players == [player(file, b"", cache, "one"), player(program, b"", cache, "two")]
    task = Task(
        record="game",
        game="pyrat",
        config={"width": 5, "height": 5, "cheese_count": 1, "max_turns": 5},
        map_text=None,
        seed=1,
        players=tuple(players),
        limit_s=5,
        games=None,
        logs=tmp_path,
        limits=BOUNDS,
    )
    done = play(task)

    assert done.outcome is not None, done.why
    assert done.failed == (0, 0), [path.read_text() for path in tmp_path.glob("*.txt")]
    assert done.asked[0] > 0
    assert sorted(path.name for path in cache.iterdir()) == sorted(map(folder_of, (file, program)))


def test_a_command_never_changes_a_file_outside_of_the_bots_folder(tmp_path: Path):
    outside = tmp_path / "outside"
    outside.write_bytes(b"")
    outside.chmod(0o600)
    packed = zipped(("bot/run", LINES))

    for entry in (str(outside), "../outside", "x" * 400):
        player(
            version(packed, file="b.zip", kind="lines", entry=entry), packed, tmp_path / "c", "x"
        )

    assert outside.stat().st_mode & 0o777 == 0o600


def files(home: Path, *names: str, manifest: str | None = None) -> Path:
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(b"")
    if manifest is not None:
        (home / "botarena.toml").write_text(manifest)
    return home


@pytest.mark.parametrize(
    ("game", "names", "entry", "manifest", "expected"),
    [
        ("pyrat", ["one.py"], None, None, Recipe("file", "one.py", "python", None)),
        ("pyrat", ["a.py", "bot.py"], None, None, Recipe("file", "bot.py", "python", None)),
        (
            "pyrat",
            ["a.py", "src/b.py"],
            "src/b.py",
            None,
            Recipe("file", "src/b.py", "python", None),
        ),
        ("botstack", ["me.c"], None, None, Recipe("file", "me.c", "c", None)),
        ("pyrat", ["me.c"], None, None, Recipe("lines", "./me", "c", "cc -O2 -o ./me me.c -lm")),
        ("pyrat", ["me.js"], None, None, Recipe("lines", "node me.js", None, None)),
        (
            "pyrat",
            ["a.jar"],
            "lux:java -jar a.jar",
            None,
            Recipe("lux", "java -jar a.jar", None, None),
        ),
        ("pyrat", ["a.js"], "node a.js", None, Recipe("command", "node a.js", None, None)),
        (
            "pyrat",
            ["main.rs"],
            None,
            'entry = "lines:./bot"\nbuild = "rustc main.rs -o bot"\nlanguage = "rust"',
            Recipe("lines", "./bot", "rust", "rustc main.rs -o bot"),
        ),
    ],
)
def test_how_a_bot_is_played_follows_from_what_is_said_and_from_its_files(
    tmp_path: Path,
    game: str,
    names: list[str],
    entry: str | None,
    manifest: str | None,
    expected: Recipe,
):
    assert recipe(game, files(tmp_path, *names, manifest=manifest), entry, None) == expected


@pytest.mark.parametrize(
    ("names", "entry", "manifest", "code"),
    [
        (["a.py", "b.py"], None, None, "no_entry"),
        (["notes.txt"], None, None, "no_entry"),
        (["a.py"], "b.py", None, "no_entry"),
        (["a.py"], "../a.py", None, "no_entry"),
        (["a.py"], "/etc/passwd.py", None, "no_entry"),
        (["a.py"], "lines:", None, "no_entry"),
        (["a.py"], "lines:./bot", None, "no_entry"),
        (["a.py"], "lines:'./bot", None, "no_entry"),
        (["a.py"], "http://127.0.0.1:1", None, "no_entry"),
        (["a.py"], "x" * 500, None, "no_entry"),
        (["a.py"], None, "entry = 5", "bad_manifest"),
        (["a.py"], None, "start = 'a.py'", "bad_manifest"),
        (["a.py"], None, "entry = ", "bad_manifest"),
        (["a.py"], None, "entry = " + "[" * 5000, "bad_manifest"),
        (["a.py"], None, "#" * 20_000, "bad_manifest"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_code(
    tmp_path: Path, names: list[str], entry: str | None, manifest: str | None, code: str
):
    with pytest.raises(Refusal) as refused:
        recipe("pyrat", files(tmp_path, *names, manifest=manifest), entry, None)

    assert (refused.value.status, refused.value.code) == (422, code)
