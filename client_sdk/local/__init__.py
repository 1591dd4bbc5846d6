"""Matches and tournaments on this machine: headless, in a pool of processes, or on a server."""
