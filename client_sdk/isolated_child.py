"""The program in which a bot plays apart from everything else (`client_sdk.isolated`): it does what
is asked, call by call.

A frame is a line of JSON. What the bot and the SDK say goes to the standard channels; what went
wrong also goes back with the next answer."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import socket
import sys
import traceback
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from client_sdk import botfile
from client_sdk.answers import commands_of
from client_sdk.api.adapters import GIVEN
from client_sdk.bot import Bot, load
from client_sdk.bot_roots import OURS
from client_sdk.console import log_to_stderr
from client_sdk.errors import BadBot
from client_sdk.start import Start
from games.core.contract import Json, Reply

LINES: Final = 3
"""Of a traceback: where the bot failed, not how it came there, and none of our frames."""

log = logging.getLogger("botarena")


class Call(msgspec.Struct, frozen=True):
    """What the bot is to do. A call with a number is answered."""

    hook: str
    about: Json = None
    number: int | None = None
    within_s: float | None = None
    """After this time the bot's stack is written to standard error."""


class Answer(msgspec.Struct, frozen=True):
    number: int
    commands: list[Json] | None = None
    """None: there are none to be had, because the bot failed."""
    faults: list[str] = []


class Loaded(msgspec.Struct, frozen=True):
    """The first frame: the bot, or why there is none."""

    token: str
    name: str = ""
    game: str = ""
    hooks: list[str] = []
    """What the bot has to do besides `decide`."""
    fault: str | None = None


HOOKS: Final = ("on_start", "on_view", "on_results", "on_event", "on_end")


def main() -> int:
    """`FILE`; where to call back is in the environment, as for every bot."""
    url, token, game = (os.environ.pop(f"BOTARENA_{name}") for name in ("URL", "TOKEN", "GAME"))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="replace")  # type: ignore[union-attr]
    log_to_stderr()
    faults = Faults()
    log.addHandler(faults)
    with connected(url) as line, os.fdopen(os.dup(2), "w") as hangs:
        try:
            bot = loaded(Path(sys.argv[1]), game)
        except BadBot as fault:
            line.sendall(framed(Loaded(token, fault=str(fault))))
            return 1
        has = [hook for hook in HOOKS if getattr(type(bot), hook) is not getattr(Bot, hook)]
        line.sendall(framed(Loaded(token, bot.name, bot.game, has)))
        with line.makefile("rb") as calls:
            for call in calls:
                answer = answered(bot, msgspec.json.decode(call, type=Call), faults, hangs)
                if answer is not None:
                    line.sendall(framed(answer))
    return 0


def connected(url: str) -> socket.socket:
    """The line to the one that asks: `fd:NUMBER` is inherited, `HOST:PORT` is connected to."""
    host, _, port = url.rpartition(":")
    if host == "fd":
        os.set_inheritable(int(port), False)
        return socket.socket(fileno=int(port))
    line = socket.create_connection((host, int(port)))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def loaded(file: Path, game: str) -> Bot:
    """The bot, its module called like its file, if that name is free. Raises BadBot."""
    botfile.give(game)
    sys.argv[:] = [str(file)]
    free = (
        file.stem not in sys.modules
        and file.stem not in GIVEN.get(game, {})
        and file.stem not in sys.stdlib_module_names
    )
    return load(file, game, file.stem if free else None)


def framed(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def answered(bot: Bot, call: Call, faults: Faults, hangs: IO[str]) -> Answer | None:
    """Do what is asked; what the bot does wrong is reported and ends nothing."""
    commands: list[Json] | None = None
    if call.within_s is not None:
        faulthandler.dump_traceback_later(call.within_s, file=hangs)
    try:
        commands = commands_of(asked(bot, call) or ())
        msgspec.json.encode(commands)
    except KeyboardInterrupt:  # the program is to end
        raise
    except BaseException:
        log.exception("the bot failed in %s", call.hook)
        commands = None
    finally:
        faulthandler.cancel_dump_traceback_later()
    return None if call.number is None else Answer(call.number, commands, faults.taken())


def asked(bot: Bot, call: Call) -> Any:
    """The hook, with its argument as the SDK has it."""
    about = call.about
    if call.hook == "on_start":
        about = msgspec.convert(about, Start)
    elif call.hook == "on_results":
        about = msgspec.convert(about, list[Reply])
    return getattr(bot, call.hook)(about)


class Faults(logging.Handler):
    """What is logged as wrong, of a traceback the last lines."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        raised = record.exc_info[1] if record.exc_info else None
        trace = [] if raised is None else last_lines(raised)
        self._found.append("\n".join([record.getMessage(), *trace]))

    def taken(self) -> list[str]:
        found, self._found = self._found, []
        return found


def last_lines(raised: BaseException) -> list[str]:
    frames = traceback.extract_tb(raised.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith((str(OURS), "<frozen"))]
    where = traceback.format_list((theirs or frames)[-LINES:])
    return "".join([*where, *traceback.format_exception_only(raised)]).rstrip().splitlines()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        sys.exit(main())
