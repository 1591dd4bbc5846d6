"""What a game is: a value made of pure functions, and the types that all games share.

Nothing here depends on sockets, clocks, files or other games. A game's state is never changed in
place: `apply` and `advance` return the next state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from games.core.dice import Dice
from games.core.errors import BotarenaError
from games.core.pacing import Pacing as Pacing  # part of the contract

Json: TypeAlias = Any
"""Anything that `json.loads` returns, such as a received command or a view."""

Seat: TypeAlias = int
"""A player's place, counted from 0."""

Viewer: TypeAlias = int | None
"""A seat, or a spectator (`SPECTATOR`)."""

SPECTATOR: Viewer = None
"""The viewer without a seat. It never sees what some seat may not see."""


class Rejected(BotarenaError):
    """A command that is malformed or not allowed for this seat; the state is unchanged."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


class BadSetup(BotarenaError):
    """A configuration or board that no match can be made of.

    Raised before a match exists. `field` names the parameter, `allowed` describes its valid
    values."""

    def __init__(
        self, code: str, why: str, *, field: str | None = None, allowed: Json = None
    ) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why
        self.field = field
        self.allowed = allowed


ReplyKind = Literal["ok", "refused", "rejected"]


class Reply(NamedTuple):
    """The result of one command.

    `verdict` is `ok` if the command was carried out; `refused` if it was valid but not possible
    now, in which case it may still have cost something; `rejected` if it was malformed or not
    allowed for this seat, in which case the state is unchanged.

    `code` is a machine-readable reason and `why` a sentence. `changes` describes what the command
    changed, in games that report it (turns of many commands). The sender receives it, so it must
    not contain anything that is hidden from the sender."""

    verdict: ReplyKind = "ok"
    code: str = "ok"
    why: str = ""
    changes: Json = None

    @property
    def ok(self) -> bool:
        return self.verdict == "ok"


OK = Reply()
"""The reply to a command that was carried out."""


def refused(code: str, why: str = "", changes: Json = None) -> Reply:
    """The reply to a valid command that is not possible now."""
    return Reply("refused", code, why, changes)


SeatResult = Literal["win", "loss", "draw", "both_lost"]
OutcomeKind = Literal["win", "draw", "both_lost", "forfeit", "aborted"]


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The result of one seat.

    `placement` counts from 1, and seats with equal numbers share a place. Without a result
    `placement` and `outcome` are None."""

    seat: Seat
    score: float
    placement: int | None
    outcome: SeatResult | None
    details: Mapping[str, Json] = field(default_factory=dict)
    """Further fields of this game, such as a role or counters."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won and why.

    The kinds `forfeit` and `aborted` come from outside the rules. An aborted match has no
    result."""

    kind: OutcomeKind
    winner: Seat | None
    reason: str
    seats: tuple[SeatOutcome, ...]
    details: Mapping[str, Json] = field(default_factory=dict)


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """The outcome as plain JSON, with the game's details beside the common fields."""
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
    """The outcome of a game between two seats.

    Without a winner, both seats draw, or both lose and share the second place. `about` returns
    further fields for a seat with the given result; `details` are further fields for the match."""
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
    """An outcome without a result, after a server fault, an organiser's decision or a no-show."""
    return Outcome(
        "aborted", None, reason, tuple(SeatOutcome(seat, 0, None, None) for seat in range(seats))
    )


def no_result(state: Any, seats: int, reason: str) -> Outcome:
    """The default of `Game.no_result`: an aborted match without further details."""
    return aborted(seats, reason)


def unchanged(raw: Json) -> Json:
    """The default of `Game.from_shorthand`: the game has no shorthand."""
    return raw


def never_out_of_turn(raw: Json) -> bool:
    """The default of `Game.is_out_of_turn`: every command answers a turn."""
    return False


def no_start_only_fields(rules: Any) -> tuple[str, ...]:
    """The default of `Game.start_only`: every view is sent whole."""
    return ()


@dataclass(frozen=True, slots=True)
class NoRules:
    """The default of `Game.rules`: a game without parameters."""


def refuse_map(text: str) -> Any:
    """The default of `Game.parse_board`: the game has no maps. Raises BadSetup."""
    raise BadSetup("no_maps", "this game takes no map", field="map")


def always_two_seats(rules: Any) -> int:
    """The default of `Game.seats`: the game is for two players."""
    return 2


def default_pacing(rules: Any) -> Pacing:
    """The default of `Game.pacing`: a turn lock with one second for each turn."""
    return Pacing()


def others_win(seats: int, out: frozenset[Seat], reason: str) -> Outcome:
    """The outcome of a forfeit in a game without `Game.forfeit`.

    The seats in `out` lose; the others share the first place."""
    left = [seat for seat in range(seats) if seat not in out]
    results: dict[Seat, SeatResult] = dict.fromkeys(out, "loss" if left else "both_lost")
    results |= {seat: "win" if len(left) == 1 else "draw" for seat in left}
    lines = [
        SeatOutcome(seat, 0, 1 if seat in left else 1 + len(left), results[seat])
        for seat in range(seats)
    ]
    return Outcome("forfeit", left[0] if len(left) == 1 else None, reason, tuple(lines))


def no_check(given: Any) -> None:
    """The default of `Game.check_rules` and `Game.check_upload`: everything is valid."""


RulesT = TypeVar("RulesT")
BoardT = TypeVar("BoardT")
StateT = TypeVar("StateT")
CommandT = TypeVar("CommandT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[RulesT, BoardT, StateT, CommandT]):
    """A game, as a value made of pure functions.

    The functions stand at the top level of modules, so that a game can be pickled: a server runs
    its work in several processes.

    `name`, `setup`, `turn`, `awaited`, `parse`, `apply`, `advance`, `view` and `outcome` are
    required. `docs/games.md` builds a game with little more."""

    name: str
    """The identifier of the game, in lower case."""
    title: str = ""
    """The displayed name; by default `name`, capitalised."""
    rules_version: int = 1
    """Raised when behaviour changes; journals of another version cannot be verified."""
    roles: tuple[str, ...] = ()
    """The names of the seats, by seat; by default player 1, player 2 and so on."""
    over_code: str = "match_over"
    """The code of the reply to a command after the end of the match."""
    malformed_first: bool = False
    """Whether a malformed command gets its own code even after the end of the match."""

    rules: type[RulesT] = NoRules  # type: ignore[assignment]
    """The configuration: a frozen dataclass of `games.core.parameters`, with defaults."""
    setting_names: Mapping[str, str] = field(default_factory=dict)
    """What the contest calls a parameter, if it is more than another spelling: our name."""
    bundles: Mapping[str, Mapping[str, Mapping[str, Json]]] = field(default_factory=dict)
    """Presets, by the parameter that selects them: `{"preset": {"tiny": {"width": 11, …}}}`."""
    config_errors: tuple[str, ...] = ()
    """The error codes of the configuration, in the order in which they are checked."""
    check_rules: Callable[[RulesT], None] = no_check
    """Checks what concerns several parameters of a configuration. Raises BadSetup."""
    parse_board: Callable[[str], BoardT] = refuse_map
    """Parses the text of a map file. Raises BadSetup."""
    check_upload: Callable[[BoardT], None] = no_check
    """Makes further checks of an uploaded board. Raises BadSetup."""

    seats: Callable[[RulesT], int] = always_two_seats
    """The number of seats of a match with these rules."""
    pacing: Callable[[RulesT], Pacing] = default_pacing
    """The time limits of a match with these rules."""
    setup: Callable[[RulesT, BoardT | None, Dice], StateT]
    """Returns the first state; without a board it generates one. Raises BadSetup."""

    quick_setup: bool = False
    """Whether `setup` takes under a millisecond, with a board of the catalogue or without one."""

    turn: Callable[[StateT], int]
    """The number of the open turn, which answers name.

    It grows by one when a turn closes, and only then."""
    turn_parts: int = 1
    """The number of parts of a turn of the game, if each part is a turn here. People then see the
    turns 1a, 1b, 2a and so on instead of 0, 1, 2 (`games.core.turns`)."""
    rounds: tuple[str, int] | None = None
    """What the game calls several turns together, and how many they are: `("day", 2)`. People see
    it, from 1, beside the number of the turn."""
    awaited: Callable[[StateT], frozenset[Seat]]
    """The seats that have to answer the open turn; if there are none, `advance` is called."""
    parse: Callable[[Json], CommandT]
    """Parses a command from JSON, without a state. Raises Rejected."""
    apply: Callable[[StateT, Seat, CommandT, Dice], tuple[StateT, Reply]]
    """Plays one command of any seat when it arrives. Raises Rejected."""
    advance: Callable[[StateT, Dice], StateT]
    """Plays a tick, resolves a simultaneous turn, or plays the default of silent seats."""
    view: Callable[[StateT, Viewer], Json]
    """All that a viewer can see, as plain JSON, with the events of the last step."""
    read_only_view: Callable[[StateT, Viewer], Json] | None = None
    """The same as `view`, for readers that change nothing in it: views may share their parts. A
    server encodes these. None: `view`."""
    private_fields: Callable[[StateT, Seat], Mapping[str, Json]] | None = None
    """The fields of a seat's view that the spectator's does not have, or has with another value.

    If given, the view of a seat must be the spectator's view with these fields. The common part is
    then made and encoded once for all viewers."""
    constant_fields: tuple[str, ...] = ()
    """The top-level fields of the view that never change during a match, such as a maze."""
    start_only: Callable[[RulesT], tuple[str, ...]] = no_start_only_fields
    """The constant fields that are sent in the start message only, with these rules."""
    outcome: Callable[[StateT], Outcome | None]
    """The outcome of a finished game; None as long as it goes on."""
    legal: Callable[[StateT, Seat], list[Json]] | None = None
    """The commands that a seat may send now, as JSON: each of them would be accepted.

    The list is empty if the seat has nothing to answer, and its order depends on the state only.
    It has all the commands that play the game, each in one spelling. Not listed are commands that
    give up and those that only ask. A game with many equal commands, such as amounts, says in its
    docstring which of them are listed. None: the game does not list them."""
    forfeit: Callable[[StateT, frozenset[Seat], str], Outcome] | None = None
    """The outcome if these seats, possibly all, forfeit for this reason; None: `others_win`."""
    no_result: Callable[[StateT, int, str], Outcome] = no_result
    """The outcome of a match that is aborted, by its number of seats and the reason."""
    end_turn: Json = None
    """The command that a frame's `end_turn` stands for; None: turns end without one."""
    command_for_silence: Callable[[str], Json] | None = None
    """The command that the referee plays for a silent seat.

    The argument is the reason: `timeout`, `rejects`, `disconnect` or `not_ready`. None: the referee
    plays no command, and `advance` plays the default of silent seats."""
    is_out_of_turn: Callable[[Json], bool] = never_out_of_turn
    """Whether a command belongs to no turn and so is never late, such as a resignation."""
    short: Mapping[str, Json] = field(default_factory=dict)
    """The configuration of a short match, for demonstrations and for the check of a bot."""
    contest: Mapping[str, Json] = field(default_factory=dict)
    """The game's own defaults for tournaments (`games.contest.format`)."""
    from_shorthand: Callable[[Json], Json] = unchanged
    """Turns what a client may send instead of a command, such as a move's code, into a command.

    Anything else is returned unchanged."""
    view_type: Any = Any
    """The type of a view's JSON, for the published schemas."""
    command_type: Any = Any
    """The type of a command's JSON as a client may send it, for the published schemas."""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name.capitalize())
        if not self.roles:
            roles = tuple(f"player {number}" for number in range(1, self.seats(self.rules()) + 1))
            object.__setattr__(self, "roles", roles)


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game of any types."""
