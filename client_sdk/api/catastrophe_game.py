"""The match of Catastrophe as a bot sees it."""

from __future__ import annotations

from typing import Any, Final

from client_sdk.api.catastrophe_base import GameObject
from client_sdk.api.catastrophe_clock import Clock
from client_sdk.api.catastrophe_mirror import Mirror
from client_sdk.api.catastrophe_objects import Objects, Player, Structure, Unit
from client_sdk.start import Start
from games.catastrophe.rules import Rules
from games.catastrophe.state import Id


class Game(Objects):
    """The match. Its lists are in the order of the ids."""

    def __init__(
        self, start: Start, mirror: Mirror, clock: Clock, invalid: Any, list_roads: bool
    ) -> None:
        super().__init__(start.names, mirror, clock, invalid)
        self._list_roads = list_roads
        self.session: Final = start.match
        """The id of the match."""
        self.road_tiles: Final = [road.tile for road in self._roads if road.tile is not None]
        """The tiles of the road."""
        self.jobs: Final = sorted(self._jobs.values(), key=lambda job: job.title != "fresh human")
        """All jobs, in the contest's order: fresh humans come first."""

    @property
    def rules(self) -> Rules:
        """Every parameter of the match, by the names of RULES §2."""
        return self.mirror.rules

    @property
    def current_turn(self) -> int:
        """The number of the turn."""
        return self.mirror.state.turn

    @property
    def current_player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.mirror.state.current_player]

    @property
    def units(self) -> list[Unit]:
        """All units, neutral ones too."""
        return self._live(lambda: [self._unit(number) for number in self.mirror.state.units])

    @property
    def structures(self) -> list[Structure]:
        """All structures; with the setting `list_roads` also the roads."""

        def listed() -> list[Structure]:
            built = [self._structure(number) for number in self.mirror.state.structures]
            return built + self._roads if self._list_roads else built

        return self._live(listed)

    @property
    def game_objects(self) -> dict[Id, GameObject]:
        """All objects by id, also those that are gone. It is always the same dict; what appears
        within a turn is in it when this is read, and in the next turn."""
        self.update()
        return self._objects

    def update(self) -> None:
        """Make the objects that have appeared."""
        for number in self.mirror.state.units:
            self._unit(number)
        for number in self.mirror.state.structures:
            self._structure(number)

    def get_game_object(self, id: Id) -> GameObject | None:  # noqa: A002  the name competitors know
        """The object of this id; None: there is none."""
        return self.game_objects.get(id)
