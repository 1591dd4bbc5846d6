"""`botarena new-bot`: a folder with a bot that runs."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import typer

from client_sdk.cli.arguments import GameArgument
from client_sdk.console import UserError, say
from client_sdk.local.lookup import game_called


def new_bot(
    game: GameArgument,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Where.", show_default="./GAME-bot")
    ] = None,
) -> None:
    """Make a bot to start from: it plays at once, and has a test.

    \b
    botarena new-bot pyrat
    botarena new-bot botstack ~/bots/lucky
    """
    from client_sdk.bots import HOUSE, default_opponent

    chosen = game_called(game)
    start = files("client_sdk.api.scaffold").joinpath(game, "bot.py")
    if not start.is_file():
        plays = "a class that inherits from botarena.Bot plays it: docs/games.md"
        raise UserError(f"{game} has no bot to start from; {plays}")
    seats, opponent = chosen.seats(chosen.rules()), default_opponent(HOUSE[game])
    target = Path(f"{game}-bot") if folder is None else folder.expanduser()
    opponents = " ".join([opponent] * (seats - 1))
    words = {
        "game": game,
        "title": chosen.title,
        "opponent": opponent,
        "opponents": opponents,
        "last": seats - 1,
    }
    contents = {
        "bot.py": start.read_text(encoding="utf-8"),
        "test_bot.py": _TEST.format(**words),
        "README.md": _README.format(**words),
    }
    taken = [name for name in contents if (target / name).exists()]
    if taken:
        raise UserError(f"{target / taken[0]} is there already; nothing was written")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (target / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise UserError(f"{target}: {fault.strerror or fault}") from None
    bot = shlex.quote(str(target / "bot.py"))
    say(f"{target}: bot.py, test_bot.py, README.md. Try it: botarena play {game} {bot} {opponents}")


_TEST: Final = '''"""The bot plays whole matches, first seat and last.

`botarena replay … --test` adds lost moments."""

from pathlib import Path

import pytest

from botarena import GAMES, Match, house_bot, load_bot, play_headless

BOT = Path(__file__).parent / "bot.py"


@pytest.mark.parametrize("seat", [0, {last}])
def test_the_bot_plays_to_the_end(seat):
    match = Match.begin(GAMES["{game}"], {{}}, seed=1)
    bots = [house_bot("{game}", "{opponent}") for _ in range(match.seats)]
    bots[seat] = load_bot(BOT, "{game}")

    play_headless(match, bots)

    assert match.outcome is not None
'''

_README: Final = """# A bot for {title}

```
# how good is it?
botarena play {game} bot.py {opponents} --games 20 --swap
# does it hold?
pytest
# play on a server
python bot.py --url http://127.0.0.1:8000
```

Before a contest: `botarena check-bot bot.py --game {game}`.
To look at a lost match: `botarena play … --replay-dir replays`, then `botarena replay FILE`.
"""
