"""The contest's command line: `python -m client_sdk.api.cookoff --red A.py --blue B.py`.

It says the same to `botarena play cookoff`, with the contest's rules.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from client_sdk.cli import run
from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(
        prog="client_sdk.api.cookoff", description="Play one match of two bots of the contest."
    )
    parser.add_argument("--red", required=True, metavar="BOT", help="a .py file or a house bot")
    parser.add_argument("--blue", required=True, metavar="BOT", help="a .py file or a house bot")
    parser.add_argument(
        "--map", metavar="NAME|FILE", help="default: a bundled map, drawn at random"
    )
    parser.add_argument("--turns", metavar="N", help="the last turn (default: 500)")
    parser.add_argument(
        "--timeout", type=float, metavar="S", help="seconds per team and turn (default: 0.5)"
    )
    parser.add_argument(
        "--replay",
        type=Path,
        metavar="FILE|DIR",
        help="write replay and journal there",
    )
    parser.add_argument("--render", action="store_true", help="show the match while it is played")
    parser.add_argument("--fps", type=float, metavar="N", help="turns a second with --render")
    asked = parser.parse_args(argv)
    words = ["play", "cookoff", asked.red, asked.blue, "--set", "rules=awap2026"]
    if asked.map is not None:
        words += ["--map", asked.map]
    if asked.turns is not None:
        words += ["--set", f"total_turns={asked.turns}"]
    if asked.timeout is not None:
        words += ["--time-limit", str(max(1, round(asked.timeout * 1000)))]
    if asked.render:
        words += ["--watch"]
    if asked.fps is not None:
        words += ["--pace", str(round(1000 / max(asked.fps, 0.1)))]
    if asked.replay is None:
        return run(words)
    if asked.replay.is_dir() or not asked.replay.suffix:
        return run([*words, "--replay-dir", str(asked.replay)])
    return _into_file(words, asked.replay)


def _into_file(words: Sequence[str], file: Path) -> int:
    """Play, with the replay in this file and the journal beside it."""
    folder = file.parent
    status = run([*words, "--replay-dir", str(folder)])
    if status == 0:
        replay = max(folder.glob(f"*{REPLAY_SUFFIX}"), key=lambda one: one.stat().st_mtime_ns)
        journal = replay.with_name(replay.name.removesuffix(REPLAY_SUFFIX) + JOURNAL_SUFFIX)
        replay.replace(file)
        journal.replace(file.with_name(file.name.removesuffix(file.suffix) + JOURNAL_SUFFIX))
    return status


if __name__ == "__main__":
    sys.exit(main())
