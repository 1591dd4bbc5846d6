"""`botarena play`: matches on this machine."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk import private
from client_sdk.cli.arguments import (
    ConfigOption,
    GameArgument,
    MapOption,
    QuietOption,
    ReplayDirOption,
    SetOption,
    TimeLimitOption,
    first_seed,
    make_folder,
    parameters_of,
)
from client_sdk.console import UserError, amount, note, out, say
from client_sdk.local.lookup import game_called, known_game, map_text
from client_sdk.local.players import ADDRESSES, KINDS, PlayerSpec, player_specs, plays_apart

if TYPE_CHECKING:
    from client_sdk.bounds import Bounds
    from client_sdk.local.headless import FinishedGame, Origin, Schedule, Setting, ShowMatch
    from client_sdk.local.series import Isolation
    from games.core.contract import AnyGame


LINES = 20
"""Up to this number of games get a line each; for more there is the table only, without --lines."""


def play(
    game: GameArgument,
    bots: Annotated[
        list[str],
        typer.Argument(
            help=f"One per seat. {KINDS}",
            show_default=False,
        ),
    ],
    seed: Annotated[
        int | None,
        typer.Option(help="Of the first game; the others count on from it.", show_default="random"),
    ] = None,
    map_: MapOption = None,
    set_: SetOption = None,
    config: ConfigOption = None,
    games: Annotated[int, typer.Option(min=1, help="How many seeds.")] = 1,
    swap: Annotated[
        bool,
        typer.Option(
            "--swap", help="Play every seed once per seating, so that no seat is favoured."
        ),
    ] = False,
    replay_dir: ReplayDirOption = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show the games while they are played.")
    ] = False,
    pace: Annotated[
        int, typer.Option(min=0, metavar="MS", help="--watch: how long each turn is shown.")
    ] = 150,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE@N|URL#N",
            help="Start where turn N of this journal, or of a match on a server, was open.",
            show_default=False,
        ),
    ] = None,
    watch_file: Annotated[
        bool,
        typer.Option(
            "--watch-file",
            help="After each save of the bot's file play the match again that it lost last, in "
            "--replay-dir or now; --from N: from turn N.",
        ),
    ] = False,
    time_limit: TimeLimitOption = None,
    isolate: Annotated[
        bool | None,
        typer.Option(
            help="Every file in a process of its own; --no-isolate: no file, and no time limit.",
            show_default="by game",
        ),
    ] = None,
    sandbox: Annotated[
        bool | None,
        typer.Option(
            help="These processes see nothing of your machine: for files you do not trust.",
            show_default="with --isolate, where there can be one",
        ),
    ] = None,
    logs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the output of processes of their own goes.",
            show_default="a temporary folder",
        ),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help=f"A line for every game, also for more than {LINES}.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The results as JSON.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Play matches on this machine and print who won.

    Bots play without a server, as fast as they can. The game's time limit is that of every file and
    program; a late answer is not played, and a bot that hangs ends the run. If a player is a
    program that speaks websockets, a server runs for as long as the games last and all players
    connect to it.

    \b
    botarena play pyrat greedy random
    botarena play pyrat mybot.py greedy --games 100 --swap
    botarena play pyrat mybot.py "lines:node mybot.js" --set preset=tiny
    botarena play botstack mybot.py greedy --seed 7 --replay-dir replays
    botarena play pyrat mybot.py greedy --from pyrat-7-1.journal.jsonl@12 --watch
    botarena play pyrat mybot.py recorded --from http://127.0.0.1:8000/match/p7k2abcdefgh#0
    botarena play pyrat --watch-file mybot.py greedy --from 40
    botarena play cookoff mybot.py theirs.py --set rules=awap2026 --logs logs
    """
    from client_sdk.local.recorded import stood_in

    chosen = game_called(game)
    if from_ is not None and (set_ or any(given is not None for given in (seed, map_, config))):
        raise UserError("--from takes seed, map and parameters from the journal")
    lost_turn = from_ if watch_file and from_ is not None and is_turn(from_) else None
    origin = None if from_ is None or lost_turn is not None else _origin(from_)
    players = player_specs(game, stood_in(bots, origin))
    limit_s = None if time_limit is None else time_limit / 1000
    if replay_dir is not None:
        make_folder(replay_dir, "--replay-dir")
    if sandbox and any(player.is_program for player in players):
        why = "--sandbox is for files; botarena tournament run puts commands in a sandbox too"
        raise UserError(why)
    connects = any(player.connects for player in players)
    if connects and (origin is not None or watch or watch_file):
        raise UserError(
            "--from, --watch and --watch-file need players without websockets; see botarena watch"
        )

    def setting_of(
        players: Sequence[PlayerSpec], origin: Origin | None, *, record: bool
    ) -> Setting:
        given = (set_, config)
        return _setting(chosen, players, origin, map_, given, limit_s, record=record)

    def headless(
        setting: Setting, players: Sequence[PlayerSpec], schedule: Schedule
    ) -> list[FinishedGame]:
        from client_sdk.local.series import play_series

        wanted = (sandbox or None) if isolate is None else isolate
        isolation = _isolation(game, players, wanted, logs, _bounds(isolate, sandbox))
        if isolate is not False:  # a person at a debugger takes time
            files = {who for who, player in enumerate(players) if player.kind == "file"}
            setting = replace(setting, clocked=frozenset(files - isolation.players))
        return play_series(setting, players, schedule, _shown(chosen, watch, pace), isolation)

    if watch_file:
        from client_sdk.cli.rematch import Wanted, play_again

        def again(players: Sequence[PlayerSpec], origin: Origin | None) -> FinishedGame:
            setting = setting_of(players, origin, record=True)
            return headless(setting, players, _schedule(setting, len(players), seed, 1, False))[0]

        if games > 1 or swap:
            raise UserError("--watch-file plays one match: leave --games and --swap")
        wanted = Wanted(origin=origin, turn=lost_turn, folder=replay_dir, wins_too=seed is not None)
        play_again(chosen, players, again, wanted)
        return
    setting = setting_of(players, origin, record=bool(replay_dir))
    schedule = _schedule(setting, len(players), seed, games, swap)
    if connects:
        finished = _served(setting, players, schedule, logs)
    else:
        finished = headless(setting, players, schedule)
    _report(chosen, players, finished, replay_dir, every_line=lines, as_json=as_json)


def _served(
    setting: Setting, players: Sequence[PlayerSpec], schedule: Schedule, logs: Path | None
) -> list[FinishedGame]:
    """Games of programs that connect; their output is kept where `logs` says so."""
    from client_sdk.local.series import Isolation
    from client_sdk.local.served import play_served

    if logs is None:
        return play_served(setting, players, schedule)
    make_folder(logs, "--logs")
    isolation = Isolation(frozenset(range(len(players))), logs)
    with isolation.reporting():
        return play_served(setting, players, schedule, partial(isolation.log, setting.game.name))


def _setting(
    game: AnyGame,
    players: Sequence[PlayerSpec],
    origin: Origin | None,
    map_: str | None,
    given: tuple[Sequence[str] | None, Path | None],
    limit_s: float | None,
    *,
    record: bool,
) -> Setting:
    """Raises UserError."""
    from client_sdk.local.headless import Setting

    if origin is None:
        parameters = parameters_of(*given)
        board = None if map_ is None else map_text(game.name, map_)
    else:
        header = origin.header()
        if header["game"] != game.name:
            raise UserError(f"that journal is of {header['game']}, not of {game.name}")
        parameters, board = header["config"], header["map"]
    return Setting(
        game=game,
        config=parameters,
        map_text=board,
        names=[player.label for player in players],
        limit_s=limit_s,
        record=record,
        origin=origin,
    )


def _schedule(setting: Setting, players: int, seed: int | None, games: int, swap: bool) -> Schedule:
    """Every seed, once or once per seating. Raises UserError, BadSetup."""
    from dataclasses import fields

    from games.core.parameters import configure

    seats = setting.game.seats(configure(setting.game, setting.config))
    if players != seats:
        fewer = any(field.name == "seats" for field in fields(setting.game.rules))
        hint = f"; --set seats={players} makes it as many" if fewer else ""
        needs = f"{setting.game.name} has {seats} seats and needs as many players"
        raise UserError(f"{needs}, got {players}{hint}")
    if setting.origin is not None:
        seeds = [setting.origin.header()["seed"]] * games
    else:
        first = first_seed(seed, games)
        seeds = list(range(first, first + games))
    seatings = [
        tuple((seat + turned) % seats for seat in range(seats))
        for turned in range(seats if swap else 1)
    ]
    return [(one, seating) for one in seeds for seating in seatings]


def is_turn(text: str) -> bool:
    """Whether this is a turn alone, without a journal."""
    return text[:1].isdecimal() and not set(text) & set("@#/.")


def _origin(text: str) -> Origin:
    from client_sdk.local.headless import Origin
    from client_sdk.local.records import journal_text
    from games.core.turns import turn_number

    address = text.startswith(ADDRESSES)
    file, at, turn = text.rpartition("@" if "@" in text or not address else "#")
    if not at or not turn[:1].isdecimal():
        raise UserError(
            "--from: expected FILE@N, such as game.journal.jsonl@12, or the link to a turn of a "
            f"match, got {text!r}"
        )
    first = Origin(_journal_of(file) if address else journal_text(Path(file)), 0)
    try:
        number = turn_number(known_game(str(first.header().get("game"))), turn)
    except ValueError as fault:
        raise UserError(f"--from: {fault}") from None
    return replace(first, turn=number)


def _journal_of(url: str) -> str:
    """The journal of a match on a server, once it is released. Raises ServerRefused, UserError."""
    from client_sdk.cli.online import match_at, rest_of

    server, match = match_at(url, None)
    with rest_of(server) as rest:
        return rest.journal(match)


def _bounds(isolate: bool | None, sandbox: bool | None) -> Bounds | None:
    """What files in processes of their own may use; None: anything. Raises UserError."""
    from client_sdk.bounds import Bounds
    from client_sdk.sandbox import missing

    if not (isolate if sandbox is None else sandbox):
        return None
    if (why := missing()) is None:
        return Bounds(sandbox="bubblewrap")
    if sandbox:
        raise UserError(f"--sandbox: there can be no sandbox: {why}")
    note(f"no sandbox ({why}): what plays can do all that you can")
    return None


def _isolation(
    game: str,
    players: Sequence[PlayerSpec],
    wanted: bool | None,
    logs: Path | None,
    bounds: Bounds | None,
) -> Isolation:
    """Raises UserError."""
    from client_sdk.local.series import Isolation

    apart = [who for who, player in enumerate(players) if plays_apart(game, player, wanted)]
    temporary = bool(apart) and logs is None
    if temporary:
        logs = Path(tempfile.mkdtemp(prefix="botarena-logs-"))
    elif apart and logs is not None:
        make_folder(logs, "--logs")
    return Isolation(frozenset(apart), logs or Path(), temporary, bounds)


def _shown(
    game: AnyGame, watch: bool, pace_ms: int
) -> contextlib.AbstractContextManager[ShowMatch | None]:
    if not watch:
        return contextlib.nullcontext()
    from client_sdk.cli.screen import showing_match

    return showing_match(game, pace_ms)


def _report(
    game: AnyGame,
    players: Sequence[PlayerSpec],
    finished: Sequence[FinishedGame],
    replay_dir: Path | None,
    *,
    every_line: bool,
    as_json: bool,
) -> None:
    from client_sdk.local import results

    labels = [player.label for player in players]
    if as_json:
        say(json.dumps(results.to_json(game, labels, finished)))
        if replay_dir is not None:
            _write_records(replay_dir, game, finished, quiet=True)
        return
    if every_line or len(finished) <= LINES:
        for one in finished:
            say(results.line(game, labels, one))
    else:
        say(f"{len(finished)} games, seeds {finished[0].seed} to {finished[-1].seed}")
    out().print(results.table(game, labels, finished))
    if replay_dir is not None:
        _write_records(replay_dir, game, finished)


def _write_records(
    folder: Path, game: AnyGame, finished: Sequence[FinishedGame], *, quiet: bool = False
) -> None:
    from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX, from_journal

    try:
        for one in finished:
            assert one.journal is not None
            stem = f"{game.name}-{one.seed}-{one.number}"
            replay = from_journal(one.journal, {game.name: game})
            for suffix, text in ((JOURNAL_SUFFIX, one.journal), (REPLAY_SUFFIX, replay)):
                with private.opened(folder / f"{stem}{suffix}", "wb") as file:
                    file.write(text.encode("utf-8", "surrogatepass"))
    except OSError as fault:
        raise UserError(f"--replay-dir: {folder}: {fault.strerror or fault}") from None
    what = amount(len(finished), "journal and replay", "journals and replays")
    if not quiet:
        say(f"{what} in {folder}")
