"""The idioms that competitors of each game know, one module per game; `raw` for any game."""
