"""What a game is: a value made of pure functions, and the few words every game shares.

Nothing here knows of sockets, clocks, files or other games (DESIGN §3). A game's state is never
changed in place: both verbs, `apply` and `advance`, return the state that follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from games.core.dice import Dice
from games.core.errors import BotarenaError

Json: TypeAlias = Any
"""Anything `json.loads` returns: a command as it came in, a view as it goes out."""

Seat: TypeAlias = int
"""A player's place, from 0."""

Viewer: TypeAlias = int | None
"""A seat, or the gallery (None), which never sees what some seat may not."""

GALLERY: Viewer = None


class Rejected(BotarenaError):
    """The bot's fault: a command that is malformed or not this seat's business. The state stays as
    it was."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


class BadSetup(BotarenaError):
    """The host's fault: a configuration or board that no match can be made of. Refused before a
    match exists."""

    def __init__(
        self, code: str, why: str, *, field: str | None = None, allowed: Json = None
    ) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why
        self.field = field
        self.allowed = allowed


def quoted(value: Json) -> str:
    """A value as an error repeats it: short, and without the insides of a list or an object,
    however deep."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:40] + "…")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, int | float):
        return repr(value) if abs(value) < 10**9 else "a number out of range"
    return "a list" if isinstance(value, list) else "an object"


ReplyKind = Literal["ok", "refused", "rejected"]


@dataclass(frozen=True, slots=True)
class Reply:
    """The one fate of one command.

    `ok`: it was done. `refused`: the game said no, and what the rules say is spent is spent.
    `rejected`: the state is untouched. `changes` is the change it made, where the game tells
    (many-command turns); the sender sees it, so it hides nothing from it."""

    verdict: ReplyKind = "ok"
    code: str = "ok"
    why: str = ""
    changes: Json = None

    @property
    def ok(self) -> bool:
        return self.verdict == "ok"


OK = Reply()


def refused(code: str, why: str = "", changes: Json = None) -> Reply:
    """A game's no: the command was understood and does not work now."""
    return Reply("refused", code, why, changes)


@dataclass(frozen=True, slots=True)
class Pacing:
    """Who calls `advance`, the limits of one match and what silence and absence mean (spec section
    9).

    Limits are ms; 0 is no limit, but no time at all for preprocessing, bank, increment, grace and
    absence.

    With `tick_ms` the clock calls advance (realtime); without, the turn lock does: when no seat is
    awaited any more, or at the limit. A turn's time is `turn_ms`, then the seat's bank, which grows
    by the increment when a turn of the seat begins, but for the match's first one. At the limit the
    driver says stop and takes answers for another `grace_ms`."""

    tick_ms: int | None = None
    lockstep: bool = False
    """A realtime game without its clock: the tick comes when no seat is awaited any more, or at
    `turn_ms`; commands name no turn and are never late."""
    startup_ms: int = 30_000
    preprocessing_ms: int = 0
    turn_ms: int = 1_000
    human_turn_ms: int = 120_000
    bank_ms: int = 0
    increment_ms: int = 0
    grace_ms: int = 50
    strikes: int = 0
    """The n-th timed-out turn of a seat forfeits the match; 0: never. Human seats are exempt."""
    rejects: int = 0
    """After the n-th rejected command for one turn the seat counts as silent; 0: never."""
    late_ready: Literal["plays", "forfeits"] = "plays"
    """A seat that is not ready when preprocessing ends."""
    bad_frames: int = 0
    """The n-th frame of a seat that is no message forfeits the match; 0: never."""
    absence: Literal["plays", "misses", "waits", "limited", "forfeits"] = "plays"
    """What becomes of a disconnected seat.

    plays     its clock runs, and its turns pass in silence
    misses    its turns pass at once, without a wait, as long as any seat is connected
    waits     its open turn waits with its clock stopped
    limited   its clock runs, and its absences, in any seat's turn, are limited to `absence_ms`
    forfeits  at once
    """
    absence_ms: int = 60_000
    """waits, limited: what one seat may be away in a whole match. plays, misses: how long all may
    be away before it ends."""

    @property
    def clocked(self) -> bool:
        """Whether any time limit holds while it is played."""
        return bool(self.tick_ms or self.turn_ms or self.bank_ms or self.increment_ms)

    @property
    def realtime(self) -> bool:
        """Whether commands answer no turn, so that none is ever late."""
        return self.tick_ms is not None or self.lockstep


SeatResult = Literal["win", "loss", "draw", "both_lost"]
OutcomeKind = Literal["win", "draw", "both_lost", "forfeit", "aborted"]


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """One seat's line of the result. `placement` counts from 1, equal numbers share a place; None:
    no result."""

    seat: Seat
    score: float
    placement: int | None
    outcome: SeatResult | None
    details: Mapping[str, Json] = field(default_factory=dict)
    """What this game tells about a seat besides (role, counters …)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won and why. `kind` forfeit and aborted come from outside the rules; an aborted match has
    no result."""

    kind: OutcomeKind
    winner: Seat | None
    reason: str
    seats: tuple[SeatOutcome, ...]
    details: Mapping[str, Json] = field(default_factory=dict)


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """The result record as plain JSON: the game's own details stand beside the common fields."""
    return {
        "outcome": outcome.kind,
        "winner": outcome.winner,
        "reason": outcome.reason,
        **outcome.details,
        "seats": [
            {
                "seat": s.seat,
                "score": s.score,
                "placement": s.placement,
                "outcome": s.outcome,
                **s.details,
            }
            for s in outcome.seats
        ],
    }


def duel(
    kind: OutcomeKind,
    winner: Seat | None,
    reason: str,
    scores: Sequence[float],
    about: Callable[[Seat, SeatResult], Mapping[str, Json]] = lambda seat, result: {},
    details: Mapping[str, Json] | None = None,
) -> Outcome:
    """The result of a game between two seats: without a winner both drew, or both lost and share
    the second place.

    `about`: what the game tells about a seat with this result; `details`: what it tells about the
    match."""
    lines = []
    for seat, score in enumerate(scores):
        result: SeatResult = "draw" if kind == "draw" else "both_lost"
        if winner is not None:
            result = "win" if seat == winner else "loss"
        lines.append(
            SeatOutcome(
                seat, score, 1 if result in ("win", "draw") else 2, result, about(seat, result)
            )
        )
    return Outcome(kind, winner, reason, tuple(lines), details or {})


def aborted(seats: int, reason: str) -> Outcome:
    """The ending without a result: the platform's own fault, an organiser's decision, or no player
    came."""
    return Outcome(
        "aborted", None, reason, tuple(SeatOutcome(seat, 0, None, None) for seat in range(seats))
    )


def no_result(state: Any, seats: int, reason: str) -> Outcome:
    """The default of `Game.no_result`: a record that tells nothing of what was played."""
    return aborted(seats, reason)


def same(raw: Json) -> Json:
    """The default of `Game.spoken`: a frame says a command the way the engine reads it."""
    return raw


def never(raw: Json) -> bool:
    """The default of `Game.anytime`: every command answers a turn."""
    return False


def nothing_once(rules: Any) -> tuple[str, ...]:
    """The default of `Game.once`: every view is sent whole."""
    return ()


@dataclass(frozen=True, slots=True)
class NoRules:
    """The default of `Game.rules`: a game without parameters."""


def no_maps(text: str) -> Any:
    """The default of `Game.board`. Raises BadSetup."""
    raise BadSetup("no_maps", "this game takes no map", field="map")


def two_seats(rules: Any) -> int:
    """The default of `Game.seats`."""
    return 2


def default_pacing(rules: Any) -> Pacing:
    """The default of `Game.pacing`: a turn lock with a second for each turn."""
    return Pacing()


def others_win(seats: int, out: frozenset[Seat], reason: str) -> Outcome:
    """What is booked without a `Game.forfeit`: the seats that are out lose, the others share the
    first place."""
    left = [seat for seat in range(seats) if seat not in out]
    results: dict[Seat, SeatResult] = dict.fromkeys(out, "loss" if left else "both_lost")
    results |= {seat: "win" if len(left) == 1 else "draw" for seat in left}
    lines = [
        SeatOutcome(seat, 0, 1 if seat in left else 1 + len(left), results[seat])
        for seat in range(seats)
    ]
    return Outcome("forfeit", left[0] if len(left) == 1 else None, reason, tuple(lines))


def unchecked(given: Any) -> None:
    """The default of `Game.check` and `Game.upload`: nothing is asked beyond what has been read."""


RulesT = TypeVar("RulesT")
BoardT = TypeVar("BoardT")
StateT = TypeVar("StateT")
CommandT = TypeVar("CommandT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[RulesT, BoardT, StateT, CommandT]):
    """A game is a value made of pure functions: nothing inherits, nothing registers itself.

    Its functions are found by their names in modules, so that it can be pickled: a server works in
    several processes.

    Required are `name`, `setup`, `turn`, `awaited`, `parse`, `apply`, `advance`, `view` and
    `outcome`; `docs/games.md` builds a game with little more."""

    name: str
    """In lower case, an identifier."""
    title: str = ""
    """By default the name, capitalised."""
    rules_version: int = 1
    """Changes with behaviour only; a journal of another version is not comparable."""
    roles: tuple[str, ...] = ()
    """What the game calls its seats, by seat; by default player 1, player 2 and so on."""
    over: str = "match_over"
    """The code that answers a command after the end."""
    malformed_first: bool = False
    """Whether a command that cannot be parsed is answered as malformed even after the end."""

    rules: type[RulesT] = NoRules  # type: ignore[assignment]
    """The configuration: a frozen dataclass of `games.core.parameters`, each field with a
    default."""
    bundles: Mapping[str, Mapping[str, Mapping[str, Json]]] = field(default_factory=dict)
    """Named values by the parameter that chooses them: {"preset": {"tiny": {"width": 11, …}}}."""
    faults: tuple[str, ...] = ()
    """Configuration error codes in the order in which they are checked."""
    check: Callable[[RulesT], None] = unchecked
    """Rules of configuration that concern several parameters at once. Raises BadSetup."""
    board: Callable[[str], BoardT] = no_maps
    """A map file's text, read. Raises BadSetup."""
    upload: Callable[[BoardT], None] = unchecked
    """What a board must be beyond that to come from a stranger. Raises BadSetup."""

    seats: Callable[[RulesT], int] = two_seats
    pacing: Callable[[RulesT], Pacing] = default_pacing
    setup: Callable[[RulesT, BoardT | None, Dice], StateT]
    """The first state; without a board the game makes its own. Raises BadSetup."""

    quick_setup: bool = False
    """Whether a match on a board of the catalogue, or on its own, is set up within a
    millisecond."""

    turn: Callable[[StateT], int]
    """The number of the turn that is open: what an answer names. It grows by one when a turn
    closes, and only then."""
    awaited: Callable[[StateT], frozenset[Seat]]
    """The seats that owe this turn something. Empty: advance."""
    parse: Callable[[Json], CommandT]
    """A command as JSON, read without looking at a state. Raises Rejected."""
    apply: Callable[[StateT, Seat, CommandT, Dice], tuple[StateT, Reply]]
    """One command at the moment it arrives, from any seat. Raises Rejected."""
    advance: Callable[[StateT, Dice], StateT]
    """The game's own time: a tick, a simultaneous turn resolved, the silent seats defaulted."""
    view: Callable[[StateT, Viewer], Json]
    """The only door out: plain JSON, the events of the last step included."""
    own: Callable[[StateT, Seat], Mapping[str, Json]] | None = None
    """Where seats see what the gallery sees and something of their own beside it: those fields.
    Then a seat's view is the gallery's with them behind it, and what all see is made and encoded
    once."""
    fixed: tuple[str, ...] = ()
    """Top-level fields of the view that never change in a match, such as a maze."""
    once: Callable[[RulesT], tuple[str, ...]] = nothing_once
    """Those of them that these rules send in the start message only."""
    outcome: Callable[[StateT], Outcome | None]
    """None while the game goes on."""
    forfeit: Callable[[StateT, frozenset[Seat], str], Outcome] | None = None
    """What the rules book when these seats are out, for this reason; all of them: no seat is left.
    None: the others win."""
    no_result: Callable[[StateT, int, str], Outcome] = no_result
    """What is booked when a match with this number of seats is broken off without a result, for
    this reason."""
    end_turn: Json = None
    """The command that a frame's `end_turn` stands for; None: turns end by themselves."""
    silence: Callable[[str], Json] | None = None
    """The command that the referee gives for a silent seat, by the reason (timeout, rejects,
    disconnect, not_ready), where a game tells these apart; None: silence is an answer that is not
    there."""
    anytime: Callable[[Json], bool] = never
    """Whether a command answers no turn and so is never late (resigning)."""
    contest: Mapping[str, Json] = field(default_factory=dict)
    """What its tournaments have for defaults of their own (`games.contest.format`)."""
    spoken: Callable[[Json], Json] = same
    """What a frame may say instead of a command (PyRat's move codes), turned into the command it
    means."""
    view_type: Any = Any
    """The JSON of a view as a type, for the schemas that clients are made from."""
    command_type: Any = Any
    """The same of what a frame may have for a command."""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name.capitalize())
        if not self.roles:
            roles = tuple(f"player {number}" for number in range(1, self.seats(self.rules()) + 1))
            object.__setattr__(self, "roles", roles)


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
