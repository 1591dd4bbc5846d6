"""A sandbox for a stranger's program: it sees the system's libraries, the interpreter, this package
and its own files, and nothing else of the machine (Linux with the program `bwrap`).

It has namespaces of its own (processes, network, IPC), where we are root also a user of its own.
Its files are copied into a file system in memory of bounded size, the only place where it can
write. It talks over descriptors that it inherits; `listen` gives it a port on its own loopback."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from client_sdk import seccomp
from client_sdk.bot_roots import OURS
from client_sdk.bounds import MB, Bounds
from client_sdk.guard import FILE_BYTES
from client_sdk.launch import LOCALE, Launch, allowed, find, launched

HOME: Final = Path("/bot")
"""Where a sandboxed program works: its files, and `tmp`."""
GIVEN: Final = "/given"
PAGE: Final = 4096
PACKAGES: Final = ("botarena", "client_sdk", "games", "maps")
"""What of this project a bot may import."""
SYSTEM: Final = (
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/sbin",
    "/usr",
    "/nix/store",
    "/gnu/store",
)
SETTINGS: Final = (
    "alternatives",
    "java-*",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
)
"""What programs need of /etc."""
DEVICES: Final = ("full", "null", "random", "urandom", "zero")
LINKS: Final = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
    "/dev/shm": f"{HOME}/tmp",  # noqa: S108  all that is in memory is in one place
    "/tmp": f"{HOME}/tmp",  # noqa: S108
    "/var/tmp": f"{HOME}/tmp",  # noqa: S108
}
USERS: Final = 0x7000_0000
"""Where we are root each program is a user of its own, from this unused number on."""


class NoSandbox(OSError):
    """The sandbox is asked for and cannot be had."""


class TooLarge(OSError):
    """A program's own files do not fit into what it may write."""


@functools.cache
def missing() -> str | None:
    """Why there can be no sandbox here; None: there can."""
    if sys.platform != "linux":
        return "it takes Linux"
    with tempfile.TemporaryDirectory(prefix="botarena-sandbox-") as home:
        Path(home, "tmp").mkdir()
        try:
            launch = sandboxed([sys.executable, "-c", "import msgspec"], Bounds(), Path(home), {})
        except NoSandbox as fault:
            return fault.strerror
        with contextlib.closing(launch):
            tried = subprocess.run(  # noqa: S603  our own Python
                launch.command,
                env=launch.environment,
                pass_fds=launch.inherited,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
    said = tried.stderr.strip().splitlines() or [f"status {tried.returncode}"]
    return None if tried.returncode == 0 else said[-1].removeprefix("bwrap: ")


def exposed(path: Path, readable: Sequence[Path] = ()) -> Path | None:
    """What sandboxed programs may read and holds this path; None: they do not see it."""
    return next(
        (seen for seen in _seen(readable) if path.resolve().is_relative_to(seen.resolve())), None
    )


def sandboxed(
    command: Sequence[str],
    bounds: Bounds,
    home: Path,
    environment: Mapping[str, str],
    *,
    listen: int | None = None,
) -> Launch:
    """The program in its own copy of the folder `home`. Raises NoSandbox, OSError.

    `listen`: the port of its own 127.0.0.1 on which we listen. In the sandbox `home` is `HOME`.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise NoSandbox(2, "the program bwrap (package bubblewrap) is not installed")
    home = home.resolve()
    _fits(home, bounds)
    seen = [*_seen(bounds.readable)]
    program = _program(command[0], home, seen)
    launch = Launch([], allowed(environment, LOCALE) | _environment(), ours=2)
    launch.control, theirs = socket.socketpair()
    launch.inherited.append(theirs.detach())
    options = [*bounds.limits(), f"copy={GIVEN}", f"control={launch.inherited[-1]}"]
    if listen is not None:
        options.append(f"listen={listen}")
    arguments = [*_namespaces(), *_root(seen, home, bounds)]
    if os.getuid() == 0:
        options.append(f"user={USERS + secrets.randbelow(1 << 24)}")
    if (filter_ := seccomp.program()) is not None:
        read, write = os.pipe()
        launch.inherited.append(read)
        os.write(write, filter_)
        os.close(write)
        arguments += ["--seccomp", str(read)]
    launch.command = [bwrap, *arguments, "--", *launched(options, [program, *command[1:]])]
    return launch


def _program(name: str, home: Path, seen: list[Path]) -> str:
    """The program's name in the sandbox, added to it if needed. Raises FileNotFoundError."""
    found = find(name, home, _path())
    if found.is_relative_to(home):
        return str(HOME / found.relative_to(home))
    if not _within(found, seen):
        found = found.resolve()
        if not _within(found, seen):
            seen.append(found)
    return str(found)


def _within(path: Path, folders: Sequence[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _namespaces() -> Iterator[str]:
    yield from (
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
    )
    yield from ("--hostname", "bot", "--die-with-parent")
    if (
        os.getuid() == 0
    ):  # bwrap can reach what only root may; the launcher then becomes another user
        yield from (
            "--cap-drop",
            "ALL",
            "--cap-add",
            "CAP_SETUID",
            "--cap-add",
            "CAP_SETGID",
            "--cap-add",
            "CAP_CHOWN",
        )
    else:
        yield from ("--unshare-user", "--uid", "1000", "--gid", "1000")


def _root(seen: Sequence[Path], home: Path, bounds: Bounds) -> Iterator[str]:
    """The file system that is built for it. Folders above what it shows, bwrap makes for root."""
    links = {
        link: to
        for link, to in LINKS.items()
        if not any(path.is_relative_to(link) for path in seen)
    }
    above = {folder for path in (*seen, *map(Path, links)) for folder in path.parents}
    for folder in sorted(above - {Path("/")} - set(seen)):
        if not _within(folder, seen):
            yield from ("--dir", str(folder))
    for name in SYSTEM[:6]:
        if Path(name).is_symlink():
            yield from ("--symlink", str(Path(name).readlink()), name)
    for path in sorted(seen):
        yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc")
    for name in DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for link, target in links.items():
        yield from ("--symlink", target, link)
    yield from ("--ro-bind", str(home), GIVEN)
    if bounds.disk_bytes:
        yield from ("--size", str(bounds.disk_bytes))
    yield from ("--perms", "0700", "--tmpfs", str(HOME), "--remount-ro", "/", "--chdir", str(HOME))


def _seen(more: Sequence[Path]) -> Iterator[Path]:
    """What is shown read-only, each under its own name."""
    for name in SYSTEM:
        if Path(name).is_dir() and not Path(name).is_symlink():
            yield Path(name)
    for pattern in SETTINGS:
        yield from Path("/etc").glob(pattern)
    yield from {*_python(), *_libraries()} - {Path("/usr")}
    for package in PACKAGES:
        yield OURS / package
    yield from more


def _python() -> set[Path]:
    return {Path(sys.prefix), Path(sys.base_prefix)}


def _libraries() -> list[Path]:
    """Where installed packages are; a user may have some outside the interpreter's folder."""
    return [
        Path(path)
        for path in sys.path
        if Path(path).name in ("site-packages", "dist-packages") and Path(path).is_dir()
    ]


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])


def _environment() -> dict[str, str]:
    found = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(HOME / "tmp")) | dict.fromkeys(
        ("USER", "LOGNAME"), "bot"
    )
    packages = [path for path in (OURS, *_libraries()) if not _within(path, [*_python()])]
    return found | {
        "PATH": _path(),
        "HOME": str(HOME),
        "PYTHONPATH": os.pathsep.join(map(str, packages)),
    }


def _fits(home: Path, bounds: Bounds) -> None:
    size = sum(FILE_BYTES + (-file.lstat().st_size // PAGE * -PAGE) for file in home.rglob("*"))
    if 0 < bounds.disk_bytes < size:
        raise TooLarge(28, f"its files take more than {bounds.disk_bytes // MB} MB")
