"""Text as files and requests give it."""

from __future__ import annotations


def text_of(given: bytes | str, *, exact: bool = False) -> str:
    """The text without the byte order mark that some editors put in front of it.

    `exact`: bytes that are not UTF-8 stay visible as surrogates, for records, where every changed
    byte must show. Raises UnicodeDecodeError otherwise.
    """
    text = (
        given
        if isinstance(given, str)
        else given.decode("utf-8", "surrogateescape" if exact else "strict")
    )
    return text.removeprefix("\ufeff")
