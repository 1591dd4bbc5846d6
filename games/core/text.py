"""Text of files and requests, and values in error messages."""

from __future__ import annotations


def text_of(given: bytes | str, *, exact: bool = False) -> str:
    """The text without the byte order mark that some editors put in front of it.

    `exact`: bytes that are not UTF-8 stay visible as surrogates, for records, where every changed
    byte must show. Raises UnicodeDecodeError otherwise.
    """
    if isinstance(given, bytes):
        given = given.decode("utf-8", "surrogateescape" if exact else "strict")
    return given.removeprefix("\ufeff")


def quoted(value: object) -> str:
    """A short description of a value for an error message; lists and objects are only named."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:40] + "…")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, int | float):
        return repr(value) if abs(value) < 10**9 else "a number out of range"
    return "a list" if isinstance(value, list) else "an object"
