"""Every table, once. The migrations lead here; a test compares the two.

Moments are whole ms since 1970. Ids are short random text (`server.tokens.new_id`). Documents are
JSON as ASCII text, so that every string a bot can send fits into every database."""

from __future__ import annotations

import json

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from games.core.contract import Json
from games.core.journal import encode


class Document(TypeDecorator[Json]):
    """Plain JSON in a text column; None stays NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Json, dialect: Dialect) -> str | None:
        if isinstance(value, msgspec.Raw):
            return bytes(value).decode("ascii")
        return None if value is None else encode(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Json:
        return None if value is None else json.loads(value)


ID = String(40)
NAME = String(80)
WORD = String(40)
MOMENT = BigInteger

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("kind", WORD, nullable=False),  # bot, organiser, spectator
    Column("created_ms", MOMENT, nullable=False),
    Column("disabled_ms", MOMENT),
)

keys = Table(
    "keys",
    metadata,
    Column("id", ID, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("created_ms", MOMENT, nullable=False),
    Column("revoked_ms", MOMENT),
    Column("last_used_ms", MOMENT),
)

actions = Table(  # what organisers did
    "actions",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at_ms", MOMENT, nullable=False, index=True),
    Column("account", ForeignKey("accounts.id")),  # NULL: at the machine itself
    Column("verb", WORD, nullable=False),
    Column("target", String(80)),
    Column("details", Document),
)

bots = Table(
    "bots",
    metadata,
    Column("id", ID, primary_key=True),
    Column("game", WORD, nullable=False),
    Column("name", NAME, nullable=False),
    Column("account", ForeignKey("accounts.id")),  # NULL: a house bot
    Column("about", Text),
    Column("created_ms", MOMENT, nullable=False),
    Column("retired_ms", MOMENT),
    UniqueConstraint("account", "game", "name"),
)

files = Table(  # what was handed in, and what was built of it
    "files",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("size", Integer, nullable=False),  # 0: the file has been deleted
    Column("content", LargeBinary, nullable=False),
    Column("created_ms", MOMENT, nullable=False),
)

submissions = Table(  # the versions of a bot that was handed in
    "submissions",
    metadata,
    Column("id", ID, primary_key=True),
    Column("bot", ForeignKey("bots.id"), nullable=False),
    Column("version", Integer, nullable=False),  # 1, 2, ...
    Column("sha256", ForeignKey("files.sha256"), nullable=False),
    Column("built", ForeignKey("files.sha256")),  # NULL: it is played as it was handed in
    Column("file", NAME, nullable=False),  # what the file was called
    Column("kind", WORD, nullable=False),  # how it is played: file, lines, lux, command
    Column("language", WORD),
    Column("entry", String(400), nullable=False),  # the file, or the command without its prefix
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("state", WORD, nullable=False),
    Column("reason", Text),
    Column("build_log", Text),
    Column("check_match", Document),  # the grade of each phase
    Column("failures", Integer),  # games of a ladder in a row to which it did not come, or crashed
    Column("trial", Boolean),  # it is tested against the version that plays before it plays
    Column("promoted_ms", MOMENT),  # when it has won its trial; NULL: it has not
    Column("created_ms", MOMENT, nullable=False),
    UniqueConstraint("bot", "version"),
    Index("ix_submissions_state_created_ms", "state", "created_ms"),
    Index("ix_submissions_account_created_ms", "account", "created_ms"),
)

teams = Table(
    "teams",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False, unique=True),
    Column("created_ms", MOMENT, nullable=False),
)

team_members = Table(  # an account is in one team
    "team_members",
    metadata,
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("team", ForeignKey("teams.id", ondelete="CASCADE"), nullable=False, index=True),
)

matches = Table(
    "matches",
    metadata,
    Column("id", ID, primary_key=True),
    Column("node", ID, nullable=False),  # the data directory that has its files
    Column("game", WORD, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("name", NAME),  # the lobby's
    Column("private", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("config", Document, nullable=False),
    Column("map", String(200)),
    Column("faults", WORD),
    Column("seed", BigInteger, nullable=False, index=True),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("doors", Document, nullable=False),  # salted digests of the tokens that may look in
    Column("state", WORD, nullable=False),  # running, over
    Column("created_ms", MOMENT, nullable=False),
    Column("started_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
    Column("journal", String(300), nullable=False),  # relative to the data directory
    Column("head", String(64)),  # the journal's; NULL: it has no end
    Column("outcome", Document),
    Index("ix_matches_state_ended_ms_id", "state", "ended_ms", "id"),
    Index("ix_matches_game_ended_ms_id", "game", "ended_ms", "id"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("role", WORD, nullable=False),
    Column("name", NAME),
    Column("kind", WORD, nullable=False),  # bot, human
    Column("bot", NAME),  # the house bot's name
    Column("account", ID, index=True),  # no reference: a journal may come from another server
    Column("version", Integer),  # of the account's bot, if it was handed in
    Column("score", Float),
    Column("placement", Integer),
    Column("outcome", WORD),
    Index("ix_seats_name_match", "name", "match"),
)

attempts = Table(  # to play a match; a crash ends one, and taking it up again begins the next
    "attempts",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("pairing", ID, index=True),  # the tournament's game that it is for
    Column("state", WORD, nullable=False),  # running, over, interrupted
    Column("blame", WORD),  # bot, peer, infrastructure, organiser
    Column("blamed", Document),  # the seats, where a bot is to blame
    Column("reason", Text),
    Column("started_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("game", WORD, nullable=False),
    Column("config", Document, nullable=False),
    Column("map", String(200)),
    Column("map_text", Text),
    Column("format", Document, nullable=False),
    Column("clock", Document, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("state", WORD, nullable=False, index=True),  # follows from the facts; kept for lists
    Column("created_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
    Column("account", ForeignKey("accounts.id")),  # who created it
    Column("freeze_ms", MOMENT),  # versions that are handed in later do not play
    Column("screen_ms", MOMENT),  # when its big screen last reported
    Column("screened", Document),  # the games that it has shown
)

facts = Table(  # the log of a tournament; nothing is ever changed or taken out
    "facts",
    metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at_ms", MOMENT, nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("fact", Document, nullable=False),
)

entrants = Table(  # who plays behind an entry; what a table calls it is in the facts
    "entrants",
    metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("bot", NAME),  # a house bot's name
    Column("account", ForeignKey("accounts.id"), index=True),
    Column("concurrency", Integer, nullable=False),  # games that it plays at a time
    Column("submitted", ForeignKey("bots.id")),  # the account's bot, if the server plays it
)

pairings = Table(  # attempts to play a game: each is taken once and reaches one end
    "pairings",
    metadata,
    Column("id", ID, primary_key=True),
    Column(
        "tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("fixture", WORD, nullable=False),
    Column("seats", String(400), nullable=False),  # entries by seat, "3,1"
    Column("attempt", Integer, nullable=False),
    Column("state", WORD, nullable=False),  # running, over, dropped
    Column("match", ID, unique=True),
    Column("taken_by", ID),  # the node or worker that plays it
    Column("taken_ms", MOMENT),
    Column("ended_ms", MOMENT),
    UniqueConstraint("tournament", "fixture", "seats", "attempt"),
    Index("ix_pairings_state_taken_ms", "state", "taken_ms"),
)

rungs = Table(  # bots on a game's ladder
    "rungs",
    metadata,
    Column("game", WORD, primary_key=True),
    Column("bot", ForeignKey("bots.id"), primary_key=True),
    Column("concurrency", Integer, nullable=False),
    Column("joined_ms", MOMENT, nullable=False),
    Column("left_ms", MOMENT),
    Column("submitted", Boolean),  # the server plays its versions; NULL: it connects
    Column("challenges", Document),  # which it accepts; NULL: the usual ones
)

challenges = Table(  # of one bot on a ladder to another
    "challenges",
    metadata,
    Column("id", ID, primary_key=True),
    Column("game", WORD, nullable=False),
    Column("challenger", ForeignKey("accounts.id"), nullable=False),
    Column("challenged", ForeignKey("accounts.id")),
    Column("bot", NAME),  # a house bot's name, instead of an account
    Column("rated", Boolean, nullable=False),
    Column("state", WORD, nullable=False),  # open, begun, withdrawn, refused, expired
    Column("created_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
    Index("ix_challenges_game_state_created_ms", "game", "state", "created_ms"),
    Index("ix_challenges_challenger_created_ms", "challenger", "created_ms"),
    Index("ix_challenges_challenged_created_ms", "challenged", "created_ms"),
)

map_pools = Table(  # of ladders; a change makes a new version
    "map_pools",
    metadata,
    Column("game", WORD, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),  # 1, 2, ...
    Column("maps", Document, nullable=False),  # with their weights
    Column("created_ms", MOMENT, nullable=False),
    Column("account", ForeignKey("accounts.id"), nullable=False),  # who has set it
)

ladder_games = Table(
    "ladder_games",
    metadata,
    Column("match", ID, primary_key=True),  # no reference: its row comes when the match begins
    Column("game", WORD, nullable=False),
    Column("begun_ms", MOMENT, nullable=False),
    Column("why", WORD, nullable=False),  # why these were paired
    Column("rated", Boolean, nullable=False),
    Column("pool", Integer),  # the version of the map pool; NULL: there was none
    Column("map", NAME),  # NULL: the game has generated its board
    Column("players", Document, nullable=False),  # by seat: who, and how long each had been free
    Column("seed", BigInteger),  # NULL: the match is played live, and has it
    Column("taken_by", ID),  # who plays it away from the server; NULL: no one, or it is over
    Column("trial", ID),  # the version that is tested by it; NULL: a game of the ladder itself
    Column("score", Float),  # that version's, 0 to 1; NULL: it is not over, or no trial
    Column("unreported", Boolean),  # true: its result is still to be sent to the webhook; else NULL
    Index("ix_ladder_games_game_begun_ms", "game", "begun_ms"),
    Index("ix_ladder_games_taken_by", "taken_by"),
    Index("ix_ladder_games_trial", "trial"),
    Index("ix_ladder_games_unreported", "unreported"),
)

seeds = Table(  # of open lobbies and of games to come, where several processes are one server
    "seeds",
    metadata,
    Column("id", ID, primary_key=True),  # the lobby's, or the game's that is to come
    Column("node", ID, nullable=False),  # the process that has it
    Column("seed", BigInteger, nullable=False, index=True),
)

records = Table(  # records of matches that were played away from a server's data directory, gzipped
    "records",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", WORD, primary_key=True),  # journal, replay, log-0 (what the bot at a seat wrote)
    Column("content", LargeBinary, nullable=False),
)
