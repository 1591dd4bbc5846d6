"""The parameters that several routes take, with what the OpenAPI document says of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

MOST_SEATS = 2**31 - 1
"""What the database can hold."""
GameName = Annotated[str, Path(description="The name of a game, such as `pyrat`.")]
OnlyGame = Annotated[str | None, Query(description="Only this game; null: all games.")]
OnlyBot = Annotated[
    str | None,
    Query(max_length=200, description="Only with a player of exactly this name; null: anyone."),
]
LobbyName = Annotated[str, Path(description="The id or the name of a lobby.")]
MatchId = Annotated[str, Path(description="The id of a match, which is that of its lobby.")]
SeatNumber = Annotated[int, Path(ge=0, le=MOST_SEATS, description="A seat of the match, from 0.")]
TournamentId = Annotated[str, Path(description="The id of a tournament.")]
FixtureId = Annotated[str, Path(description="The name of a game of the tournament: QF1-1.")]
AccountName = Annotated[
    str, Path(description="The id of an account, or a name that only one account has.")
]
SubmissionId = Annotated[str, Path(description="The id of a version that was handed in.")]
ChallengeId = Annotated[str, Path(description="The id of a challenge.")]
KeyId = Annotated[str, Path(description="The id of a key, which is not the key itself.")]
