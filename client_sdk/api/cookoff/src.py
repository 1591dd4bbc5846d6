"""The package `src` of contest bots: the modules that bots import by these names."""

from client_sdk.api.cookoff import game_constants, item, map, robot_controller, tiles  # noqa: A004  the names that bots import

__all__ = ["game_constants", "item", "map", "robot_controller", "tiles"]

__path__: list[str] = []
