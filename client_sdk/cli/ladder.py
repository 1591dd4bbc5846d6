"""`botarena ladder`: how strong the bots of a server are, who meets whom, and challenges."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, Final

import typer

from client_sdk.cli.arguments import GameArgument
from client_sdk.cli.online import KeyOption, ServerArgument, rest_of
from client_sdk.console import UserError, say, show_table

WHY: Final = {
    "closest_rating": "the closest rating",
    "not_met_lately": "the closest rating of those not met lately",
    "first_rating": "a bot without a rating meets house bots first",
    "uncertain_rating": "an uncertain rating, which house bots make more certain",
    "long_wait": "no other bot was free for a long time",
    "house_rating": "house bots, until their ratings are known",
    "challenge": "a challenge",
}
"""Why players were paired."""

GENERATED: Final = "generated"
"""Names the board that a game makes itself."""


class AcceptedKind(StrEnum):
    """Which challenges a bot accepts."""

    always = "always"
    window = "window"
    never = "never"


JsonOption = Annotated[bool, typer.Option("--json", help="All of it as JSON.")]

ladder = typer.Typer(add_completion=False, no_args_is_help=True)


@ladder.command("show")
def show_(
    url: ServerArgument, game: GameArgument, as_json: JsonOption = False, key: KeyOption = None
) -> None:
    """Show the ratings of a game, and who is on its ladder.

    With 95 % intervals, and what seat 0 is worth.

    \b
    botarena ladder show http://127.0.0.1:8000 pyrat
    """
    with rest_of(url, key) as rest:
        rated, on_it = rest.ratings(game), rest.ladder(game)
    if as_json:
        say(json.dumps({"ratings": rated, "ladder": on_it}))
        return
    _ratings(rated["ratings"], {one["account"]: one for one in on_it["bots"]})
    if (seat := rated["first_seat"]) is not None:
        half = (seat["high"] - seat["low"]) / 2
        say(f"seat 0 is worth {seat['worth']:+.0f} Elo ± {half:.0f}")
    if not on_it["on"]:
        say(f"no games are played on the ladder of {game} here")


@ladder.command("games")
def games(
    url: ServerArgument, game: GameArgument, as_json: JsonOption = False, key: KeyOption = None
) -> None:
    """The last games of a ladder, newest first, and why their players were paired.

    \b
    botarena ladder games http://127.0.0.1:8000 pyrat
    """
    with rest_of(url, key) as rest:
        found = rest.ladder_games(game)
    if as_json:
        say(json.dumps(found))
        return
    show_table(
        ("match", "state", "players", "map", "why"),
        [
            (
                one["match"],
                one["state"],
                " – ".join(map(player_text, one["players"])),
                one["map"] or GENERATED,
                why_text(one["why"]) + ("" if one["rated"] else ", not rated"),
            )
            for one in found
        ],
    )


@ladder.command()
def maps(
    url: ServerArgument,
    game: GameArgument,
    weighted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MAP[=WEIGHT]]...",
            help=f"An organiser's: the maps of the next version; {GENERATED}: the game's own.",
            show_default=False,
        ),
    ] = None,
    key: KeyOption = None,
) -> None:
    """The maps of a ladder with their weights, version by version; or set them.

    \b
    botarena ladder maps http://127.0.0.1:8000 pyrat
    botarena ladder maps http://127.0.0.1:8000 pyrat classic=2 open generated
    """
    with rest_of(url, key) as rest:
        if weighted:
            found: Any = [rest.set_map_pool(game, list(map(_weighted, weighted)))]
        else:
            found = rest.map_pools(game)
    if not found:
        say(f"no maps are set: {game} generates its boards")
    for pool in found:
        parts = [f"{one['map'] or GENERATED}={one['weight']}" for one in pool["maps"]]
        say(f"version {pool['version']}: {' '.join(parts)}")


def _weighted(text: str) -> dict[str, Any]:
    """Raises UserError."""
    name, equals, weight = text.partition("=")
    if equals and not weight.isdecimal():
        raise UserError(f"{text}: expected a map and a whole number, such as {name}=2")
    return {"map": None if name == GENERATED else name, "weight": int(weight or 1)}


@ladder.command()
def join(
    url: ServerArgument,
    game: GameArgument,
    bot: Annotated[
        str,
        typer.Argument(help="The name under which it was handed in.", show_default=False),
    ],
    key: KeyOption = None,
) -> None:
    """Put a bot that you or your team have handed in on the ladder: the server plays it.

    It takes the place of the bot that its account had there.

    \b
    botarena ladder join http://127.0.0.1:8000 pyrat crusher
    """
    with rest_of(url, key) as rest:
        rest.climb(game, submitted=bot)
    say(f"{bot} is on the ladder of {game}")


@ladder.command()
def leave(
    url: ServerArgument,
    game: GameArgument,
    bot: Annotated[
        str | None,
        typer.Argument(
            help="The name under which it was handed in.", show_default="your account's bot"
        ),
    ] = None,
    key: KeyOption = None,
) -> None:
    """Take your bot off the ladder.

    \b
    botarena ladder leave http://127.0.0.1:8000 pyrat
    """
    with rest_of(url, key) as rest:
        rest.leave_ladder(game, bot)
    say(f"{bot or 'your bot'} is not on the ladder of {game} any more")


@ladder.command()
def challenge(
    url: ServerArgument,
    game: GameArgument,
    bot: Annotated[str, typer.Argument(help="The name of the other bot.", show_default=False)],
    key: KeyOption = None,
) -> None:
    """Challenge a bot on the ladder to a pair of games, which begins once both bots are free.

    \b
    botarena ladder challenge http://127.0.0.1:8000 pyrat Ada
    """
    with rest_of(url, key) as rest:
        made = rest.challenge(game, bot)
    rated = "rated" if made["rated"] else "not rated"
    say(f"{made['challenged']['name']} is challenged ({rated}): {made['challenge']}")


@ladder.command()
def challenges(
    url: ServerArgument, game: GameArgument, as_json: JsonOption = False, key: KeyOption = None
) -> None:
    """The challenges that your bot has sent and received, newest first."""
    with rest_of(url, key) as rest:
        found = rest.challenges(game)
    if as_json:
        say(json.dumps(found))
        return
    show_table(
        ("challenge", "from", "to", "state", "rated"),
        [
            (
                one["challenge"],
                one["challenger"]["name"],
                one["challenged"]["name"],
                one["state"],
                "yes" if one["rated"] else "no",
            )
            for one in found
        ],
    )


@ladder.command()
def refuse(
    url: ServerArgument,
    game: GameArgument,
    challenge: Annotated[
        str, typer.Argument(help="Its id, as challenges lists it.", show_default=False)
    ],
    key: KeyOption = None,
) -> None:
    """Refuse a challenge to your bot, or withdraw one of yours."""
    with rest_of(url, key) as rest:
        rest.end_challenge(game, challenge)
    say(f"{challenge} will not be played")


@ladder.command()
def accept(
    url: ServerArgument,
    game: GameArgument,
    whom: Annotated[
        AcceptedKind, typer.Argument(help="always, never, or window: of ratings near its own.")
    ] = AcceptedKind.window,
    window: Annotated[int, typer.Option(min=1, help="How near, in points.")] = 300,
    per_day: Annotated[int, typer.Option(min=0, help="At most this many within 24 h.")] = 10,
    rated: Annotated[bool, typer.Option(help="Whether their games are rated.")] = True,
    key: KeyOption = None,
) -> None:
    """Set which challenges your bot on the ladder accepts.

    \b
    botarena ladder accept http://127.0.0.1:8000 pyrat window --window 150 --per-day 5
    botarena ladder accept http://127.0.0.1:8000 pyrat never
    """
    with rest_of(url, key) as rest:
        rule = rest.accept_challenges(
            game, accepts=whom.value, window=window, per_day=per_day, rated=rated
        )
    say(f"your bot accepts challenges: {accepts_text(rule)}")


def accepts_text(rule: dict[str, Any]) -> str:
    """Which challenges a bot accepts."""
    if rule["accepts"] == "never":
        return "none"
    whom = "all" if rule["accepts"] == "always" else f"within {rule['window']} points"
    return f"{whom}, {rule['per_day']} a day{'' if rule['rated'] else ', not rated'}"


def player_text(player: dict[str, Any]) -> str:
    """A player of a ladder's game, with the version of a bot that was handed in."""
    version = player["version"]
    return f"{player['name']}{'' if version is None else f' (version {version})'}"


def why_text(why: str) -> str:
    return WHY.get(why, why.replace("_", " "))


def wait_text(wait_ms: int | None) -> str:
    """How long a bot waits for a game."""
    if wait_ms is None:
        return "not known yet"
    return f"{wait_ms / 1000:.0f} s" if wait_ms < 120_000 else f"{wait_ms / 60_000:.0f} min"


def _ratings(lines: list[dict[str, Any]], on_it: dict[str | None, dict[str, Any]]) -> None:
    """Rated players, then those of the ladder that have no game yet."""
    rows = []
    for line in lines:
        rated = line["rating"] is not None
        one = on_it.pop(line["account"], None) if line["account"] else None
        rows.append(
            (
                str(line["rank"] or "–"),
                line["name"],
                f"{line['rating']:.0f}" if rated else "–",
                f"{line['low']:.0f} to {line['high']:.0f}" if rated else "",
                str(line["games"]),
                _waits(one),
            )
        )
    rows += [
        ("–", one["name"], "–", "", "0", _waits(one)) for one in on_it.values() if one["account"]
    ]
    show_table(("", "player", "rating", "95 %", "games", "next game"), rows)


def _waits(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    if one["submitted"] is not None:
        version = one["version"]
        return "no version plays" if version is None else f"version {version} plays"
    return wait_text(one["expected_wait_ms"]) if one["present"] else "absent"
