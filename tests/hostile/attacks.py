"""What hostile bots try. Each is a bot's file of its own; what it gains it raises as `Gained`,
which no test expects.

`ATTACKS`: by name, the body of a function that the bot calls in its first turn, or when and with
what the entry says, and the cause by which it has to end, as the log of faults has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any, Literal

from client_sdk.bounds import MB, Bounds

BOUNDS = Bounds(
    memory_bytes=96 * MB,
    processes=8,
    file_bytes=8 * MB,
    disk_bytes=24 * MB,
    open_files=64,
    sandbox="bubblewrap",
)
BOT = """\
import ctypes, errno, mmap, os, resource, signal, socket, subprocess, sys, threading, time
from pathlib import Path

from botarena import Bot

print("namespace", os.readlink("/proc/self/ns/pid"), flush=True)
{world}
def is_socket(fd):
    try:
        return os.readlink("/proc/self/fd/" + fd).startswith("socket")
    except OSError:
        return False


TALK = next((int(fd) for fd in os.listdir("/proc/self/fd") if is_socket(fd)), -1)
LIBC = ctypes.CDLL(None, use_errno=True)


class Gained(Exception):
    pass


class Nothing(Exception):
    pass


def call(name, *arguments):
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), name)


def forks(body):
    pid = os.fork()
    if pid == 0:
        try:
            body()
        finally:
            os._exit(0)
    return pid


def attack():
{attack}

{at_import}
class Hostile(Bot):
    game = "pyrat"
    tried = False

    def decide(self, view):
        if {in_turn} and not self.tried:
            self.tried = True
            return attack()
        return []
{hook}
"""


@dataclass(frozen=True, kw_only=True)
class Attack:
    body: str
    """Of the function, with the names of `World` as constants."""
    cause: str
    """A regular expression: what is written down of its end."""
    at: Literal["import", "on_start", "turn", "on_end", "on_results"] = "turn"
    bounds: Bounds = BOUNDS
    limit_s: float = 30.0
    config: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """What else lies in its folder; a text that begins with `->` is a link."""

    def source(self, world: Mapping[str, Any]) -> str:
        arguments = "self, *_"
        hook = (
            f"\n    def {self.at}({arguments}):\n        attack()\n"
            if self.at.startswith("on_")
            else ""
        )
        return BOT.format(
            world="\n".join(f"{name} = {value!r}" for name, value in world.items()),
            attack=indent(self.body.strip("\n"), "    "),
            at_import="attack()\n" if self.at == "import" else "",
            in_turn=self.at == "turn",
            hook=hook,
        )

    def write(self, folder: Path, world: Mapping[str, Any]) -> Path:
        """The bot's file in a folder of its own."""
        folder.mkdir(parents=True)
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text.startswith("->"):
                path.symlink_to(text[2:].format(**world))
            else:
                path.write_text(text)
        file = folder / "hostile.py"
        file.write_text(self.source(world))
        return file


ABSENT = "No such file or directory"
FORBIDDEN = "Operation not permitted"
NO_CALL = "Function not implemented"

ATTACKS: dict[str, Attack] = {
    # --- what others have on the disk
    "reads_the_plan_with_the_seed": Attack(
        body="raise Gained(Path(PLAN).read_text())", cause=ABSENT
    ),
    "reads_a_rivals_source": Attack(body="raise Gained(Path(RIVAL).read_text())", cause=ABSENT),
    "reads_facts_and_journals": Attack(body="raise Gained(os.listdir(RECORDS))", cause=ABSENT),
    "reads_the_shadow_file": Attack(
        body="raise Gained(Path('/etc/shadow').read_text())", cause=ABSENT
    ),
    "reads_the_organisers_home": Attack(body="raise Gained(os.listdir(HOME))", cause=ABSENT),
    "looks_for_rivals_in_its_own_copy": Attack(
        body="""
files = [os.path.join(where, name) for where, _, names in os.walk("/bot") for name in names]
found = [path for path in files if not path.endswith("pyc")]
if any("rival" in name for name in found):
    raise Gained(found)
raise Nothing("only my own: " + ", ".join(sorted(found)))
""",
        cause=r"Nothing: only my own: /bot/\w+/hostile\.py$",
    ),
    "searches_every_file_for_secrets": Attack(
        body="""
looked = 0
for where, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(where, name) not in (*SYSTEM, "/proc")]
    for name in names:
        path = os.path.join(where, name)
        if os.path.isfile(path) and os.access(path, os.R_OK) and os.path.getsize(path) < 1 << 22:
            looked += 1
            if SECRET[::-1].encode() in Path(path).read_bytes():
                raise Gained(path)
raise Nothing(f"looked at files: {looked > 0}")
""",
        cause="Nothing: looked at files: True",
    ),
    "follows_a_link_that_it_makes": Attack(
        body="os.symlink(PLAN, 'way out')\nraise Gained(Path('way out').read_text())", cause=ABSENT
    ),
    "has_links_in_its_folder": Attack(
        body=(
            "raise Gained((Path(__file__).parent / 'data.py').read_text() + "
            "str(list(Path(__file__).parent.iterdir())))"
        ),
        cause=ABSENT,
        files={"data.py": "->{RIVAL}", "shadow": "->/etc/shadow", "others": "->{RECORDS}"},
    ),
    "reads_the_environment": Attack(
        body="""
if SECRET[::-1] in str(os.environ) or "MYPASS" in os.environ:
    raise Gained(os.environ)
raise Nothing(" ".join(sorted(os.environ)))
""",
        cause=(
            r"Nothing: BOTARENA_PROCESS HOME (LANG |LANGUAGE |LC_\w+ )*LOGNAME PATH PWD PYTHONPATH "
            r"TEMP TMP TMPDIR (TZ )?USER$"
        ),
    ),
    "reads_other_processes": Attack(
        body="""
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
if len(pids) > 4:
    raise Gained(pids)
raise Gained(Path(f"/proc/{CANARY}/environ").read_bytes())
""",
        cause=ABSENT,
    ),
    "looks_through_the_first_process": Attack(
        body="""
for name in ("root" + PLAN, "cwd" + PLAN, "root" + RIVAL):
    try:
        raise Gained(Path("/proc/1", name).read_text())
    except OSError as fault:
        why = fault
raise Nothing(type(why).__name__)
""",
        cause="Nothing: (PermissionError|FileNotFoundError)",
    ),
    "writes_outside_its_folder": Attack(
        body="""
FILES = ("/x", "/etc/x", "/usr/x", "/given/x", "/dev/x")
for path in (*FILES, "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
    try:
        Path(path).write_text("x")
        raise Gained(path)
    except OSError as fault:
        if fault.errno not in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT):
            raise
raise Nothing("read-only")
""",
        cause="Nothing: read-only",
    ),
    "leaves_files_for_its_next_game": Attack(
        body="""
for folder in ("/tmp", "/dev/shm", "/var/tmp", "/bot"):
    if (Path(folder) / "memory").exists():
        raise Gained(folder)
    (Path(folder) / f"memory").write_text("x")
    os.unlink(Path(folder) / "memory") if folder != "/bot" else None
raise Nothing("written")
""",
        cause="Nothing: written",
    ),
    # --- the network
    "connects_to_the_database": Attack(
        body="socket.create_connection(('127.0.0.1', PORT), 5)\nraise Gained(PORT)",
        cause="Connection refused",
    ),
    "scans_the_network": Attack(
        body="""
lines = Path("/proc/net/dev").read_text().splitlines()[2:]
interfaces = [line.split(":")[0].strip() for line in lines]
if interfaces != ["lo"]:
    raise Gained(interfaces)
UNREACHABLE = ("ENETUNREACH", "ECONNREFUSED", "EADDRNOTAVAIL", "EAFNOSUPPORT")
for host in (ADDRESS, "10.0.0.1", "192.168.0.1", "8.8.8.8", "fe80::1%1"):
    try:
        socket.create_connection((host, 80), 1)
        raise Gained(host)
    except OSError as fault:
        if errno.errorcode[fault.errno] not in UNREACHABLE:
            raise
raise Nothing("unreachable")
""",
        cause="Nothing: unreachable",
    ),
    "connects_to_an_abstract_socket": Attack(
        body="socket.socket(socket.AF_UNIX).connect(ABSTRACT)\nraise Gained(ABSTRACT)",
        cause="Connection refused",
    ),
    "connects_to_a_socket_on_the_disk": Attack(
        body="socket.socket(socket.AF_UNIX).connect(ON_DISK)\nraise Gained(ON_DISK)", cause=ABSENT
    ),
    "talks_to_the_hypervisor": Attack(
        body="socket.socket(40, socket.SOCK_STREAM).connect((2, 1024))\nraise Gained",
        cause="Address family not supported",
    ),
    "sniffs_packets": Attack(
        body="socket.socket(17, socket.SOCK_RAW, 3)\nraise Gained",
        cause="Address family not supported",
    ),
    "sends_raw_packets": Attack(
        body="socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)\nraise Gained",
        cause=FORBIDDEN,
    ),
    # --- other processes
    "kills_every_process": Attack(
        body="""
for pid in (-1, REFEREE, CANARY, 1, os.getppid()):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
time.sleep(0.1)
os.killpg(0, signal.SIGKILL)
""",
        cause="the process was ended by SIGKILL|has closed its line",
    ),
    "signals_the_referee": Attack(
        body="os.kill(REFEREE, signal.SIGTERM)\nraise Gained", cause="No such process"
    ),
    "traces_a_process": Attack(body="call('ptrace', 16, 1, 0, 0)\nraise Gained", cause=FORBIDDEN),
    "bombs_with_forks": Attack(
        body="while True:\n    os.fork()",
        cause="used more than (8 processes|96 MB of memory)|Resource temporarily",
    ),
    "leaves_a_daemon": Attack(
        body="""
subprocess.run(["env", "-i", "setsid", "sh", "-c", "(sleep 600 &) & (setsid sleep 600 &)"])
raise Nothing("left behind")
""",
        cause="Nothing: left behind",
    ),
    "leaves_a_daemon_and_goes": Attack(
        body="""
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 64)
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
os._exit(0)
""",
        cause="has ended with status 0",
    ),
    "starts_threads_without_end": Attack(
        body="""
threads = 0
while threads < 5000:
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    threads += 1
raise Gained(threads)
""",
        cause="can't start new thread|used more than 96 MB of memory|MemoryError",
    ),
    # --- memory and disk
    "eats_memory": Attack(
        body="kept = [bytearray(1 << 20) for _ in range(4000)]\nraise Gained", cause="MemoryError"
    ),
    "eats_memory_in_many_processes": Attack(
        body="""
def eat():
    kept = bytearray(40 << 20)
    time.sleep(600)
for _ in range(5):
    forks(eat)
time.sleep(600)
""",
        cause="used more than 96 MB of memory",
    ),
    "eats_memory_that_is_shared": Attack(
        body=(
            "kept = mmap.mmap(-1, 400 << 20)\nfor at in range(0, 400 << 20, 4096): kept[at] = "
            "1\ntime.sleep(600)"
        ),
        cause="used more than 96 MB of memory",
    ),
    "eats_memory_by_files_in_memory": Attack(
        body=(
            "for number in range(100): Path(f'/dev/shm/{number}').write_bytes(bytes(4 << "
            "20))\ntime.sleep(600)"
        ),
        cause="used more than 96 MB of memory",
        bounds=Bounds(memory_bytes=96 * MB, disk_bytes=0, sandbox="bubblewrap"),
    ),
    "hides_memory_in_descriptors": Attack(
        body="kept = [os.memfd_create(str(number)) for number in range(40)]\nraise Gained",
        cause=NO_CALL,
    ),
    "hides_memory_in_segments": Attack(
        body="call('shmget', 0, 400 << 20, 0o1600)\nraise Gained", cause=NO_CALL
    ),
    "fills_the_disk_with_one_file": Attack(
        body="with open('big', 'wb') as file:\n    while True: file.write(bytes(1 << 20))",
        cause="File too large",
    ),
    "fills_the_disk_with_many_files": Attack(
        body=(
            "for number in range(1000): Path(f'/tmp/{number}').write_bytes(bytes(1 << 20))\nraise "
            "Gained"
        ),
        cause="No space left on device",
    ),
    "fills_the_disk_with_empty_files": Attack(
        body=(
            "for number in range(10**6): os.close(os.open(f'/bot/tmp/{number}', "
            "os.O_CREAT))\nraise Gained"
        ),
        cause="used more than 24 MB on disk",
    ),
    "opens_files_without_end": Attack(
        body="while True: os.open('/', 0)", cause="Too many open files"
    ),
    "raises_its_own_limits": Attack(
        body="resource.setrlimit(resource.RLIMIT_DATA, [1 << 33] * 2)\nraise Gained",
        cause="ValueError: not allowed to raise",
    ),
    "uses_the_processor_without_end": Attack(
        body="while True: pass",
        cause="used more than 1 s of the processor|was ended by SIG(XCPU|KILL)",
        bounds=Bounds(memory_bytes=96 * MB, cpu_s=1, sandbox="bubblewrap"),
    ),
    # --- what it says
    "floods_its_output": Attack(
        body="""
for _ in range(40):
    os.write(1, b"x" * (1 << 18))
    os.write(2, b"y" * (1 << 18))
raise Nothing("all sent")
""",
        cause="Nothing: all sent",
    ),
    "writes_to_the_terminal": Attack(
        body=r"raise Nothing('\x1b]0;owned\x07\x1b[2J')",
        cause="Nothing: \ufffd]0;owned\ufffd\ufffd\\[2J",
    ),
    "reads_its_input": Attack(body="raise Gained(input())", cause="EOFError"),
    "closes_its_line": Attack(
        body="os.closerange(3, 64)\ntime.sleep(600)", cause="has closed its line to the referee"
    ),
    "says_what_is_no_frame": Attack(
        body="os.write(TALK, b'\\xff\\xfe{\"number\": 1\\n')\ntime.sleep(600)",
        cause="answered with what is no frame",
    ),
    "says_a_line_without_end": Attack(
        body="while True: os.write(TALK, b'x' * 65536)",
        cause="answered with a line of more than 1024 KB",
    ),
    "answers_what_was_not_asked": Attack(
        body='while True: os.write(TALK, b\'{"number": 99999, "commands": []}\\n\')',
        cause="answered a question that was not asked",
    ),
    "answers_in_small_pieces": Attack(
        body="while True:\n    os.write(TALK, b' ')\n    time.sleep(0.001)",
        cause="no answer within 500 ms",
        limit_s=0.5,
    ),
    "commands_in_the_deep": Attack(
        body="""
value = []
for _ in range(500):
    value = [value]
return [value]
""",
        cause="commands nested deeper than 64",
    ),
    "commands_without_end": Attack(body="return [0] * 400_000", cause="more than 5000 commands"),
    "commands_for_the_other_seat": Attack(
        body="return [{'seat': 1, 'move': 'UP'}, {'s': 1, 'c': 'UP'}]",
        cause="rejected",
    ),
    "forges_the_result": Attack(
        body="""
import client_sdk.isolated_child, games.core.match
games.core.match.Match.outcome = property(lambda self: {"winner": 0})
client_sdk.isolated_child.answered = lambda *_: None
os.write(TALK, b'{"number": 1, "commands": [], "outcome": {"winner": 0}, "journal": "mine"}\\n')
raise Nothing("forged")
""",
        cause="turn 1: no answer within|answered a question that was not asked",
        limit_s=0.5,
    ),
    "shadows_our_modules": Attack(  # while its file is read they are its own
        body="import games, client_sdk, msgspec\nraise Nothing(games.__file__)",
        cause=r"Nothing: (?!/bot).*games/__init__\.py",
        files={
            "games.py": "",
            "sitecustomize.py": "raise SystemExit('shadowed')",
            "usercustomize.py": "raise SystemExit('shadowed')",
            "client_sdk/__init__.py": "",
            "msgspec.py": "raise SystemExit('shadowed')",
        },
    ),
    # --- when
    "hangs_while_it_is_read": Attack(
        body="time.sleep(600)", cause="not read within 1 s", at="import"
    ),
    "ends_while_it_is_read": Attack(
        body="os._exit(3)", cause="has ended with status 3 while it was read", at="import"
    ),
    "hangs_in_its_start": Attack(
        body="time.sleep(600)",
        cause="not ready within 300 ms",
        at="on_start",
        config={"preprocessing_timeout_ms": 300},
    ),
    "hangs_in_its_turn_and_ignores_signals": Attack(
        body="""
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
while True: time.sleep(600)
""",
        cause="turn 1: no answer within 400 ms",
        limit_s=0.4,
    ),
    "stops_itself": Attack(
        body="os.kill(os.getpid(), signal.SIGSTOP)",
        cause="turn 1: no answer within 400 ms",
        limit_s=0.4,
    ),
    "hangs_in_its_end": Attack(
        body="time.sleep(600)", cause="its last hook took more than 1 s", at="on_end"
    ),
    "ends_as_if_all_were_well": Attack(
        body="os._exit(0)", cause="the process has ended with status 0"
    ),
    "ends_with_a_status": Attack(body="os._exit(77)", cause="the process has ended with status 77"),
    "crashes": Attack(body="ctypes.string_at(0)", cause="the process was ended by SIGSEGV"),
    # --- privileges
    "becomes_root": Attack(
        body="os.setuid(0)\nraise Gained", cause=f"{FORBIDDEN}|Invalid argument"
    ),
    "mounts": Attack(
        body="call('mount', b'none', b'/bot/tmp', b'tmpfs', 0, None)\nraise Gained", cause=FORBIDDEN
    ),
    "makes_a_namespace": Attack(body="call('unshare', 0x10000000)\nraise Gained", cause=FORBIDDEN),
    "clones_into_a_namespace": Attack(
        body=(
            "call('syscall', 56 if os.uname().machine == 'x86_64' else 220, 0x10000011, 0, 0, 0, "
            "0)\nraise Gained"
        ),
        cause=FORBIDDEN,
    ),
    "keeps_a_key": Attack(
        body=(
            "call('syscall', 248 if os.uname().machine == 'x86_64' else 217, b'user', b'k', b'v', "
            "1, -2)\nraise Gained"
        ),
        cause=FORBIDDEN,
    ),
    "sets_the_clock": Attack(
        body="time.clock_settime(time.CLOCK_REALTIME, 0)\nraise Gained", cause=FORBIDDEN
    ),
    "takes_precedence": Attack(
        body="""
FIFO = 0, os.SCHED_FIFO, os.sched_param(1)
for take in ((os.setpriority, os.PRIO_PROCESS, 0, -5), (os.sched_setscheduler, *FIFO)):
    try:
        take[0](*take[1:])
        raise Gained(take)
    except PermissionError:
        pass
raise Nothing("no precedence")
""",
        cause="Nothing: no precedence",
    ),
    "has_capabilities": Attack(
        body="""
status = dict(line.split(":\\t") for line in Path("/proc/self/status").read_text().splitlines())
if int(status["CapEff"], 16) or int(status["CapPrm"], 16):
    raise Gained(status)
if status["NoNewPrivs"] != "1" or status["Uid"].split()[0] == "0":
    raise Gained(status)
raise Nothing("no capabilities")
""",
        cause="Nothing: no capabilities",
    ),
}
