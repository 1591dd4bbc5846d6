"""The base class of every exception that Botarena raises for its users to catch."""

from __future__ import annotations


class BotarenaError(Exception):
    """The base class of every exception that is meant to be caught. Other exceptions are bugs."""
