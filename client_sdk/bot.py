"""A bot: it sees views and names commands. The same object plays over a socket (`run`) and headless (`games.core.play`)."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeAlias

from client_sdk.errors import BadBot
from client_sdk.wire import messages
from client_sdk.wire.messages import Clock, SeatInfo

if TYPE_CHECKING:
    from games.core.match import Match

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a bot is told before its first turn, with and without sockets alike."""

    game: str
    match: str
    """The match's id; empty without a server."""
    seat: int
    seats: tuple[SeatInfo, ...]
    config: dict[str, Json]
    clock: Clock
    turn: int
    view: Json
    within_ms: int | None
    """Preprocessing time; None: there is none (any more)."""

    @property
    def role(self) -> str:
        """What the game calls this seat."""
        return self.seats[self.seat].role

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return tuple(seat.name for seat in self.seats)


def start_from(message: messages.Start) -> Start:
    """The start that the server told a seat of."""
    if message.seat is None:
        raise ValueError("a viewer has no seat to start in")
    return Start(
        game=message.game,
        match=message.match,
        seat=message.seat,
        seats=message.seats,
        config=message.config,
        clock=message.clock,
        turn=message.turn,
        view=message.view,
        within_ms=message.within_ms,
    )


def start_of(match: Match, seat: int, names: Sequence[str] = ()) -> Start:
    """The start of a headless match, for one seat. `names` by seat; the role stands in for one that is missing."""
    from games.core.parameters import described

    pacing, roles = match.pacing, match.game.roles
    called = [names[place] if place < len(names) else roles[place] for place in range(match.seats)]
    return Start(
        game=match.game.name,
        match="",
        seat=seat,
        seats=tuple(SeatInfo(place, roles[place], called[place], "bot") for place in range(match.seats)),
        config=described(match.rules),
        clock=Clock(**{limit: getattr(pacing, limit) for limit in Clock.__struct_fields__}),
        turn=match.turn,
        view=match.view(seat),
        within_ms=pacing.preprocessing_ms or None,
    )


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


class Bot:
    """The base of every bot. `client_sdk.api.<game>` has the idioms; this one speaks plain JSON."""

    game: ClassVar[str] = ""
    """Which game it plays; empty: any."""
    name: str = ""
    author: str = ""
    once: ClassVar[tuple[str, ...]] = ()
    """Top-level fields of the view that the server need not repeat; the bot finds them in every view all the same."""
    link: Link = Alone()
    """The way to the server while a match is on."""

    def on_start(self, start: Start) -> None:
        """Once, before the first turn: the time to prepare (`start.within_ms`)."""

    def decide(self, view: Json) -> Iterable[Json]:
        """The commands of one turn, in order; none: silence."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define decide")

    def on_view(self, view: Json) -> None:
        """A view that asks nothing of this seat."""

    def on_event(self, event: dict[str, Json]) -> None:
        """Something around the match: `{"e": "timeout", "turn": 3, "seat": 0, "data": null}`."""

    def on_end(self, outcome: dict[str, Json]) -> None:
        """The match is over; the result record."""

    def run(self) -> NoReturn:
        """Play one match on a server and leave the program; `client_sdk.run` says where it finds the server."""
        from client_sdk.run import run

        raise SystemExit(run(self))


def play_headless(match: Match, bots: Sequence[Bot], names: Sequence[str] = ()) -> None:
    """A whole match without sockets, told to the bots as a server tells it: start, every view, the end."""
    from games.core.contract import outcome_json
    from games.core.play import play_turn

    for seat, bot in enumerate(bots):
        bot.on_start(start_of(match, seat, names or [bot.name for bot in bots]))
    while match.outcome is None:
        for seat in sorted(set(range(match.seats)) - match.awaited):
            bots[seat].on_view(match.view(seat))
        play_turn(match, bots)
    for seat, bot in enumerate(bots):
        bot.on_view(match.view(seat))
        bot.on_end(outcome_json(match.outcome))


_loaded = itertools.count()


def load(path: str | Path, game: str | None = None) -> Bot:
    """The one bot that a Python file defines, made. With `game`: it has to play that one. Raises BadBot."""
    file = Path(path)
    if not file.is_file():
        raise BadBot(f"{path}: there is no such file")
    module = _imported(file.resolve())
    found = [
        cls
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, Bot) and cls.__module__ == module.__name__
    ]
    bots = [cls for cls in dict.fromkeys(found) if not any(other is not cls and issubclass(other, cls) for other in found)]
    if not bots:
        raise BadBot(f"{path}: no bot in this file; a bot is a class that inherits from a Bot of client_sdk.api")
    if len(bots) > 1:
        raise BadBot(f"{path}: {len(bots)} bots in this file ({', '.join(cls.__name__ for cls in bots)}); leave one of them")
    try:
        bot = bots[0]()
    except Exception as fault:
        raise BadBot(_told(file.resolve(), fault)) from fault
    return _fitting(bot, game, str(path))


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


def _imported(file: Path) -> ModuleType:
    name = f"botarena_bot_{next(_loaded)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise BadBot(f"{file}: expected a Python file, named *.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))  # as `python file.py` does, so that a bot can bring modules of its own
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        del sys.modules[name]
        raise BadBot(_told(file, fault)) from fault
    except SystemExit as left:
        del sys.modules[name]
        raise BadBot(f"{file}: leaves the program while it is loaded; put run() under `if __name__ == '__main__'`") from left
    return module


def _told(file: Path, fault: Exception) -> str:
    """The fault in one line, with the line of the bot's own file where it happened."""
    if isinstance(fault, SyntaxError) and fault.filename:
        return f"{fault.filename}, line {fault.lineno}: {fault.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == str(file)]
    where = f"{file}, line {lines[-1]}" if lines else str(file)
    return f"{where}: {type(fault).__name__}: {fault}"


def _fitting(bot: Bot, game: str | None, path: str) -> Bot:
    if game and bot.game and bot.game != game:
        raise BadBot(f"{path}: this bot plays {bot.game}, not {game}")
    bot.name = bot.name or Path(path).stem
    return bot
