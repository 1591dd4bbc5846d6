"""Missionaries convert, gatherers feed, a builder raises a monument, and soldiers march on the
overlord together (RULES §13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

from client_sdk.api.catastrophe import Tile, Unit
from client_sdk.bots.catastrophe.gatherers import Gatherers, near

MISSIONARIES: Final = 2
ARMY: Final = 6
"""Rested soldiers that set out together."""
BLOW: Final = 4
"""Soldiers of a squad that strike at the overlord or its shelter: fewer wait for the others."""
FED: Final = 5
"""Upkeep that a gatherer pays for."""
LAST: Final = 60
"""Last turns, in which no squad sets out: the side with more units at the end wins."""


class Greedy(Gatherers):
    def get_name(self) -> str:
        return "greedy"

    def start(self) -> None:
        self.army: set[int] = set()
        """Soldiers on their way to the enemy, by id."""
        self.site = self.found_site()
        """Where the monument is to stand."""

    def run_turn(self) -> bool:
        home = self.player.cat.tile
        if home is not None:
            self.muster(home)
            self.jobs = Counter(unit.job.title for unit in self.player.units)
            # Who stands in front goes first, so that those behind find the way free.
            for unit in sorted(
                self.player.units, key=lambda unit: (unit.id not in self.army, unit.id)
            ):
                if unit != self.player.cat:
                    self.work(unit, home)
            self.rest(self.player.cat, home)
        return True

    def work(self, unit: Unit, home: Tile) -> None:
        match unit.job.title:
            case "missionary":
                self.preach(unit, home)
            case "soldier":
                self.fight(unit, home)
            case "builder":
                self.build(unit, home)
            case "fresh human":
                self.enlist(unit, home)
            case _:
                super().work(unit, home)

    def enlist(self, unit: Unit, home: Tile) -> None:
        """Go home and take the job that is needed most."""
        self.walk(unit, [home])
        self.rest(unit, home)
        if near(unit, home) and unit.energy == self.game.rules.max_energy and not unit.acted:
            job = self.needed()
            if unit.change_job(job):
                self.jobs[job] += 1

    def needed(self) -> str:
        jobs, player = self.jobs, self.player
        if not jobs["missionary"]:
            return "missionary"
        if jobs["gatherer"] < 1 + player.upkeep // FED or (
            player.food < 2 * player.upkeep and jobs["gatherer"] <= player.upkeep // 2
        ):
            return "gatherer"
        if (
            not jobs["builder"]
            and self.site is not None
            and self.site.structure is None
            and self.ruins()
        ):
            return "builder"
        return "missionary" if jobs["missionary"] < MISSIONARIES else "soldier"

    # --- missionaries -----------------------------------------------------------------------------

    def preach(self, unit: Unit, home: Tile) -> None:
        """Convert units that walk by; in between rest at home, and wait beside the road."""
        if unit.acted:
            return
        if unit.energy < unit.job.action_cost:
            self.walk(unit, [home])
            self.rest(unit, home)
            return
        strangers = [
            tile
            for other in self.game.units
            if other.owner is None and (tile := other.tile) is not None
        ]
        self.walk(unit, strangers or self.game.road_tiles)
        self.act(unit, strangers, unit.convert)

    # --- the builder ------------------------------------------------------------------------------

    def build(self, unit: Unit, home: Tile) -> None:
        """Carry materials from the nearest ruin to the site until there are enough; then gather."""
        site, cost = self.site, self.game.monument_materials
        if site is None or site.structure is not None:
            self.walk(unit, [home])
            self.rest(unit, home)
            if near(unit, home) and unit.energy == self.game.rules.max_energy and not unit.acted:
                unit.change_job("gatherer")
        elif unit.materials:
            self.walk(unit, [site])
            if site.has_neighbor(unit.tile):
                unit.drop(site, "materials")
        elif unit.energy < unit.job.action_cost:
            self.walk(unit, [home])
            self.rest(unit, home)
        elif site.materials >= cost:
            self.walk(unit, [site])
            if site.has_neighbor(unit.tile) and site.is_pathable() and not unit.acted:
                unit.construct(site, "monument")
        elif not unit.acted:
            ruins = self.ruins()
            self.walk(unit, ruins)
            self.act(unit, ruins, unit.deconstruct)

    def ruins(self) -> list[Tile]:
        return [
            one.tile
            for one in self.game.structures
            if one.type == "neutral" and one.tile is not None
        ]

    def found_site(self) -> Tile | None:
        """A bare tile two or three steps from home, on the enemy's side and out of the way."""
        home, there = self.player.cat.tile, self.player.opponent.cat.tile
        if home is None or there is None:
            return None
        bare = [
            tile
            for tile in self.game.tiles
            if 2 <= distance(tile, home) <= 3
            and tile.structure is None
            and not tile.harvest_rate
            and tile.x != home.x
        ]
        return min(bare, key=lambda tile: (distance(tile, there), tile.y, tile.x), default=None)

    # --- soldiers ---------------------------------------------------------------------------------

    def muster(self, home: Tile) -> None:
        """Set out when enough are rested; who is tired comes back."""
        soldiers = {unit.id: unit for unit in self.player.units if unit.job.title == "soldier"}
        self.army = {
            number for number in self.army if number in soldiers and soldiers[number].energy > 30
        }
        rested = [
            number
            for number, unit in soldiers.items()
            if number not in self.army and unit.energy >= 75
        ]
        if len(rested) >= ARMY and self.game.current_turn < self.game.max_turns - LAST:
            self.army.update(rested)

    def fight(self, unit: Unit, home: Tile) -> None:
        enemy = self.player.opponent.cat.tile
        if unit.id in self.army and enemy is not None:
            self.march(unit, enemy)
            return
        foes = [
            tile
            for other in self.player.opponent.units
            if (tile := other.tile) is not None and tile.structure is None
        ]
        if unit.energy > unit.job.action_cost and not unit.acted:
            close = [tile for tile in foes if distance(tile, home) <= 4]
            self.walk(unit, close)
            self.act(unit, close, unit.attack)
        if unit.energy < self.game.rules.max_energy and not unit.acted:
            self.walk(unit, [home])
            self.rest(unit, home)
        elif near(unit, home) and self.site is not None:
            self.walk(unit, [self.site])  # units that need rest need the place

    def march(self, unit: Unit, enemy: Tile) -> None:
        """To the overlord; with enough others around it strike at its shelter, then at itself, and
        at units that bar the way."""
        here = unit.tile
        around = [tile for tile in enemy.get_neighbors() if tile.is_pathable()]
        if here is not None and not enemy.has_neighbor(here):
            if not around and distance(here, enemy) > 1:
                around = [
                    tile
                    for tile in self.game.tiles
                    if distance(tile, enemy) == 1 and tile.is_pathable()
                ]
            way = self.find_path(here, around)
            for tile in way[: unit.moves]:
                unit.move(tile)
            if (
                not way
                and not unit.acted
                and unit.energy > unit.job.action_cost
                and distance(here, enemy) > 2
            ):
                self.act(
                    unit, [tile for tile in here.get_neighbors() if self.bars(tile)], unit.attack
                )
        if enemy.has_neighbor(unit.tile) and not unit.acted and unit.energy > unit.job.action_cost:
            there = [
                other
                for other in self.player.units
                if other.id in self.army and other.tile is not None
            ]
            if sum(distance(other.tile, enemy) <= 2 for other in there if other.tile) >= min(
                BLOW, len(self.army)
            ):
                unit.attack(enemy)

    def bars(self, tile: Tile) -> bool:
        """Something of the enemy is there."""
        return self.player.opponent in (
            tile.unit and tile.unit.owner,
            tile.structure and tile.structure.owner,
        )

    def act(self, unit: Unit, tiles: Collection[Tile], action: Callable[[Tile], bool]) -> None:
        """At the first of these tiles that is beside the unit."""
        for tile in tiles:
            if tile.has_neighbor(unit.tile):
                action(tile)
                break


def distance(one: Tile, other: Tile) -> int:
    """Steps, diagonal ones counted as one."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


if __name__ == "__main__":
    Greedy().run()
