"""What a plan says of a bot besides its name: whether it is trusted, and its own files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from client_sdk.bot_files import owned
from client_sdk.bounds import Bounds
from client_sdk.console import UserError, note
from client_sdk.launch import find
from client_sdk.local.players import PREFIXES, BotKind, PlayerSpec, is_file, words
from games.core.contract import Json

KEYS: Final[Mapping[BotKind, tuple[str, ...]]] = {
    "house": (),
    "file": ("trusted", "files"),
    **dict.fromkeys(("command", *PREFIXES.values()), ("trusted", "files", "folder")),
}
"""By kind of bot."""


def home_of(kind: BotKind, spec: str, bot: Mapping[str, Json], base: Path, where: str) -> Path:
    """The folder of a file, or where a command starts, by default `base`. Raises UserError."""
    if kind == "file":
        return Path(spec).parent.resolve()
    given = bot.get("folder", ".")
    if not isinstance(given, str) or not (base / given).is_dir():
        raise UserError(f"{where}folder: {given!r}: there is no such folder")
    return (base / given).resolve()


def program(command: str, home: Path, where: str) -> str:
    """The default name of a bot that is this command. Raises UserError if there is none."""
    try:
        given = words(command)
        find(given[0] if given else "", home)
    except (OSError, ValueError) as fault:
        why = f"{where}{command}: {fault.strerror if isinstance(fault, OSError) else fault}"
        raise UserError(why) from None
    return Path(given[-1]).stem


def entries(
    found: Sequence[tuple[PlayerSpec, Mapping[str, Json], str]], plan: Path
) -> list[PlayerSpec]:
    """The bots with what their tables say (`client_sdk.bot_files`). Raises UserError."""
    named = [_named(bot) for bot, _, _ in found]
    claimed = [plan.resolve(), *(path for paths in named for path in paths)]
    claimed += [Path(bot.home) for bot, table, _ in found if "folder" in table]
    return [
        bot if bot.kind == "house" else _entry(bot, table, where, its, claimed)
        for (bot, table, where), its in zip(found, named, strict=True)
    ]


def _entry(
    bot: PlayerSpec, table: Mapping[str, Json], where: str, named: list[Path], claimed: list[Path]
) -> PlayerSpec:
    trusted = table.get("trusted", False)
    if not isinstance(trusted, bool):
        raise UserError(f"{where}trusted: expected true or false, got {trusted!r}")
    home = Path(bot.home)
    if "files" not in table:
        others = [*claimed]
        if "folder" in table:
            others.remove(home)
        return replace(bot, trusted=trusted, own=tuple(map(str, owned(home, named, others))))
    files = [(home / name).resolve() for name in texts(table, "files", where)]
    for file in files:
        if not file.exists() or not file.is_relative_to(home):
            why = f"{where}files: {file}: there is no such file in the bot's folder {home}"
            raise UserError(why)
    return replace(bot, trusted=trusted, own=tuple(dict.fromkeys(map(str, [*named, *files]))))


def _named(bot: PlayerSpec) -> list[Path]:
    """The files that the plan names as this bot's."""
    home = Path(bot.home)
    if bot.kind == "file":
        return [home / Path(bot.spec).name]
    if bot.is_program:
        found = [home / word for word in words(bot.spec) if is_file(str(home / word))]
        return [path for path in found if path.is_relative_to(home)]
    return []


def texts(table: Mapping[str, Json], key: str, where: str) -> list[str]:
    """Raises UserError."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise UserError(f"{where}{key}: expected a list of texts, got {value!r}")
    return value


def written(bot: PlayerSpec) -> dict[str, Json]:
    """The same for a plan's file, wherever that is."""
    if bot.kind == "house":
        return {}
    folder = {"folder": bot.home} if bot.is_program else {}
    named = [*map(str, _named(bot))]
    return {
        "trusted": bot.trusted,
        **folder,
        "files": [path for path in bot.own if path not in named],
    }


def moved(bot: PlayerSpec) -> str:
    """The command as it is called from the copy of its folder."""
    home = Path(bot.home)
    given = [
        os.path.relpath(word, home) if Path(word).is_relative_to(home) else word
        for word in words(bot.spec)
    ]
    beside = not Path(given[0]).is_absolute() and is_file(str(home / given[0]))
    return shlex.join([f"./{given[0]}" if beside else given[0], *given[1:]])


def check_sandbox(
    programs: Sequence[PlayerSpec],
    trusted: Collection[str],
    limits: Bounds,
    folders: Sequence[Path],
) -> None:
    """Bots that are not trusted play in a sandbox or not at all, and see none of these folders
    there. Says who plays without one where there is none. Raises UserError."""
    if not programs:
        return
    from client_sdk.sandbox import exposed, missing

    no_sandbox = "the plan says none" if limits.sandbox == "none" else missing()
    strangers = ", ".join(bot.label for bot in programs if bot.label not in trusted)
    if no_sandbox is not None and strangers:
        raise UserError(
            f"limits.sandbox: there is no sandbox ({no_sandbox}), and without one a bot can do all "
            "that "
            f"you can. Not trusted: {strangers}."
            " Say trusted = true for each bot whose author you trust, or --trust-bots if all are "
            "yours"
        )
    if no_sandbox is not None:
        note(
            f"no sandbox ({no_sandbox}): {', '.join(bot.label for bot in programs)} can do all "
            "that "
            "you can"
        )
    for folder in folders if strangers else ():
        if (seen := exposed(folder, limits.readable)) is not None:
            raise UserError(
                f"{folder}: in the sandbox bots can read {seen}; move the folder, or name "
                "another one with --out"
            )
