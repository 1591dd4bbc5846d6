"""The system calls that a program in the sandbox is denied: a seccomp filter as bytes (Linux).

Denied is what makes namespaces or mounts, what reaches other processes, keys and clocks, and what
holds memory that no process shows. The filter is a backstop: most of it fails without capabilities.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import Final

_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""By machine: the column of the tables below, and the kernel's number of the architecture."""
_FORBIDDEN: Final = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "fanotify_init": (300, 262),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "request_key": (249, 218),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_ABSENT: Final = {
    "clone3": (
        435,
        435,
    ),  # its flags are in memory, where no filter can look; libraries fall back to clone
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "memfd_create": (319, 279),  # like the next four: memory that the guard cannot count
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "shmget": (29, 194),
}
"""Calls that fail as on a kernel without them, so that programs take the other way."""
_CLONE: Final = (56, 220)
_SOCKET: Final = (41, 198)
_NAMESPACES: Final = 0x7E02_0000
"""Every CLONE_NEW… flag that clone takes."""
_FAMILIES: Final = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6: others, such as AF_VSOCK, are not bound to a network namespace."""
_X32: Final = 0x4000_0000
"""From this number on, x86_64 has the calls once more under other numbers."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW, _ERRNO = 0x7FFF_0000, 0x0005_0000


def program() -> bytes | None:
    """The filter for this machine, an array of `struct sock_filter`; None: not known."""
    if platform.machine() not in _ARCHITECTURES:
        return None
    column, architecture = _ARCHITECTURES[platform.machine()]
    lines = [
        _line(_LOAD, _ARCHITECTURE_AT),
        _line(_EQUAL, architecture, hit=1),
        _refuse(errno.ENOSYS),
        _line(_LOAD, _NUMBER_AT),
    ]
    if column == 0:
        lines += [_line(_AT_LEAST, _X32, miss=1), _refuse(errno.ENOSYS)]
    for names, number in ((_FORBIDDEN, errno.EPERM), (_ABSENT, errno.ENOSYS)):
        for name in names:
            lines += [_line(_EQUAL, names[name][column], miss=1), _refuse(number)]
    lines += [
        _line(_EQUAL, _CLONE[column], miss=3),
        _line(_LOAD, _FIRST_ARGUMENT_AT),
        _line(_ANY_BIT, _NAMESPACES, miss=4 + len(_FAMILIES)),  # to the last line
        _refuse(errno.EPERM),
        _line(_EQUAL, _SOCKET[column], miss=2 + len(_FAMILIES)),
        _line(_LOAD, _FIRST_ARGUMENT_AT),
        *(_line(_EQUAL, family, hit=len(_FAMILIES) - at) for at, family in enumerate(_FAMILIES)),
        _refuse(errno.EAFNOSUPPORT),
        _line(_RETURN, _ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, value: int, *, hit: int = 0, miss: int = 0) -> bytes:
    """`hit`, `miss`: how many lines a comparison skips."""
    return struct.pack("=HBBI", code, hit, miss, value)


def _refuse(number: int) -> bytes:
    return _line(_RETURN, _ERRNO | number)
