"""Who may see what (RULES §7)."""

from __future__ import annotations

from games.botstack.outcome import outcome
from games.botstack.state import Player, State, opponent
from games.core.contract import Json, Viewer, outcome_json


def view(state: State, viewer: Viewer) -> Json:
    """A seat sees the public table from its side, and the result of its own peek. A spectator
    sees the public table."""
    if viewer is None:
        return _for_spectator(state)
    seen = {
        "game": "botstack",
        "seat": viewer,
        "phase": state.phase,
        "your_decision": viewer == state.acting,
    }
    if state.phase == "finished":
        return seen | {"events": _events(state, viewer)} | _result(state)
    return (
        seen
        | _table(state)
        | {
            "you": _player(state.players[viewer]),
            "opponent": _player(state.players[opponent(viewer)]),
            "gun": _gun(state),
            "known_next": state.known_next if viewer == state.acting else None,
            "opponent_request": state.phase == "abstain_reply" and viewer == state.acting,
            "events": _events(state, viewer),
        }
    )


def _for_spectator(state: State) -> Json:
    """Both players by seat, to the last moment; whose decision it is stands under `acting`."""
    return (
        {"game": "botstack", "seat": None, "phase": state.phase, "acting": state.acting}
        | _table(state)
        | {
            "players": [_player(player) for player in state.players],
            "gun": _gun(state),
            "events": _events(state, None),
        }
        | _result(state)
    )


def _table(state: State) -> dict[str, Json]:
    return {
        "round": state.round,
        "starter": state.starter,
        "turn": state.turn,
        "load": state.load,
        "reloads_left": state.reloads_left,
        "draws": state.draws,
    }


def _player(player: Player) -> Json:
    return {
        "health": player.health,
        "items": list(player.items),
        "rounds_won": player.rounds_won,
        "skip_pending": player.skip_pending,
        "can_abstain": player.can_abstain,
    }


def _gun(state: State) -> Json:
    return {"total": state.total, "live": state.live, "blank": state.total - state.live}


def _events(state: State, viewer: Viewer) -> list[Json]:
    return [
        {"e": event.name, **dict(event.about)}
        for event in state.events
        if event.only is None or event.only == viewer
    ]


def _result(state: State) -> dict[str, Json]:
    ended = outcome(state)
    return {} if ended is None else {"result": outcome_json(ended)}
