"""What a unit of Catastrophe can do, call by call, and what its job costs."""

from __future__ import annotations

from typing import Any, Final, Protocol

from client_sdk.api.catastrophe_base import GameObject
from games.catastrophe.rules import Job as Numbers
from games.catastrophe.state import Id
from games.core.contract import Json


class Job(GameObject):
    """A job, with what its units can do."""

    __slots__ = ("action_cost", "carry_limit", "moves", "regen_rate", "title", "upkeep")

    def __init__(self, title: str, number: Id, numbers: Numbers) -> None:
        super().__init__(number)
        self.title: Final = title
        """Its name."""
        self.moves, self.action_cost, self.regen_rate, self.carry_limit, self.upkeep = numbers

    def __repr__(self) -> str:
        return f"<Job {self.title}>"


class Place(Protocol):
    """A tile, as far as a command names it."""

    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...


class Orders(GameObject):
    """The calls of a unit. Each returns whether it worked. RULES §6 has the checks."""

    __slots__ = ()

    def _called(self, command: Json) -> bool:
        raise NotImplementedError

    def attack(self, tile: Place | None) -> bool:
        """Attack the structure, or else the unit, on an adjacent tile, together with the squad."""
        return self._called({"cmd": "attack", "unit": self.id, **_at(tile)})

    def change_job(self, job: str | Job) -> bool:
        """Change the job, beside the overlord and with full energy. Carried goods are dropped."""
        return self._called(
            {
                "cmd": "change_job",
                "unit": self.id,
                "job": job.title if isinstance(job, Job) else job,
            }
        )

    def construct(self, tile: Place | None, type: str) -> bool:  # noqa: A002  the name competitors know
        """Construct a wall, a shelter or a monument from the materials on an adjacent tile."""
        return self._called({"cmd": "construct", "unit": self.id, **_at(tile), "type": type})

    def convert(self, tile: Place | None) -> bool:
        """Convert the neutral unit on an adjacent tile."""
        return self._called({"cmd": "convert", "unit": self.id, **_at(tile)})

    def deconstruct(self, tile: Place | None) -> bool:
        """Take materials from a structure that is not your own."""
        return self._called({"cmd": "deconstruct", "unit": self.id, **_at(tile)})

    def drop(self, tile: Place | None, resource: str, amount: int = 0) -> bool:
        """Drop food or materials; food on an own shelter is pooled. An amount below 1 means all."""
        return self._called(
            {"cmd": "drop", "unit": self.id, **_at(tile), "resource": resource, "amount": amount}
        )

    def harvest(self, tile: Place | None) -> bool:
        """Harvest the food of a tile, or food of the enemy's pool at one of its shelters."""
        return self._called({"cmd": "harvest", "unit": self.id, **_at(tile)})

    def move(self, tile: Place | None) -> bool:
        """Move to an adjacent tile."""
        return self._called({"cmd": "move", "unit": self.id, **_at(tile)})

    def pickup(self, tile: Place | None, resource: str, amount: int = 0) -> bool:
        """Pick up food or materials for one energy each. An amount below 1 means all that fits."""
        return self._called(
            {"cmd": "pickup", "unit": self.id, **_at(tile), "resource": resource, "amount": amount}
        )

    def rest(self) -> bool:
        """Rest in range of an own shelter."""
        return self._called({"cmd": "rest", "unit": self.id})


def _at(tile: Any) -> dict[str, Json]:
    """Where a tile is; anything else is refused by the command's own checks."""
    return {"x": getattr(tile, "x", None), "y": getattr(tile, "y", None)}
