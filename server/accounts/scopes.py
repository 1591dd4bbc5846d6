"""Who may do what: one table. Every route and every socket asks it, docs/hosting.md prints it, a
test compares the three.

A request has one role on this server, by its key, and may have another in the one lobby that it is
about, by one of its tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from server.store.accounts import AccountKind

TokenRole = Literal["owner", "invite", "seat"]
"""Of the tokens of one lobby."""
Role = Literal["anybody"] | AccountKind | TokenRole
Action = Literal[
    "browse",
    "list",
    "watch",
    "watch_private",
    "create",
    "join",
    "join_private",
    "add_bot",
    "start",
    "leave",
    "play",
    "see_seat",
    "enter",
    "hand_in",
    "contest",
    "sign_up",
    "own_account",
    "accounts",
    "admin",
]

KINDS: tuple[AccountKind, ...] = get_args(AccountKind)
TOKENS: tuple[TokenRole, ...] = get_args(TokenRole)
ROLES: tuple[Role, ...] = ("anybody", *KINDS, *TOKENS)

Roles = frozenset[Role]

ANYBODY: Roles = frozenset({"anybody"})
ACCOUNTS: Roles = frozenset(KINDS)
ORGANISER: Roles = frozenset({"organiser"})
MEMBERS: Roles = frozenset(TOKENS)
PLAYERS: Roles = frozenset({"bot", "organiser"})
OWNER: Roles = frozenset({"owner"})
SEAT: Roles = frozenset({"seat"})


@dataclass(frozen=True, slots=True)
class AccessRule:
    """One row: on an open server and on a closed one."""

    about: str
    open: Roles
    closed: Roles


SCOPES: Mapping[Action, AccessRule] = {
    "browse": AccessRule(
        "see games, maps, house bots, schemas, the page, and the health of the server",
        ANYBODY,
        ANYBODY,
    ),
    "list": AccessRule(
        "list public lobbies, matches and replays, tournaments, ladders, ratings", ANYBODY, ACCOUNTS
    ),
    "watch": AccessRule(
        "see a public lobby or match, watch it live, get its records",
        ANYBODY,
        ACCOUNTS | MEMBERS,
    ),
    "watch_private": AccessRule(
        "see a private lobby or match, watch it live, get its records",
        ORGANISER | MEMBERS,
        ORGANISER | MEMBERS,
    ),
    "create": AccessRule("create a lobby", ANYBODY, ORGANISER),
    "join": AccessRule("take a seat in a public lobby", ANYBODY, PLAYERS | MEMBERS),
    "join_private": AccessRule("take a seat in a private lobby", MEMBERS, MEMBERS),
    "add_bot": AccessRule("put a house bot into a free seat", OWNER | SEAT, OWNER | SEAT),
    "start": AccessRule("start with house bots in the free seats", OWNER, OWNER),
    "leave": AccessRule("give a seat back, or resign", SEAT, SEAT),
    "play": AccessRule("play a seat", SEAT, SEAT),
    "see_seat": AccessRule(
        "see what one's own seat saw and sent, during the match and after it", SEAT, SEAT
    ),
    "enter": AccessRule(
        "enter a tournament or a ladder, leave it, be invited to games", PLAYERS, PLAYERS
    ),
    "hand_in": AccessRule(
        "hand in bots, see one's own versions, and what they have written in matches",
        PLAYERS,
        PLAYERS,
    ),
    "contest": AccessRule("create and run tournaments", ORGANISER, ORGANISER),
    "sign_up": AccessRule("create a bot account", ANYBODY, ORGANISER),
    "own_account": AccessRule(
        "see one's own account, create and revoke its keys", ACCOUNTS, ACCOUNTS
    ),
    "accounts": AccessRule(
        "create accounts of any kind, list and disable them, create and revoke the keys of any "
        "account",
        ORGANISER,
        ORGANISER,
    ),
    "admin": AccessRule(
        "list all lobbies and matches, abort a match, drain the server, read the log of these "
        "actions",
        ORGANISER,
        ORGANISER,
    ),
}


def allowed(action: Action, *, closed: bool, sign_up: bool | None = None) -> Roles:
    """The roles that may. `sign_up`: what the operator says of it, whichever the server is; None:
    as the table says."""
    if action == "sign_up" and sign_up is not None:
        return ANYBODY if sign_up else ORGANISER
    scope = SCOPES[action]
    return scope.closed if closed else scope.open


def may(roles: Roles, kind: AccountKind | None, token: TokenRole | None = None) -> bool:
    """Whether an account of this kind (None: none) with this token of the lobby is among them."""
    return "anybody" in roles or kind in roles or token in roles
