"""The bots that `botarena new-bot` copies: per game a folder with a `bot.py`."""
