"""From the words of a BotStack vector to ours, and back. Holds no rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.botstack import GAME
from games.botstack.state import Player, State
from games.core.contract import Json, Reply, Seat, outcome_json
from games.core.dice import Scripted, Source
from games.core.match import Match
from games.core.parameters import configure
from tests.vectors.runner import Adapter, Vector, differences, exact


class Remembering(Match):
    """A match that can say whether its last command changed anything."""

    __slots__ = ("before",)

    def __init__(self, rules: Any, state: State, source: Source) -> None:
        super().__init__(GAME, rules, state, source)
        self.before = self._everything()

    def apply(self, seat: Seat, raw: Json, stamps: Json = None) -> Reply:
        self.before = self._everything()
        return super().apply(seat, raw, stamps)

    @property
    def changed(self) -> bool:
        return self._everything() != self.before

    def _everything(self) -> Json:
        return (
            repr(self.state),
            self.turn,
            self.step,
            self.outcome,
            self.view(0),
            self.view(1),
            self.view(None),
        )


def begin(vector: Vector, script: Scripted) -> Match:
    rules = configure(GAME, vector.get("config") or {})
    given = {"pending_request": None, "known_next": None} | vector["initial"]
    for counted in ("total", "live", "reloads_left"):
        given.pop(counted, None)
    given["players"] = tuple(
        Player(**{**player, "items": tuple(player["items"])}) for player in given["players"]
    )
    state = State(rules=rules, **given)
    for contradiction in differences(vector["initial"], moment(state), "initial"):
        raise ValueError(str(contradiction))
    return Remembering(rules, state, script)


def moves(step: Vector) -> Iterator[tuple[Seat, Json]]:
    for entry in step["commands"]:
        yield entry["seat"], entry["command"]


def draws(step: Vector) -> Iterator[tuple[str, Any]]:
    for drawn in step.get("random") or ():
        yield f"item/{drawn['seat']}" if drawn["draw"] == "item" else drawn["draw"], drawn["value"]


def found(match: Match, step: Vector, replies: Sequence[Reply]) -> Json:
    assert isinstance(match, Remembering)
    (reply,) = replies
    if not reply.ok:
        return {"error": f"{reply.code}, and something changed" if match.changed else reply.code}
    state: State = match.state
    words = finished(state) if state.phase == "finished" else moment(state)
    for event in state.events:
        if event.name == "round_end":
            words["round_result"] = dict(event.about)
    if "views" in step["expect"]:
        words["views"] = [
            {key: value for key, value in match.view(seat).items() if key != "result"}
            for seat in (0, 1)
        ]
    return exact(step["expect"], words)


def moment(state: State) -> dict[str, Json]:
    return {
        "round": state.round,
        "starter": state.starter,
        "turn": state.turn,
        "acting": state.acting,
        "phase": state.phase,
        "players": [
            {
                "health": player.health,
                "items": list(player.items),
                "rounds_won": player.rounds_won,
                "skip_pending": player.skip_pending,
                "can_abstain": player.can_abstain,
            }
            for player in state.players
        ],
        "magazine": state.magazine,
        "total": state.total,
        "live": state.live,
        "load": state.load,
        "reloads_left": state.reloads_left,
        "draws": state.draws,
        "pending_request": state.pending_request,
        "known_next": state.known_next,
    }


def finished(state: State) -> dict[str, Json]:
    return {
        "phase": state.phase,
        "rounds_won": [player.rounds_won for player in state.players],
        "draws": state.draws,
    }


def final(match: Match, vector: Vector) -> Json:
    assert match.outcome is not None
    record = outcome_json(match.outcome)
    by_seat = {
        key: [seat[key] for seat in record["seats"]]
        for key in ("rounds_won", "points", "placement", "score")
    }
    return (
        {key: record[key] for key in ("outcome", "winner", "reason")}
        | by_seat
        | {"draws": match.state.draws}
    )


ADAPTER = Adapter(begin=begin, moves=moves, draws=draws, found=found, final=final)
