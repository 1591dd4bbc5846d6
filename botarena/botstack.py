"""BotStack 01 for bot authors: the base class of a bot, with its types and constants."""

from client_sdk.api.botstack import *  # noqa: F403
from client_sdk.api.botstack import __all__ as __all__
