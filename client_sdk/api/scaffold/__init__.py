"""What `botarena new-bot` starts a bot from: one folder per game with its `bot.py`, in the game's
idiom."""
