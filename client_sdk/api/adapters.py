"""Adapters for existing bots: per game what counts as a bot besides our classes.

`ADAPTERS` is the whole list. What plays a bot is imported when one is found.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from client_sdk.base import Bot


@dataclass(frozen=True, slots=True)
class FoundBot:
    """Something in a file that is a bot, or was meant to be one."""

    what: str
    make: Callable[[], Bot]
    flaw: str | None = None
    """Why it cannot play."""
    line: int | None = None
    """Where in the file the flaw is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """One kind of bot. Calls by name: the usual names of the arguments that it is called with."""

    player: str
    """What plays it: `module:class`, made with what was found."""
    needed: str
    """The call that it cannot do without; it has to be one of `calls`."""
    calls: Mapping[str, str]
    hooks: Mapping[str, str] = field(default_factory=dict)
    """Called if they exist. They alone make no bot."""
    spellings: Mapping[str, str] = field(default_factory=dict)
    """Other names that a call or hook may go by: {"ProcessState": "process_state"}."""

    @property
    def about(self) -> str:
        raise NotImplementedError

    def found(self, module: ModuleType, ours: bool) -> Iterator[FoundBot]:
        """The bots of this kind. `ours`: the file also has one of our classes."""
        raise NotImplementedError

    def _found(self, what: str, source: object, has: Mapping[str, Any]) -> FoundBot:
        def make() -> Bot:
            place, _, name = self.player.partition(":")
            bot: Bot = getattr(importlib.import_module(place), name)(source)
            return bot

        culprit, flaw = self._flaw(what, has)
        line = None if flaw is None else line_of(has.get(culprit, source))
        return FoundBot(what, make, flaw, line)

    def _flaw(self, what: str, has: Mapping[str, Any]) -> tuple[str, str | None]:
        """The call or hook that is wrong, and why; no flaw: nothing is."""
        if self.needed not in has:
            return next(iter(has), what), (
                f"there is {_listed(has) if has else what}, but the bot needs "
                f"{self.needed}({self.calls[self.needed]})"
            )
        for name, arguments in (*self.calls.items(), *self.hooks.items()):
            if name in has and not callable(has[name]):
                return name, f"{name}: expected a function, {name}({arguments}), got {has[name]!r}"
            if name in has and not takes(has[name], arguments):
                return name, (
                    f"{name}: expected {name}({arguments}), got "
                    f"{name}{inspect.signature(has[name])}"
                )
        return "", None


@dataclass(frozen=True, slots=True, kw_only=True)
class Functions(Adapter):
    """A bot made of module-level functions. Its state is in the module's globals."""

    others: tuple[Functions, ...] = ()
    """Other kinds with functions of the same names, which differ in their arguments. The first kind
    that fits plays."""

    @property
    def about(self) -> str:
        return f"the functions {_listed(self.calls)}"

    def found(self, module: ModuleType, ours: bool) -> Iterator[FoundBot]:
        has = {
            name: vars(module)[name] for name in (*self.calls, *self.hooks) if name in vars(module)
        }
        if self.calls.keys() & has.keys():
            found = [
                kind._found(f"the functions {_listed(has)}", module, has)
                for kind in sorted((self, *self.others), key=lambda kind: kind._distance(has))
            ]
            yield next((bot for bot in found if bot.flaw is None), found[0])

    def _distance(self, has: Mapping[str, Any]) -> int:
        """By how many arguments the function that is needed differs."""
        try:
            parameters = inspect.signature(has[self.needed]).parameters.values()
        except (KeyError, TypeError, ValueError):  # there is none, or its signature is unknown
            return 0
        if any(parameter.kind == parameter.VAR_POSITIONAL for parameter in parameters):
            return 0
        return abs(len(parameters) - len(self.calls[self.needed].split(", ")))


class Classes(Adapter):
    """A bot that is a class, but none of ours. Beside one of ours it counts as its helper."""

    __slots__ = ()

    @property
    def about(self) -> str:
        return f"a class with {_listed(self.calls)}"

    def found(self, module: ModuleType, ours: bool) -> Iterator[FoundBot]:
        for cls, has in self._likeliest([] if ours else own_classes(module)):
            yield self._found(cls.__name__, cls, has)

    def _likeliest(self, classes: list[type]) -> list[tuple[type, dict[str, Any]]]:
        """The classes with a call or hook, and those. A class without the call that is needed is a
        helper of one that has it, and so is one with fewer hooks."""
        known = {name: name for name in (*self.calls, *self.hooks)} | dict(self.spellings)
        found = []
        for cls in classes:
            has = {
                name: bound(cls, spelled)
                for spelled, name in known.items()
                if hasattr(cls, spelled)
            }
            if has:
                found.append((cls, has))

        def rank(has: Mapping[str, Any]) -> tuple[bool, int]:
            return self.needed in has, sum(hook in has for hook in self.hooks)

        best = max((rank(has) for _, has in found), default=None)
        return [(cls, has) for cls, has in found if rank(has) == best]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Classes):
    """A class that goes by one name; whatever else the file holds is its own affair."""

    name: str

    @property
    def about(self) -> str:
        return f"a class {self.name} with {_listed(self.calls)}"

    def found(self, module: ModuleType, ours: bool) -> Iterator[FoundBot]:
        cls = vars(module).get(self.name)
        if isinstance(cls, type) and not ours:
            yield self._found(
                self.name,
                cls,
                {name: bound(cls, name) for name in self.calls if hasattr(cls, name)},
            )


def own_classes(module: ModuleType, base: type = object) -> list[type]:
    """The classes that this module itself defines, without the bases of others of them."""
    classes = (
        cls for cls in vars(module).values() if isinstance(cls, type) and issubclass(cls, base)
    )
    found = dict.fromkeys(cls for cls in classes if cls.__module__ == module.__name__)
    return [
        cls
        for cls in found
        if not any(other is not cls and issubclass(other, cls) for other in found)
    ]


def bound(cls: type, name: str) -> Any:
    """The attribute as an instance would have it; counting its arguments needs no instance."""
    raw = inspect.getattr_static(cls, name)
    return raw.__get__(object(), cls) if hasattr(raw, "__get__") else raw


def takes(function: Callable[..., object], arguments: str) -> bool:
    try:
        inspect.signature(function).bind(*filter(None, arguments.split(", ")))
    except TypeError:
        return False
    except ValueError:  # written in C: the signature is unknown
        return True
    return True


def line_of(source: Any) -> int | None:
    """The line on which a function or class begins; None: unknown."""
    try:
        return inspect.getsourcelines(source)[1] or None
    except (OSError, TypeError):
        return None


def _listed(names: Mapping[str, object]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


_HOOKS: Final = {
    "on_start": "start",
    "on_round_start": "round, starter",
    "on_event": "event",
    "on_end": "result",
}
_BOARD: Final = "mazeMap, mazeWidth, mazeHeight, playerLocation, opponentLocation"
_TURN: Final = f"{_BOARD}, playerScore, opponentScore, piecesOfCheese, timeAllowed"
_NAMED_BOARD: Final = "maze, maze_width, maze_height, name, teams, player_locations"
_NAMED_TURN: Final = f"{_NAMED_BOARD}, player_scores, player_muds, cheese, possible_actions, memory"

PROCESS_STATE: Final = ("process_state", "ProcessState", "processState")
SET_BOT_ID: Final = ("set_bot_id", "SetBotId", "setBotId")
"""The spellings of what a Zooscape bot defines."""

ADAPTERS: Final[dict[str, tuple[Adapter, ...]]] = {
    "botstack": (
        Functions(
            player="client_sdk.api.botstack_functions:Plain",
            needed="action",
            calls={
                "abstain": "me, other, gun, opponent_request",
                "item": "me, other, gun",
                "action": "me, other, gun, next_bullet",
            },
            hooks=_HOOKS,
        ),
        Functions(
            player="client_sdk.api.botstack_functions:Player1",
            needed="player1_action",
            calls={
                "player1_abstain": "self, other, state, opponentRequest",
                "player1_item": "self, other, state",
                "player1_action": "self, other, state, nextBullet",
            },
            hooks=_HOOKS,
        ),
    ),
    "pyrat": (
        Functions(
            player="client_sdk.api.pyrat_adapters:OfModule",
            needed="turn",
            calls={
                "preprocessing": f"{_BOARD}, piecesOfCheese, timeAllowed",
                "turn": _TURN,
                "postprocessing": _TURN,
            },
            others=(
                Functions(
                    player="client_sdk.api.pyrat_adapters:OfFunctions",
                    needed="turn",
                    calls={
                        "preprocessing": f"{_NAMED_BOARD}, cheese, possible_actions, memory",
                        "turn": _NAMED_TURN,
                        "postprocessing": f"{_NAMED_TURN}, stats",
                    },
                ),
            ),
        ),
        Classes(
            player="client_sdk.api.pyrat_adapters:OfPlayer",
            needed="turn",
            calls={
                "preprocessing": "maze, game_state",
                "turn": "maze, game_state",
                "postprocessing": "maze, game_state, stats",
            },
        ),
    ),
    "zooscape": (
        Classes(
            player="client_sdk.api.zooscape_adapters:OfService",
            needed="process_state",
            calls={"process_state": "game_state"},
            hooks={"set_bot_id": "bot_id"},
            spellings={
                spelled: names[0] for names in (PROCESS_STATE, SET_BOT_ID) for spelled in names[1:]
            },
        ),
    ),
    "catastrophe": (
        Named(
            player="client_sdk.api.catastrophe_adapters:OfAI",
            name="AI",
            needed="run_turn",
            calls={"run_turn": ""},
        ),
    ),
    "cookoff": (
        Named(
            player="client_sdk.api.cookoff.contest:OfPlayer",
            name="BotPlayer",
            needed="play_turn",
            calls={"play_turn": "controller"},
        ),
    ),
}

_COOKOFF: Final = ("game_constants", "item", "map", "robot_controller", "tiles")

GIVEN: Final[dict[str, dict[str, str]]] = {
    "cookoff": {
        "src": "client_sdk.api.cookoff.src",
        **{
            f"{package}{name}": f"client_sdk.api.cookoff.{name}"
            for package in ("", "src.")
            for name in _COOKOFF
        },
    },
    "pyrat": {
        f"pyrat_sdk{name}": "client_sdk.api.pyrat_sdk"
        for name in ("", ".bot", ".options", ".state")
    },
}
"""Per game the modules that its contest gives to bots, by the names that bots import: our modules,
which go before a file of the same name beside the bot."""

LAST_RESORT: Final = dict.fromkeys(
    ("game_state", "src.game_state"), "client_sdk.api.cookoff.game_state"
)
"""The same for a module that only gives names for annotations: any other of that name goes before
it."""

STAND_INS: Final[dict[str, str]] = {
    "pyrat": "client_sdk.api.pyrat_course",
    **LAST_RESORT,
    **{name: module for given in GIVEN.values() for name, module in given.items()},
}
"""By the name that a bot imports: our module for where there is no other of that name."""

FIRST_COURSE: Final = "player"
"""The name under which PyRat's first course imports a bot's file."""

APART: Final = frozenset({"cookoff"})
"""Games whose bots' files each play in a process of their own, if nothing else is said: such files
share names, write beside themselves and take their time."""

COMPILED: Final[dict[str, str]] = {".c": "client_sdk.api.botstack_c:CPlayer"}
"""By the ending of a file's name: what compiles and plays it. Such a file always plays in a process
of its own."""

FILES: Final = (".py", *COMPILED)
"""The endings of the files that are bots."""
