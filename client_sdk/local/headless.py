"""Games without a server: as fast as the processor allows, every bot guarded and timed, the record
kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from client_sdk.bot import Bot, play_headless
from client_sdk.console import UserError
from client_sdk.leaving import exits_raise
from client_sdk.local.limits import Watchdog
from client_sdk.local.seated import Ear, Fault, Seated, SeatStats
from client_sdk.remote import RemoteBot
from client_sdk.turn_limit import TurnLimit
from games import GAMES
from games.core.contract import AnyGame, Json, outcome_json
from games.core.journal import BrokenLine, Journal, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from games.core.turns import turn_text

ShowMatch = Callable[[Match, Sequence[str]], object]
"""Called with the match at the start and after every turn, and with the names by seat."""
Schedule = list[tuple[int, tuple[int, ...]]]
"""The games to play: seed and seating."""


@dataclass(slots=True)
class FinishedGame:
    """One finished game. `seating[seat]` is the player's number."""

    number: int
    seed: int
    seating: tuple[int, ...]
    outcome: dict[str, Json]
    turns: int
    stats: list[SeatStats]
    journal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all games of a run share. `origin`: where to start instead of the beginning."""

    game: AnyGame
    config: Mapping[str, Json]
    map_text: str | None = None
    names: Sequence[str] = ()
    """By player."""
    limit_s: float | None = None
    """For every turn of every player, instead of the game's limit."""
    clocked: frozenset[int] = frozenset()
    """The players whose turns have the game's time limit: those that play in this process and keep
    no time themselves."""
    record: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """A moment of a recorded match: turn `turn` of `journal` is open."""

    journal: str
    turn: int

    def header(self) -> dict[str, Json]:
        """The journal's first line, with which a match can be set up. Raises UserError."""
        rerun = Rerun(GAMES)
        try:
            for first in islice(lines(self.journal), 1):
                rerun.take(first)
        except (BrokenLine, Differs) as fault:
            raise UserError(f"the journal does not hold: {fault}") from None
        if rerun.header is None:
            raise UserError("the journal has no whole line")
        return rerun.header


def play_one(
    setting: Setting,
    number: int,
    seed: int,
    seating: tuple[int, ...],
    bots: Sequence[Bot],
    *,
    tell: Callable[[int, str, Fault, Match], None],
    shown: ShowMatch | None = None,
    called: str | None = None,
    watch: Watchdog | None = None,
) -> FinishedGame:
    """One game to its end. `bots` by seat; `tell` hears of a fault: seat, what the bot did, fault,
    match. Raises BadSetup, UserError.

    `called`: what the record calls the match, by default after game, seed and number. `watch`:
    takes the calls of the clocked players.
    """
    written: list[str] = []
    journal = Journal(written.append) if setting.record else None
    names = [setting.names[player] for player in seating]
    if journal is not None:
        about = (
            None
            if setting.origin is None
            else {"from": setting.origin.turn, "of": setting.origin.header()["match"]}
        )
        journal.header(
            setting.game,
            match=called or f"{setting.game.name}-{seed}-{number}",
            config=setting.config,
            seed=seed,
            map_text=setting.map_text,
            seats=[{"name": name, "kind": "bot"} for name in names],
            about=about,
        )
    match = _opened(setting, seed, journal)
    ear = Ear()
    seated = [
        Seated(
            bot,
            _limit(setting, match, seating[seat], bot),
            ear,
            _teller(seat, match, tell),
            watch if seating[seat] in setting.clocked else None,
            lambda: f"seed {seed}, turn {turn_text(match.game, match.turn)}",
        )
        for seat, bot in enumerate(bots)
    ]

    def after_turn(match: Match) -> None:
        _forfeit(match, bots)
        if shown is not None:
            shown(match, names)

    with ear.listening(), exits_raise():
        play_headless(match, seated, names, after_turn)
    assert match.outcome is not None
    record = "".join(written) if setting.record else None
    return FinishedGame(
        number,
        seed,
        seating,
        outcome_json(match.outcome),
        match.turn,
        [seat.stats for seat in seated],
        record,
    )


def _limit(setting: Setting, match: Match, player: int, bot: Bot) -> TurnLimit | None:
    """The time of a player's turns, unless its process keeps it."""
    if isinstance(bot, RemoteBot):
        return None
    if setting.limit_s is not None:
        return TurnLimit(setting.limit_s)
    return TurnLimit.of(match.pacing) if player in setting.clocked else None


def _forfeit(match: Match, bots: Sequence[Bot]) -> None:
    """End the match if a bot has ended and its game's rules say that it forfeits."""
    lost = {
        seat: bot.forfeits
        for seat, bot in enumerate(bots)
        if isinstance(bot, RemoteBot) and bot.forfeits is not None
    }
    if lost and match.outcome is None:
        match.forfeit(frozenset(lost), min(lost.values()))


def _teller(
    seat: int, match: Match, tell: Callable[[int, str, Fault, Match], None]
) -> Callable[[str, Fault], None]:
    return lambda hook, fault: tell(seat, hook, fault, match)


def _opened(setting: Setting, seed: int, journal: Journal | None) -> Match:
    if setting.origin is not None:
        return rerun_to(setting.origin, {setting.game.name: setting.game}, journal)
    match = Match.begin(setting.game, setting.config, seed, setting.map_text)
    match.journal = journal
    return match


def rerun_to(origin: Origin, games: Mapping[str, AnyGame], journal: Journal | None = None) -> Match:
    """The recorded match as its turn opened; `journal` gets what led there. Raises UserError."""
    rerun = Rerun(games)
    try:
        for line in lines(origin.journal):
            if rerun.match is not None and rerun.match.turn >= origin.turn:
                break
            rerun.take(line)
            if line.number == 1 and rerun.match is not None:
                rerun.match.journal = journal
    except (BrokenLine, Differs) as fault:
        raise UserError(f"the journal does not hold: {fault}") from None
    match = rerun.match
    if match is None or match.turn != origin.turn or match.outcome is not None:
        last = (
            "nothing"
            if match is None
            else f"turn {turn_text(match.game, match.turn)}"
            + (", where the match was over" if match.outcome else "")
        )
        asked = turn_text(None if match is None else match.game, origin.turn)
        raise UserError(f"the journal has no open turn {asked}; it goes up to {last}")
    return match


@dataclass(slots=True)
class ResultsRow:
    """One line of the table of results."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: float = 0.0
    stats: SeatStats = field(default_factory=SeatStats)

    @property
    def mean_score(self) -> float:
        return self.score / self.games if self.games else 0.0

    @property
    def mean_s(self) -> float:
        return self.stats.total_s / self.stats.turns if self.stats.turns else 0.0


def results_row(played: Iterable[FinishedGame], player: int, seat: int | None = None) -> ResultsRow:
    """What a player reached, at one seat or at all. Both lost is a loss; a match without a result
    counts as a game only."""
    row = ResultsRow()
    for game in played:
        for at, who in enumerate(game.seating):
            if who != player or seat not in (None, at):
                continue
            line, stats = game.outcome["seats"][at], game.stats[at]
            row.games += 1
            row.wins += line["outcome"] == "win"
            row.draws += line["outcome"] == "draw"
            row.losses += line["outcome"] in ("loss", "both_lost")
            row.score += line["score"]
            row.stats.turns += stats.turns
            row.stats.total_s += stats.total_s
            row.stats.longest_s = max(row.stats.longest_s, stats.longest_s)
            row.stats.failed += stats.failed
            row.stats.illegal += stats.illegal
            row.stats.late += stats.late
    return row
