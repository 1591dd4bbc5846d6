"""How a bounded program is started: as itself, below a supervisor, or in a sandbox."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from client_sdk.bounds import Bounds

LAUNCHER: Final = Path(__file__).with_name("launcher.py")
# fmt: off
LOCALE: Final = (
    "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
    "LC_NUMERIC", "LC_TIME", "TZ",
)
TOOLS: Final = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "JAVA_HOME",
    "NODE_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
    "SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "TEMP", "TMP", "APPDATA",
    "LOCALAPPDATA", "USERPROFILE", "USERNAME", "ProgramFiles", "ProgramData",
    "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
)
# fmt: on


def allowed(environment: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The variables of these names, as far as there are such."""
    return {name: environment[name] for name in names if name in environment}


@dataclass(slots=True)
class Launch:
    """A command, and what is open for it here until it has ended."""

    command: str | list[str]
    environment: dict[str, str]
    ours: int = 0
    """How many processes stand between us and the program."""
    inherited: list[int] = field(default_factory=list)
    """Descriptors that the command takes over; `taken` closes them here."""
    lifeline: int | None = None
    """Closing it ends the program with all that it has started."""
    control: socket.socket | None = None
    """Where the launcher in the sandbox sends its folder, and a listening socket."""

    def taken(self) -> None:
        """The command was started, or will not be."""
        while self.inherited:
            os.close(self.inherited.pop())

    def close(self) -> None:
        self.taken()
        if self.lifeline is not None:
            os.close(self.lifeline)
            self.lifeline = None
        if self.control is not None:
            self.control.close()
            self.control = None


def bounded(
    command: Sequence[str], bounds: Bounds, cwd: Path | None, environment: Mapping[str, str]
) -> Launch:
    """The program within its bounds, without a sandbox. Raises FileNotFoundError."""
    command = [str(find(command[0], cwd)), *command[1:]]
    launch = Launch(command, allowed(environment, (*LOCALE, *TOOLS)))
    if os.name == "posix":
        options = bounds.limits()
        if sys.platform == "linux":
            theirs, launch.lifeline = os.pipe()
            launch.inherited.append(theirs)
            launch.ours = 1
            options.append(f"supervise={theirs}")
        launch.command = launched(options, command)
    return launch


def launched(options: Sequence[str], command: Sequence[str]) -> list[str]:
    return [sys.executable, "-I", "-S", str(LAUNCHER), *options, "--", *command]


def find(program: str, cwd: Path | None = None, path: str | None = None) -> Path:
    """Where this program is: a name in `path`, by default ours, and in `cwd`; what has a folder is
    below `cwd`. Raises FileNotFoundError."""
    folder = Path() if cwd is None else cwd
    named = Path(program).name == program
    looked = os.pathsep.join(
        [os.environ.get("PATH", os.defpath) if path is None else path, str(folder)]
    )
    found = shutil.which(program if named else folder / program, path=looked)
    if found is None:
        raise FileNotFoundError(2, "there is no such program", program)
    return Path(found)
