"""The supervisor of several processes, with children that do nothing but listen."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.arena import PATIENCE_S, eventually
from tests.workers.test_several_processes import alive

PARENT = """
import os, pathlib, socket, sys
from server import log
from server.cluster.supervisor import SupervisedProcess, Supervisor
log.configure("error")
with socket.create_server(("127.0.0.1", 0)) as own:
    pathlib.Path("port").write_text(str(own.getsockname()[1]))
    command = [sys.executable, "-c", sys.argv[1], str(own.fileno())]
    environments = [dict(os.environ, NAME=name) for name in "12"]
    ending_s = float(os.environ["ENDING_S"]) if "ENDING_S" in os.environ else None
    children = [
        SupervisedProcess(e["NAME"], command, e, [own.fileno()], ending_s) for e in environments
    ]
    sys.exit(Supervisor([own], children).run("here"))
"""
CHILD = """
import os, pathlib, signal, sys, time
from client_sdk.supervised import end_with_supervisor
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
pathlib.Path(str(os.getpid())).write_text(str(os.getpid()))
os.replace(str(os.getpid()), os.environ["NAME"] + ".pid")
end_with_supervisor()
print("listening on http://127.0.0.1:8001", flush=True)
while True:  # a signal just before a sleep is noticed after it
    time.sleep(0.1)
"""
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    parents: list[subprocess.Popen[str]] = []

    def started(child: str, **environment: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PARENT, child]
        root = str(Path(__file__).parents[2])
        parent = subprocess.Popen(
            command,
            cwd=tmp_path,
            env={"PYTHONPATH": root} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        parents.append(parent)
        return parent

    yield started
    for parent in parents:
        parent.kill()
        parent.wait()
        assert parent.stdout is not None
        parent.stdout.close()


def pids(folder: Path) -> list[int]:
    return [int((folder / f"{name}.pid").read_text()) for name in "12"]


def output_of(parent: subprocess.Popen[str]) -> str:
    assert parent.stdout is not None
    return parent.stdout.readline()


def test_the_supervisor_reports_once_that_all_listen_and_ends_after_all(
    start: Start, tmp_path: Path
):
    parent = start(CHILD)
    assert output_of(parent) == "listening on here\n"
    children = pids(tmp_path)
    parent.send_signal(signal.SIGTERM)

    assert parent.wait(PATIENCE_S) == 0
    assert not any(alive(pid) for pid in children)


def test_a_child_that_dies_is_restarted(start: Start, tmp_path: Path):
    parent = start(CHILD)
    output_of(parent)
    one, two = pids(tmp_path)
    subprocess.run(["kill", "-KILL", str(one)], check=True)
    eventually(lambda: pids(tmp_path)[0] != one and alive(pids(tmp_path)[0]))

    assert pids(tmp_path)[1] == two
    assert alive(two)


def test_a_connection_waits_for_a_restarting_child(start: Start, tmp_path: Path):
    answers = (
        "listener = socket.socket(fileno=int(sys.argv[1]))\nlistener.accept()[0].sendall(b'here')\n"
    )
    parent = start(
        CHILD.replace("import os,", "import os, socket,").replace(
            "while True:", f"time.sleep(1)\n{answers}while True:"
        )
    )
    output_of(parent)
    one, two = pids(tmp_path)
    for pid in (one, two):
        subprocess.run(["kill", "-KILL", str(pid)], check=True)
    with socket.create_connection(
        ("127.0.0.1", int((tmp_path / "port").read_text())), PATIENCE_S
    ) as client:
        assert client.recv(4) == b"here"
    assert pids(tmp_path)[0] != one


def test_children_end_with_a_killed_parent(start: Start, tmp_path: Path):
    parent = start(CHILD)
    output_of(parent)
    children = pids(tmp_path)
    parent.kill()
    parent.wait(PATIENCE_S)
    eventually(lambda: not any(alive(pid) for pid in children))


def test_if_a_child_never_starts_the_server_fails(start: Start, tmp_path: Path):
    parent = start(CHILD.replace("print(", "os.environ['NAME'] == '2' and sys.exit(1); print("))

    assert parent.wait(PATIENCE_S) == 1
    assert output_of(parent) == ""
    assert not any(alive(int(path.read_text())) for path in tmp_path.glob("*.pid"))


def test_each_child_gets_one_signal_to_end(start: Start, tmp_path: Path):
    handler = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))"
    counts = "signals = []\n" + handler.replace("sys.exit(0)", "signals.append(1)")
    ends = "while not signals:\n    time.sleep(0.01)\ntime.sleep(0.2)\nsys.exit(len(signals) - 1)\n"
    parent = start(CHILD.replace(handler, counts).replace("while True:", f"{ends}while True:"))
    output_of(parent)
    parent.send_signal(signal.SIGTERM)

    assert parent.wait(PATIENCE_S) == 0


def test_a_child_that_does_not_end_in_its_time_is_killed(start: Start, tmp_path: Path):
    parent = start(CHILD.replace("sys.exit(0)", "None"), ENDING_S="0.1")
    output_of(parent)
    children = pids(tmp_path)
    parent.send_signal(signal.SIGTERM)

    assert parent.wait(PATIENCE_S) == 1
    assert not any(alive(pid) for pid in children)
