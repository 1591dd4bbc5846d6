"""A tournament on this machine: its file, its folder, its games, and how it stands as tables and as
a page."""
