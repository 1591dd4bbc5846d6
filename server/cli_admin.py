"""What an organiser does to a running server, over REST: list, abort, drain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk.address import LOCAL
from client_sdk.cli.online import KeyOption, rest_of
from client_sdk.console import UserError, amount, say
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.rest import RestClient


ServerOption = Annotated[str, typer.Option("--url", help="The server.", envvar="BOTARENA_URL")]

admin = typer.Typer(add_completion=False)


@admin.command("list")
def list_(
    url: ServerOption = LOCAL,
    key: KeyOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each.")] = False,
) -> None:
    """Every lobby and match that is not over, private ones too: its seats, and who is connected."""
    with _rest(url, key) as rest:
        for match in rest.all_matches():
            say(json.dumps(match) if as_json else _line(match))
        left = rest.draining()
    if left["draining"] and not as_json:
        say(_drained(left))


@admin.command()
def abort(
    match: Annotated[str, typer.Argument(help="The match's id.", show_default=False)],
    reason: Annotated[
        str, typer.Option(help="Sent to all players, and kept in the record.", show_default=False)
    ],
    url: ServerOption = LOCAL,
    key: KeyOption = None,
) -> None:
    """End a match, or close a lobby, without a result."""
    with _rest(url, key) as rest:
        ended = rest.abort(match, reason)
    say(f"{ended['lobby']} ({ended['game']}) is {ended['state']}: {reason}")


@admin.command()
def drain(url: ServerOption = LOCAL, key: KeyOption = None) -> None:
    """Take no new matches; those that run go on. Prints how many are left: repeat it until 0."""
    with _rest(url, key) as rest:
        say(_drained(rest.drain()))


@admin.command()
def undrain(url: ServerOption = LOCAL, key: KeyOption = None) -> None:
    """Take new matches again."""
    with _rest(url, key) as rest:
        rest.drain(on=False)
    say("new matches are welcome again")


@admin.command()
def log(url: ServerOption = LOCAL, key: KeyOption = None) -> None:
    """What organisers did, newest first."""
    from datetime import UTC, datetime

    with _rest(url, key) as rest:
        for done in rest.actions():
            when = f"{datetime.fromtimestamp(done['at_ms'] / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
            who = done["account"] or "(at the machine)"
            about = [f"{name}={value}" for name, value in (done["details"] or {}).items()]
            say(" ".join(filter(None, (when, who, done["verb"], done["target"], *about))))


def _rest(url: str, key: str | None) -> RestClient:
    if key is None:
        how = "made on the server by botarena account create --kind organiser"
        raise UserError(f"this takes an organiser's key: BOTARENA_KEY ({how})")
    return rest_of(url, key)


def _line(match: dict[str, Json]) -> str:
    seats = ", ".join(_seat(seat) for seat in match["seats"])
    turn = "" if match["turn"] is None else f" turn {match['turn']}"
    private = " private" if match["private"] else ""
    state = f"{match['state']}{turn}{private}"
    return f"{match['lobby']}  {match['game']}  {state}  {seats}  viewers {match['viewers']}"


def _seat(seat: dict[str, Json]) -> str:
    if not seat["taken"]:
        return f"{seat['role']} free"
    whose = "" if seat["account"] is None else f" ({seat['account']})"
    return f"{seat['role']} {seat['name']}{whose} {'connected' if seat['connected'] else 'away'}"


def _drained(state: dict[str, Json]) -> str:
    left = state["left"]
    return f"no new matches; {amount(left, 'match is', 'matches are')} left"
