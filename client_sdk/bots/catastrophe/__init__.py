"""House bots of Catastrophe."""
