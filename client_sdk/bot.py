"""A bot: it sees views and names commands. One object plays live (`run`) or headless.

Everything about bots that is not one game's, under one name: the base class, its link, loading and
headless matches."""

from client_sdk.base import Bot
from client_sdk.headless import play_headless
from client_sdk.link import HeadlessBot, HeadlessLink, Link
from client_sdk.loading import house, load
from client_sdk.start import Start, start_of

__all__ = [
    "Bot",
    "HeadlessBot",
    "HeadlessLink",
    "Link",
    "Start",
    "house",
    "load",
    "play_headless",
    "start_of",
]
