"""What every test shares: hypothesis profiles, the cache of compiled modules, and the restored
configuration of logs."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

# Hundreds of processes are started, servers and bots. Where the environment forbids to cache
# compiled modules, each would compile ours again, which costs a server a third of a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every process
# that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest.register_assert_rewrite("tests.games.checks")

WEB = Path(__file__).with_name("web")

settings.register_profile(
    "test",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "soak",
    deadline=None,
    database=None,
    max_examples=2_000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("BOTARENA_TEST_PROFILE", "test"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Playwright takes long to import: the tests of the page are left out unread where none of them
    is to run."""
    return True if collection_path == WEB and "not web" in config.getoption("markexpr") else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays until the end: the garbage collector does not look at it
    while it is made, nor during the tests. It looks for garbage as rarely as it does in a server,
    which saves a twentieth of the processor time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """`-n auto`: half of the time a test waits, for a clock or for a process that starts. The long
    forms are alone on a core."""
    cores = os.cpu_count() or 1
    return cores if config.getoption("markexpr") == "soak" else 2 * cores


SOAK_S = 3 * 3600


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the long forms a time limit of their own; all others have that of pyproject.toml."""
    for item in items:
        if (
            item.get_closest_marker("soak") is not None
            and item.get_closest_marker("timeout") is None
        ):
            item.add_marker(pytest.mark.timeout(SOAK_S))


@pytest.fixture(autouse=True)
def _logs_go_where_they_went() -> Iterator[None]:
    """A verb that is tried within this process sends the log to the standard error of its test,
    which is closed after it: a server that lives longer would write there."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
