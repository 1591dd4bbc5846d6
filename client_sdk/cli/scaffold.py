"""`botarena new-bot`: a folder with a bot that runs."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from textwrap import indent
from typing import Annotated, Final

import typer

from client_sdk.cli.arguments import GameArgument
from client_sdk.console import UserError, say
from client_sdk.local.lookup import game_called


class Language(StrEnum):
    """The languages that a new bot can be written in."""

    PYTHON = "python"
    C = "c"
    JAVA = "java"
    NODE = "node"
    RUST = "rust"
    SH = "sh"
    TYPESCRIPT = "typescript"


@dataclass(frozen=True, slots=True)
class LinesLanguage:
    """A language whose bots speak lines on stdin and stdout. The commands run in the bot's folder;
    an empty one is not needed."""

    title: str
    file: str
    build: str
    run: str


LINES: Final = {
    Language.C: LinesLanguage("C", "bot.c", "cc -O2 -o bot bot.c", "./bot"),
    Language.JAVA: LinesLanguage("Java", "Bot.java", "javac Bot.java", "java Bot"),
    Language.NODE: LinesLanguage("Node", "bot.mjs", "", "node bot.mjs"),
    Language.RUST: LinesLanguage("Rust", "bot.rs", "rustc -O bot.rs", "./bot"),
    Language.SH: LinesLanguage("sh and jq", "bot.sh", "", "sh bot.sh"),
}


def new_bot(
    game: GameArgument,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Where.", show_default="./GAME-bot")
    ] = None,
    language: Annotated[
        Language, typer.Option(help="The language of the bot; sh needs jq.")
    ] = Language.PYTHON,
) -> None:
    """Make a bot to start from: it plays at once.

    \b
    botarena new-bot pyrat
    botarena new-bot botstack ~/bots/lucky
    botarena new-bot zooscape --language rust
    """
    from client_sdk.bots import HOUSE, default_opponent

    chosen = game_called(game)
    source = _source(game, chosen.title, language)
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
    lines = LINES.get(language)
    if language is Language.TYPESCRIPT:
        play = f'botarena play {game} "node bot.ts" {opponents}'
        try_it = f"cd {shlex.quote(str(target))}, install the SDK (README.md), {play}"
        contents = {
            "bot.ts": source,
            "package.json": _PACKAGE,
            "README.md": _TYPESCRIPT_README.format(**words, play=play),
        }
    elif lines is None:
        bot = shlex.quote(str(target / "bot.py"))
        try_it = f"botarena play {game} {bot} {opponents}"
        contents = {
            "bot.py": source,
            "test_bot.py": _TEST.format(**words),
            "README.md": _README.format(**words),
        }
    else:
        play = f'botarena play {game} "lines:{lines.run}" {opponents}'
        try_it = " && ".join(
            part for part in (f"cd {shlex.quote(str(target))}", lines.build, play) if part
        )
        build = f"# build\n{lines.build}\n" if lines.build else ""
        contents = {
            lines.file: source,
            "README.md": _LINES_README.format(
                **words, language=lines.title, build=build, play=play, run=lines.run
            ),
        }
    _write(target, contents)
    say(f"{target}: {', '.join(contents)}. Try it: {try_it}")


def _source(game: str, title: str, language: Language) -> str:
    """The bot's program. Raises UserError."""
    if language is Language.TYPESCRIPT:
        return typescript_bot(game, title)
    if language is not Language.PYTHON:
        return lines_bot(game, title, language)
    plays = "a class that inherits from botarena.Bot plays it: docs/games.md"
    return _text(f"{game} has no bot to start from; {plays}", game, "bot.py")


def lines_bot(game: str, title: str, language: Language) -> str:
    """The program of a bot that speaks lines: what all games share, with the game's `choose`.
    Raises UserError."""
    lines = LINES[language]
    file = Path(lines.file)
    missing = f"{game} has no bot to start from in {lines.title}; PROTOCOL.md has the messages"
    skeleton = _text(missing, "lines", language, file.name).replace("{title}", title)
    before, _, after = skeleton.partition("{choose}")
    choose = _text(missing, "lines", language, f"{game}{file.suffix}")
    return before + indent(choose, before.rpartition("\n")[2]).strip() + after


def typescript_bot(game: str, title: str) -> str:
    """The program of a bot that uses the SDK: `choose` is that of Node, with the type of its view.
    Raises UserError."""
    missing = f"{game} has no bot to start from in TypeScript; PROTOCOL.md has the messages"
    choose = _text(missing, "lines", Language.NODE, f"{game}.mjs")
    view = f"{game.capitalize()}View"
    typed = re.sub(r"function choose\((.*)\) \{", rf"function choose(\1: {view}) {{", choose)
    text = _text(missing, "typescript", "bot.ts")
    for name, value in (
        ("title", title),
        ("game", game),
        ("view", view),
        ("choose", typed.strip()),
    ):
        text = text.replace(f"{{{name}}}", value)
    return text


def _text(missing: str, *path: str) -> str:
    """A file of the scaffold; without it UserError(missing)."""
    file = files("client_sdk.api.scaffold").joinpath(*path)
    if not file.is_file():
        raise UserError(missing)
    return file.read_text(encoding="utf-8")


def _write(target: Path, contents: dict[str, str]) -> None:
    """Raises UserError."""
    taken = [name for name in contents if (target / name).exists()]
    if taken:
        raise UserError(
            f"{target / taken[0]} is there already; nothing was written. Name another folder"
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (target / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise UserError(f"{target}: {fault.strerror or fault}") from None


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
# does it hold? (pip install pytest)
python -m pytest
# play on a server
python bot.py --url http://127.0.0.1:8000
```

Before a contest: `botarena check-bot bot.py`.
To look at a lost match: `botarena play … --replay-dir replays`, then `botarena replay FILE`.
"""

_LINES_README: Final = """# A bot for {title}, in {language}

In this folder:

```
{build}# play
{play}
# is it ready for a contest?
botarena check-bot "lines:{run}" --game {game}
# play on a server
botarena join http://127.0.0.1:8000 --game {game} "lines:{run}"
```

The bot reads messages from standard input and writes its answers to standard output: one JSON
object a line. Standard error is its log. Its function `choose` gets the view of a turn and gives
the commands. `games/{game}/RULES.md` of Botarena describes both, in sections 7 and 6, and
`client_sdk/PROTOCOL.md` the messages, in section 7.
"""

_PACKAGE: Final = """{
  "private": true,
  "type": "module"
}
"""

_TYPESCRIPT_README: Final = """# A bot for {title}, in TypeScript

Build the SDK in a clone of Botarena (`npm ci`, `npm pack --workspace botarena`) and install the
file here; `sdk/typescript/README.md` of the clone describes it. Then, in this folder:

```
npm install PATH/botarena-0.1.0.tgz ws
# play
{play}
# is it ready for a contest?
botarena check-bot "node bot.ts" --game {game}
# play on a server
botarena join http://127.0.0.1:8000 --game {game} "node bot.ts"
```

Node 22.18 and later run `bot.ts` directly; for others compile it:
`npx tsc --target es2022 --module nodenext --moduleResolution nodenext bot.ts`, and play with
`node bot.js`. `games/{game}/RULES.md` of Botarena describes views and commands, in sections 7
and 6.
"""
