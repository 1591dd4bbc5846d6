"""Before a match: making lobbies, taking seats, house bots."""
