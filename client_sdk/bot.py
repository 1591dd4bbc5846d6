"""A bot: it sees views and names commands. The same object plays over a socket (`run`) and headless (`games.core.play`)."""

from __future__ import annotations

import importlib
import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeAlias

from client_sdk import botfile
from client_sdk.api.adapters import ADAPTERS, Found, own_classes
from client_sdk.errors import BadBot
from client_sdk.start import Start as Start
from client_sdk.start import start_of as start_of
from client_sdk.wire.messages import Clock

if TYPE_CHECKING:
    from games.core.contract import Reply
    from games.core.match import Match

Json: TypeAlias = Any


class Link(Protocol):
    """What a bot can do and ask while it thinks. Times are seconds of `time.monotonic`."""

    def deadline(self, begun: float, clock: Clock) -> float | None:
        """When the open turn, begun at this moment, is over; None: no limit."""
        ...

    def stopped(self) -> bool:
        """Whether the server has said stop."""
        ...

    def provisional(self, commands: Iterable[Json]) -> None:
        """The best answer so far: played if the time runs out."""
        ...

    def info(self, data: Json) -> None:
        """Show viewers something; they see it when the turn is closed."""
        ...

    def now(self, commands: Iterable[Json]) -> bool:
        """Send what answers no turn, such as resigning. False: that cannot be done here."""
        ...

    def say(self, commands: Iterable[Json]) -> bool:
        """Send some of the open turn's commands ahead of the others, where a turn is many; nobody waits for their results.

        False: that cannot be done now or here, and they are to be sent later, with what `decide` returns at the latest.
        """
        ...

    def heard(self) -> list[list[Reply]]:
        """The results that came while the bot thinks, a list per frame; `on_results` is not told of them any more."""
        ...

    def look(self) -> Json | None:
        """The open turn's view with everything in it that was said so far; results that came before it are dropped.

        Waits for the server. None: the turn is over, or there is no server to ask.
        """
        ...

    def bank_s(self) -> float | None:
        """What was on the bank when the turn was opened, or when the server last told of it; None: nobody tells."""
        ...


class Alone:
    """The link of a headless match: nobody measures, so a bot gets its turn's time by its own clock."""

    def deadline(self, begun: float, clock: Clock) -> float | None:
        return begun + clock.turn_ms / 1000 if clock.turn_ms else None

    def stopped(self) -> bool:
        return False

    def provisional(self, commands: Iterable[Json]) -> None:
        """Nothing would ever be played instead of the answer."""

    def info(self, data: Json) -> None:
        """Nobody looks."""

    def now(self, commands: Iterable[Json]) -> bool:
        return False

    def say(self, commands: Iterable[Json]) -> bool:
        return False

    def heard(self) -> list[list[Reply]]:
        return []

    def look(self) -> Json | None:
        return None

    def bank_s(self) -> float | None:
        return None


class Bot:
    """The base of every bot. `client_sdk.api.<game>` has the idioms; this one speaks plain JSON."""

    game: ClassVar[str] = ""
    """Which game it plays; empty: any."""
    name: str = ""
    author: str = ""
    once: ClassVar[tuple[str, ...]] = ()
    """Top-level fields of the view that the server need not repeat; the bot finds them in every view all the same."""
    wants_changes: ClassVar[bool] = False
    """Whether results come with the changes that the commands made, where the game tells them."""
    link: Link = Alone()
    """The way to the server while a match is on."""

    def on_start(self, start: Start) -> None:
        """Once, before the first turn: the time to prepare (`start.within_ms`)."""

    def decide(self, view: Json) -> Iterable[Json]:
        """The commands of one turn, in order; none: silence."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define decide")

    def on_results(self, results: Sequence[Reply]) -> None:
        """What became of the commands of one frame (headless: of one turn), in order. Over a socket refused and rejected look
        alike, and an `ok` tells its changes only to a bot that `wants_changes`."""

    def on_view(self, view: Json) -> None:
        """A view that asks nothing of this seat."""

    def on_event(self, event: dict[str, Json]) -> None:
        """Something around the match: `{"e": "timeout", "turn": 3, "seat": 0, "data": null}`."""

    def on_end(self, outcome: dict[str, Json]) -> None:
        """The match is over; the result record."""

    def run(self) -> NoReturn:
        """Play one match on a server and leave the program; `client_sdk.live` says where it finds the server."""
        from client_sdk.live import run

        raise SystemExit(run(self))


class Playing(Protocol):
    """What `play_headless` needs of a bot, or of something that stands between it and one."""

    @property
    def name(self) -> str: ...
    def on_start(self, start: Start) -> None: ...
    def on_view(self, view: Json) -> None: ...
    def decide(self, view: Json) -> Iterable[Json]: ...
    def on_results(self, results: Sequence[Reply]) -> None: ...
    def on_end(self, outcome: dict[str, Json]) -> None: ...


def play_headless(
    match: Match,
    bots: Sequence[Playing],
    names: Sequence[str] = (),
    shown: Callable[[Match], object] | None = None,
) -> None:
    """A whole match without sockets, told to the bots as a server tells it: start, every view, the end.

    `shown` is called with the match at the start and after every turn.
    """
    from games.core.contract import outcome_json
    from games.core.play import play_turn

    names = names or [bot.name for bot in bots]
    for seat, bot in enumerate(bots):
        bot.on_start(start_of(match, seat, names))
    if shown is not None:
        shown(match)
    while match.outcome is None:
        awaited = match.awaited
        for seat in sorted(set(range(match.seats)) - awaited) if awaited else ():  # nobody: the game goes on by itself
            bots[seat].on_view(match.view(seat))
        play_turn(match, bots)
        if shown is not None:
            shown(match)
    for seat, bot in enumerate(bots):
        bot.on_view(match.view(seat))
        bot.on_end(outcome_json(match.outcome))


def load(path: str | Path, game: str | None = None, name: str | None = None) -> Bot:
    """The one bot that a Python file holds, made: a class of ours, or what `client_sdk.api.adapters` has a player for.

    Every call reads the file anew, so that two bots share nothing. With `game`: the bot has to play that one. `name`: what its
    module is called. Raises BadBot.
    """
    file = Path(path)
    if not file.is_file():
        raise BadBot(f"{path}: there is no such file")
    module = botfile.read(file.resolve(), game, name)
    found = _chosen(module, game, str(path))
    try:
        bot = found.make()
    except Exception as fault:
        raise BadBot(botfile.told(file.resolve(), fault)) from fault
    weakref.finalize(bot, sys.modules.pop, module.__name__, None)
    return _fitting(bot, game, str(path))


def _chosen(module: ModuleType, game: str | None, path: str) -> Found:
    """The one bot of a module. Raises BadBot."""
    ours = [Found(cls.__name__, cls) for cls in own_classes(module, Bot)]
    kinds = [adapter for name, adapters in ADAPTERS.items() for adapter in adapters if game in (None, "", name)]
    found = [*ours, *(bot for kind in kinds for bot in kind.found(module, bool(ours)))]
    able = [bot for bot in found if bot.flaw is None]
    if len(able) == 1:
        return able[0]
    if able:
        raise BadBot(f"{path}: {len(able)} bots in this file ({', '.join(bot.what for bot in able)}); leave one of them")
    if found:
        raise BadBot(f"{path}: {found[0].flaw}")
    accepted = ["a class that inherits from a Bot of client_sdk.api", *(kind.about for kind in kinds)]
    raise BadBot(f"{path}: no bot in this file; a bot is {', or '.join(accepted)}")


def house(game: str, name: str) -> Bot:
    """A house bot, made. Raises BadBot."""
    from client_sdk.bots import HOUSE

    if game not in HOUSE:
        raise BadBot(f"no house bots for a game called {game!r}; there are some for {', '.join(HOUSE)}")
    if name not in HOUSE[game]:
        raise BadBot(f"no house bot of {game} is called {name!r}; there are {', '.join(HOUSE[game])}")
    entry = HOUSE[game][name]
    bot: Bot = getattr(importlib.import_module(entry.module), entry.cls)()
    return bot


def _fitting(bot: Bot, game: str | None, path: str) -> Bot:
    if game and bot.game and bot.game != game:
        raise BadBot(f"{path}: this bot plays {bot.game}, not {game}")
    bot.name = bot.name or Path(path).stem
    return bot
