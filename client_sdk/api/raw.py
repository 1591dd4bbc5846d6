"""Any game without an idiom: the view as it comes, the commands as they go (RULES.md §6 and §7 of the game).

class Mine(Bot):
    game = "botstack"

    def decide(self, view):
        return [{"type": "shoot", "target": "opponent"}]
"""

from client_sdk.base import Bot
from client_sdk.start import Start

__all__ = ["Bot", "Start"]
