"""The games: rules of play, pure, standard library only. Everybody outside goes through GAMES."""
