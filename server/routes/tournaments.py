"""Tournaments over HTTP (PROTOCOL.md §5): making one, entering it, leading it, looking at it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Protocol

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from client_sdk.local.tournament.page import POLICY
from games.contest import verbs
from games.contest.facts import Fact
from games.contest.result import BadResult, Entry, GameResult, given
from games.contest.tournament import Tournament
from games.contest.verbs import NAME_LONGEST
from games.core.contract import Json
from server.accounts.authentication import Requester
from server.errors import Refusal
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import checked_name
from server.offload import Offload
from server.routes.large import large_routes
from server.routes.may import Enters, Leads, Lists, did
from server.routes.models.answer import answers, nothing, text
from server.routes.models.tournaments import Decided, Entered, TournamentDetails, TournamentSummary
from server.routes.parameters import FixtureId, TournamentId
from server.routes.tournament_bodies import (
    CreateTournament,
    Decision,
    EnterTournament,
    EntrantDecision,
    OverrideResult,
    ScreenReport,
    TournamentFile,
    UndoDecision,
    in_toml,
)
from server.store.accounts import Accounts
from server.tournaments import hidden, shown
from server.tournaments.plan import TournamentRequest, start
from server.tournaments.service import TournamentService

JSON = "application/json"
CSV = "text/csv; charset=utf-8"


class Decide(Protocol):
    """Called with the tournament as it is now, and with who decides this and why."""

    def __call__(self, t: Tournament, /, *, by: str, why: str) -> Fact: ...


def router(
    service: TournamentService, lobbies: Lobbies, accounts: Accounts, reader: Offload
) -> APIRouter:
    """`reader` reads TOML files: some take minutes."""
    routes = large_routes("/tournaments", tag="tournaments")

    async def create(body: CreateTournament, requester: Requester) -> bytes:
        account = requester.own_account
        bots = [(bot.house, checked_name(bot.name or bot.house, NAME_LONGEST)) for bot in body.bots]
        request = TournamentRequest(
            name=checked_name(body.name, NAME_LONGEST),
            game=lobbies.game(body.game),
            config=body.config,
            map=body.map,
            map_text=body.map_text,
            format=body.format,
            clock=body.clock,
            seed=body.seed,
            freeze=body.freeze,
        )
        id_ = await service.create(request, bots, account.id, account.name)
        await did(accounts, requester, "tournament_create", id_)
        return await service.json(id_, None)

    async def decide(
        requester: Requester, id_: str, word: str, verb: Decide, what: Decision, **details: Json
    ) -> Json:
        """Append the fact that the verb makes. An organiser's decision is logged as `word`."""
        account = requester.own_account
        fact = partial(verb, by=account.name, why=what.why)
        tournament = await service.decide(id_, fact, account.id)
        if account.kind == "organiser":
            await did(accounts, requester, f"tournament_{word}", id_, details or None)
        seen = hidden.seen(tournament, await service.sight(id_, requester))
        return {
            "tournament": id_,
            "state": tournament.state,
            "paused": tournament.paused,
            "facts": len(seen.facts),
        }

    # --- looking

    @routes.get("", responses=answers(list[TournamentSummary], 404))
    async def list_tournaments(
        requester: Lists,
        limit: Annotated[
            int, Query(ge=1, le=1_000, description="The maximum of tournaments in the answer.")
        ] = 100,
        before: Annotated[
            str | None,
            Query(
                max_length=40,
                description="Only tournaments before this one: the last one of the previous page.",
            ),
        ] = None,
    ) -> list[Json]:
        """All tournaments, newest first."""
        return [shown.brief(row) for row in await service.listed(limit, before)]

    @routes.get("/{tournament}", responses=answers(TournamentDetails))
    async def get_tournament(tournament: TournamentId, requester: Lists) -> Response:
        """One tournament: its entrants, standings, bracket, games with their matches, and log. With
        `hide_first_stage` organisers see stage 1 before it is over, and a bot its own games."""
        of = await service.sight(tournament, requester)
        return Response(await service.json(tournament, of), media_type=JSON)

    @routes.get("/{tournament}/standings.csv", response_class=Response, responses=text("text/csv"))
    async def get_standings_csv(tournament: TournamentId, requester: Lists) -> Response:
        """The table of stage 1 with the final places, for spreadsheets."""
        of = await service.sight(tournament, requester)
        return Response(await service.csv(tournament, of), media_type=CSV)

    @routes.get("/{tournament}/page", response_class=HTMLResponse)
    async def get_tournament_page(tournament: TournamentId, requester: Lists) -> Response:
        """A page to print: places, bracket, standings, crosstable and decisions."""
        of = await service.sight(tournament, requester)
        page = await service.page(tournament, lobbies.games, of)
        policy = f"{POLICY}; frame-ancestors 'self'"
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    @routes.post("/{tournament}/screen", status_code=204, responses=nothing(404))
    async def report_screen(
        tournament: TournamentId, what: ScreenReport, requester: Leads
    ) -> Response:
        """The tournament's big screen is open, and has shown a game. With `wait_for_screen_s` the
        bracket waits for it; a screen that reports nothing for 20 s is not waited for."""
        await service.report_screen(tournament, what.shown)
        return Response(status_code=204)

    # --- entering and leaving

    @routes.post(
        "/{tournament}/entrants", status_code=201, responses=answers(Entered, 409, status=201)
    )
    async def enter_tournament(
        tournament: TournamentId, who: EnterTournament, requester: Enters
    ) -> Json:
        """Enter the bot of the key's account, which is then invited to its games
        (`list_invitations`). Organisers may also enter house bots and other accounts."""
        mine = requester.own_account
        if who.bot is not None or who.account is not None:
            requester.check("contest")
        if who.bot is not None and who.account is not None:
            raise Refusal(422, "two_bots", "bot and account: give one of the two", field="bot")
        if who.bot is not None and who.submitted is not None:
            text = "bot and submitted: give one of the two"
            raise Refusal(422, "two_bots", text, field="submitted")
        account = None if who.bot is not None else mine
        if who.account is not None:
            account = await accounts.get(who.account)
        usual = who.bot or who.submitted or (account.name if account else "")
        name = checked_name(who.name or usual, NAME_LONGEST)
        id_ = None if account is None else account.id
        entry = await service.enter(
            tournament,
            name,
            bot=who.bot,
            account=id_,
            concurrency=who.concurrency,
            by=mine.id,
            submitted=who.submitted,
        )
        if mine.kind == "organiser":
            details = {"entry": entry, "name": name}
            await did(accounts, requester, "tournament_enter", tournament, details)
        entered = {"tournament": tournament, "entry": entry, "name": name, "bot": who.bot}
        return entered | {"account": id_, "concurrency": who.concurrency}

    @routes.post("/{tournament}/withdraw", responses=answers(Decided, 409))
    async def withdraw_entrant(
        tournament: TournamentId, what: EntrantDecision, requester: Enters
    ) -> Json:
        """Withdraw an entrant. Its own account or an organiser may do so."""
        mine = requester.own_account
        _, now = await service.current(tournament)
        entry = _entry(now, what.entrant)
        if mine.kind != "organiser" and not await service.owns(tournament, entry, mine.id):
            raise Refusal(403, "forbidden", "this entrant is not of your account", field="entrant")
        verb = partial(verbs.withdraw, entry=entry)
        return await decide(requester, tournament, "withdraw", verb, what, entrant=what.entrant)

    # --- leading: each is a fact

    @routes.post("", status_code=201, responses=answers(TournamentDetails, 404, 409, status=201))
    async def create_tournament(
        body: CreateTournament, requester: Leads, request: Request
    ) -> Response:
        """Create a tournament, which is open for entries."""
        if request.state.prepared is None:
            body.prepared()
        return Response(await create(body, requester), 201, media_type=JSON)

    @routes.post(
        "/toml", status_code=201, responses=answers(TournamentDetails, 404, 409, status=201)
    )
    async def create_tournament_from_toml(file: TournamentFile, requester: Leads) -> Response:
        """Create a tournament from a TOML file, such as `botarena tournament run` plays."""
        body = await reader.answer(in_toml, file.toml)
        return Response(await create(body, requester), 201, media_type=JSON)

    @routes.post("/{tournament}/start", responses=answers(Decided, 409))
    async def start_tournament(tournament: TournamentId, what: Decision, requester: Leads) -> Json:
        """Close the entries and begin the games, the check games first."""
        return await decide(requester, tournament, "start", start, what)

    @routes.post("/{tournament}/begin", responses=answers(Decided, 409))
    async def begin_bracket(tournament: TournamentId, what: Decision, requester: Leads) -> Json:
        """Begin the bracket, if the format lets it wait for an organiser."""
        return await decide(requester, tournament, "begin", verbs.begin, what)

    @routes.post("/{tournament}/pause", responses=answers(Decided, 409))
    async def pause_tournament(tournament: TournamentId, what: Decision, requester: Leads) -> Json:
        """Begin no further games. Running games continue."""
        return await decide(requester, tournament, "pause", verbs.pause, what)

    @routes.post("/{tournament}/resume", responses=answers(Decided, 409))
    async def resume_tournament(tournament: TournamentId, what: Decision, requester: Leads) -> Json:
        """Resume a paused tournament."""
        return await decide(requester, tournament, "resume", verbs.resume, what)

    @routes.post("/{tournament}/cancel", responses=answers(Decided, 409))
    async def cancel_tournament(tournament: TournamentId, what: Decision, requester: Leads) -> Json:
        """Cancel a tournament: it is over, without final places."""
        return await decide(requester, tournament, "cancel", verbs.cancel, what)

    @routes.post("/{tournament}/disqualify", responses=answers(Decided, 409))
    async def disqualify_entrant(
        tournament: TournamentId, what: EntrantDecision, requester: Leads
    ) -> Json:
        """Disqualify an entrant. In stage 1 its results are annulled."""

        def verb(t: Tournament, by: str, why: str) -> Fact:
            return verbs.disqualify(t, _entry(t, what.entrant), by, why)

        return await decide(requester, tournament, "disqualify", verb, what, entrant=what.entrant)

    @routes.post("/{tournament}/games/{fixture}/override", responses=answers(Decided, 409))
    async def override_result(
        tournament: TournamentId, fixture: FixtureId, what: OverrideResult, requester: Leads
    ) -> Json:
        """Set the result of a game, played or not. Everything that depends on it is computed
        again."""

        def verb(t: Tournament, by: str, why: str) -> Fact:
            return verbs.override(t, fixture, _result(t, fixture, what), by, why)

        return await decide(requester, tournament, "override", verb, what, game=fixture)

    @routes.post("/{tournament}/games/{fixture}/replay", responses=answers(Decided, 409))
    async def replay_game(
        tournament: TournamentId, fixture: FixtureId, what: Decision, requester: Leads
    ) -> Json:
        """Play a game again. Its present result no longer counts."""
        verb = partial(verbs.replay, game=fixture)
        return await decide(requester, tournament, "replay", verb, what, game=fixture)

    @routes.post("/{tournament}/undo", responses=answers(Decided, 409))
    async def undo_decision(tournament: TournamentId, what: UndoDecision, requester: Leads) -> Json:
        """Undo a fact of the log: a decision or a result. Everything that depends on it is
        computed again."""
        verb = partial(verbs.undo, number=what.fact)
        return await decide(requester, tournament, "undo", verb, what, fact=what.fact)

    return routes


def _entry(tournament: Tournament, entrant: str | int) -> Entry:
    """By name, or by number. Raises Refusal."""
    entry = entrant if isinstance(entrant, int) else tournament.log.entry_of(entrant)
    if entry not in tournament.names:
        raise Refusal(404, "no_such_entrant", "there is no such entrant", field="entrant")
    return entry


def _result(tournament: Tournament, game: str, what: OverrideResult) -> GameResult:
    """Raises Refusal."""
    fixture = tournament.fixture(game)
    if fixture is None:
        raise Refusal(404, "no_such_game", "there is no such game now", field="fixture")
    seats, score = len(fixture.entrants), tournament.format.forfeit_score
    body = what.placement, what.score, what.forfeit
    try:
        return given(*body, both_lost=what.both_lost, seats=seats, forfeit_score=score)
    except BadResult as fault:
        raise Refusal(422, "bad_result", str(fault), field="placement") from None
