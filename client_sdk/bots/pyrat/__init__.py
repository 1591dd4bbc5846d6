"""House bots of PyRat."""
