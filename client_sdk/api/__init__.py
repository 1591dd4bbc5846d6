"""The idioms that competitors of each game know, one module per game; `raw` for any game;
`adapters` for bots of other kinds."""
