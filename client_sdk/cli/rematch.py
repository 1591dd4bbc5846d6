"""`botarena play --watch-file`: the match that a bot lost last, played again after each save."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client_sdk.console import UserError, note, say
from client_sdk.errors import BadBot

if TYPE_CHECKING:
    from client_sdk.local.headless import FinishedGame, Origin
    from client_sdk.local.players import PlayerSpec
    from games.core.contract import AnyGame

LOOK_S: Final = 0.1
"""How often the file is looked at."""
TRIED: Final = 20
"""Seeds that are played to find a match that the bot loses."""
LOST: Final = ("loss", "both_lost")

PlayFrom = Callable[["Sequence[PlayerSpec]", "Origin | None"], "FinishedGame"]
"""Plays one match, recorded: from a moment of another, or a new one. `players` by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which match is played again. `origin`: from this moment; without it the newest in `folder`
    that the bot lost, or without a folder one of now, from `turn` on. `wins_too`: the first of now,
    lost or not."""

    origin: Origin | None
    turn: str | None
    folder: Path | None
    wins_too: bool


def play_again(
    game: AnyGame, players: Sequence[PlayerSpec], play: PlayFrom, wanted: Wanted
) -> None:
    """Play the match now and after each save of the bot's file, until Ctrl-C. Raises UserError."""
    me = next((player for player in players if player.kind == "file"), None)
    if me is None:
        raise UserError("--watch-file: one of the players has to be your bot's file")
    origin = wanted.origin
    if origin is None:
        if wanted.folder is None:
            origin = _of_now(players, me, play, wanted.wins_too)
        else:
            players, origin = _lost_in(wanted.folder, game, players, me)
        origin = replace(origin, turn=_turn(game, wanted.turn))
    header = origin.header()
    say(f"match {header['match']}, seed {header['seed']}: again after each save of {me.spec}")
    seen = None
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            if (stamp := _stamp(Path(me.spec))) == seen:
                time.sleep(LOOK_S)
                continue
            seen = stamp
            try:
                say(_line(game, players, me, origin, play))
            except (BadBot, UserError) as fault:
                note(str(fault))


def _line(
    game: AnyGame,
    players: Sequence[PlayerSpec],
    me: PlayerSpec,
    origin: Origin,
    play: PlayFrom,
) -> str:
    from client_sdk.local.results import line

    begun = time.monotonic()
    played = play(players, origin)
    taken = time.monotonic() - begun
    how = played.outcome["seats"][players.index(me)]["outcome"].replace("_", " ")
    result = line(game, [player.label for player in players], played)
    return f"{time.strftime('%H:%M:%S')}  {how:<4}  {result} ({taken:.1f} s)"


def _of_now(
    players: Sequence[PlayerSpec], me: PlayerSpec, play: PlayFrom, wins_too: bool
) -> Origin:
    from client_sdk.local.headless import Origin

    for _ in range(TRIED):
        played = play(players, None)
        if wins_too or played.outcome["seats"][players.index(me)]["outcome"] in LOST:
            assert played.journal is not None
            return Origin(played.journal, 0)
    raise UserError(
        f"{me.label} lost none of {TRIED} matches; name one with --from FILE@N or --replay-dir"
    )


def _lost_in(
    folder: Path, game: AnyGame, players: Sequence[PlayerSpec], me: PlayerSpec
) -> tuple[Sequence[PlayerSpec], Origin]:
    """The match, and the players as they sat in it."""
    from client_sdk.local.headless import Origin
    from client_sdk.local.records import journal_text
    from client_sdk.replay import JOURNAL_SUFFIX

    journals = sorted(
        folder.glob(f"*{JOURNAL_SUFFIX}"), key=lambda file: file.stat().st_mtime_ns, reverse=True
    )
    for file in journals:
        text = journal_text(file)
        seat = _seat_lost(text, game.name, me.label)
        if seat is not None:
            others = [player for player in players if player is not me]
            return [*others[:seat], me, *others[seat:]], Origin(text, 0)
    raise UserError(f"{folder}: no journal of {game.name} here in which {me.label} lost")


def _seat_lost(journal: str, game: str, name: str) -> int | None:
    """The seat in which a player lost; None: it did not, or this is no whole journal."""
    lines = journal.splitlines()
    try:
        first, last = json.loads(lines[0]), json.loads(lines[-1])
        seats = [seat["name"] for seat in first["seats"]]
        ways = [seat["outcome"] for seat in last["outcome"]["seats"]]
    except (ValueError, LookupError, TypeError):
        return None
    if first.get("game") != game or name not in seats:
        return None
    seat = seats.index(name)
    return seat if ways[seat] in LOST else None


def _turn(game: AnyGame, turn: str | None) -> int:
    from games.core.turns import turn_number

    try:
        return 0 if turn is None else turn_number(game, turn)
    except ValueError as fault:
        raise UserError(f"--from: {fault}") from None


def _stamp(file: Path) -> tuple[int, int] | None:
    """What changes with each save of the bot's file or of one beside it. An editor may replace the
    file: for a moment there is none."""
    try:
        beside = [one.stat() for one in file.parent.glob(f"*{file.suffix}")]
        file.stat()
    except OSError:
        return None
    return max(one.st_mtime_ns for one in beside), sum(one.st_size for one in beside)
