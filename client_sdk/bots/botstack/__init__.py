"""House bots of BotStack 01."""
