"""Carnegie Cookoff for bot authors: the base class of a bot, and the types and constants that it
uses."""

from client_sdk.api.cookoff import *  # noqa: F403
from client_sdk.api.cookoff import __all__ as __all__
