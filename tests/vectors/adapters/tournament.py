"""From the words of a tournament vector to ours, and back: ids for entry numbers. Holds no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from games.contest import as_json, final, pairings, standings
from games.contest import bracket as single
from games.contest.format import read
from games.contest.pairings import match_seed
from games.contest.result import Entry, GameResult
from games.core.contract import Json
from tests.vectors.runner import Adapter, Difference, Vector, differences, exact

OURS = ("sources", "waits", "annulled")
"""What our words say besides; a vector says `annulled`, with what is left out for such a bot, or
nothing."""


class Event:
    """One vector's tournament, with entry numbers by id."""

    def __init__(self, vector: Vector) -> None:
        config = dict(vector["config"])
        self.seed: int = config.pop("tournament_seed")
        self.format = read(config)
        self.entries = [entrant["entry"] for entrant in vector["entrants"]]
        self.names = {entrant["entry"]: entrant["id"] for entrant in vector["entrants"]}
        self.entry = {id_: entry for entry, id_ in self.names.items()}
        self.left = (
            {self.entry[id_]: status for id_, status in vector["status"].items()}
            if vector.get("status")
            else {}
        )

    def seats(self, ids: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(self.entry[id_] for id_ in ids)

    def ids(self, entries: Iterable[Entry]) -> list[str]:
        return [self.names[entry] for entry in entries]

    def between_two(
        self, seats: Sequence[Entry], raw: Vector, score: Sequence[float]
    ) -> GameResult:
        """A result given by its winner: an id, `draw` or `both_lost`."""
        word = raw["winner"]
        placement = (
            [1, 1]
            if word in ("draw", "both_lost")
            else [1 if entry == self.entry[word] else 2 for entry in seats]
        )
        out = raw["forfeit"]
        forfeit = (
            [entry in map(self.entry.get, out) for entry in seats]
            if all(isinstance(one, str) for one in out)
            else out
        )
        return GameResult(tuple(placement), tuple(score), tuple(forfeit), word == "both_lost")


def heat_result(raw: Vector) -> GameResult:
    return GameResult(tuple(raw["placement"]), tuple(raw["score"]), tuple(raw["forfeit"]))


def tournament(vector: Vector) -> Iterator[Difference]:
    """Every part that the file is about."""
    event = Event(vector)
    compared = 0
    for part, found in PARTS.items():
        if vector.get(part) is not None:
            compared += 1
            yield from differences(vector[part], exact(vector[part], found(event, vector)), part)
    if not compared:
        yield Difference(None, "file", f"one of {', '.join(PARTS)}", sorted(vector))


def schedule(event: Event, vector: Vector) -> Json:
    return [
        {
            "match": one.number,
            "cycle": one.cycle,
            "round": one.round,
            "seats": event.ids(one.seats),
            "seed": one.seed(event.seed),
        }
        for one in pairings.RoundRobin(event.entries, event.format.matches_per_pairing)
    ]


def without_game(entries: Sequence[Entry]) -> list[tuple[int, Entry]]:
    """Each round's number, and whom the empty place leaves without a game."""
    return [
        (number, (set(pair) - {None}).pop())
        for number, pairs in enumerate(pairings.rounds(entries), start=1)
        for pair in pairs
        if None in pair
    ]


def byes(event: Event, vector: Vector) -> Json:
    return [[number, event.names[entry]] for number, entry in without_game(event.entries)]


def heats(event: Event, vector: Vector) -> Json:
    return [
        {"heat": one.number, "seats": event.ids(one.seats), "seed": one.seed(event.seed)}
        for one in pairings.heats(
            event.entries, event.format.seats_per_match, event.format.matches_per_pairing
        )
    ]


def rows(event: Event, vector: Vector) -> list[standings.StandingsRow]:
    """The table, of results in any order, which may be incomplete."""
    if vector.get("heat_results") is not None:
        plan = pairings.heats(
            event.entries, event.format.seats_per_match, event.format.matches_per_pairing
        )
        given = [(event.seats(raw["seats"]), heat_result(raw)) for raw in vector["heat_results"]]
    else:
        plan = pairings.RoundRobin(event.entries, event.format.matches_per_pairing)
        raw_results = [(event.seats(raw["seats"]), raw) for raw in vector["results"] or ()]
        given = [(seats, event.between_two(seats, raw, raw["score"])) for seats, raw in raw_results]
    played = Counter(frozenset(seats) for seats, _ in given)
    missing = []
    for pairing in plan:
        if played[pair := frozenset(pairing.seats)]:
            played[pair] -= 1
        else:
            missing.append(pairing)
    out = standings.annulled(standings.planned(plan), given, event.left)
    games = standings.settled(given, missing, event.left, out, event.format)
    return standings.standings(event.entries, games, event.format.points, event.left, out)


def table(event: Event, vector: Vector) -> Json:
    return as_json.standings(rows(event, vector), event.names)


def seeds(event: Event, vector: Vector) -> Json:
    """Of the table, where the file has results; else they are given."""
    if vector.get("results") is None and vector.get("heat_results") is None:
        return vector["seeds"]
    return event.ids(final.qualified(rows(event, vector), event.format.bracket_size))


def matches(event: Event, vector: Vector) -> list[single.BracketMatch]:
    given = vector["knockout_results"]
    seeded = event.seats(vector["seeds"])

    def lookup(game: str, seats: tuple[Entry, ...]) -> GameResult | None:
        match, _, number = game.rpartition("-")
        raw = given.get(match, [])[int(number) - 1 : int(number)]
        if not raw:
            return None
        by_seed = dict(zip(sorted(seats, key=seeded.index), raw[0]["score_by_seed"], strict=True))
        return event.between_two(seats, raw[0], [by_seed[entry] for entry in seats])

    return single.bracket(seeded, lookup, gone(event, vector), event.format).matches


def gone(event: Event, vector: Vector) -> dict[Entry, str]:
    return {
        event.entry[id_]: match for id_, match in (vector.get("disqualified_before") or {}).items()
    }


def bracket(event: Event, vector: Vector) -> Json:
    built = as_json.bracket(
        matches(event, vector),
        event.names,
        lambda match, game: match_seed(event.seed, "ko", match, game - 1),
    )
    return [without(match) for match in built]


def heated(event: Event, vector: Vector) -> final.HeatBracket:
    given = vector["heat_bracket_results"]

    def lookup(heat: str, seats: tuple[Entry, ...]) -> GameResult | None:
        return heat_result(given[heat]) if heat in given else None

    return final.heat_bracket(event.seats(vector["seeds"]), lookup, (), event.format.points)


def of_heats(part: str) -> Any:
    def found(event: Event, vector: Vector) -> Json:
        built = as_json.heats(
            heated(event, vector), event.names, lambda heat: match_seed(event.seed, "ko", heat, 0)
        )
        return [without(heat) for heat in built[part]] if part == "heat_bracket" else built[part]

    return found


def placings(event: Event, vector: Vector) -> Json:
    seeded = event.seats(vector["seeds"])
    out = gone(event, vector)
    if vector.get("heat_bracket_results") is not None:
        placed = heated(event, vector).placings
    else:
        placed_list = final.placings(matches(event, vector), seeded, out)
        placed = None if placed_list is None else tuple(placed_list)
    table_rows = rows(event, vector) if vector.get("results") is not None else []
    return None if placed is None else event.ids(final.final_list(placed, table_rows, out))


def without(built: Mapping[str, Json]) -> Json:
    return {key: value for key, value in built.items() if key not in OURS}


PARTS = {
    "schedule": schedule,
    "byes": byes,
    "heats": heats,
    "standings": table,
    "seeds": seeds,
    "bracket": bracket,
    "heat_bracket": of_heats("heat_bracket"),
    "finalists": of_heats("finalists"),
    "final_table": of_heats("final_table"),
    "placings": placings,
}


def no_trace(*_: Any) -> NoReturn:
    raise ValueError("a tournament has no steps")


ADAPTER = Adapter(no_trace, no_trace, no_trace, no_trace, no_trace, {None: tournament})
