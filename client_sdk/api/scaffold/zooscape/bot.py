"""My Zooscape bot: goes for the nearest pellet and keeps away from zookeepers."""

from botarena.zooscape import Action, Bot, CellContent, GameState


class MyBot(Bot):
    name = "mybot"

    def prepare(self, state: GameState) -> None:
        """Once, before the first tick: time to look at the board."""

    def on_state(self, state: GameState) -> Action | None:
        if state.me.queue_length:
            return None
        if state.me.held_power_up is not None:
            return Action.USE_ITEM
        way = state.way_to(
            [CellContent.PELLET, CellContent.POWER_PELLET], avoid=state.near_zookeepers(4)
        )
        return way.action if way else None


if __name__ == "__main__":
    MyBot().run()
