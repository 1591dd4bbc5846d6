"""The trial of a version: pairs of games against the version that plays, and what they show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.contest.sprt import Hypotheses, SprtStatus, judge
from games.core.contract import Json
from server.store.ladders import PAIR, LadderGame

TEST: Final = Hypotheses()
"""What `botarena batch --sprt` tests, too."""


@dataclass(frozen=True, slots=True)
class TrialStanding:
    """Where a trial stands. `score`: of its games, each worth 0 to 1."""

    pairs: int
    score: float
    sprt: SprtStatus

    @property
    def text(self) -> str:
        """For people."""
        bounds = f"bounds {TEST.low:.2f} and {TEST.high:.2f}"
        ratio = f"log likelihood ratio {self.sprt.ratio:+.2f}"
        return f"{self.score:g} of {PAIR * self.pairs} games, {ratio}, {bounds}"

    def to_json(self, most_pairs: int) -> dict[str, Json]:
        return {
            "pairs": self.pairs,
            "most_pairs": most_pairs,
            "score": self.score,
            "ratio": round(self.sprt.ratio, 3),
            "low": round(TEST.low, 3),
            "high": round(TEST.high, 3),
        }


def standing(games: Iterable[LadderGame], opponent: str | None) -> TrialStanding:
    """By the games of a trial. Pairs of which both are over count, those against the version
    `opponent` (its id) alone: the one that plays may have changed."""
    scores: defaultdict[int | None, list[float]] = defaultdict(list)
    for game in games:
        against = any(player["submission"] == opponent for player in game.players)
        if game.score is not None and against:
            scores[game.seed].append(game.score)
    pairs = [sum(both) / PAIR for both in scores.values() if len(both) == PAIR]
    return TrialStanding(len(pairs), PAIR * sum(pairs), judge(Counter(pairs), TEST))
