"""The TypeScript SDK, built from its sources where that is possible."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
SDK: Final = ROOT / "sdk" / "typescript"
BUILD: Final = SDK / "build"
DRIVER: Final = BUILD / "sdk" / "typescript" / "test" / "driver.js"
ANY_GAME: Final = DRIVER.with_name("any_game.js")
EXAMPLE: Final = BUILD / "examples" / "typescript" / "bot.js"
COMPILER: Final = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
PACKAGE: Final = ROOT / "node_modules" / "botarena"
LOCK: Final = ROOT / "node_modules" / ".botarena-build.lock"
PATIENCE_S: Final = 240


@cache
def node() -> str:
    """The program `node`, with the SDK built. Skips the test where that is not possible."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("there is no node here")
    if not COMPILER.exists() or not PACKAGE.exists():
        pytest.skip("the packages of package-lock.json are not installed: make node_modules")
    with LOCK.open("w") as lock:  # tests run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = subprocess.run(
            [program, str(COMPILER), "--build", str(SDK / "test")],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
    assert built.returncode == 0, built.stdout
    return program


@cache
def lacks() -> tuple[str, ...]:
    """The features that its client lacks: the websocket of Node, which it has from version 22 on,
    does not tell the status of a refused handshake."""
    said = subprocess.run([node(), "--version"], capture_output=True, text=True, timeout=PATIENCE_S)
    return ("http_status",) if int(said.stdout.removeprefix("v").partition(".")[0]) >= 22 else ()
