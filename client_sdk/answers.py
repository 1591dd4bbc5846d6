"""What a bot in a foreign form answers: one command, or a list of them, for the whole turn."""

from __future__ import annotations

from games.core.contract import AnyGame, Json


def whole_turn(game: AnyGame, answer: Json) -> list[Json]:
    """The commands of an answer; None gives none. In a game whose turns are many commands they end
    the turn."""
    given = answer if isinstance(answer, list | tuple) else [] if answer is None else [answer]
    commands = [game.from_shorthand(command) for command in given]
    end = game.end_turn
    return commands if end is None or end in commands else [*commands, end]
