"""A tournament's TOML file, read with every fault named by its field, and written with defaults.

name = "Spring contest"
game = "pyrat"
seed = 7                        # else random
map = "mymap.json"              # a name or a file; else generated boards

[config]                        # the game's parameters, or config = "FILE"
preset = "tiny"

[format]                        # games.contest.format
matches_per_pairing = 4

[clock]
turn_ms = 500                   # a slower answer is not played

[limits]                        # of each bot that is a file or a command
memory_mb = 512

[[bots]]
house = "greedy"                # or file = "mybot.py", lines = "./mybot", command = "node bot.js"
name = "Greedy"                 # also trusted and files, for a program folder (`entries`)
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from client_sdk.api.adapters import FILES
from client_sdk.bots import HOUSE
from client_sdk.bounds import LONGEST_MS, MB, Bounds
from client_sdk.console import UserError
from client_sdk.local import disk
from client_sdk.local.lookup import config_of, document, game_called, map_text, read_text
from client_sdk.local.players import BotKind, PlayerSpec, is_file, known
from client_sdk.local.tournament import entries
from games.contest import format as formats
from games.contest.format import Format
from games.contest.verbs import NAME_LONGEST
from games.core.contract import AnyGame, BadSetup, Json
from games.core.match import Match
from games.core.names import BadName, checked_name, likeness
from games.core.parameters import MAX_SEED, configure, described

KEYS: Final = ("name", "game", "seed", "map", "config", "format", "clock", "limits", "bots")
KINDS: Final = tuple(entries.KEYS)
SANDBOXES: Final = ("none", "bubblewrap")
LIMITS: Final = {
    "memory_mb": ("memory_bytes", MB),
    "cpu_s": ("cpu_s", 1),
    "processes": ("processes", 1),
    "file_mb": ("file_bytes", MB),
    "disk_mb": ("disk_bytes", MB),
}
"""What the file says of a bot's bounds: the bound's name, and its unit. 0: no bound."""
LARGEST: Final = 2**63 - 1
"""What the system takes as a bound."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """One tournament as it is to be played. `config` has every parameter that is not null; `map`: a
    name, or a file's path.

    A field per key of its file, hence their number.
    """

    name: str
    game: AnyGame
    config: Mapping[str, Json]
    format: Format
    bots: tuple[PlayerSpec, ...]
    seed: int | None = None
    map: str | None = None
    turn_ms: int | None = None
    limits: Bounds = field(default_factory=lambda: Bounds(sandbox="bubblewrap"))

    def seeded(self) -> TournamentPlan:
        """With a seed, if it had none: one that cannot be guessed."""
        return self if self.seed is not None else replace(self, seed=secrets.randbelow(2**62))

    @property
    def map_text(self) -> str | None:
        return None if self.map is None else map_text(self.game.name, self.map)


def read(file: Path) -> TournamentPlan:
    """The plan of a file; what it names is looked for beside it. Raises UserError."""
    try:
        given = document(read_text(file), toml=True)
    except ValueError as fault:
        raise UserError(f"{file}: {fault}") from None
    try:
        return _plan(given, file)
    except BadSetup as fault:
        raise UserError(f"{file}: {fault.why} ({fault.code})") from None
    except UserError as fault:
        raise UserError(f"{file}: {fault}") from None


def with_seed(plan: TournamentPlan, seed: int | None) -> TournamentPlan:
    """With this seed instead of its own, if one is given. Raises UserError."""
    if seed is None:
        return plan
    if not 0 <= seed <= MAX_SEED:
        raise UserError(f"--seed: expected a whole number, 0 to {MAX_SEED}, got {seed}")
    return replace(plan, seed=seed)


def _plan(given: Mapping[str, Json], file: Path) -> TournamentPlan:
    _only(given, KEYS, "")
    name, game = _name(given, "", file.stem), game_called(_text(given, "game", ""))
    seed, map_ = _whole(given, "seed", "", 0, MAX_SEED), _map(given, game, file.resolve().parent)
    config = _config(given, file.resolve().parent)
    with _within("config"):
        rules = configure(game, config)
    with _within("format"):
        format_ = formats.read(_table(given, "format"), game, config)
        formats.check_playable(game, config, format_)
    clock = _table(given, "clock")
    _only(clock, ("turn_ms",), "clock.")
    turn_ms = _whole(clock, "turn_ms", "clock.", 1, LONGEST_MS)
    limits = _limits(_table(given, "limits"), file.resolve().parent)
    plan = TournamentPlan(
        name=name,
        game=game,
        config={key: value for key, value in described(rules).items() if value is not None},
        format=format_,
        bots=tuple(entries.entries([*_bots(game, given.get("bots"), file.resolve().parent)], file)),
        seed=seed,
        map=map_,
        turn_ms=turn_ms,
        limits=limits,
    )
    _playable(plan)
    return plan


def _playable(plan: TournamentPlan) -> None:
    """A first match can be made for each number of seats: checked now, not in the middle of it."""
    board = plan.map_text
    for seats in plan.format.seats.values():
        try:
            Match.begin(plan.game, formats.for_seats(plan.game, plan.config, seats), 0, board)
        except BadSetup as fault:
            where = "config" if plan.map is None else "map"
            raise BadSetup(fault.code, f"{where}: {fault.why}") from None


@contextlib.contextmanager
def _within(table: str) -> Iterator[None]:
    """A fault in a table is reported with the table's name before the field's."""
    try:
        yield
    except BadSetup as fault:
        field = fault.field or ""
        why = fault.why if fault.why.startswith(f"{field}: ") else f"{field}: {fault.why}"
        raise BadSetup(fault.code, f"{table}.{why}") from None


def _limits(given: Mapping[str, Json], folder: Path) -> Bounds:
    _only(given, (*LIMITS, "sandbox", "readable"), "limits.")
    sandbox = _text(given, "sandbox", "limits.", "bubblewrap")
    if sandbox not in SANDBOXES:
        raise UserError(f"limits.sandbox: expected one of {', '.join(SANDBOXES)}, got {sandbox!r}")
    readable = [folder / path for path in entries.texts(given, "readable", "limits.")]
    for path in readable:
        if not path.exists():
            raise UserError(f"limits.readable: {path}: there is no such file or folder")
    found: dict[str, Any] = {"sandbox": sandbox, "readable": tuple(readable)}
    for name, (bound, unit) in LIMITS.items():
        value = _whole(given, name, "limits.", 0, LARGEST // unit)
        if value is not None:
            found[bound] = value * unit
    return Bounds(**found)


def _bots(
    game: AnyGame, given: Json, folder: Path
) -> Iterator[tuple[PlayerSpec, Mapping[str, Json], str]]:
    if not isinstance(given, list) or not all(isinstance(bot, Mapping) for bot in given):
        raise UserError("bots: expected [[bots]] tables")
    taken: set[str] = set()
    for number, bot in enumerate(given, start=1):
        where = f"bots[{number}]."
        chosen = [kind for kind in KINDS if kind in bot]
        _only(bot, ("name", *KINDS, *(key for kind in chosen for key in entries.KEYS[kind])), where)
        if len(chosen) != 1:
            raise UserError(
                f"{where[:-1]}: expected one of {', '.join(KINDS)}, got "
                f"{', '.join(chosen) or 'none'}"
            )
        found = _bot(game, chosen[0], bot, folder, where)
        name = _name(bot, where, found.label)
        if likeness(name) in taken:
            raise UserError(f"{where}name: {name!r} is taken; give every bot a name of its own")
        taken.add(likeness(name))
        yield replace(found, label=name), bot, where


def _name(given: Mapping[str, Json], where: str, default: str) -> str:
    try:
        return checked_name(_text(given, "name", where, default), NAME_LONGEST)
    except BadName as fault:
        raise UserError(f"{where}name: {fault}") from None


def _bot(
    game: AnyGame, kind: BotKind, bot: Mapping[str, Json], folder: Path, where: str
) -> PlayerSpec:
    spec = _text(bot, kind, where)
    if kind == "house":
        known(f"house bot of {game.name}", spec, HOUSE.get(game.name, {}))
        return PlayerSpec(spec, spec, "house")
    if kind == "file":
        path = folder / spec
        if path.suffix not in FILES or not path.is_file():
            raise UserError(f"{where}file: {spec}: there is no such .py or .c file")
        return PlayerSpec(
            path.stem,
            str(path),
            "file",
            home=str(entries.home_of("file", str(path), bot, folder, where)),
        )
    home = entries.home_of(kind, spec, bot, folder, where)
    label = entries.program(spec, home, f"{where}{kind}: ")
    return PlayerSpec(label, spec, kind, home=str(home))


def _map(given: Mapping[str, Json], game: AnyGame, folder: Path) -> str | None:
    if "map" not in given:
        return None
    name = _text(given, "map", "")
    beside = folder / name
    if is_file(str(beside)):
        return str(beside)
    map_text(game.name, name)
    return name


def _only(given: Mapping[str, Json], keys: Sequence[str], where: str) -> None:
    for key in given:
        if key not in keys:
            raise UserError(f"{where}{key}: there is no such field; there are {', '.join(keys)}")


def _table(given: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = given.get(key, {})
    if not isinstance(value, Mapping):
        raise UserError(f"{key}: expected a table, got {value!r}")
    return value


def _config(given: Mapping[str, Json], folder: Path) -> Mapping[str, Json]:
    """The game's parameters: a table, or the name of a file with them."""
    file = given.get("config")
    return config_of(folder / file) if isinstance(file, str) else _table(given, "config")


def _text(given: Mapping[str, Json], key: str, where: str, default: str | None = None) -> str:
    value = given.get(key, default)
    if not isinstance(value, str):
        why = f"{where}{key}: expected a text, got {'nothing' if value is None else repr(value)}"
        raise UserError(why)
    return value


def _whole(given: Mapping[str, Json], key: str, where: str, low: int, high: int) -> int | None:
    value = given.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        allowed = f"{low} to {high}"
        raise UserError(f"{where}{key}: expected a whole number, {allowed}, got {value!r}")
    return value


# --- writing --------------------------------------------------------------------------------------


def written(plan: TournamentPlan) -> str:
    """The plan as TOML with every default; `read` makes the same plan of it in any folder."""
    lines = [f"name = {_toml(plan.name)}", f"game = {_toml(plan.game.name)}"]
    lines += [
        f"{key} = {_toml(value)}"
        for key, value in (("seed", plan.seed), ("map", plan.map))
        if value is not None
    ]
    format_ = {
        key: value for key, value in formats.to_json(plan.format).items() if value is not None
    }
    clock = {} if plan.turn_ms is None else {"turn_ms": plan.turn_ms}
    limits: dict[str, Json] = {
        name: getattr(plan.limits, bound) // unit for name, (bound, unit) in LIMITS.items()
    }
    limits |= {
        "sandbox": plan.limits.sandbox,
        "readable": [str(path) for path in plan.limits.readable],
    }
    for name, table in (
        ("config", plan.config),
        ("format", format_),
        ("clock", clock),
        ("limits", limits),
    ):
        if table:
            lines += [
                "",
                f"[{name}]",
                *(f"{_key(key)} = {_toml(value)}" for key, value in table.items()),
            ]
    for bot in plan.bots:
        lines += ["", "[[bots]]", f"name = {_toml(bot.label)}", f"{bot.kind} = {_toml(bot.spec)}"]
        lines += [f"{key} = {_toml(value)}" for key, value in entries.written(bot).items()]
    return "\n".join([*lines, ""])


def _toml(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _toml(key)


def write(plan: TournamentPlan, file: Path) -> None:
    """Whole or not at all. Raises OSError."""
    disk.write(file, written(plan).encode())
