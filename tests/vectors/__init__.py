"""Measured traces of the games, and the one runner that holds our engines against them."""
