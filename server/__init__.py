"""Everything that waits: sockets, clocks, lobbies and files around the referee's bench."""
