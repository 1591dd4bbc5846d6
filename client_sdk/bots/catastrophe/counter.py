"""Attacks as `rush` does where the enemy's soldiers are too few to stop it. Otherwise it keeps its
soldiers at home, where they rest, and strikes first at those that come near.

In quiet times it lives as `greedy` does."""

from typing import Final

from client_sdk.api.catastrophe import Player, Tile, Unit
from client_sdk.bots.catastrophe.greedy import Greedy, distance
from client_sdk.bots.catastrophe.rush import Rush

NEAR: Final = 9
"""Enemy soldiers within this many steps of home are a danger."""
GUARD: Final = 5
"""Enemy soldiers within this many steps of home are attacked by all that can reach them."""
SUPERIOR: Final = 1.5
"""With this many times the energy of the enemy's soldiers ours go out to those within `NEAR`."""


class Counter(Rush):
    def get_name(self) -> str:
        return "counter"

    def muster(self, home: Tile) -> None:
        """Compare the soldiers of both sides, and decide what to do in this turn."""
        enemy = self.player.opponent
        foes = [unit.tile for unit in soldiers(enemy) if unit.tile is not None]
        ours, theirs = energy(self.player), energy(enemy)
        self.danger = self.game.current_turn < 2 or any(
            distance(tile, home) <= NEAR for tile in foes
        )
        self.short = self.danger and len(soldiers(self.player)) < len(foes)
        self.hunts = ours > SUPERIOR * theirs
        reach = NEAR if self.hunts else GUARD
        self.close = [tile for tile in foes if distance(tile, home) <= reach]
        shelter = enemy.cat.tile and enemy.cat.tile.structure
        self.attacks = ours > theirs + enemy.cat.energy + (shelter.materials if shelter else 0)

    def work(self, unit: Unit, home: Tile) -> None:
        if unit.job.title == "soldier":
            changes = not self.danger and not self.attacks and self.needed() != "soldier"
        else:
            changes = self.short
        if changes:
            self.enlist(unit, home)
        else:
            super().work(unit, home)

    def needed(self) -> str:
        return super().needed() if self.danger else Greedy.needed(self)

    def fight(self, unit: Unit, home: Tile) -> None:
        """Strike at the overlord, if it can be reached in this turn, else at soldiers near home."""
        enemy = self.player.opponent.cat.tile
        storms = self.attacks and enemy is not None and self.reaches(unit, enemy)
        for tile in self.close:
            if storms or unit.acted or unit.energy < unit.job.action_cost:
                break
            if tile.unit is not None and (self.hunts or self.reaches(unit, tile)):
                self.walk(unit, [tile])
                self.act(unit, [tile], unit.attack)
        if self.attacks:
            super().fight(unit, home)
        else:
            self.walk(unit, [home])
            self.rest(unit, home)

    def reaches(self, unit: Unit, tile: Tile) -> bool:
        """Whether the unit can strike there in this turn."""
        way = self.find_path(unit.tile, [tile])
        return tile.has_neighbor(unit.tile) or 0 < len(way) <= unit.moves + 1


def soldiers(player: Player) -> list[Unit]:
    return [unit for unit in player.units if unit.job.title == "soldier"]


def energy(player: Player) -> float:
    """Of its soldiers: it is what they have to strike with, and what they can bear."""
    return sum(unit.energy for unit in soldiers(player))


if __name__ == "__main__":
    Counter().run()
