"""A no to a caller over HTTP: a status, a machine code, a sentence, the field that is wrong and what may stand there."""

from __future__ import annotations

from typing import Any

from games.core.contract import BadSetup
from server.tokens import masked

Json = Any


class Refusal(Exception):
    def __init__(self, status: int, code: str, text: str, *, field: str | None = None, allowed: Json = None) -> None:
        super().__init__(f"{code}: {text}")
        self.status = status
        self.code = code
        self.text = text
        self.field = field
        self.allowed = allowed

    def json(self) -> dict[str, Json]:
        """What is told. A token that was sent in the wrong place is not repeated."""
        field = None if self.field is None else masked(self.field)
        return {"code": self.code, "text": masked(self.text), "field": field, "allowed": self.allowed}


def bad_setup(fault: BadSetup, within: str = "config") -> Refusal:
    """No match can be made of this."""
    field = fault.field if fault.field is None or fault.field in ("seed", "map") else f"{within}.{fault.field}"
    return Refusal(422, fault.code, fault.why, field=field, allowed=fault.allowed)
