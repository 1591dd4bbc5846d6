"""The public record of a match: a spectator's views, chained, readable without the game.

A line is one JSON object, chained as in `games.core.journal`. Kinds (`k`):

    replay  header: format, match, game, rules_version, config, seats, commitment, seed, salt,
            journal (its head)
    view    a whole view (`view`): turn n is open. The first frame, and every 50th after it
    delta   a view as a change (`delta`) of the frame before (`client_sdk.wire.delta`)
    event   something around the match (timeout, away …) in turn n: seat s, name e, data d
    info    what the client of seat s said for the viewers in turn n: data d, any JSON
    end     the outcome

It is made from the journal after the release. Each of the two files can be proved by the other."""

from client_sdk.replay.lines import (
    JOURNAL_SUFFIX,
    KEYFRAME_EVERY,
    REPLAY_SUFFIX,
    DeltaLine,
    EndLine,
    EventLine,
    HeaderLine,
    InfoLine,
    PublicSeat,
    ReplayLine,
    ViewLine,
)
from client_sdk.replay.proof import verify_replay
from client_sdk.replay.reading import Frame, RecordedOutcome, RecordedScore, Replay, read
from client_sdk.replay.writing import Frames, from_journal, public_seats

__all__ = [
    "JOURNAL_SUFFIX",
    "KEYFRAME_EVERY",
    "REPLAY_SUFFIX",
    "DeltaLine",
    "EndLine",
    "EventLine",
    "Frame",
    "Frames",
    "HeaderLine",
    "InfoLine",
    "PublicSeat",
    "RecordedOutcome",
    "RecordedScore",
    "Replay",
    "ReplayLine",
    "ViewLine",
    "from_journal",
    "public_seats",
    "read",
    "verify_replay",
]
