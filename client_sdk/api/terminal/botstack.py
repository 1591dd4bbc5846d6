"""BotStack in a terminal: who stands how, what is in the gun, what has just happened, and the
question of the phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from client_sdk.api.terminal import Choice, Question
from games.core.contract import Json

START_ONLY: tuple[str, ...] = ()

ITEMS: Final = {
    "empty": "–",
    "peek_current": "peek",
    "eject_current": "eject",
    "skip_enemy": "skip",
    "health_kit": "health kit",
    "reload_gun": "reload",
}
DOES: Final = {
    "peek_current": "shows you the next bullet",
    "eject_current": "throws the next bullet out, for all to see",
    "skip_enemy": "your opponent's next turn is skipped",
    "health_kit": "one more health",
    "reload_gun": "throws the magazine away and loads a new one",
}
QUESTIONS: Final = {
    "abstain_request": "Ask to abstain from this round?",
    "abstain_reply": "Your opponent asks to abstain from this round. Do you agree?",
    "item": "Which item do you use before your shot?",
    "shoot": "Whom do you shoot?",
}
YES, NO = ("y", "yes"), ("n", "no")


def draw(view: Json, names: Sequence[str]) -> Text:
    """Both players, the gun, the last events."""
    text = Text(no_wrap=True, overflow="crop")
    if "gun" in view:
        _table(text, view, names)
    for sentence in sentences(view, names):
        text.append(f"  {sentence}\n")
    if "result" in view:
        text.append(f"{_result(view['result'], names)}\n", style="bold")
    return text


def line(view: Json, names: Sequence[str]) -> str:
    """What has just happened, and how it stands."""
    parts = sentences(view, names)
    if "gun" in view:
        health = " : ".join(str(player["health"]) for player in _players(view))
        parts.append(
            f"[round {view['round']}, health {health}, {view['gun']['live']} live of "
            f"{view['gun']['total']}]"
        )
    if "result" in view:
        parts.append(_result(view["result"], names))
    return "; ".join(parts)


def question(view: Json) -> Question:
    """What the phase asks."""
    phase = view["phase"]
    if phase in ("abstain_request", "abstain_reply"):
        choices = [
            Choice(keys, " ".join(keys), {"type": "abstain", "value": keys is YES})
            for keys in (YES, NO)
        ]
    elif phase == "item":
        held = view["you"]["items"]
        choices = [Choice(("0", "n", "none", ""), "0 none", {"type": "item", "slot": 0})]
        choices += [
            Choice(
                (str(slot), ITEMS[item]),
                f"{slot} {ITEMS[item]} ({DOES[item]})",
                {"type": "item", "slot": slot},
            )
            for slot, item in enumerate(held, start=1)
            if item != "empty"
        ]
    else:
        choices = [
            Choice(("o", "opponent"), "o opponent", {"type": "shoot", "target": "opponent"}),
            Choice(("s", "self"), "s self", {"type": "shoot", "target": "self"}),
        ]
    known = view.get("known_next")
    peeked = f" You know the next bullet: {known}." if known else ""
    return Question(
        QUESTIONS[phase] + peeked, (*choices, Choice(("resign",), "resign", {"type": "resign"}))
    )


def sentences(view: Json, names: Sequence[str]) -> list[str]:
    """The events of a view in words."""
    return [_sentence(event, names) for event in view.get("events", ())]


def _sentence(event: dict[str, Json], names: Sequence[str]) -> str:
    who = names[event["seat"]] if event.get("seat") is not None else ""
    match event["e"]:
        case "round_start":
            return f"round {event['round']}, {names[event['starter']]} begins"
        case "deal":
            return f"{who} gets {ITEMS[event['item']]}"
        case "load":
            return f"the gun is loaded: {event['live']} live of {event['total']}"
        case "request":
            return f"{who} asks to abstain from the round"
        case "reply":
            return f"{who} {'agrees' if event['accepted'] else 'declines'}"
        case "item":
            return (
                f"{who} uses {ITEMS[event['item']]}"
                if event["item"] != "empty"
                else f"{who} reaches into an empty slot"
            )
        case "peek":
            return f"{who} sees a {event['bullet']} bullet"
        case "eject":
            return f"{who} ejects a {event['bullet']} bullet"
        case "shot":
            target = "itself" if event["target"] == event["seat"] else names[event["target"]]
            return f"{who} shoots {target}: {event['bullet']}"
        case "round_end":
            winner = "no one" if event["winner"] is None else names[event["winner"]]
            return f"round {event['round']} ends ({event['reason']}): {winner} wins it"
        case "match_end":
            return f"the match ends ({event['reason']})"
        case other:
            return str(other)


def _table(text: Text, view: Json, names: Sequence[str]) -> None:
    gun = view["gun"]
    text.append(
        f"round {view['round']}, load {view['load']}, reloads left {view['reloads_left']}, draws "
        f"{view['draws']}\n"
    )
    width = max(map(len, names))
    for seat, player in enumerate(_players(view)):
        text.append("> " if seat == view["turn"] else "  ", style="bold yellow")
        text.append(f"{names[seat]:<{width}}  ", style="bold")
        text.append(f"{'♥' * player['health']:<4} ", style="red")
        text.append(
            f"rounds {player['rounds_won']}  {', '.join(ITEMS[item] for item in player['items'])}"
        )
        text.append("  skip pending\n" if player["skip_pending"] else "\n")
    text.append("  gun: ")
    text.append(f"{gun['live']} live", style="red")
    text.append(f", {gun['blank']} blank\n")
    held = {item for player in _players(view) for item in player["items"]}
    for item in (item for item in DOES if item in held):
        text.append(f"  {ITEMS[item]}: {DOES[item]}\n", style="dim")


def _players(view: Json) -> list[dict[str, Json]]:
    """By seat, for every viewer."""
    if "players" in view:
        return list(view["players"])
    pair = [view["you"], view["opponent"]]
    return pair if view["seat"] == 0 else pair[::-1]


def _result(result: dict[str, Json], names: Sequence[str]) -> str:
    winner = result["winner"]
    who = result["outcome"].replace("_", " ") if winner is None else f"{names[winner]} wins"
    return f"{who} ({result['reason']})"
