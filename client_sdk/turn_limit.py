"""The time of a bot's turns where no server keeps it."""

from __future__ import annotations

from games.core.contract import Pacing


class TurnLimit:
    """The time of each turn of a seat, with its bank. Seconds."""

    def __init__(self, turn_s: float, bank_s: float = 0.0, increment_s: float = 0.0) -> None:
        self._turn_s = turn_s
        self.bank_s = bank_s
        """What is left of the bank, with its increment for the open turn."""
        self._increment_s = increment_s
        self._begun = False

    @classmethod
    def of(cls, pacing: Pacing) -> TurnLimit | None:
        """The limit of a match; None: it has none."""
        if not pacing.clocked:
            return None
        if pacing.tick_ms:
            return cls(pacing.tick_ms / 1000)
        return cls(pacing.turn_ms / 1000, pacing.bank_ms / 1000, pacing.increment_ms / 1000)

    def begin(self) -> float:
        """A turn begins: the time for it."""
        self.bank_s += self._increment_s if self._begun else 0.0
        self._begun = True
        return self._turn_s + self.bank_s

    def end(self, taken_s: float) -> None:
        """The turn took this long: what is over its own time goes off the bank."""
        self.bank_s = max(0.0, self.bank_s - max(0.0, taken_s - self._turn_s))
