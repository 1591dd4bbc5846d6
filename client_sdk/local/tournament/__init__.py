"""A tournament on this machine: its file, its folder, its games, its tables and its page."""
