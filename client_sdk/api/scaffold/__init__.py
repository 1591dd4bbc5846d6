"""The bots that `botarena new-bot` copies: per game a folder with a `bot.py`, and in `lines` per
language a bot without a game, with the function `choose` of each game beside it."""
