"""A class hands in bots and gets its results, by no hand: from an empty directory to the printed
tables.

    python -m benchmarks.pupils [--pupils 32] [--uploads 3] [--kinds 5] [--rounds 5]
                                [--json-file FILE]

Each pupil has an account and hands in a bot of each kind (a Python file, a folder of Python files,
C, JavaScript, a shell script), each in some versions, of which the last one plays. The server
builds and checks them all in its sandbox; then each kind has a Swiss tournament, which the server's
own processes play. Prints wall times and the tables. The exit status is 1 if a version is not
checked, or a game has no result."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.seats import SEED
from benchmarks.workers import address, process
from client_sdk.rest import RestClient

GAME = "pyrat"
MOVES = ("UP", "RIGHT", "DOWN", "LEFT")
PYTHON = """from botarena.pyrat import Bot, Direction


class Mine(Bot):
    def think(self, state, ctx):
        return Direction.{move}
"""
FOLDER = """from botarena.pyrat import Bot
from mine import move


class Mine(Bot):
    def think(self, state, ctx):
        return move()
"""
MODULE = """from botarena.pyrat import Direction


def move():
    return Direction.{move}
"""
C = r"""#include <stdio.h>
#include <string.h>

static char line[1 << 20];

int main(void) {{
    while (fgets(line, sizeof line, stdin))
        if (strstr(line, "\"type\":\"view\"")) {{
            puts("[\"{move}\"]");
            fflush(stdout);
        }}
}}
"""
NODE = """require("readline").createInterface({{ input: process.stdin }}).on("line", (line) => {{
  if (JSON.parse(line).type === "view") console.log('["{move}"]');
}});
"""
SHELL = """while read -r line; do
  case $line in *'"type":"view"'*) echo '["{move}"]' ;; esac
done
"""
KINDS = ("python", "folder", "c", "javascript", "shell")
OVER = ("active", "replaced", "failed")
LOOK_S = 0.5
AT_ONCE = 8
"""Pupils who hand in at the same time."""


def bot(kind: str, move: str) -> tuple[str, bytes]:
    """A file of this kind, and its name."""
    if kind == "folder":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("bot.py", FOLDER)
            archive.writestr("mine.py", MODULE.format(move=move))
            archive.writestr("botarena.toml", 'entry = "bot.py"\n')
        return "bot.zip", packed.getvalue()
    names = {"python": "bot.py", "c": "bot.c", "javascript": "bot.js", "shell": "bot.sh"}
    texts = {"python": PYTHON, "c": C, "javascript": NODE, "shell": SHELL}
    return names[kind], texts[kind].format(move=move).encode()


def hands_in(url: str, name: str, kinds: list[str], uploads: int) -> str:
    """One pupil: an account, and all versions. Returns the key."""
    with RestClient(url) as rest:
        key: str = rest.sign_up(name)["key"]
    with RestClient(url, key=key) as rest:
        for kind in kinds:
            for version in range(uploads):
                move = MOVES[(hash(name) + version) % len(MOVES)]
                file, content = bot(kind, move)
                rest.hand_in(content, game=GAME, name=f"{kind} of {name}", file=file)
    return key


def checked(url: str, key: str) -> list[dict[str, Any]]:
    """A pupil's versions, once all of them have been checked."""
    with RestClient(url, key=key) as rest:
        while True:
            found: list[dict[str, Any]] = rest.submissions()["submissions"]
            if all(one["state"] in OVER for one in found):
                return found
            time.sleep(LOOK_S)


def tournament(url: str, organiser: str, kind: str, keys: dict[str, str], rounds: int) -> str:
    """Returns its id, when it has begun."""
    format_ = {"format": "swiss", "rounds": rounds, "check": False}
    with RestClient(url, key=organiser) as rest:
        made: str = rest.create_tournament(
            f"{kind} cup", GAME, format=format_, seed=SEED, config={"preset": "small"}
        )["tournament"]
        for name, key in keys.items():
            with RestClient(url, key=key) as pupil:
                pupil.enter(made, name=name, submitted=f"{kind} of {name}")
        rest.lead(made, "start")
    return made


def finished(url: str, id_: str) -> dict[str, Any]:
    with RestClient(url) as rest:
        while (found := rest.tournament(id_))["state"] != "finished":
            time.sleep(LOOK_S)
    return found


def show(found: dict[str, Any]) -> None:
    print(f"\n{found['name']}")
    for row in found["standings"]:
        points = row["points"]
        record = f"{row['wins']}-{row['draws']}-{row['losses']}"
        print(f"{row['rank']:>4}  {row['id']:<12}{points:>6}  {record}")


def run(asked: argparse.Namespace, folder: str) -> tuple[dict[str, Any], bool]:
    kinds = list(KINDS[: asked.kinds])
    settings = {
        "BOTARENA_DATA_DIR": f"{folder}/data",
        "BOTARENA_SUBMISSIONS": "true",
        "BOTARENA_SIGN_UPS_PER_MINUTE": "10000",  # they all come from this machine
        "BOTARENA_REQUESTS_PER_SECOND": "0",
        "BOTARENA_LARGE_BODIES_AT_ONCE": "0",
    }
    times: dict[str, float] = {}
    begun = last = time.monotonic()

    def took(what: str) -> None:
        nonlocal last
        times[what], last = time.monotonic() - last, time.monotonic()
        print(f"{what}: {times[what]:.0f} s", flush=True)

    with process(
        "serve", "--port", "0", "--log-level", "warning", folder=folder, **settings
    ) as serving:
        url = address(serving)
        organiser = subprocess.run(
            [
                sys.executable,
                "-m",
                "client_sdk.cli",
                "account",
                "create",
                "t",
                "--kind",
                "organiser",
            ],
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        names = [f"pupil {number}" for number in range(1, asked.pupils + 1)]
        took("server and organiser")
        with ThreadPoolExecutor(AT_ONCE) as threads:
            made = [threads.submit(hands_in, url, name, kinds, asked.uploads) for name in names]
            keys = {name: one.result() for name, one in zip(names, made, strict=True)}
        took("handed in")
        versions = [one for key in keys.values() for one in checked(url, key)]
        states = Counter(one["state"] for one in versions)
        reasons = Counter(
            f"{one['name'].partition(' ')[0]}: {one['reason']}"
            for one in versions
            if one["state"] == "failed"
        )
        for why, count in reasons.items():
            print(f"{count} versions failed: {why}")
        took(f"{len(versions)} versions built and checked ({dict(states)})")
        if reasons:
            return {}, False
        ids = [tournament(url, organiser, kind, keys, asked.rounds) for kind in kinds]
        tables = [finished(url, id_) for id_ in ids]
        games = [game for table in tables for game in table["games"]]
        took(f"{len(games)} games played")
        for table in tables:
            show(table)
    wall_s = time.monotonic() - begun
    expected = asked.pupils * asked.uploads * len(kinds)
    whole = len(versions) == expected and not reasons
    whole = whole and all(game["result"] is not None for game in games)
    print(f"\n{asked.pupils} pupils, {expected} uploads, {len(games)} games: {wall_s:.0f} s in all")
    figures = {"pupils": asked.pupils, "uploads": expected, "games": len(games)}
    return figures | {"wall_s": wall_s, "parts_s": times}, whole


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pupils", type=int, default=32)
    parser.add_argument("--uploads", type=int, default=3)
    parser.add_argument("--kinds", type=int, default=5, choices=range(1, 6))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures, whole = run(asked, folder)
        if not whole:
            log = "".join(file.read_text() for file in Path(folder).glob("*.err"))
            print(f"NOT complete; the end of the server's log:\n{log[-2000:]}")
    if asked.json_file:
        asked.json_file.write_text(json.dumps(figures | {"met": whole}, indent=2) + "\n")
    raise SystemExit(0 if whole else 1)


if __name__ == "__main__":
    main()
