"""Starts a bounded program (POSIX): `launcher.py OPTION=VALUE … -- COMMAND …`. Standard library
only, as little of it as possible, and run without site-packages, for a quick start. Options are the
system's limits by their names in capitals, and

    copy=FOLDER     copy this folder into the working directory first
    control=FD      send the working directory's descriptor through this socket
    listen=PORT     … and that of a listening socket on 127.0.0.1
    user=ID         become this user and group
    supervise=FD    stay as its parent: when it has ended, or when this pipe is closed, end all that
                    it has started, and end as it did (Linux)
"""

import contextlib
import errno
import os
import select
import signal
import sys
import time
from collections.abc import Callable

THREADS = 16
"""Threads per process on the average: the system limits threads where we mean processes."""
LOW_IDS = range(40_000, 60_000)
"""Users to take where a container has no higher ones."""
SWEEP_S = 10.0
"""How long processes are killed that go on starting others."""
PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    at = sys.argv.index("--")
    options = dict(option.split("=", 1) for option in sys.argv[1:at])
    command = sys.argv[at + 1 :]
    if "supervise" in options:
        lifeline = int(options.pop("supervise"))
        os.set_inheritable(lifeline, False)
        supervise(lifeline, lambda: become(options, command))
    if "copy" in options:
        fill(options)
    become(options, command)


def become(options: dict[str, str], command: list[str]) -> None:
    """Keep the limits and be the command. Does not return."""
    for name, value in options.items():
        if name.isupper():
            limit(name, int(value) if name != "NPROC" else running() + THREADS * int(value))
    for name in ("CORE", "NICE", "RTPRIO"):
        limit(name, 0)
    if "user" in options:
        change_user(int(options["user"]))
    try:
        os.execvp(command[0], command)  # noqa: S606  that is the purpose
    except OSError as fault:
        sys.exit(f"{command[0]}: {fault.strerror}")


def limit(name: str, value: int) -> None:
    """For this process and all that it starts, for good. A limit that is lower already stays."""
    if sys.platform != "win32":
        import resource

        number = getattr(resource, f"RLIMIT_{name}", None)
        if number is None:  # a system that has no such limit
            return
        _, most = resource.getrlimit(number)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(ValueError, OSError):  # a system that does not keep this one
            resource.setrlimit(number, (value, value))


def running() -> int:
    """The threads of this user: the system counts them all, not only the program's own."""
    found = 0
    if sys.platform == "win32":
        return found
    owner = os.getuid()
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == owner:
                    found += len(os.listdir(f"{entry.path}/task"))  # noqa: PTH208
    return found


# --- in the sandbox -------------------------------------------------------------------------------


def fill(options: dict[str, str]) -> None:
    """Copy the bot's files to its working folder, and send out what the parent needs."""
    import socket

    owner = int(options["user"]) if "user" in options else None
    sent = [os.open(".", os.O_PATH | os.O_DIRECTORY)]
    try:
        copy(options["copy"], ".", owner)
    except OSError as fault:
        sys.exit(f"the bot's files cannot be copied: {fault.strerror}")
    with socket.socket(fileno=int(options["control"])) as control:
        if "listen" in options:
            listener = socket.create_server(("127.0.0.1", int(options["listen"])), backlog=8)
            sent.append(listener.detach())
        socket.send_fds(control, [b"ready"], sent)
        for descriptor in sent:
            os.close(descriptor)


def copy(source: str, target: str, owner: int | None) -> None:
    """All files of a folder; those that are executable stay so."""
    for entry in os.scandir(source):
        path = os.path.join(target, entry.name)  # noqa: PTH118  thousands of files
        if entry.is_dir(follow_symlinks=False):
            os.mkdir(path, 0o700)  # noqa: PTH102
            copy(entry.path, path, owner)
        else:
            with open(entry.path, "rb") as given, open(path, "wb") as taken:  # noqa: PTH123
                while chunk := given.read(1 << 20):
                    taken.write(chunk)
                os.fchmod(taken.fileno(), 0o600 | entry.stat().st_mode & 0o100)
            if owner is not None:
                os.chown(path, owner, owner)
    if owner is not None:
        os.chown(target, owner, owner)


def change_user(user: int) -> None:
    """Leave all privileges for good."""
    os.setgroups([])
    for one in (user, LOW_IDS[user % len(LOW_IDS)]):
        try:
            os.setresgid(one, one, one)
            os.setresuid(one, one, one)
        except OSError as fault:
            if fault.errno != errno.EINVAL:
                raise
        else:
            return
    sys.exit("there is no other user to become")


# --- without a sandbox ----------------------------------------------------------------------------


def supervise(lifeline: int, become: Callable[[], None]) -> None:
    """Start the program, and let nothing of it outlive it or us. Does not return."""
    adopt()
    heard, signalled = os.pipe()
    os.set_blocking(signalled, False)
    signal.set_wakeup_fd(signalled, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setsid()
        for restored in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(restored, signal.SIG_DFL)
        become()
    for given in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), given)
    ended: dict[int, int] = {}
    while child not in ended:
        ready, _, _ = select.select([lifeline, heard], [], [])
        if lifeline in ready:
            break
        os.read(heard, 4096)
        reap(ended)
    sweep(ended)
    status = os.waitstatus_to_exitcode(ended.get(child, 0))
    if status < 0:
        limit("CORE", 0)
        with contextlib.suppress(OSError):  # there is no handler of SIGKILL
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def adopt() -> None:
    """Have every orphan below us become our child (Linux)."""
    with contextlib.suppress(ImportError, OSError, AttributeError):  # a Python without libffi
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap(ended: dict[int, int]) -> bool:
    """Take note of children that have ended. False: there are none any more."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return True
            ended[pid] = status
    return False


def sweep(ended: dict[int, int]) -> None:
    """Kill everything below us. Orphans become our children, so none is left once we have none."""
    until = time.monotonic() + SWEEP_S
    while reap(ended) and time.monotonic() < until:
        for pid in below(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def below(top: int) -> list[int]:
    """Our children, theirs, and so on."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208  names will do
        if name.isdigit():
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/stat", errors="replace") as stat:  # noqa: PTH123
                    text = stat.read()
                children.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(name))
    found = children.get(top, [])
    for pid in found:
        found += children.pop(pid, [])
    return found


if __name__ == "__main__":
    main()
