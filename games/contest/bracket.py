"""Single elimination between two (T6, T7): the pairs, the games that are due, who advances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Final, Literal, TypeAlias

from games.contest.format import DUEL, Format
from games.contest.persistent import PersistentMap
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


@dataclass(frozen=True)
class Bracket:
    """A bracket as it stands: a value. One more result or one who leaves changes the matches from
    there to the final.

    `gone`: who has left, and before which match; empty: before whichever comes. Of two who have
    left, a walkover is for the one of whom it is said that it left before a later match."""

    plan: Plan
    lookup: Lookup
    gone: Mapping[Entry, str]
    known: PersistentMap[int, BracketMatch]
    """By the index in the order of play."""
    unfinished: int
    played: int = 0
    """Games of all matches."""

    @property
    def matches(self) -> list[BracketMatch]:
        """All matches in the order of play, as far as the results reach."""
        return [self.known[at] for at in range(len(self.plan.ids))]

    def match(self, id_: str) -> BracketMatch | None:
        at = self.plan.indexes.get(id_)
        return None if at is None else self.known[at]

    def of(self, entry: Entry) -> list[BracketMatch]:
        """The matches of an entrant, in the order of play."""
        path = sorted(self.plan.path(entry))
        return [match for at in path if entry in (match := self.known[at]).players]

    def changed(
        self, indexes: Iterable[int], lookup: Lookup, gone: Mapping[Entry, str]
    ) -> tuple[Bracket, set[int]]:
        """The bracket after something changed in these matches, and all that are other now."""
        then = replace(self, lookup=lookup, gone=gone)
        changes: dict[int, BracketMatch] = {}
        waiting = [*indexes]
        heapify(waiting)
        last = -1
        while waiting:
            if (at := heappop(waiting)) == last:
                continue
            last, match = at, then._match(at, changes)
            if match != self.known.get(at):
                changes[at] = match
                for after in self.plan.after(at):
                    heappush(waiting, after)
        was = [self.known[at] for at in changes if at in self.known]
        played = sum(len(match.games) for match in changes.values()) - sum(
            len(match.games) for match in was
        )
        over = sum(match.over for match in changes.values()) - sum(match.over for match in was)
        known = self.known.updated(changes)
        then = replace(
            then, known=known, played=self.played + played, unfinished=self.unfinished - over
        )
        return then, set(changes)

    def _match(self, at: int, changes: Mapping[int, BracketMatch]) -> BracketMatch:
        """One match, by those before it."""
        plan = self.plan

        def side(source: int, out: Callable[[BracketMatch], _Side]) -> _Side:
            return out(changes[source] if source in changes else self.known[source])

        id_, size = plan.ids[at], plan.sizes[at]
        last = id_ in (FINAL, THIRD)
        if id_ == THIRD:
            sides = [side(one, _loser) for one in plan.before(at)]
        elif before := plan.before(at):
            sides = [side(one, _winner) for one in before]
        else:
            sides = [plan.seeded(slot) for slot in plan.slots[2 * at : 2 * at + 2]]
        players = [one.player for one in sides if one.player is not None]
        gone = {}
        for player in players:
            if player in self.gone:
                named = self.gone[player]
                past = plan.indexes.get(named, len(plan.ids)) < plan.starts[2 if last else size]
                gone[player] = "" if past else named
        best_of = plan.format.best_of_final if last else plan.format.best_of
        by_seed = tuple(sorted(players, key=plan.rank.__getitem__))
        return _match(by_seed, self.lookup, gone, plan.format, best_of, id_, size, sides)


class Plan:
    """The matches of a bracket of these seeds, the best first, without any result; fewer than two:
    no match."""

    def __init__(self, seeds: Sequence[Entry], format_: Format) -> None:
        self.seeds = seeds
        self.format = format_
        self.rank = {entry: place for place, entry in enumerate(seeds)}
        self.ids: list[str] = []
        """In the order of play."""
        self.sizes: list[int] = []
        """How many were left when the round of each began."""
        self.starts: dict[int, int] = {}
        """The index of the first match of each round, by its size."""
        self._size = size = 1 << (len(seeds) - 1).bit_length() if len(seeds) > 1 else 1
        self.slots = slots(size)
        while size > 1:
            self.starts[size] = len(self.ids)
            if size == DUEL and len(seeds) > 3:
                self.ids.append(THIRD)
                self.sizes.append(4)
            self.ids += [round_name(size, number) for number in range(1, size // 2 + 1)]
            self.sizes += [size] * (size // 2)
            size //= 2
        self.indexes = {id_: at for at, id_ in enumerate(self.ids)}

    def seeded(self, seed: int) -> _Side:
        """Who has a place in the first round."""
        if seed > len(self.seeds):
            return _Side("bye", bye=True)
        return _Side(f"seed {seed}", player=self.seeds[seed - 1])

    def before(self, at: int) -> Sequence[int]:
        """The matches from which the players of a match come."""
        size = self.sizes[at]
        if self.ids[at] == THIRD:
            return range(self.starts[4], self.starts[4] + 2)
        if size == self._size:
            return ()
        number = at - self.starts[size] if size > DUEL else 0
        first = self.starts[2 * size] + 2 * number
        return range(first, first + 2)

    def after(self, at: int) -> list[int]:
        """The matches to which the players of a match go."""
        size = self.sizes[at]
        if size == DUEL or self.ids[at] == THIRD:
            return []
        if size == 4:
            return [self.indexes[id_] for id_ in (THIRD, FINAL) if id_ in self.indexes]
        return [self.starts[size // 2] + (at - self.starts[size]) // 2]

    def path(self, entry: Entry) -> set[int]:
        """The matches that an entrant may come to."""
        if entry not in self.rank or not self.ids:
            return set()
        waiting = [self.slots.index(self.rank[entry] + 1) // 2]
        found: set[int] = set()
        while waiting:
            at = waiting.pop()
            found.add(at)
            waiting += self.after(at)
        return found


def bracket(
    seeds: Sequence[Entry], lookup: Lookup, gone: Mapping[Entry, str], format_: Format
) -> Bracket:
    """All matches, as far as the results reach."""
    plan = Plan(seeds, format_)
    count = len(plan.ids)
    made, _ = Bracket(plan, lookup, gone, PersistentMap(), count).changed(
        range(count), lookup, gone
    )
    return made


def _winner(match: BracketMatch) -> _Side:
    return _Side(f"winner {match.id}", match.over, match.winner)


def _loser(match: BracketMatch) -> _Side:
    return _Side(f"loser {match.id}", match.over, match.loser)


def _match(
    by_seed: tuple[Entry, ...],
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
    sources = (upper.source, lower.source)
    waits = not (upper.known and lower.known)
    begun = BracketMatch(id_, of, best_of, players, sources, by_seed, waits=waits)
    if begun.waits:
        return begun
    if upper.bye or lower.bye:
        return replace(begun, winner=by_seed[0], decided_by="bye")
    found = played(begun, lookup, format_)
    here = [player for player in by_seed if player not in gone]
    if found.over or len(here) == len(sides):
        return found
    here = here or [player for player in by_seed if gone[player] not in ("", id_)]
    if len(here) != 1:
        return replace(found, decided_by="void")
    loser = next((player for player in by_seed if player != here[0]), None)
    return replace(found, winner=here[0], loser=loser, decided_by="walkover")


def played(match: BracketMatch, lookup: Lookup, format_: Format) -> BracketMatch:
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
