"""A still of a released match: what a link to it shows in a chat. It is drawn from the replay."""

from __future__ import annotations

from pathlib import Path

from server.errors import Refusal


def draw_picture(replay: Path) -> bytes:
    """The board in the middle of a match as a PNG, which does not tell how it ends, in the child
    process. Raises Refusal."""
    from client_sdk.api import terminal
    from client_sdk.clip import png
    from client_sdk.console import UserError
    from client_sdk.replay import read
    from games.core.journal import BrokenLine
    from games.core.rerun import Differs

    try:
        record = read(replay.read_bytes())
        game = record.header.game
        if terminal.screen(game) is None or not record.frames:
            raise LookupError(f"there is no picture of {game}")
        middle = len(record.frames) // 2
        names = record.names
        return png(game, record.view(middle), names, " – ".join(names), record.view(0))
    except (BrokenLine, Differs, LookupError, OSError, UserError, ValueError) as fault:
        why = f"this match cannot be drawn here: {fault}"
        raise Refusal(404, "no_such_record", why) from None
