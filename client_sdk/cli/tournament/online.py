"""`botarena tournament online`: the same for a tournament on a server."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk.address import LOCAL
from client_sdk.cli.online import KeyOption, rest_of
from client_sdk.cli.tournament.shared import (
    AsCsv,
    AsHtml,
    AsJson,
    AsLog,
    BothLost,
    EntrantArgument,
    FactNumber,
    FixtureArgument,
    GamesOf,
    PlacesOption,
    ScoresOption,
    WhyOption,
    check_one,
    numbers,
    show_as,
    state_words,
)
from client_sdk.console import UserError, note, say
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.local.tournament.plan import TournamentPlan
    from client_sdk.rest import RestClient
    from games.contest.tournament import Tournament


UrlOption = Annotated[str, typer.Option("--url", help="The server.", envvar="BOTARENA_URL")]
IdArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The tournament's id.", show_default=False)
]

ABOUT = """\
A contest on a server: of house bots there, and of bots that botarena play-for plays.

\b
botarena tournament online create spring.toml --start
botarena tournament online list
botarena tournament online show p7k2abcdefgh
"""


def group() -> typer.Typer:
    """The verbs below `botarena tournament online`."""
    made = typer.Typer(
        help=ABOUT, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
    )
    for verb in (
        create,
        show,
        start,
        begin,
        pause,
        resume,
        cancel,
        withdraw,
        disqualify,
        override,
        replay,
        undo,
    ):
        made.command(verb.__name__)(verb)
    made.command("list")(list_)
    made.command("enter")(enter)
    return made


# --- looking


def list_(url: UrlOption = LOCAL, key: KeyOption = None, json_: AsJson = False) -> None:
    """The tournaments of a server, newest first."""
    with rest_of(url, key) as rest:
        for one in rest.tournaments():
            if json_:
                say(json.dumps(one))
                continue
            state = state_words(one["state"])
            say("  ".join((one["tournament"], one["game"], one["format"], state, one["name"])))


def show(
    tournament: IdArgument,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
    json_: AsJson = False,
    csv_: AsCsv = False,
    html: AsHtml = False,
    log: AsLog = False,
    games_of: GamesOf = None,
) -> None:
    """Show how a tournament stands, also during play: table, crosstable, bracket, final list."""
    check_one(json_, csv_, html, log, games_of is not None)
    with rest_of(url, key) as rest:
        known = rest.tournament(tournament)
    if json_:
        say(json.dumps(known, indent=2))
    else:
        show_as(*rebuilt(known), csv_=csv_, html=html, log=log, games_of=games_of)
    if known["parameters"].get("hide_first_stage") and known["state"] == "round_robin":
        note("stage 1 is hidden until it is over; an organiser's key shows it (BOTARENA_KEY)")


def rebuilt(known: Json) -> tuple[TournamentPlan, Tournament]:
    """A server's tournament from its log, as if it were one of this machine. Its seed may still be
    secret: it decides the games, not the standings."""
    from client_sdk.local.lookup import game_called
    from client_sdk.local.tournament.folder import moment
    from client_sdk.local.tournament.plan import TournamentPlan
    from games.contest import facts
    from games.contest import format as formats
    from games.contest.tournament import Tournament

    fields = {field.name for field in dataclasses.fields(facts.Fact)}
    lines = [{**line, "at": moment(line["at_ms"] / 1000)} for line in known["log"]]
    log = tuple(facts.read({key: line[key] for key in line.keys() & fields}) for line in lines)
    format_ = formats.read(known["parameters"])
    plan = TournamentPlan(
        name=known["name"],
        game=game_called(known["game"]),
        config=known["config"],
        format=format_,
        bots=(),
    )
    return plan, Tournament(format_, known["seed"] or 0, log)


# --- leading


def create(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="What is to be played.", show_default=False)
    ],
    start_: Annotated[
        bool,
        typer.Option("--start", help="Close the entries at once: the house bots of the file play."),
    ] = False,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
) -> None:
    """Make a tournament of a file on a server, with its house bots; other bots enter there."""
    from client_sdk.local.tournament import plan as plans
    from games.contest import format as formats

    plan = plans.read(file)
    if others := [bot.label for bot in plan.bots if bot.kind != "house"]:
        why = "a server plays no files or commands; take these out, their authors enter by"
        why += " botarena play-for or submit"
        raise UserError(f"{file}: {why}: {', '.join(others)}")
    with _rest(url, key) as rest:
        made = rest.create_tournament(
            plan.name,
            plan.game.name,
            seed=plan.seed,
            map_text=plan.map_text,
            config=dict(plan.config),
            format=formats.to_json(plan.format),
            clock={} if plan.turn_ms is None else {"turn_ms": plan.turn_ms},
            bots=[{"house": bot.spec, "name": bot.label} for bot in plan.bots],
        )
        if start_:
            rest.lead(made["tournament"], "start")
    say(made["tournament"])


def enter(
    tournament: IdArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A house bot.", show_default=False)],
    name: Annotated[str | None, typer.Option(help="In the tables.", show_default="its own")] = None,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
) -> None:
    """Enter a house bot. Others enter with their own key: botarena play-for … --enter."""
    with _rest(url, key) as rest:
        entered = rest.enter(tournament, bot=bot, name=name)
    say(f"{entered['name']} has entered as number {entered['entry']}")


def start(
    tournament: IdArgument, url: UrlOption = LOCAL, key: KeyOption = None, why: WhyOption = ""
) -> None:
    """Close the entries; the games begin."""
    _lead(url, key, tournament, "start", why=why)


def begin(
    tournament: IdArgument, url: UrlOption = LOCAL, key: KeyOption = None, why: WhyOption = ""
) -> None:
    """Let the bracket begin, where the format says that it waits."""
    _lead(url, key, tournament, "begin", why=why)


def pause(
    tournament: IdArgument, url: UrlOption = LOCAL, key: KeyOption = None, why: WhyOption = ""
) -> None:
    """No further game begins; those that run end."""
    _lead(url, key, tournament, "pause", why=why)


def resume(
    tournament: IdArgument, url: UrlOption = LOCAL, key: KeyOption = None, why: WhyOption = ""
) -> None:
    """Go on after a pause."""
    _lead(url, key, tournament, "resume", why=why)


def cancel(
    tournament: IdArgument, url: UrlOption = LOCAL, key: KeyOption = None, why: WhyOption = ""
) -> None:
    """Break the tournament off."""
    _lead(url, key, tournament, "cancel", why=why)


def withdraw(
    tournament: IdArgument,
    bot: EntrantArgument,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
    why: WhyOption = "",
) -> None:
    """A bot leaves the tournament: an organiser's key, or its own."""
    _lead(url, key, tournament, "withdraw", entrant=_entrant(bot), why=why)


def disqualify(
    tournament: IdArgument,
    bot: EntrantArgument,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
    why: WhyOption = "",
) -> None:
    """A bot is sent away: in stage 1 its results are annulled."""
    _lead(url, key, tournament, "disqualify", entrant=_entrant(bot), why=why)


def undo(
    tournament: IdArgument,
    number: FactNumber,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
    why: WhyOption = "",
) -> None:
    """Take a fact back: a decision, or a game's result; what depends on it is derived again."""
    _lead(url, key, tournament, "undo", fact=number, why=why)


def override(
    tournament: IdArgument,
    game: FixtureArgument,
    places: PlacesOption = None,
    scores: ScoresOption = None,
    both_lost: BothLost = False,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
    why: WhyOption = "",
) -> None:
    """Set the result of a game, played or not; what depends on it is derived again."""
    placement, score = numbers("--places", places), numbers("--scores", scores)
    with _rest(url, key) as rest:
        answer = rest.override(
            tournament, game, placement=placement, score=score, both_lost=both_lost, why=why
        )
    _report(answer)


def replay(
    tournament: IdArgument,
    game: FixtureArgument,
    url: UrlOption = LOCAL,
    key: KeyOption = None,
    why: WhyOption = "",
) -> None:
    """Have a game played again; its result counts no more."""
    with _rest(url, key) as rest:
        _report(rest.play_again(tournament, game, why=why))


def _lead(url: str, key: str | None, tournament: str, verb: str, **fields: Json) -> None:
    with _rest(url, key) as rest:
        _report(rest.lead(tournament, verb, **fields))


def _report(answer: Json) -> None:
    state = state_words(answer["state"]) + (", paused" if answer["paused"] else "")
    say(f"{answer['tournament']} is {state}; fact {answer['facts']}")


def _entrant(bot: str) -> str | int:
    return int(bot) if bot.isdecimal() else bot


def _rest(url: str, key: str | None) -> RestClient:
    if key is None:
        how = "an organiser's is made on the server: botarena account create"
        raise UserError(f"this takes a key: BOTARENA_KEY ({how})")
    return rest_of(url, key)
