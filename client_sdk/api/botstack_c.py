"""BotStack players written in C: compiled with the system's compiler, loaded with ctypes.

A file defines `player1_abstain`, `player1_item` and `player1_action`, or the same with `player2_`;
it plays at either seat. Its code runs in this process, which it can crash: `client_sdk.isolated`
gives it one of its own."""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from client_sdk.api.botstack import (
    ACTION_NO_ITEM,
    ACTION_SHOOT_OTHER,
    ACTION_SHOOT_SELF,
    Bot,
    Gun,
    Player,
)
from client_sdk.errors import BadBot

HEADER: Final = Path(__file__).with_name("botstack_header")
"""The folder of our own `header.h`."""
COMPILERS: Final = ("cc", "gcc", "clang")
OPTIONS: Final = (
    "-std=gnu17",  # in later versions `f()` takes no arguments
    "-shared",
    "-fPIC",
    "-g",  # the linker names lines
    "-w",
    *(
        f"-Wno-error={fault}"  # what newer compilers refuse, and those of the contest did not
        for fault in (
            "implicit-function-declaration",
            "implicit-int",
            "incompatible-pointer-types",
            "int-conversion",
        )
    ),
    # Undefined functions are errors, and a player's own functions go before those of the C library.
    *(("-Wl,--no-undefined", "-Wl,-Bsymbolic") if sys.platform == "linux" else ()),
)
COMPILING_S: Final = 45.0
PREFIXES: Final = ("player1_", "player2_")

_FAULT: Final = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):.*?(?:error: |(?=undefined reference))(?P<what>.*)$",
    re.MULTILINE,
)
_LINES: Final = 1
"""`_IOLBF`."""


class _Player(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("rounds", "lives", "item1", "item2")]


class _Gun(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("bullets", "live")]


_ARGUMENTS: Final = {
    "abstain": (_Player, _Player, _Gun, ctypes.c_int),
    "item": (_Player, _Player, _Gun),
    "action": (_Player, _Player, _Gun, ctypes.c_int),
}


class CPlayer(Bot):
    """Asks the functions of a C file. Like the contest's program it takes any answer: an item that
    is no slot is no item, and a target that is neither player is the opponent."""

    def __init__(self, file: Path) -> None:
        """Compiles and loads the file (an absolute path). Raises BadBot."""
        with tempfile.TemporaryDirectory(
            prefix="botarena-c-", ignore_cleanup_errors=True
        ) as folder:
            library = Path(folder, f"{file.stem}.so")
            _compile(file, library)
            try:
                self._library = ctypes.CDLL(str(library))
            except OSError as fault:
                raise BadBot(f"{file}: {str(fault).replace(f'{library}: ', '')}") from None
        self._functions = _functions(self._library, file)
        _prepare()

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        return bool(self._call("abstain", me, other, gun, int(opponent_request)))

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        answer = self._call("item", me, other, gun)
        return answer if answer in (1, 2) else ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        answer = self._call("action", me, other, gun, next_bullet)
        return ACTION_SHOOT_SELF if answer == ACTION_SHOOT_SELF else ACTION_SHOOT_OTHER

    def _call(self, name: str, me: Player, other: Player, gun: Gun, *about: int) -> int:
        """What a function returns; 0, which means no, if the file has none of this name."""
        function = self._functions.get(name)
        if function is None:
            return 0
        return function(_player(me), _player(other), _Gun(gun.bullets, gun.live), *about)


def _player(player: Player) -> _Player:
    return _Player(player.rounds, player.lives, player.item1, player.item2)


def _compile(file: Path, library: Path) -> None:
    """Raises BadBot."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise BadBot(
            f"{file}: a bot in C needs a C compiler, and none of {', '.join(COMPILERS)} is "
            "installed here"
        )
    command = [compiler, *OPTIONS, str(file), "-iquote", str(HEADER), "-o", str(library), "-lm"]
    try:
        ran = subprocess.run(  # noqa: S603  compiling the user's file is the purpose
            command,
            cwd=file.parent,
            env=os.environ | {"LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=COMPILING_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadBot(f"{file}: not compiled within {COMPILING_S:.0f} s") from None
    if ran.returncode:
        raise BadBot(_fault(file, ran.stderr))


def _fault(file: Path, said: str) -> str:
    """The first error of the compiler or linker, in one line."""
    found = _FAULT.search(said)
    if found is None:
        last = said.strip().splitlines() or ["the compiler failed"]
        return f"{file}: {last[0]}"
    return f"{found['file']}, line {found['line']}: {found['what']}"


def _functions(library: ctypes.CDLL, file: Path) -> dict[str, Callable[..., int]]:
    """The functions of the first player that the file defines. Raises BadBot."""
    for prefix in PREFIXES:
        functions = {}
        for name, arguments in _ARGUMENTS.items():
            if hasattr(library, prefix + name):
                function = getattr(library, prefix + name)
                function.argtypes, function.restype = arguments, ctypes.c_int
                functions[name] = function
        if "action" in functions:
            return functions
    raise BadBot(
        f"{file}: no player in this file; a player is the functions player1_abstain, player1_item "
        "and player1_action, or the same with player2_"
    )


def _prepare() -> None:
    """Give each match its own random numbers, and write what is printed line by line: a bot that
    is ended does not flush."""
    if os.name != "posix":  # there the library may have a C library of its own
        return
    libc = ctypes.CDLL(None)
    libc.srand(ctypes.c_uint(secrets.randbits(32)))
    try:
        name = "__stdoutp" if sys.platform == "darwin" else "stdout"
        stdout = ctypes.c_void_p.in_dll(libc, name)
    except ValueError:  # not every C library has this variable
        return
    libc.setvbuf(stdout, None, _LINES, ctypes.c_size_t(0))
