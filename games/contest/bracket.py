"""Single elimination between two (T6, T7): the pairs, the games that are due, who advances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Final, Literal, TypeAlias

from games.contest.format import Format
from games.contest.result import Entry, GameResult, exact

DecidedBy: TypeAlias = Literal["wins", "more_wins", "score", "seed", "bye", "walkover", "void"]
"""What decided a match."""
Lookup: TypeAlias = Callable[[str, tuple[Entry, ...]], GameResult | None]
"""The result of a game, by its id and who sits where; None: not played."""

THIRD: Final = "P3"
FINAL: Final = "F"
ROUNDS: Final = {2: "F", 4: "SF", 8: "QF", 16: "R"}
"""The names of the rounds, by the number of entrants left; a larger one is R32-, R64- and so on."""


@dataclass(frozen=True, slots=True)
class BracketGame:
    """One game of a match, from 1. Scores by the players' order, not by seat."""

    number: int
    seats: tuple[Entry, Entry]
    result: GameResult

    @property
    def winner(self) -> Entry | None:
        seat = self.result.winner
        return None if seat is None else self.seats[seat]

    def score(self, entry: Entry) -> float:
        return self.result.score[self.seats.index(entry)]

    @property
    def forfeits(self) -> list[Entry]:
        return [entry for entry, out in zip(self.seats, self.result.forfeit, strict=True) if out]


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match as it stands. `players`: the upper place in the bracket first; None: the place is
    empty, or not known yet.

    `waits`: a side is not known yet. `decided_by` is None while it goes on.
    """

    id: str
    of: int
    """How many were left when its round began."""
    best_of: int
    players: tuple[Entry | None, Entry | None]
    sources: tuple[str, str] = ("", "")
    """Where the players come from: `seed 1`, `winner QF1`, `loser SF2`."""
    by_seed: tuple[Entry, ...] = ()
    """The players that there are, the higher seed first."""
    waits: bool = False
    games: tuple[BracketGame, ...] = ()
    winner: Entry | None = None
    loser: Entry | None = None
    decided_by: DecidedBy | None = None

    @property
    def over(self) -> bool:
        return self.decided_by is not None

    @property
    def wins(self) -> tuple[int, int]:
        """Games won, in the order of the players."""
        first, second = (
            sum(game.winner == player for game in self.games if player is not None)
            for player in self.players
        )
        return first, second

    def next(self) -> tuple[int, tuple[Entry, Entry]] | None:
        """The game that is due, and its seats: the higher seed on seat 0 in odd games."""
        if self.over or self.waits or None in self.players:
            return None
        number = len(self.games) + 1
        return number, seated(self.by_seed, number)


def seated(by_seed: Sequence[Entry], number: int) -> tuple[Entry, Entry]:
    """Who sits where in a match's game, from 1: the higher seed has seat 0 in odd ones (T7)."""
    high, low = by_seed
    return (high, low) if number % 2 else (low, high)


def game_id(match: str, number: int) -> str:
    return f"{match}-{number}"


def slots(size: int) -> list[int]:
    """The seeds from top to bottom (T6)."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def round_name(size: int, number: int) -> str:
    """The name of a match in the round of `size` entrants."""
    return FINAL if size == 2 else f"{ROUNDS.get(size, f'R{size}-')}{number}"


@dataclass(frozen=True, slots=True)
class _Side:
    """Who comes into a match from one of the places before it."""

    source: str
    known: bool = True
    player: Entry | None = None
    bye: bool = False
    """This place was never meant to be filled."""


def bracket(
    seeds: Sequence[Entry], lookup: Lookup, gone: Mapping[Entry, str], format_: Format
) -> list[BracketMatch]:
    """All matches in the order of play, as far as the results reach. `seeds`: the best first; fewer
    than two: no match.

    `gone`: who has left, and before which match; empty: before whichever comes. Of two who have
    left, a walkover is for the one of whom it is said that it left before a later match."""
    if len(seeds) < 2:
        return []
    size = 1 << (len(seeds) - 1).bit_length()
    sides = [_seeded(seeds, seed) for seed in slots(size)]
    played: list[BracketMatch] = []
    while size > 1:
        last = size == 2
        past = {match.id for match in played}
        gone = {entry: "" if match in past else match for entry, match in gone.items()}
        best_of = format_.best_of_final if last else format_.best_of
        match_of = partial(_match, seeds, lookup, gone, format_, best_of)
        if last and len(seeds) > 3:
            played.append(match_of(THIRD, 4, [_loser(match) for match in played[-2:]]))
        round_ = [
            match_of(round_name(size, number), size, sides[2 * number - 2 : 2 * number])
            for number in range(1, size // 2 + 1)
        ]
        played += round_
        sides = [_winner(match) for match in round_]
        size //= 2
    return played


def _seeded(seeds: Sequence[Entry], seed: int) -> _Side:
    if seed > len(seeds):
        return _Side("bye", bye=True)
    return _Side(f"seed {seed}", player=seeds[seed - 1])


def _winner(match: BracketMatch) -> _Side:
    return _Side(f"winner {match.id}", match.over, match.winner)


def _loser(match: BracketMatch) -> _Side:
    return _Side(f"loser {match.id}", match.over, match.loser)


def _match(
    seeds: Sequence[Entry],
    lookup: Lookup,
    gone: Mapping[Entry, str],
    format_: Format,
    best_of: int,
    id_: str,
    of: int,
    sides: Sequence[_Side],
) -> BracketMatch:
    upper, lower = sides
    players = (upper.player, lower.player)
    by_seed = tuple(entry for entry in seeds if entry in players)
    sources = (upper.source, lower.source)
    waits = not (upper.known and lower.known)
    begun = BracketMatch(id_, of, best_of, players, sources, by_seed, waits=waits)
    if begun.waits:
        return begun
    if upper.bye or lower.bye:
        return replace(begun, winner=by_seed[0], decided_by="bye")
    found = _played(begun, lookup, format_)
    here = [player for player in by_seed if player not in gone]
    if found.over or len(here) == len(sides):
        return found
    here = here or [player for player in by_seed if gone[player] not in ("", id_)]
    if len(here) != 1:
        return replace(found, decided_by="void")
    loser = next((player for player in by_seed if player != here[0]), None)
    return replace(found, winner=here[0], loser=loser, decided_by="walkover")


def _played(match: BracketMatch, lookup: Lookup, format_: Format) -> BracketMatch:
    """The match with its games so far, and decided if they suffice (T7)."""
    if None in match.players:
        return match
    games: list[BracketGame] = []
    needed = match.best_of // 2 + 1
    wins = dict.fromkeys(match.by_seed, 0)
    while len(games) < match.best_of + format_.max_extra_games and max(wins.values()) < needed:
        number = len(games) + 1
        seats = seated(match.by_seed, number)
        result = lookup(game_id(match.id, number), seats)
        if result is None:
            return replace(match, games=tuple(games))
        game = BracketGame(number, seats, result)
        games.append(game)
        if game.winner is not None:
            wins[game.winner] += 1
    high, low = match.by_seed
    scores = {
        entry: sum((exact(game.score(entry)) for game in games), Fraction(0))
        for entry in match.by_seed
    }
    way: DecidedBy
    if wins[high] != wins[low]:
        winner = max(wins, key=wins.__getitem__)
        way = "wins" if wins[winner] >= needed else "more_wins"
    elif scores[high] != scores[low]:
        winner, way = max(scores, key=scores.__getitem__), "score"
    else:
        winner, way = high, "seed"
    loser = low if winner == high else high
    return replace(match, games=tuple(games), winner=winner, loser=loser, decided_by=way)
