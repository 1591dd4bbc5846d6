"""Who plays: what a word on the command line means. A house bot's name, a Python or C file, or a
command in any language."""

from __future__ import annotations

import contextlib
import difflib
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from client_sdk.console import UserError

if TYPE_CHECKING:
    from client_sdk.bot import Bot
    from client_sdk.bounds import Bounds


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """One player of a run of games. `spec` is what was typed, `label` what tables call it."""

    label: str
    spec: str
    kind: Literal["house", "file", "command"]
    trusted: bool = field(default=False, compare=False)
    """Whether it may play without a sandbox."""
    home: str = ""
    """The folder that a file is in, or where a command starts; empty: where we are."""
    own: tuple[str, ...] = ()
    """The files and folders that are the bot's."""


def player_specs(game: str, specs: Sequence[str]) -> list[PlayerSpec]:
    """The players that these words name; equal labels are numbered. Raises UserError."""
    found = [player_spec(game, spec) for spec in specs]
    labels = [player.label for player in found]
    return [
        player
        if labels.count(player.label) == 1
        else PlayerSpec(
            f"{player.label} {labels[: at + 1].count(player.label)}", player.spec, player.kind
        )
        for at, player in enumerate(found)
    ]


def player_spec(game: str, spec: str) -> PlayerSpec:
    """The player that one word names. Raises UserError."""
    from client_sdk.api.adapters import FILES
    from client_sdk.bots import HOUSE

    house = HOUSE.get(game, {})
    if spec in house:
        return PlayerSpec(spec, spec, "house")
    if spec.endswith(FILES) and is_file(
        spec
    ):  # before it is split: folders have spaces in their names
        return PlayerSpec(Path(spec).stem, spec, "file")
    if spec.endswith(FILES) and " " not in spec.strip():
        raise UserError(f"{spec}: there is no such file")
    try:
        found = words(spec)
    except ValueError as fault:
        raise UserError(f"{spec}: this is no command: {str(fault).lower()}") from None
    if found and (shutil.which(found[0]) or is_file(found[0])):
        return PlayerSpec(Path(found[-1]).stem, spec, "command")
    raise UserError(
        f"{spec}: no house bot of {game} ({', '.join(house) or 'it has none'}), no .py or .c "
        f"file and no command{_close(spec, house)}"
    )


def words(command: str) -> list[str]:
    """A command as a list, as a shell would read it. Raises ValueError."""
    return shlex.split(command, posix=os.name != "nt")


def is_file(name: str) -> bool:
    """Whether there is such a file; what is too long for a file's name is none."""
    try:
        return Path(name).is_file()
    except OSError:
        return False


def maker(
    game: str, player: PlayerSpec, stack: contextlib.ExitStack | None = None
) -> Callable[[], Bot]:
    """A function that makes this player again for each game. `stack`: ends the processes of files
    that are compiled, which need one. Raises BadBot."""
    from client_sdk import bot

    if player.kind == "house":
        return lambda: bot.house(game, player.spec)
    if is_compiled(player):
        assert stack is not None, "what is compiled has a process, which has to be ended"
        return lambda: _isolated(game, player, stack)
    first = [bot.load(player.spec, game)]
    return lambda: first.pop() if first else bot.load(player.spec, game)


def _isolated(game: str, player: PlayerSpec, stack: contextlib.ExitStack) -> Bot:
    """The player in a process whose output is not kept. Raises BadBot."""
    from client_sdk.isolated import Isolated
    from games import GAMES

    logs = stack.enter_context(tempfile.TemporaryDirectory(prefix="botarena-logs-"))
    return stack.enter_context(Isolated(player.spec, GAMES[game], Path(logs, "bot.log")))


def plays_apart(game: str, player: PlayerSpec, wanted: bool | None) -> bool:
    """Whether this player gets a process of its own: a file that is compiled does, another if it is
    wanted, or by its game if `wanted` is None."""
    from client_sdk.api.adapters import APART

    if player.kind != "file":
        return False
    return is_compiled(player) or (game in APART if wanted is None else wanted)


def is_compiled(player: PlayerSpec) -> bool:
    """Whether this player is a file that never runs in our process."""
    from client_sdk.api.adapters import COMPILED

    return player.kind == "file" and Path(player.spec).suffix in COMPILED


def bounds_of(player: PlayerSpec, limits: Bounds | None) -> Bounds | None:
    """What this player may use: a house bot anything, one that is trusted sees the machine."""
    if player.kind == "house" or limits is None:
        return None
    return replace(limits, sandbox="none") if player.trusted else limits


def command(game: str, player: PlayerSpec) -> str | list[str]:
    """How to start this player as a process of its own."""
    from client_sdk.process import python_bot

    if player.kind == "command":
        return player.spec
    return python_bot(
        f"{game}/{player.spec}" if player.kind == "house" else Path(player.spec).resolve()
    )


def known(what: str, name: str, names: Iterable[str]) -> None:
    """Raises UserError unless `name` is one of the names."""
    names = list(names)
    if name not in names:
        raise UserError(
            f"no {what} is called {name!r}; there are "
            f"{', '.join(names) or 'none'}{_close(name, names)}"
        )


def _close(word: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(names), n=1)
    return f". Did you mean {close[0]}?" if close else ""
