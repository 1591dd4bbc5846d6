"""`botarena demo`: everything once. A server, a match of each game over real websockets, their
records, and the proof of them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client_sdk.console import out, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from client_sdk.cli.screen import ShowView
    from client_sdk.rest import RestClient
    from games.core.contract import AnyGame, Json


@dataclass(frozen=True, slots=True)
class Demo:
    """One match of the demonstration."""

    game: str
    match: str
    ended: str


def demo(
    data_dir: Annotated[Path, typer.Option(help="Where journals and replays go.")] = Path("data")
    / "demo",
) -> None:
    """Start a server, play one match of each game live with house bots, prove the records, stop.

    \b
    botarena demo
    """
    from client_sdk.local.server import local_server
    from client_sdk.rest import RestClient

    with local_server(data_dir) as url, RestClient(url) as rest:
        say(f"server at {url}")
        played = _play_all(url, rest)
        for one in played:
            say(f"{one.game}: {one.ended}")
        for one in played:
            rest.replay(one.match)
    sound = [_proven(data_dir, one) for one in played]
    say(
        "keep a server up with: make serve (or botarena serve); its page lists matches to watch, "
        "at http://127.0.0.1:8000/"
    )
    if not all(sound):
        raise typer.Exit(1)


def _play_all(url: str, rest: RestClient) -> list[Demo]:
    """All matches at the same time."""
    from games import GAMES

    with _side_by_side(GAMES) as show, ThreadPoolExecutor(len(GAMES)) as pool:
        return list(pool.map(lambda game: _play(url, rest, game, show), GAMES.values()))


def _play(url: str, rest: RestClient, played: AnyGame, show: ShowView) -> Demo:
    """The viewer comes first, then the bots, so that nothing is missed."""
    from client_sdk.bots import HOUSE, default_opponent
    from client_sdk.cli.online import follow, watch_url

    game = played.name
    lobby = rest.create(game, config=dict(played.short))
    match, owner = lobby["lobby"], lobby["owner_token"]
    say(f"{game}: watch it at {watch_url(url, match)}")
    bots = [default_opponent(HOUSE[game]), next(iter(HOUSE[game]))]

    def seat_bots() -> None:
        for seat in range(len(lobby["seats"])):
            rest.add_bot(match, bots[seat % len(bots)], owner)

    return Demo(game, match, follow(url, match, None, show, ready=seat_bots))


@contextmanager
def _side_by_side(games: Iterable[str]) -> Iterator[ShowView]:
    """Shows several matches: as pictures on a terminal, else as one line in ten turns."""
    from client_sdk.api import terminal

    lock = threading.Lock()
    if not out().is_terminal:
        seen: dict[str, int] = {}

        def line(game: str, view: Json, names: Sequence[str]) -> None:
            with lock:
                seen[game] = seen.get(game, -1) + 1
                if seen[game] % 10 == 0:
                    say(f"{game}: {terminal.line(game, view, names)}")

        yield line
        return
    from rich.console import Group
    from rich.live import Live

    pictures: dict[str, Any] = {}
    memories = {game: terminal.Memory(game) for game in games}
    with Live(console=out(), auto_refresh=False, vertical_overflow="crop") as live:

        def draw(game: str, view: Json, names: Sequence[str]) -> None:
            with lock:
                pictures[game] = terminal.draw(game, memories[game].whole(view), names)
                live.update(Group(*pictures.values()), refresh=True)

        yield draw


def _proven(data_dir: Path, played: Demo) -> bool:
    """Verify both records of a match, and say where they are."""
    from client_sdk.cli.records import verdict_line
    from client_sdk.local.records import verify
    from client_sdk.local.server import MATCHES as RECORDS
    from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX

    sound = True
    for suffix in (JOURNAL_SUFFIX, REPLAY_SUFFIX):
        file = data_dir / RECORDS / f"{played.match}{suffix}"
        verdict = verify(file)
        say(verdict_line(file, verdict))
        sound = sound and verdict.kind == "ok"
    return sound
