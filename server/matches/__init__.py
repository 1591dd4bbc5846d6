"""Matches as they are played: the live driver, its clocks, its audience and its record."""
