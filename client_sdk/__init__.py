"""All that a bot author installs: the protocol, the connection, and the idioms of the games."""
