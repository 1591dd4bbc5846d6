"""An HTTP error: a status, a machine code, a sentence, the wrong field and its allowed values."""

from __future__ import annotations

from functools import partial
from typing import Any

from games.core.contract import BadSetup, Json
from server.tokens import masked

LONGEST_TEXT = 1_000
LONGEST_FIELD = 200
"""Characters. A text may repeat what a client sent, which may be megabytes."""


class Refusal(Exception):
    def __init__(
        self, status: int, code: str, text: str, *, field: str | None = None, allowed: Json = None
    ) -> None:
        self.status = status
        self.code = code
        self.text = cut(text, LONGEST_TEXT)
        super().__init__(f"{code}: {self.text}")
        self.field = None if field is None else cut(field, LONGEST_FIELD)
        self.allowed = allowed

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process may raise it."""
        again = partial(Refusal, field=self.field, allowed=self.allowed)
        return again, (self.status, self.code, self.text)

    def json(self) -> dict[str, Json]:
        """The body of the response. A token that was sent in the wrong place is masked."""
        text, field = masked(self.text), None if self.field is None else masked(self.field)
        return {"code": self.code, "text": text, "field": field, "allowed": self.allowed}


def cut(text: str, longest: int) -> str:
    """The text, or its beginning with three dots."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def bad_setup(fault: BadSetup, within: str = "config") -> Refusal:
    """No match can be made of this."""
    field = fault.field
    if field not in (None, "seed", "map"):
        field = f"{within}.{field}"
    return Refusal(422, fault.code, fault.why, field=field, allowed=fault.allowed)


def not_storable() -> Refusal:
    """The request has a value that no database could hold."""
    text = "the request has a value that is never stored: the character NUL, or too large a number"
    return Refusal(422, "bad_value", text)
