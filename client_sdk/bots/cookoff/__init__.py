"""House bots of Carnegie Cookoff."""
