"""Matches and tournaments on this machine: headless, by a pool of processes, or through a server of
our own."""
