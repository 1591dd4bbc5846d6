"""Many matches: what a contest makes of their results. Knows no game."""
