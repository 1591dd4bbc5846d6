"""Carnegie Cookoff for bot authors: the base class of a bot, with its types and constants."""

from client_sdk.api.cookoff import *  # noqa: F403
from client_sdk.api.cookoff import __all__ as __all__
