"""The bodies of requests about tournaments."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationError

from games.core.contract import Json
from server.routes.errors import invalid
from server.routes.large import RequestBody
from server.routes.lobbies import FileText, Label, Seed, check_storable
from server.tournaments.plan import MOST_ENTRANTS, from_toml

Reason = Annotated[
    str, Field(max_length=200, description="The reason, which is shown with the results.")
]


class HouseEntrant(RequestBody):
    """A house bot that enters."""

    house: Label = Field(description="Its name.")
    name: Label | None = Field(None, description="Its name in the tables; null: the same.")


class CreateTournament(RequestBody):
    """A tournament to create, as in a tournament's TOML file."""

    name: Label
    """Its name."""
    game: Label
    """The name of the game."""
    seed: Seed = None
    map: Label | None = None
    """The name of a map of the catalogue."""
    map_text: FileText | None = None
    """The text of a map, instead of `map`."""
    config: dict[str, Json] = Field(default_factory=dict)
    """The game's parameters; those that are left out have their defaults."""
    format: dict[str, Json] = Field(
        default_factory=dict,
        description="Its parameters; those that are left out are as in the game's contest.",
    )
    clock: dict[str, Json] = Field(
        default_factory=dict, description="Limits that override those of the game, as for a lobby."
    )
    freeze: Annotated[
        str | None,
        Field(
            max_length=40,
            description="A moment, such as `2026-12-01T18:00:00+01:00`: versions of bots that are "
            "handed in later do not play in this tournament.",
        ),
    ] = None
    bots: list[HouseEntrant] = Field(default_factory=list, max_length=MOST_ENTRANTS)
    """House bots that enter."""

    def prepared(self) -> bool:
        """True: it has been checked that a record can hold it."""
        check_storable(self.config, self.clock, self.format, self.seed, self.map_text)
        return True


class TournamentFile(RequestBody):
    """A tournament to create, as a TOML file."""

    toml: Annotated[
        FileText,
        Field(description="The text of the file; its bots must be house bots."),
    ]


class EnterTournament(RequestBody):
    """A bot that enters."""

    name: Label | None = Field(
        None, description="Its name in the tables; null: that of the account or house bot."
    )
    concurrency: int = Field(
        1, ge=1, le=64, description="The maximum of games that it plays at a time."
    )
    bot: Label | None = Field(None, description="Organisers only: a house bot.")
    account: Label | None = Field(None, description="Organisers only: the bot of another account.")
    submitted: Label | None = Field(
        None,
        description="The name of a bot that the account or its team has handed in: the server "
        "plays it, and it is not invited.",
    )


class Decision(RequestBody):
    """A decision of an organiser or an entrant."""

    why: Reason = ""


class EntrantDecision(Decision):
    """A decision about an entrant."""

    entrant: Label | int = Field(description="Its name, or its number.")


class OverrideResult(Decision):
    """The result that a game is to have."""

    placement: list[int] | None = Field(
        None,
        description="The places by seat, from 1; equal ones share it. null with `both_lost`.",
    )
    score: list[float] | None = Field(
        None, description="The scores by seat; null: those of a forfeit."
    )
    forfeit: list[bool] | None = None
    """The forfeits by seat; null: none."""
    both_lost: bool = False
    """Both seats lose."""


class ScreenReport(RequestBody):
    """What a big screen reports every few seconds."""

    shown: Label | None = Field(
        None, description="A game that it has shown to its end, by its name; null: none."
    )


class UndoDecision(Decision):
    """A fact to undo."""

    fact: int = Field(description="Its number in the log.")


def in_toml(text: str) -> CreateTournament:
    """Runs in a child process. Raises Refusal."""
    try:
        body = CreateTournament.model_validate(from_toml(text))
    except ValidationError as fault:
        raise invalid(fault.errors()[0]) from None
    body.prepared()
    return body
