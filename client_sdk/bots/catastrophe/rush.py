"""Makes all humans soldiers at once and sends them to the enemy overlord, before there is anyone
who could protect it.

A shelter falls to two blows and an overlord to four. If the attack fails, there is no food for a
second one."""

from client_sdk.api.catastrophe import Tile, Unit
from client_sdk.bots.catastrophe.greedy import Greedy


class Rush(Greedy):
    def get_name(self) -> str:
        return "rush"

    def start(self) -> None:
        super().start()
        self.tired: set[int] = set()
        """Soldiers that have to rest, by id."""

    def muster(self, home: Tile) -> None:
        """Soldiers do not wait for each other: there is no army."""

    def needed(self) -> str:
        return "soldier"

    def fight(self, unit: Unit, home: Tile) -> None:
        """Strike at the overlord as long as the energy lasts, then go home to rest."""
        if unit.energy < unit.job.action_cost:
            self.tired.add(unit.id)
        elif unit.energy == self.game.rules.max_energy:
            self.tired.discard(unit.id)
        enemy = self.player.opponent.cat.tile
        if unit.id in self.tired or enemy is None:
            self.walk(unit, [home])
            self.rest(unit, home)
        else:
            self.walk(unit, [enemy])
            if not unit.acted:
                self.act(unit, [enemy], unit.attack)


if __name__ == "__main__":
    Rush().run()
