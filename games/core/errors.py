"""The base of every exception that Botarena raises for its users to catch."""

from __future__ import annotations


class BotarenaError(Exception):
    """Something that Botarena reports: catch this one to catch them all."""
