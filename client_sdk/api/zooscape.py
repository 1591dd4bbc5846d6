"""Zooscape for bots in Python, in the style of its contest: a state every tick, answered by an
action or by None.

    class Mine(Bot):
        def on_state(self, state):
            way = state.way_to(CellContent.PELLET)
            return way.action if way else None

An animal moves on by itself in its last direction, so None is a useful answer. One command is
played per tick and others wait: a bot that sends more than one per state falls further and further
behind. Cells are (x, y); (0, 0) is at the top left and y grows downwards.
"""

from __future__ import annotations

import inspect
import logging
import threading
import weakref
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import client_sdk.base
from client_sdk.api.zooscape_paths import UNREACHABLE, Grid
from client_sdk.api.zooscape_state import (
    ActivePowerUp,
    Animal,
    GameState,
    Id,
    Me,
    Zookeeper,
    number_id,
)
from client_sdk.api.zooscape_values import (
    Action,
    BotAction,
    Cell,
    CellContent,
    Position,
    PowerUpType,
    Way,
)
from client_sdk.options import Check, Combo, Spin, Str
from client_sdk.start import Start
from games.core.contract import Json
from games.core.dice import Source
from games.core.parameters import configure
from games.zooscape import GAME
from games.zooscape.json_types import View
from games.zooscape.rules import Rules
from games.zooscape.scratch import Scratch

if TYPE_CHECKING:
    import asyncio

__all__ = [
    "UNREACHABLE",
    "Action",
    "ActivePowerUp",
    "Animal",
    "Bot",
    "BotAction",
    "BotCommand",
    "Cell",
    "CellContent",
    "Check",
    "Combo",
    "GameState",
    "Me",
    "Position",
    "PowerUpType",
    "Scratch",
    "Spin",
    "Start",
    "Str",
    "View",
    "Way",
    "Zookeeper",
]


log = logging.getLogger("botarena")

SKIP: Final = {"action": "SKIP"}
"""The answer where a match has no clock and would wait for a bot that answers nothing."""


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What `process_state` of the contest's `BotService` returns. `on_state` may return one too."""

    action: Action
    """The action."""


class Bot(client_sdk.base.Bot):
    """The base class of a bot, which answers every state with an action or None. It keeps its
    attributes for the whole match.

    A bot that takes longer than a tick gets the newest state next, never an old one.
    """

    game = "zooscape"
    _required = "on_state"

    _grid: Grid | None = None
    _outbox: _Outbox | None = None
    _rules: Rules | None = None
    _view: Json = None
    _names: tuple[str, ...] = ()
    _lockstep = False
    _tick: int | None = None
    _runner: asyncio.Runner | None = None
    _id_of: Callable[[str, int], Id] = staticmethod(number_id)

    def on_state(self, state: GameState) -> Action | Awaitable[Action | None] | None:
        """The command of this tick. None: the animal moves on. `async def` works too.

        An exception, or a value that is not an action, counts as None.
        """
        why = f"{type(self).__name__} does not say what it does: define on_state"
        raise NotImplementedError(why)

    def prepare(self, state: GameState) -> None:
        """Called before the first tick; after a reconnection with the present state."""

    def scratch(self, dice: Source | None = None) -> Scratch:
        """The engine's board to search on, in the position of the present state. What the state
        does not tell is taken as `Scratch.from_view` says; `dice` are for chance."""
        if self._rules is None or self._view is None:
            raise RuntimeError("on_start comes before the first board")
        return Scratch.from_view(self._rules, self._view, dice)

    def send(self, *actions: Action) -> None:
        """Send commands beside the answer, at any time and from any thread. They wait in the queue
        of the animal, which plays one per tick.

        Without a server they are played with the next answer. Raises ValueError for a wrong action.
        """
        if self._outbox is None:
            raise RuntimeError("on_start comes before the first command")
        commands = [_command(action) for action in actions]
        if self.link.send_out_of_turn(commands):
            self._outbox.sent = True
        else:
            self._outbox.add(commands)

    def on_start(self, start: Start) -> None:
        """Calls `prepare`."""
        self._outbox = _Outbox()
        self._rules, self._view = configure(GAME, start.config), start.view
        self._grid = Grid(start.view["map"], portals=start.config.get("portals", True))
        self._names = start.names
        self._lockstep = start.clock.lockstep
        self._tick = None
        try:
            self.prepare(GameState(start.view, self._grid, self._names, id_of=self._id_of))
        except Exception:
            log.exception("the bot failed in prepare")

    def decide(self, view: Json) -> Iterable[Json]:
        """Calls `on_state`."""
        if self._grid is None or self._outbox is None:
            raise RuntimeError("on_start comes before the first state")
        skipped = 0 if self._tick is None else max(0, view["tick"] - self._tick - 1)
        self._tick = view["tick"]
        self._outbox.sent = False
        self._view = view
        answer = self._answer(GameState(view, self._grid, self._names, skipped, self._id_of))
        commands = self._outbox.taken()
        if answer is not None:
            commands.append(_command(answer))
        if not commands and self._lockstep and not self._outbox.sent:
            commands.append(SKIP)
        return commands

    def meant(self, answer: object) -> Action | None:
        """The action that an answer of `on_state` stands for. Raises ValueError for none."""
        return None if answer is None else _action(answer)

    def _answer(self, state: GameState) -> Action | None:
        try:
            answer: object = self.on_state(state)
            if inspect.isawaitable(answer):
                answer = self._awaited(answer)
        except Exception:
            log.exception("tick %s: the bot failed in on_state and says nothing", state.tick)
            return None
        try:
            return self.meant(answer)
        except ValueError as fault:
            log.warning("tick %s: %s; the bot says nothing", state.tick, fault)
            return None

    def _awaited(self, answer: Awaitable[object]) -> object:
        """What it comes to. The bot's loop runs while a state waits for its answer, and stays for
        the whole match."""
        if self._runner is None:
            import asyncio  # most bots have no coroutines and start faster without it

            self._runner = asyncio.Runner()
            weakref.finalize(self, self._runner.close)

        async def whole() -> object:
            return await answer

        return self._runner.run(whole())


class _Outbox:
    """Commands for the next answer, where no server takes them at once. Any thread may add some."""

    def __init__(self) -> None:
        self.sent = False
        """Something went out since the present state came."""
        self._waiting: list[Json] = []
        self._lock = threading.Lock()

    def add(self, commands: Iterable[Json]) -> None:
        with self._lock:
            self._waiting += commands

    def taken(self) -> list[Json]:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return waiting


def _action(answer: object) -> Action:
    if isinstance(answer, int) and not isinstance(answer, bool) and answer in _NUMBERS:
        return Action(answer)
    raise ValueError(f"expected an Action or None, got {answer!r}")


def _command(action: object) -> Json:
    return {"action": _action(action).name}


_NUMBERS: Final = frozenset(Action)
