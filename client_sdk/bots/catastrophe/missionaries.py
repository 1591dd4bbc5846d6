"""Converts the humans on the road and feeds them, and never fights: the side with more units wins
a match that goes to its last turn."""

from client_sdk.bots.catastrophe.greedy import MISSIONARIES, Greedy


class Missionaries(Greedy):
    def get_name(self) -> str:
        return "missionaries"

    def needed(self) -> str:
        """A gatherer for each missionary, and nothing but gatherers later."""
        wanted = min(self.jobs["gatherer"], MISSIONARIES)
        return "missionary" if self.jobs["missionary"] < wanted else "gatherer"


if __name__ == "__main__":
    Missionaries().run()
