"""All that a bot author installs: the talk, the connection, and the idioms of the games."""
