"""Tokens: whoever holds one may. Only digests are kept, and none is ever logged."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Literal

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that look like one another."""


def new_token(kind: Literal["seat", "owner", "invite"]) -> str:
    return f"{kind[0]}_{secrets.token_urlsafe(24)}"


def digest(token: str, salt: str = "") -> str:
    return sha256(f"{salt}{token}".encode("utf-8", "surrogatepass")).hexdigest()


def new_id() -> str:
    """A lobby's and match's name in addresses and files: 60 random bits, nothing to guess."""
    return "".join(secrets.choice(_LETTERS) for _ in range(12))
