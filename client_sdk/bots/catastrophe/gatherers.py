"""Makes all units gatherers: they harvest the nearest ripe food, bring it home and rest."""

from client_sdk.api.catastrophe import AI, Tile, Unit


class Gatherers(AI):
    def get_name(self) -> str:
        return "gatherers"

    def run_turn(self) -> bool:
        home = self.player.cat.tile
        for unit in self.player.units:
            if unit != self.player.cat and home is not None:
                self.work(unit, home)
        return True

    def work(self, unit: Unit, home: Tile) -> None:
        if unit.job.title != "gatherer":
            self.walk(unit, [home])
            if near(unit, home) and unit.energy == self.game.rules.max_energy and not unit.acted:
                unit.change_job("gatherer")
        elif unit.food or unit.energy < unit.job.action_cost:
            self.walk(unit, [home])
            if unit.food and home.has_neighbor(unit.tile):
                unit.drop(home, "food")
            self.rest(unit, home)
        elif not unit.acted:
            ripe = [
                tile
                for tile in self.game.tiles
                if tile.harvest_rate and not tile.turns_to_harvest and not tile.structure
            ]
            self.walk(unit, ripe)
            for tile in ripe:
                if tile.has_neighbor(unit.tile):
                    unit.harvest(tile)
                    break

    def rest(self, unit: Unit, home: Tile) -> None:
        shelter = home.structure
        tired = unit.energy < self.game.rules.max_energy and not unit.acted
        if tired and shelter is not None and near(unit, home, shelter.effect_radius):
            unit.rest()

    def walk(self, unit: Unit, goals: list[Tile]) -> None:
        """As near to the nearest of these as the moves allow; a neighbour of it is near enough."""
        for tile in self.find_path(unit.tile, goals)[:-1]:
            if unit.moves < 1:
                break
            unit.move(tile)


def near(unit: Unit, home: Tile, steps: int = 1) -> bool:
    """Whether the unit is at most `steps` from it, diagonal ones counted as one."""
    return (
        unit.tile is not None and max(abs(unit.tile.x - home.x), abs(unit.tile.y - home.y)) <= steps
    )


if __name__ == "__main__":
    Gatherers().run()
