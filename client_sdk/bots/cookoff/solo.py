"""Cooks every dish, with one bot; the others wait at the side.

It cooks as greedy does, so that the two differ in one thing only: how much a second pair of hands
is worth."""

from client_sdk.api.cookoff import RobotController
from client_sdk.bots.cookoff.greedy import Greedy
from client_sdk.bots.cookoff.hand import Hand
from client_sdk.bots.cookoff.places import Job


class Solo(Greedy):
    name = "solo"

    def play_turn(self, controller: RobotController) -> None:
        first = controller.get_team_bot_ids()[0]
        job = self.places.jobs.setdefault(first, Job())
        self.work(Hand(controller, self.ways, first), job)


if __name__ == "__main__":
    Solo().run()
