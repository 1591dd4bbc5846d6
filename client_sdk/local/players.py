"""Who plays: what a word on the command line means, and the bot that it stands for."""

from __future__ import annotations

import contextlib
import difflib
import os
import shlex
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from client_sdk.console import UserError
from games.core.names import numbered

if TYPE_CHECKING:
    from client_sdk.bot import Bot
    from client_sdk.bounds import Bounds
    from client_sdk.output import LogFile
    from games.core.contract import AnyGame


BotKind: TypeAlias = Literal["house", "file", "lines", "lux", "webhook", "command"]

PREFIXES: Final[dict[str, BotKind]] = {"lines:": "lines", "lux:": "lux"}
"""What a word begins with that names a program, by what the program speaks."""
ADDRESSES: Final = ("http://", "https://")
"""What a word begins with that names a webhook."""

KINDS: Final = (
    "A house bot, a .py or .c file, lines:COMMAND for a program that speaks JSON lines (lux:COMMAND"
    " in the form of the Lux contests), a command for one that speaks websockets, or a webhook's "
    "address (http://...)."
)
"""The kinds of a player, for the help of every verb that takes one."""
LINES_HINT: Final = "if it reads lines from its standard input, put lines: in front of its command"
"""What to say of a program that was to open a websocket and ended by itself."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """One player of a run of games. `spec` is what was typed, `label` what tables call it."""

    label: str
    spec: str
    """A name, a file, or a command without its prefix."""
    kind: BotKind
    trusted: bool = field(default=False, compare=False)
    """Whether it may play without a sandbox."""
    home: str = ""
    """The folder that a file is in, or where a command starts; empty: where we are."""
    own: tuple[str, ...] = ()
    """The files and folders that are the bot's."""

    @property
    def connects(self) -> bool:
        """Whether it is a program that connects to a server by itself."""
        return self.kind == "command"

    @property
    def is_program(self) -> bool:
        """Whether it is a command that is started, in whatever form it speaks."""
        return self.kind in ("command", *PREFIXES.values())

    @property
    def word(self) -> str:
        """What names it on a command line."""
        prefix = next((prefix for prefix, kind in PREFIXES.items() if kind == self.kind), "")
        return prefix + self.spec


def player_specs(game: str, specs: Sequence[str]) -> list[PlayerSpec]:
    """The players that these words name; equal labels are numbered. Raises UserError."""
    found = [player_spec(game, spec) for spec in specs]
    labels = [player.label for player in found]
    return [
        player
        if labels.count(player.label) == 1
        else replace(player, label=numbered(player.label, labels[: at + 1].count(player.label)))
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
    if spec.startswith(ADDRESSES):
        return PlayerSpec(_host(spec), spec, "webhook")
    prefix = next((prefix for prefix in PREFIXES if spec.startswith(prefix)), "")
    if spec.endswith(FILES) and " " not in spec.strip() and not prefix:
        raise UserError(f"{spec}: there is no such file")
    command = spec.removeprefix(prefix)
    try:
        found = words(command)
    except ValueError as fault:
        raise UserError(f"{spec}: this is no command: {str(fault).lower()}") from None
    if found and (shutil.which(found[0]) or is_file(found[0])):
        return PlayerSpec(Path(found[-1]).stem, command, PREFIXES.get(prefix, "command"))
    if prefix:
        what = f"no program is called {found[0]}" if found else "expected a command after it"
        raise UserError(f"{spec}: {what}")
    raise UserError(
        f"{spec}: no house bot of {game} ({', '.join(house) or 'it has none'}), no .py or .c "
        f"file and no command{close_to(spec, house)}"
    )


def _host(address: str) -> str:
    """Host and port of a webhook. Raises UserError, which does not repeat the address: it may have
    a password."""
    from client_sdk.address import http_url

    try:
        return urlsplit(http_url(address)).netloc
    except ValueError:
        raise UserError(
            "no address of a webhook: expected http://HOST:PORT/PATH or https://, without a user "
            "or password"
        ) from None


def words(command: str) -> list[str]:
    """A command as a list, as a shell would read it. Raises ValueError."""
    return shlex.split(command, posix=os.name != "nt")


def is_file(name: str) -> bool:
    """Whether there is such a file; what is too long for a file's name is none."""
    try:
        return Path(name).is_file()
    except OSError:
        return False


def opened(
    game: AnyGame,
    player: PlayerSpec,
    log: LogFile | None = None,
    *,
    apart: bool | None = None,
    limit_s: float | None = None,
    bounds: Bounds | None = None,
    own: Collection[Path] | None = None,
) -> contextlib.AbstractContextManager[Bot]:
    """The bot that this player is, for one match; leaving it ends what it has started.

    `log`: for the output of a process of its own, by default it is not kept. `apart`: as in
    `plays_apart`. `limit_s`, `bounds`, `own`: as for `Isolated`. A program that connects to a
    server is no such bot. Raises BadBot, NoSandbox.
    """
    from client_sdk import bot
    from client_sdk.isolated import Isolated
    from client_sdk.leaving import exits_raise
    from client_sdk.lines import LinesBot
    from client_sdk.lux import LuxBot
    from client_sdk.webhook import WebhookBot

    if player.kind == "house":
        return contextlib.nullcontext(bot.house(game.name, player.spec))
    if player.kind == "webhook":
        return WebhookBot(player.spec, game, limit_s=limit_s)
    if player.kind in ("lines", "lux"):
        form = LinesBot if player.kind == "lines" else LuxBot
        cwd = Path(player.home) if player.home else None
        program = form(player.spec, game, log, limit_s=limit_s, bounds=bounds, cwd=cwd)
        program.name = player.label
        return program
    assert player.kind == "file", "it connects to a server"
    if not plays_apart(game.name, player, apart):
        with exits_raise():
            return contextlib.nullcontext(bot.load(player.spec, game.name))
    file = Path(player.spec).resolve()
    return Isolated(file, game, log, limit_s=limit_s, bounds=bounds, own=own)


def placed(players: Iterable[PlayerSpec]) -> list[PlayerSpec]:
    """These players, found from any working directory: a bot in our process may change it."""
    return [
        replace(player, spec=str(Path(player.spec).absolute())) if player.kind == "file" else player
        for player in players
    ]


def plays_apart(game: str, player: PlayerSpec, wanted: bool | None) -> bool:
    """Whether this player gets a process of its own: a program and a file that is compiled do,
    another file if it is wanted, or by its game if `wanted` is None."""
    from client_sdk.api.adapters import APART

    if player.kind != "file":
        return player.is_program
    return is_compiled(player) or (game in APART if wanted is None else wanted)


def is_compiled(player: PlayerSpec) -> bool:
    """Whether this player is a file that never runs in our process."""
    from client_sdk.api.adapters import COMPILED

    return player.kind == "file" and Path(player.spec).suffix in COMPILED


def is_prefixed(word: str) -> bool:
    """Whether a word says by its beginning what it names: a program's form, or an address."""
    return word.startswith((*PREFIXES, *ADDRESSES))


def bounds_of(player: PlayerSpec, limits: Bounds | None) -> Bounds | None:
    """What this player may use: a house bot anything, one that is trusted sees the machine."""
    if player.kind in ("house", "webhook") or limits is None:
        return None
    return replace(limits, sandbox="none") if player.trusted else limits


def command(game: str, player: PlayerSpec) -> str | list[str]:
    """How to start this player as a process of its own, in its `home`."""
    from client_sdk.process import python_bot

    if player.connects:
        return player.spec
    if player.kind == "file":  # in a sandbox there is nothing but its home
        file = Path(player.spec)
        return python_bot(file.name if player.home else file.resolve())
    return python_bot(f"{game}/{player.spec}" if player.kind == "house" else player.word)


def known(what: str, name: str, names: Iterable[str]) -> None:
    """Raises UserError unless `name` is one of the names."""
    names = list(names)
    if name not in names:
        raise UserError(
            f"no {what} is called {name!r}; there are "
            f"{', '.join(names) or 'none'}{close_to(name, names)}"
        )


def close_to(word: str, names: Iterable[str]) -> str:
    """What was meant, if that can be guessed."""
    close = difflib.get_close_matches(word, list(names), n=1)
    return f". Did you mean {close[0]}?" if close else ""
