"""Bearer tokens. Only digests are kept, and none is ever logged.

A token is 192 random bits, so it cannot be guessed and needs no slow hash: a plain SHA-256 cannot
be inverted, however fast it is tried. Passwords, which people make up, are different."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from typing import Literal

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that look like one another."""
_KEY = "k_"
_HOME = "~"
"""Stands between an id or a token and the name of the process that made it, if that has one."""
NODE = "[A-Za-z0-9_.-]{1,24}"
"""The name of a process."""
_TOKEN = re.compile(rf"([soik]_)[A-Za-z0-9_-]{{32}}(?:{_HOME}{NODE})?")
_ID = re.compile(f"[{_LETTERS}]{{12}}{_HOME}{NODE}")
_UNDERSCORE = ord("_")
_WORD = re.compile(rb"_(?<=[^A-Za-z0-9_-][soik]_)[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])")
"""The letter before the underscore is checked last: a frame without underscores costs nothing."""


def new_token(kind: Literal["seat", "owner", "invite", "key"], lobby: str = "") -> str:
    """Its first letter says what it opens: a seat, a lobby as its owner or its guest, an account (a
    key). It bears the name of the process that its lobby does."""
    return f"{kind[0]}_{secrets.token_urlsafe(24)}{_ending(home_name(lobby))}"


def is_key(token: str) -> bool:
    """Whether this is an account's key, by its looks; any other token is a lobby's."""
    return token.startswith(_KEY)


def is_seat_token(token: str) -> bool:
    """Whether this is a seat's token, by its looks."""
    return token.startswith("s_") and _TOKEN.fullmatch(token) is not None


def digest(token: str, salt: str = "") -> str:
    return sha256(f"{salt}{token}".encode("utf-8", "surrogatepass")).hexdigest()


def masked(text: str) -> str:
    """The same without the secret part of anything that looks like a token: what is logged or sent
    back goes through here."""
    return _TOKEN.sub(r"\1…", text)


def holds_token(frame: bytes) -> bool:
    """Whether a word in there looks like a token."""
    return _UNDERSCORE in frame and _WORD.search(frame) is not None


def new_id(node: str = "") -> str:
    """A lobby's and match's name in addresses and files: 60 random bits, nothing to guess. `node`:
    the process that makes it, if there are several."""
    return "".join(secrets.choice(_LETTERS) for _ in range(12)) + _ending(node)


def is_id(text: str) -> bool:
    """Whether this is an id with the name of a process, by its looks."""
    return _ID.fullmatch(text) is not None


def home_name(text: str) -> str:
    """The process that an id or a token names; empty: none."""
    return text.rpartition(_HOME)[2] if _HOME in text else ""


def _ending(node: str) -> str:
    return f"{_HOME}{node}" if node else ""
