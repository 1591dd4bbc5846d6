"""Players that play what was played in a recorded match: opponents that are not here."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from client_sdk.console import UserError
from client_sdk.local.headless import Origin
from client_sdk.local.lookup import known_game
from client_sdk.stamps import whole
from games.core.journal import BrokenLine, encode, lines
from games.core.rerun import Differs

WORD: Final = "recorded"
FILE: Final = """\
import json

from botarena import Bot

COMMANDS = json.loads({commands!r})


class Recorded(Bot):
    game = {game!r}
    name = {name!r}

    def decide(self, view):
        turn = self.link.turn()  # unknown in a process of its own
        shown = view.get("turn", view.get("tick")) if turn is None else {shown}
        return COMMANDS.pop(str(shown), [])
"""


def stood_in(words: Sequence[str], origin: Origin | None) -> list[str]:
    """The words of players, with a file for each that is `recorded`, which is kept until the
    program ends: it plays what its seat has played in the match of `origin`, for as long as the
    match goes as it went. Raises UserError, OSError."""
    if WORD not in words:
        return [*words]
    if origin is None:
        raise UserError(f"{WORD} stands for a player of a recorded match: name one with --from")
    kept = TemporaryDirectory(prefix="botarena-recorded-")
    atexit.register(kept.cleanup)
    folder = Path(kept.name)
    return [
        _file(origin, seat, folder) if word == WORD else word for seat, word in enumerate(words)
    ]


def _file(origin: Origin, seat: int, folder: Path) -> str:
    header = origin.header()
    game = known_game(str(header["game"]))
    parts = 1 if game is None else game.turn_parts
    try:
        turns = _commands(origin.journal, seat, parts)
    except (BrokenLine, Differs) as fault:
        raise UserError(f"the journal does not hold: {fault}") from None
    seats = header["seats"]
    if not seat < len(seats):
        raise UserError(f"the recorded match has {len(seats)} seats")
    name = f"{seats[seat].get('name') or 'seat'} ({WORD})"
    file = folder / f"{WORD}_{seat}.py"
    shown_as = "turn" if parts == 1 else f"turn // {parts} + 1"
    text = FILE.format(commands=encode(turns), game=str(header["game"]), name=name, shown=shown_as)
    file.write_text(text, encoding="utf-8")
    return str(file)


def _commands(journal: str, seat: int, parts: int) -> dict[str, list[object]]:
    """What this seat has sent, by the turn that its views have. Raises BrokenLine, Differs."""
    turns: dict[str, list[object]] = {}
    for line in lines(journal):
        fields = line.fields
        if fields.get("k") == "command" and fields.get("s") == seat:
            number = whole(fields, "n")
            shown = number if parts == 1 else number // parts + 1
            turns.setdefault(str(shown), []).append(fields.get("c"))
    return turns
