"""Bot authors use Windows and macOS, and install no server: neither games nor client_sdk may need
either."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

POSIX_ONLY = {
    "crypt",
    "fcntl",
    "grp",
    "nis",
    "posix",
    "pty",
    "pwd",
    "readline",
    "resource",
    "spwd",
    "syslog",
    "termios",
    "tty",
    "uvloop",
}
SERVER_ONLY = {"fastapi", "httptools", "starlette", "structlog", "uvicorn", "uvloop"}
NOT_OURS = {"pydantic", "pydantic_settings"}
"""What comes with something that we install, and is no dependency of the base install."""

GUARD = f"""
import builtins, sys
real = builtins.__import__
def guarded(name, globals=None, locals=None, fromlist=(), level=0):
    top, importer = name.partition(".")[0], (globals or {{}}).get("__name__", "")
    ours = importer.partition(".")[0] in ("games", "client_sdk", "maps")
    if level == 0 and (top in {SERVER_ONLY!r} or ours and top in {POSIX_ONLY | NOT_OURS!r}):
        raise ImportError(f"{{top}} is not there, and {{importer}} asks for it")
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = guarded
"""
"""A machine without those modules: the server's parts are missing for all code, the others for
ours."""


def without_them(program: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", GUARD + program],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def test_every_module_of_games_and_sdk_imports_without_posix_and_server(tmp_path: Path) -> None:
    """House bots and APIs included, and the modules that only run as programs; not the one that the
    hub imports when it runs, as it needs the extra `server`."""
    done = without_them(
        """
import importlib, pkgutil
import client_sdk, games
found = [
    module.name
    for package in (games, client_sdk)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith("__main__") and module.name != "client_sdk.gateway.signalr.http"
]
for name in found:
    importlib.import_module(name)
print(len(found))
""",
        tmp_path,
    )

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def test_a_game_is_played_without_posix_and_server(tmp_path: Path) -> None:
    done = without_them(
        "from client_sdk.cli import main\nmain(['play', 'pyrat', 'random', 'greedy', '--seed', "
        "'3', '--set', 'preset=tiny'])",
        tmp_path,
    )

    assert done.returncode == 0, done.stderr
    assert "seed 3" in done.stdout


@pytest.mark.parametrize("module", sorted(POSIX_ONLY | SERVER_ONLY | NOT_OURS))
def test_the_guard_blocks_these_modules(module: str, tmp_path: Path) -> None:
    done = without_them(
        f"exec('import {module}', {{'__name__': 'client_sdk.some', '__builtins__': builtins}})",
        tmp_path,
    )

    assert "is not there" in done.stderr


def unguarded(tree: ast.AST, guarded: bool = False) -> Iterator[str]:
    """The POSIX-only modules that are imported where nothing asks for the system or catches the
    error."""
    for node in ast.iter_child_nodes(tree):
        inside = guarded or isinstance(node, ast.Try | ast.If)
        if isinstance(node, ast.Import) and not guarded:
            yield from (
                alias.name for alias in node.names if alias.name.partition(".")[0] in POSIX_ONLY
            )
        elif (
            isinstance(node, ast.ImportFrom)
            and not guarded
            and (node.module or "").partition(".")[0] in POSIX_ONLY
        ):
            yield str(node.module)
        yield from unguarded(node, inside)


@pytest.mark.parametrize("folder", ["games", "client_sdk"])
def test_posix_modules_are_imported_behind_a_guard(folder: str) -> None:
    """Also in functions, which importing a module does not run."""
    found = {
        path.relative_to(ROOT).as_posix(): names
        for path in (ROOT / folder).rglob("*.py")
        if (names := list(unguarded(ast.parse(path.read_text(encoding="utf-8")))))
    }

    assert found == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import pwd", ["pwd"]),
        ("def f():\n    from termios import tcgetattr", ["termios"]),
        ("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None", []),
        ("import sys\nif sys.platform != 'win32':\n    import resource", []),
    ],
)
def test_an_unguarded_import_is_found(source: str, names: list[str]) -> None:
    assert list(unguarded(ast.parse(source))) == names
