"""Gathers food as the other one does, and sends missionaries to the road: who has more humans at the end wins (RULES §8, §13)."""

from typing import Final

from client_sdk.api.catastrophe import Tile, Unit
from client_sdk.bots.catastrophe.gatherers import Gatherers, near

MISSIONARIES: Final = 2


class Greedy(Gatherers):
    def get_name(self) -> str:
        return "greedy"

    def work(self, unit: Unit, home: Tile) -> None:
        if unit.job.title == "missionary":
            self.preach(unit, home)
        elif unit.job.title == "fresh human" and self.preachers() < MISSIONARIES:
            self.walk(unit, [home])
            if near(unit, home) and unit.energy == 100 and not unit.acted:
                unit.change_job("missionary")
        else:
            super().work(unit, home)

    def preachers(self) -> int:
        return sum(unit.job.title == "missionary" for unit in self.player.units)

    def preach(self, unit: Unit, home: Tile) -> None:
        """Convert whoever walks by; between two of them rest at home, and wait beside the road."""
        if unit.acted:
            return
        if unit.energy < unit.job.action_cost:
            self.walk(unit, [home])
            if near(unit, home):
                unit.rest()
            return
        strangers = [tile for other in self.game.units if other.owner is None and (tile := other.tile) is not None]
        self.walk(unit, strangers or self.game.road_tiles)
        for tile in strangers:
            if tile.has_neighbor(unit.tile):
                unit.convert(tile)
                break


if __name__ == "__main__":
    Greedy().run()
