"""A soldier."""

from client_sdk.bots.catastrophe.gatherers import Gatherers


class Greedy(Gatherers):
    def get_name(self) -> str:
        return "greedy"
