"""How a bot is built and started: what its author says, what its `botarena.toml` says, or what its
files show."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from client_sdk.api.adapters import COMPILED, FILES
from client_sdk.local.players import ADDRESSES, PREFIXES, BotKind, words
from client_sdk.packing import MANIFEST
from server.errors import Refusal

KEYS: Final = ("build", "entry", "language")
ENTRY_CHARACTERS: Final = 400
LANGUAGE: Final = 40
MANIFEST_BYTES: Final = 16 << 10
NAMES: Final = (
    "bot.py",
    "main.py",
    "player.py",
    "agent.py",
    "bot.c",
    "main.c",
    "bot.js",
    "main.js",
)
"""The file that is played where there are several and none is named."""
STARTED: Final = {".js": "lines:node", ".mjs": "lines:node", ".sh": "lines:sh"}
"""How a file is started that is neither Python nor C, by the end of its name."""
LANGUAGES: Final = {".py": "python", ".c": "c", ".js": "javascript", ".mjs": "javascript"}
C_PLAYERS: Final = "botstack"
"""The game in which a C file is a player by itself; elsewhere it is a program."""
CC: Final = "cc -O2 -o {program} {files} -lm"


class Recipe(NamedTuple):
    kind: BotKind
    entry: str
    """As in `Submission`."""
    language: str | None
    build: str | None
    """A command for `sh`; None: nothing has to be built."""


def recipe(game: str, home: Path, entry: str | None, language: str | None) -> Recipe:
    """How the bot is played whose files are in `home`. `entry`, `language`: what its author says.
    Raises Refusal."""
    said = _manifest(home)
    entry, language = entry or said.get("entry"), language or said.get("language")
    files = sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
    build = said.get("build")
    if entry is None:
        entry = _usual(game, files)
    if len(entry) > ENTRY_CHARACTERS or not entry.isprintable():
        raise _no_entry(f"expected at most {ENTRY_CHARACTERS} printable characters")
    if language is not None and not (language.isprintable() and len(language) <= LANGUAGE):
        text = f"expected the name of a language, at most {LANGUAGE} characters"
        raise Refusal(422, "bad_value", text, field="language")
    kind, spec = _kind(entry)
    language = language or LANGUAGES.get(PurePosixPath(words(spec)[0]).suffix)
    if kind == "file" and spec not in files:
        raise _no_entry(f"{spec}: there is no such file in the archive", files)
    program = words(spec)[0]
    sources = [name for name in files if name.endswith((*COMPILED,))]
    if kind != "file" and build is None and _is_missing(program, files) and sources:
        language = language or "c"
        build = CC.format(program=shlex.quote(program), files=shlex.join(sources))
    elif kind != "file" and build is None and _is_missing(program, files):
        raise _no_entry(f"{program}: there is no such file in the archive, and no build", files)
    return Recipe(kind, spec, language, build)


def _usual(game: str, files: Sequence[str]) -> str:
    """Raises Refusal."""
    beside = [name for name in files if "/" not in name]
    playable = [name for name in beside if name.endswith((*FILES, *STARTED))]
    named = [name for name in NAMES if name in playable]
    found = named[0] if named else playable[0] if len(playable) == 1 else None
    if found is None:
        raise _no_entry(f"say which file is played: --entry, or entry in {MANIFEST}", files)
    if found.endswith((*COMPILED,)) and game != C_PLAYERS:
        return f"lines:./{PurePosixPath(found).stem}"
    start = STARTED.get(PurePosixPath(found).suffix)
    return found if start is None else f"{start} {shlex.quote(found)}"


def _kind(entry: str) -> tuple[BotKind, str]:
    """Raises Refusal."""
    prefix = next((prefix for prefix in PREFIXES if entry.startswith(prefix)), "")
    spec = entry.removeprefix(prefix).strip()
    try:
        found = words(spec)
    except ValueError as fault:
        raise _no_entry(f"{entry}: this is no command: {str(fault).lower()}") from None
    if not found or entry.startswith(ADDRESSES):
        raise _no_entry(f"{entry!r}: expected a file of the archive, or a command")
    if not prefix and len(found) == 1 and spec.endswith(FILES):
        return "file", str(PurePosixPath(spec))
    return PREFIXES.get(prefix, "command"), spec


def _is_missing(program: str, files: Sequence[str]) -> bool:
    """Whether this names a file of the archive, by its folder, and there is none."""
    return "/" in program and program[0] != "/" and str(PurePosixPath(program)) not in files


def _manifest(home: Path) -> dict[str, str]:
    """Raises Refusal."""
    file = home / MANIFEST
    if not file.is_file():
        return {}
    if file.stat().st_size > MANIFEST_BYTES:
        text = f"{MANIFEST}: expected at most {MANIFEST_BYTES} bytes"
        raise Refusal(422, "bad_manifest", text, field="file")
    try:
        said: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as fault:
        raise Refusal(422, "bad_manifest", f"{MANIFEST}: {fault}", field="file") from None
    for key, value in said.items():
        if key not in KEYS:
            text = f"{MANIFEST}: {key[:40]!r} is none of {', '.join(KEYS)}"
            raise Refusal(422, "bad_manifest", text, field="file", allowed=list(KEYS))
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            text = f"{MANIFEST}: {key}: expected a text"
            raise Refusal(422, "bad_manifest", text, field="file")
    return said


def _no_entry(why: str, files: Sequence[str] = ()) -> Refusal:
    return Refusal(422, "no_entry", why, field="entry", allowed=list(files[:20]) or None)
