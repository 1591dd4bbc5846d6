"""Catastrophe as its competitors know it: objects that are always up to date, calls that tell at once whether they worked.

    class Mine(AI):
        def run_turn(self):
            for unit in self.player.units:
                way = self.find_path(unit.tile, self.player.cat.tile)
                if way:
                    unit.move(way[0])
            return True

Every call is carried out here at once, on a mirror of the match, and travels to the server together with others; no call waits
for the network. A call that does not work returns False, says why, and is not sent. (0, 0) is at the top left, y grows downwards.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import client_sdk.base
from client_sdk.api.catastrophe_mirror import Mirror
from client_sdk.options import Check, Combo, Spin, Str, options
from client_sdk.start import Start
from games.catastrophe.rules import JOBS, ROAD, Rules
from games.catastrophe.state import BARE, Cell, Id
from games.catastrophe.state import Structure as BuiltThere
from games.catastrophe.state import Tile as LyingThere
from games.catastrophe.state import Unit as StandingThere
from games.core.contract import Reply

__all__ = ["AI", "Check", "Combo", "Game", "Job", "Player", "Spin", "Start", "Str", "Structure", "Tile", "Unit"]

Json: TypeAlias = Any

LAST_S: Final = 1.0
"""With so little time left a turn is ended, whatever `run_turn` says."""

log = logging.getLogger("botarena")


class Job:
    """What a unit of this job can do."""

    __slots__ = ("action_cost", "carry_limit", "moves", "regen_rate", "title", "upkeep")

    def __init__(self, title: str) -> None:
        self.title: Final = title
        self.moves, self.action_cost, self.regen_rate, self.carry_limit, self.upkeep = JOBS[title]

    def __repr__(self) -> str:
        return f"<Job {self.title}>"


class Tile:
    """A tile of the board, always the same object for the same place."""

    __slots__ = ("_cell", "_game", "_road", "x", "y")

    def __init__(self, game: Game, cell: Cell, x: int, y: int) -> None:
        self._game = game
        self._cell = cell
        self._road: Structure | None = None
        self.x: Final = x
        self.y: Final = y

    @property
    def _lying(self) -> LyingThere:
        return self._game.mirror.state.tiles.get(self._cell, BARE)

    @property
    def food(self) -> int:
        """Lying on the ground."""
        return self._lying.food

    @property
    def materials(self) -> int:
        """Lying on the ground."""
        return self._lying.materials

    @property
    def harvest_rate(self) -> int:
        return self._lying.harvest_rate

    @property
    def turns_to_harvest(self) -> int:
        """0: it can be harvested."""
        return self._lying.turns_to_harvest

    @property
    def unit(self) -> Unit | None:
        """Who stands here."""
        number = self._game.mirror.state.at.get(self._cell)
        return None if number is None else self._game._unit(number)

    @property
    def structure(self) -> Structure | None:
        """What stands here; on a road tile the road."""
        number = self._game.mirror.state.built.get(self._cell)
        return self._road if number is None else self._game._structure(number)

    @property
    def tile_north(self) -> Tile | None:
        return self._game.get_tile_at(self.x, self.y - 1)

    @property
    def tile_east(self) -> Tile | None:
        return self._game.get_tile_at(self.x + 1, self.y)

    @property
    def tile_south(self) -> Tile | None:
        return self._game.get_tile_at(self.x, self.y + 1)

    @property
    def tile_west(self) -> Tile | None:
        return self._game.get_tile_at(self.x - 1, self.y)

    def get_neighbors(self) -> list[Tile]:
        """The tiles beside this one: north, east, south, west."""
        game = self._game
        return [game.tiles[cell] for cell in game.mirror.state.ground.near[self._cell]]

    def has_neighbor(self, tile: Tile | None) -> bool:
        return tile is not None and tile._cell in self._game.mirror.state.ground.near[self._cell]

    def is_pathable(self) -> bool:
        """Nobody stands here, and nothing but perhaps a shelter or a road."""
        return self._cell not in self._game.mirror.blocked

    def __repr__(self) -> str:
        return f"<Tile ({self.x}, {self.y})>"


class Structure:
    """A shelter, monument, wall, neutral structure or road. A road has no id."""

    __slots__ = ("_game", "_seen", "id")

    def __init__(self, game: Game, number: Id | None, seen: BuiltThere) -> None:
        self._game = game
        self._seen = seen
        self.id: Final = number

    @property
    def _built(self) -> BuiltThere:
        """As it stands; of one that is gone, as it stood when it was last looked at, and nothing left of it."""
        if self.id is not None:
            now = self._game.mirror.state.structures.get(self.id)
            self._seen = self._seen._replace(materials=0) if now is None else now
        return self._seen

    @property
    def _there(self) -> bool:
        return self.id is None or self.id in self._game.mirror.state.structures

    @property
    def type(self) -> str:
        """shelter, monument, wall, neutral or road."""
        return self._seen.type

    @property
    def owner(self) -> Player | None:
        return self._game._player(self._seen.owner)

    @property
    def tile(self) -> Tile | None:
        """None: it is gone."""
        return self._game.tiles[self._seen.cell] if self._there else None

    @property
    def materials(self) -> int:
        """What is left of it; a road has none."""
        return self._built.materials

    @property
    def effect_radius(self) -> int:
        return self._game.mirror.state.ground.radius.get(self._seen.type, 0)

    def __repr__(self) -> str:
        return f"<Structure {self.id} {self.type}>"


class Unit:
    """A unit, always the same object for the same id. Of one that is gone the fields tell what was last seen."""

    __slots__ = ("_game", "_seen", "id")

    def __init__(self, game: Game, number: Id, seen: StandingThere) -> None:
        self._game = game
        self._seen = seen
        self.id: Final = number

    @property
    def _now(self) -> StandingThere:
        now = self._game.mirror.state.units.get(self.id)
        if now is not None:
            self._seen = now
        return self._seen

    @property
    def _there(self) -> bool:
        return self.id in self._game.mirror.state.units

    @property
    def owner(self) -> Player | None:
        """None: nobody, or it is gone."""
        return self._game._player(self._now.owner) if self._there else None

    @property
    def job(self) -> Job:
        return self._game._jobs[self._now.job]

    @property
    def tile(self) -> Tile | None:
        """None: it is gone."""
        return self._game.tiles[self._now.cell] if self._there else None

    @property
    def energy(self) -> float:
        return self._now.energy

    @property
    def moves(self) -> int:
        """Left this turn."""
        return self._now.moves

    @property
    def acted(self) -> bool:
        return self._now.acted

    @property
    def food(self) -> int:
        """Carried."""
        return self._now.food

    @property
    def materials(self) -> int:
        """Carried."""
        return self._now.materials

    @property
    def starving(self) -> bool:
        return self._now.starving

    @property
    def turns_to_die(self) -> int:
        """-1: it stays."""
        return self._now.turns_to_die

    @property
    def movement_target(self) -> Tile | None:
        """Where a neutral human on the road walks to."""
        target = self._now.target
        return None if target is None else self._game.tiles[target]

    @property
    def squad(self) -> list[Unit]:
        """This unit and the soldiers that hang together with it, by id."""
        numbers = self._game.mirror.state.squads.get(self.id, ())
        return [self._game._unit(number) for number in numbers]

    def attack(self, tile: Tile | None) -> bool:
        """With the whole squad, what is on a tile beside: the structure, else the unit."""
        return self._called({"cmd": "attack", "unit": self.id, **_at(tile)})

    def change_job(self, job: str | Job) -> bool:
        """Beside the overlord, with full energy. What is carried falls to the ground."""
        return self._called({"cmd": "change_job", "unit": self.id, "job": job.title if isinstance(job, Job) else job})

    def construct(self, tile: Tile | None, type: str) -> bool:  # noqa: A002  the name competitors know
        """A wall, shelter or monument, of the materials that lie on a tile beside."""
        return self._called({"cmd": "construct", "unit": self.id, **_at(tile), "type": type})

    def convert(self, tile: Tile | None) -> bool:
        """The neutral unit on a tile beside."""
        return self._called({"cmd": "convert", "unit": self.id, **_at(tile)})

    def deconstruct(self, tile: Tile | None) -> bool:
        """Take materials out of a structure that is not one's own."""
        return self._called({"cmd": "deconstruct", "unit": self.id, **_at(tile)})

    def drop(self, tile: Tile | None, resource: str, amount: int = 0) -> bool:
        """Carried food or materials; food on an own shelter goes into the pool. An amount below 1: all."""
        return self._called({"cmd": "drop", "unit": self.id, **_at(tile), "resource": resource, "amount": amount})

    def harvest(self, tile: Tile | None) -> bool:
        """The food of a tile, or of the enemy's pool at one of its shelters."""
        return self._called({"cmd": "harvest", "unit": self.id, **_at(tile)})

    def move(self, tile: Tile | None) -> bool:
        """One step, to a tile beside."""
        return self._called({"cmd": "move", "unit": self.id, **_at(tile)})

    def pickup(self, tile: Tile | None, resource: str, amount: int = 0) -> bool:
        """Food or materials that lie there, for one energy each. An amount below 1: as much as possible."""
        return self._called({"cmd": "pickup", "unit": self.id, **_at(tile), "resource": resource, "amount": amount})

    def rest(self) -> bool:
        """In range of an own shelter."""
        return self._called({"cmd": "rest", "unit": self.id})

    def _called(self, command: Json) -> bool:
        fault = self._game.mirror.run(command)
        if fault is None:
            return True
        arguments = ", ".join(f"{name} {value}" for name, value in command.items() if name not in ("cmd", "unit"))
        self._game._invalid(f"{self!r}: {command['cmd']} {arguments}".rstrip() + f": {fault}")
        return False

    def __repr__(self) -> str:
        return f"<Unit {self.id} {self._seen.job}>"


def _at(tile: Any) -> dict[str, Json]:
    """Where a tile is; what is none is told to be none by the command's own checks."""
    return {"x": getattr(tile, "x", None), "y": getattr(tile, "y", None)}


class Player:
    """One of the two sides."""

    def __init__(self, game: Game, seat: int, name: str) -> None:
        self._game = game
        self.seat: Final = seat
        self.name: Final = name
        self.won = False
        self.lost = False
        self.reason_won = ""
        self.reason_lost = ""

    @property
    def cat(self) -> Unit:
        """The overlord."""
        return self._game._unit(self._game.mirror.state.cats[self.seat])

    @property
    def units(self) -> list[Unit]:
        """By id, the overlord among them."""
        units = self._game.mirror.state.units
        return [self._game._unit(number) for number, unit in units.items() if unit.owner == self.seat]

    @property
    def structures(self) -> list[Structure]:
        """By id; never a road."""
        structures = self._game.mirror.state.structures
        return [self._game._structure(number) for number, one in structures.items() if one.owner == self.seat]

    @property
    def food(self) -> int:
        """The pool."""
        return self._game.mirror.state.food[self.seat]

    @property
    def upkeep(self) -> int:
        """What the units cost a turn, as of the last end of a turn."""
        return self._game.mirror.state.upkeep[self.seat]

    @property
    def opponent(self) -> Player:
        return self._game.players[1 - self.seat]

    @property
    def time_remaining(self) -> float | None:
        """One's own bank, seconds; None: of the opponent nobody tells it, or there is no limit."""
        return self._game.clock.left() if self.seat == self._game.mirror.seat else None

    def __repr__(self) -> str:
        return f"<Player {self.seat} {self.name}>"


class Game:
    """The match. Lists are made when they are asked for and stand in the order of the ids."""

    def __init__(self, start: Start, mirror: Mirror, clock: Clock, invalid: Any, list_roads: bool) -> None:
        self.mirror: Final = mirror
        self.clock: Final = clock
        self._invalid = invalid
        self._list_roads = list_roads
        self._units: dict[Id, Unit] = {}
        self._structures: dict[Id, Structure] = {}
        self._jobs: Final = {title: Job(title) for title in JOBS}
        ground, rules = mirror.state.ground, mirror.rules
        self.session: Final = start.match
        self.map_width: Final = ground.width
        self.map_height: Final = ground.height
        self.tiles: Final = [Tile(self, cell, x, y) for cell, (x, y) in enumerate(ground.xy)]
        """Row by row."""
        self.road_tiles: Final = [tile for tile in self.tiles if ground.road[tile._cell]]
        for tile in self.road_tiles:
            tile._road = Structure(self, None, BuiltThere(ROAD, None, tile._cell, 0))
        self.players: Final = [Player(self, seat, name) for seat, name in enumerate(start.names)]
        self.jobs: Final = [*self._jobs.values()]
        self.max_turns: Final = rules.max_turns
        self.cat_energy_mult: Final = rules.cat_energy_mult
        self.starving_energy_mult: Final = rules.starving_energy_mult
        self.monument_cost_mult: Final = rules.monument_cost_mult
        self.turns_between_harvests: Final = rules.turns_between_harvests
        self.harvest_cooldown: Final = rules.turns_between_harvests
        self.lower_harvest_amount: Final = rules.lower_harvest_amount
        self.turns_to_lower_harvest: Final = rules.turns_to_lower_harvest
        self.turns_to_create_human: Final = rules.turns_to_create_human
        self.starting_food: Final = rules.starting_food
        self.wall_materials: Final = rules.wall_materials
        self.shelter_materials: Final = rules.shelter_materials
        self.monument_materials: Final = rules.monument_materials
        self.neutral_materials: Final = rules.neutral_materials
        self.time_added_per_turn: Final = rules.time_added_per_turn_s
        """Seconds."""

    @property
    def rules(self) -> Rules:
        """Every parameter of this match, by the names of RULES §2."""
        return self.mirror.rules

    @property
    def current_turn(self) -> int:
        return self.mirror.state.turn

    @property
    def current_player(self) -> Player:
        return self.players[self.mirror.state.current_player]

    @property
    def units(self) -> list[Unit]:
        """Everybody's, the neutral ones too."""
        return [self._unit(number) for number in self.mirror.state.units]

    @property
    def structures(self) -> list[Structure]:
        """Everybody's; the roads behind them, with the setting `list_roads`."""
        listed = [self._structure(number) for number in self.mirror.state.structures]
        if self._list_roads:
            listed += [tile._road for tile in self.road_tiles if tile._road is not None]
        return listed

    def get_tile_at(self, x: int, y: int) -> Tile | None:
        """None: that is outside the board."""
        inside = 0 <= x < self.map_width and 0 <= y < self.map_height
        return self.tiles[x + y * self.map_width] if inside else None

    def _unit(self, number: Id) -> Unit:
        known = self._units.get(number)
        if known is None:
            known = self._units[number] = Unit(self, number, self.mirror.state.units[number])
        return known

    def _structure(self, number: Id) -> Structure:
        known = self._structures.get(number)
        if known is None:
            known = self._structures[number] = Structure(self, number, self.mirror.state.structures[number])
        return known

    def _player(self, seat: int | None) -> Player | None:
        return None if seat is None else self.players[seat]


class Clock:
    """One's own bank. A server tells it with every turn; where there is none, it is counted here."""

    def __init__(self, start: Start) -> None:
        self._banked = bool(start.clock.bank_ms or start.clock.increment_ms)
        self._bank_s = start.clock.bank_ms / 1000
        self._increment_s = start.clock.increment_ms / 1000
        self._turns = 0
        self._since: float | None = None

    def begin(self, told_s: float | None) -> None:
        """One's turn begins, with so much on the bank."""
        if self._turns:
            self._bank_s += self._increment_s
        self._turns += 1
        if told_s is not None:
            self._bank_s = told_s
        self._since = time.monotonic()

    def end(self) -> None:
        left = self.left()
        self._since = None
        if left is not None:
            self._bank_s = left

    def left(self) -> float | None:
        """Seconds. The server counts its own work for nobody, so this is rather too little than too much."""
        if not self._banked:
            return None
        return max(0.0, self._bank_s - (0.0 if self._since is None else time.monotonic() - self._since))


class AI(client_sdk.base.Bot):
    """A player. What it keeps in itself stays for the whole match."""

    wants_changes = True
    if TYPE_CHECKING:
        game: Game  # type: ignore[assignment,misc]
        """The match; before it the name of the game."""
        name: str
    else:
        game = "catastrophe"

        @property
        def name(self) -> str:
            return self.__dict__.get("_name") or self.get_name()

        @name.setter
        def name(self, name: str) -> None:
            self.__dict__["_name"] = name

    player: Player
    """One's own side."""
    list_roads = Spin(0, min=0, max=1)
    """Whether `game.structures` lists the roads too."""

    _mirror: Mirror

    def get_name(self) -> str:
        """What the others see; empty: the file's name."""
        return ""

    def start(self) -> None:
        """Once, before the first turn."""

    def game_updated(self) -> None:
        """The server has shown the match anew: at the beginning of every turn, and at the end."""

    def run_turn(self) -> bool:
        """One's turn: make units do things. True ends the turn; after False it is called again.

        An exception ends the turn as well; what was done before it stands.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define run_turn")

    def end(self, won: bool, reason: str) -> None:
        """The match is over."""

    def invalid(self, message: str) -> None:
        """A call did not work, and this is why."""
        log.warning("turn %s: %s", self._mirror.state.turn, message)

    def find_path(self, start: Tile | None, goal: Tile | Iterable[Tile | None] | None) -> list[Tile]:
        """The shortest way to a tile, or to the nearest of several: its first tile is beside the start, its last one is the goal.

        Empty: there is none, or the start is a goal. All tiles on the way are pathable, the goal itself need not be.
        """
        goals = {goal._cell} if isinstance(goal, Tile) else {tile._cell for tile in goal or () if tile is not None}
        if start is None or start._cell in goals:
            return []
        tiles = self.game.tiles
        return [tiles[cell] for cell in self._mirror.path(start._cell, goals)]

    def get_setting(self, key: str) -> str | None:
        """A setting that the bot declares (`depth = Spin(3, min=1, max=9)`), as text; None if it declares none of that name."""
        declared = options(self)
        return str(getattr(self, key)) if key in declared else None

    # --- what the driver calls ---------------------------------------------------------------------------------------------

    def on_start(self, start: Start) -> None:
        self._mirror = Mirror(Rules(**start.config), start.seat, start.view)
        self.game = Game(start, self._mirror, Clock(start), self.invalid, bool(self.list_roads))
        self.player = self.game.players[start.seat]
        self.start()

    def decide(self, view: Json) -> Iterable[Json]:
        mirror, clock = self._mirror, self.game.clock
        mirror.begin(view, self.link)
        clock.begin(self.link.bank_s())
        try:
            self.game_updated()
            for _ in self._goes():
                if self.run_turn() is not False:
                    break
        except Exception:
            log.exception("turn %s: the bot failed; its turn ends here", mirror.state.turn)
        finally:
            clock.end()
        return mirror.end()

    def on_view(self, view: Json) -> None:
        self._mirror.show(view)
        self.game_updated()

    def on_results(self, results: Sequence[Reply]) -> None:
        self._mirror.check(results)

    def on_end(self, outcome: Mapping[str, Json]) -> None:
        winner, reason = outcome["winner"], outcome["reason"]
        for player in self.game.players:
            player.won = winner == player.seat
            player.lost = not player.won and outcome["outcome"] != "aborted"
            player.reason_won = reason if player.won else ""
            player.reason_lost = reason if player.lost else ""
        self.end(self.player.won, reason)

    def _goes(self) -> Iterator[None]:
        """As often as `run_turn` may be called for one turn: a bot that never says True must not lose by that."""
        mirror, most = self._mirror, self.game.rules.max_commands_per_turn
        yield
        for _ in range(most):
            mirror.keep_pace()
            left = self.game.clock.left()
            if mirror.calls >= most or (left is not None and left < LAST_S):
                break
            if not mirror.open:
                return
            yield
        log.warning("turn %s: run_turn never says True; the turn ends here", mirror.state.turn)
