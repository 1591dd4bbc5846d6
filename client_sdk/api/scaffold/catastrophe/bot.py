"""My Catastrophe bot: gathers food, and converts the neutral humans on the road."""

from botarena.catastrophe import AI, Tile, Unit


class MyBot(AI):
    def get_name(self) -> str:
        return "mybot"

    def start(self) -> None:
        """Once, before the first turn: time to look at the board."""

    def run_turn(self) -> bool:
        """True: the turn is over. Every call tells at once whether it worked, and the objects show
        what it did."""
        home = self.player.cat.tile
        assert home is not None
        jobs = [unit.job.title for unit in self.player.units]
        for unit in self.player.units:
            if unit.job.title == "fresh human":
                self.walk(unit, [home])
                job = "gatherer" if "missionary" in jobs else "missionary"
                if self.beside(unit, home) and unit.change_job(job):
                    jobs.append(job)
            elif unit.job.title == "gatherer":
                self.gather(unit, home)
            elif unit.job.title == "missionary":
                self.convert(unit, home)
        return True

    def gather(self, unit: Unit, home: Tile) -> None:
        if unit.food or unit.energy < unit.job.action_cost:
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
            reached = [tile for tile in ripe if tile.has_neighbor(unit.tile)]
            if reached:
                unit.harvest(reached[0])

    def convert(self, unit: Unit, home: Tile) -> None:
        if unit.energy < unit.job.action_cost:
            self.walk(unit, [home])
            self.rest(unit, home)
        elif not unit.acted:
            neutral = [
                other.tile for other in self.game.units if other.owner is None and other.tile
            ]
            self.walk(unit, neutral)
            reached = [tile for tile in neutral if tile.has_neighbor(unit.tile)]
            if reached:
                unit.convert(reached[0])

    def rest(self, unit: Unit, home: Tile) -> None:
        if unit.energy < 100 and not unit.acted and self.beside(unit, home):
            unit.rest()

    def walk(self, unit: Unit, goals: list[Tile]) -> None:
        """Towards the nearest of these, up to the tile beside it."""
        for tile in self.find_path(unit.tile, goals)[:-1]:
            if unit.moves:
                unit.move(tile)

    def beside(self, unit: Unit, tile: Tile) -> bool:
        at = unit.tile
        return at is not None and max(abs(at.x - tile.x), abs(at.y - tile.y)) <= 1


if __name__ == "__main__":
    MyBot().run()
