"""Sockets: what listens, reads and writes, and what one client may take of it."""
