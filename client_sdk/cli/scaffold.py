"""`botarena new-bot`: a folder with a bot that runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new_bot(
    game: Annotated[str, typer.Argument(help="Which game; botarena games lists them.", show_default=False)],
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where; by default ./GAME-bot.")] = None,
) -> None:
    """Make a bot to start from."""
