"""One match, of any game: the contract and its drivers."""
