"""Measured traces of the games, and the runner that compares our engines with them."""
