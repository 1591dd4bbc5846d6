"""A frame as a message of a client."""

from __future__ import annotations

import re
from array import array
from itertools import accumulate

import msgspec

from client_sdk.wire.messages import Incoming, Info, read_incoming

NESTING = 32
INFO_BYTES = 4096

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
"""One that never ends goes to the end of the text, so that nothing is looked through twice."""
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


class MalformedFrame(Exception):
    """A frame that is no message of a client."""


def read(payload: bytes, text: bool) -> Incoming:
    """A frame as a message. Raises MalformedFrame; what it says quotes nothing that was sent."""
    if not text:
        raise MalformedFrame("expected a text frame, got a binary one")
    if payload.count(b"[") + payload.count(b"{") > NESTING and too_deep(payload):
        raise MalformedFrame(f"nested deeper than {NESTING}")
    try:
        message = read_incoming(payload)
    except msgspec.ValidationError as fault:
        why = str(fault)
        if why.startswith("Invalid value"):
            why = "its type is none of those that a client may send"
        raise MalformedFrame(f"no message of this protocol: {why}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise MalformedFrame("not JSON") from None
    if isinstance(message, Info) and len(payload) > INFO_BYTES:
        raise MalformedFrame(f"an info message may have {INFO_BYTES} bytes")
    return message


def too_deep(payload: bytes) -> bool:
    """Whether brackets outside of strings are nested deeper than allowed."""
    brackets = _STRING.sub(b"", payload).translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(array("b", brackets)), default=0) > NESTING
