"""Bots that are handed in, and their versions."""

from __future__ import annotations

from typing import Literal

from client_sdk.local.players import BotKind
from server.routes.models.answer import Model
from server.store.submissions import SubmissionState


class Trial(Model):
    """How a version does against the one that is active."""

    pairs: int
    """Pairs of games that are over, both with one seed and the seats swapped."""
    most_pairs: int
    """After this many pairs without a decision the version is refused."""
    score: float
    """What it has reached in their games: 1 for each that it won, a half for a draw."""
    ratio: float
    """The logarithm of the likelihood that it is stronger by 30 Elo over that it is not."""
    low: float
    """With a `ratio` of at most this it is refused."""
    high: float
    """With a `ratio` of at least this it becomes active."""


class Submission(Model):
    """A version of a bot."""

    submission: str
    """Its id."""
    bot: str
    """The id of the bot."""
    game: str
    """The game that it plays."""
    name: str
    """The bot's name."""
    version: int
    """1, 2, ..."""
    sha256: str
    """Of the file that was handed in."""
    file: str
    """What the file was called."""
    file_deleted: bool
    """Whether the operator has had it deleted: the version cannot play again."""
    kind: BotKind
    """How it is played."""
    language: str | None
    """What it is written in, if that is known."""
    entry: str
    """What names it on a command line."""
    account: str
    """The id of the account that has handed it in."""
    state: SubmissionState
    """What became of it; `active`: it plays; `testing`: it is tested against the version that is
    active; `refused`: it is not shown to be stronger; `set_aside`: it failed in games of a
    ladder."""
    reason: str | None
    """Why it failed, is set aside, or was promoted or refused after its trial."""
    trial: Trial | None
    """Of a version that is tested: how it does; null: it is not."""
    created_ms: int
    """When it was handed in, ms since 1970."""


class Grade(Model):
    """How the bot did in a part of its check."""

    name: str
    """The part."""
    grade: Literal["pass", "warn", "fail", "skip"]
    """How it did."""
    why: str
    """What was seen."""


class SubmissionDetails(Submission):
    """A version of a bot, as its author sees it."""

    build_log: str | None
    """What its build has said; null: nothing was built."""
    check: list[Grade] | None
    """The grades of its check; null: it has not ended."""


class Submissions(Model):
    """The versions of an account and its team, newest first."""

    open: bool
    """Whether a version can be handed in at the moment."""
    why: str | None
    """Why not."""
    freeze_ms: int | None
    """From this moment on none can, ms since 1970."""
    submissions: list[Submission]
    """The versions."""


class TurnLog(Model):
    """What a bot has written in a turn, or what it did wrong."""

    turn: str
    """The turn, as people read it; empty: before the first one, or unknown; `end`: after the last
    one."""
    text: str | None
    """What it has written."""
    fault: str | None
    """What it did wrong: an exception, a late or wrong answer."""
