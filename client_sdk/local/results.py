"""Results as people read them: one line a game, one table a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client_sdk.local.headless import FinishedGame, ResultsRow, results_row
from games.core.contract import AnyGame, Json
from games.core.turns import turns_played


def line(game: AnyGame, labels: Sequence[str], played: FinishedGame) -> str:
    """`seed 17  greedy 7 : 5 random  greedy wins (majority), turn 61`"""
    names = [labels[who] for who in played.seating]
    turns = turns_played(game, played.turns)
    return f"seed {played.seed}  {ending(names, played.outcome)}, turn {turns}"


def ending(names: Sequence[str], outcome: dict[str, Json]) -> str:
    """Places and reason: `greedy 7 : 5 random  greedy wins (majority)`; by default the roles."""
    seats = outcome["seats"]
    names = names or [seat["role"] for seat in seats]
    if len(seats) == 2:
        first, second = (score(seat["score"]) for seat in seats)
        stands = f"{names[0]} {first} : {second} {names[1]}"
    else:
        stands = ", ".join(
            f"{name} {score(seat['score'])}" for name, seat in zip(names, seats, strict=True)
        )
    winner = outcome["winner"]
    kind = {"win": "wins", "forfeit": "wins by forfeit"}.get(outcome["outcome"], "")
    said = (
        f"{names[winner]} {kind}"
        if winner is not None and kind
        else outcome["outcome"].replace("_", " ")
    )
    return f"{stands}  {said} ({outcome['reason']})"


def score(value: float) -> str:
    """Whole numbers without a point, others with what they need."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def table(
    game: AnyGame, labels: Sequence[str], played: Sequence[FinishedGame], *, timed: bool = True
) -> Any:
    """One row per player; where it sat on several seats, one more for each. 80 columns hold it:
    only names are folded. Answers that are not valid have a column if there are any."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    made.add_column("player", overflow="fold")
    counts = ["failed", "late"]
    if any(stats.illegal for one in played for stats in one.stats):
        counts.insert(1, "illegal")
    for column in (
        "games",
        "wins",
        "draws",
        "losses",
        "mean\nscore",
        "ms/turn",
        "longest\nms",
        *counts,
    ):
        made.add_column(column, justify="right", no_wrap=True)
    for who, label in enumerate(labels):
        made.add_row(label, *_cells(results_row(played, who), counts, timed))
        seats = sorted(
            {seat for one in played for seat, sits in enumerate(one.seating) if sits == who}
        )
        if len(seats) > 1:
            for seat in seats:
                made.add_row(
                    f"  as {game.roles[seat]}",
                    *_cells(results_row(played, who, seat), counts, timed),
                    style="dim",
                )
    return made


def to_json(
    game: AnyGame, labels: Sequence[str], played: Sequence[FinishedGame]
) -> dict[str, Json]:
    """The game, its players with their results, and every game with its outcome. Times in ms."""

    def player(who: int) -> dict[str, Json]:
        row = results_row(played, who)
        return {
            "player": labels[who],
            "games": row.games,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "mean_score": row.mean_score,
            "turn_ms": round(row.mean_s * 1000, 3),
            "longest_ms": round(row.stats.longest_s * 1000, 3),
            "failed": row.stats.failed,
            "illegal": row.stats.illegal,
            "late": row.stats.late,
        }

    return {
        "game": game.name,
        "players": [player(who) for who in range(len(labels))],
        "games": [
            {"seed": one.seed, "seating": list(one.seating), "turns": one.turns}
            | {"outcome": one.outcome}
            for one in played
        ],
    }


def _cells(row: ResultsRow, counts: Sequence[str], timed: bool) -> list[str]:
    stats = row.stats
    times = [
        f"{row.mean_s * 1000:.3f}",
        f"{stats.longest_s * 1000:.1f}",
        *(str(getattr(stats, count)) for count in counts),
    ]
    return [
        str(row.games),
        str(row.wins),
        str(row.draws),
        str(row.losses),
        score(row.mean_score),
        *(times if timed else ["–"] * len(times)),
    ]
