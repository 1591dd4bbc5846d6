"""The counters and cookers that the bots' jobs take, and those that are free."""

from __future__ import annotations

from dataclasses import dataclass, field

from client_sdk.bots.cookoff.hand import Hand, Order
from client_sdk.bots.cookoff.ways import FAR, Cell, Ways


@dataclass(slots=True)
class Job:
    """What one bot works on, and what of it stands where."""

    order: Order | None = None
    spot: Cell | None = None
    """The counter for the plate."""
    board: Cell | None = None
    """The counter where something waits for the knife."""
    fires: dict[Cell, str] = field(default_factory=dict)
    """Cookers with a food of this job."""


class Places:
    def __init__(self, ways: Ways) -> None:
        counters, outs = ways.stations("COUNTER"), ways.stations("SUBMIT")
        shops, cookers = ways.stations("SHOP"), ways.stations("COOKER")
        self.jobs: dict[int, Job] = {}
        """By the bot's id."""
        self.far = {
            spot: tuple(
                min((ways.between(spot, tile) for tile in tiles), default=FAR)
                for tiles in (shops, cookers, outs)
            )
            for spot in counters
        }
        """Of each counter: how far to a shop, to a cooker, to where dishes go out."""
        self.fetching = min(
            (ways.between(shop, cooker) for shop in shops for cooker in cookers), default=FAR
        )
        """How far it is from a shop to a cooker."""
        self._counters = sorted(counters, key=lambda spot: (sum(self.far[spot]), spot))

    def others(self, job: Job) -> list[Job]:
        return [other for other in self.jobs.values() if other is not job]

    def free_spot(self, hand: Hand, job: Job) -> Cell | None:
        """The best counter that is empty and not reserved."""
        return next(iter(self._free_counters(hand, job)), None)

    def free_board(self, hand: Hand, job: Job) -> Cell | None:
        """The nearest one, for the knife; the one for the plate only where there is no other."""
        free = self._free_counters(hand, job)
        return hand.ways.nearest(hand.here, [spot for spot in free if spot != job.spot] or free)

    def _free_counters(self, hand: Hand, job: Job) -> list[Cell]:
        reserved = {cell for other in self.others(job) for cell in (other.spot, other.board)}
        return [spot for spot in self._counters if spot not in reserved and hand.item(spot) is None]
