"""What every test shares: the stages, hypothesis profiles, the cache of compiled modules, and the
restored configuration of logs."""

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

TESTS = Path(__file__).parent
STAGES = {
    TESTS / folder: mark
    for mark, folders in {
        "e2e": ("client_sdk/cli", "e2e", "fuzz", "hostile", "sdk", "soak", "workers"),
        "web": ("web",),
    }.items()
    for folder in folders
}
"""The folders all of whose tests have a mark, and a stage of their own."""

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


def pytest_configure(config: pytest.Config) -> None:
    """A folder or file that is named is run, whatever its stage."""
    named = [config.invocation_params.dir / name.partition("::")[0] for name in config.args]
    run = {
        f"not {mark}"
        for folder, mark in STAGES.items()
        if any(path.is_relative_to(folder) for path in named)
    }
    terms = config.getoption("markexpr").split(" and ")
    config.option.markexpr = " and ".join(term for term in terms if term not in run)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The tests of another stage are left out unread: Playwright alone takes long to import."""
    mark = STAGES.get(collection_path)
    return True if mark and f"not {mark}" in config.getoption("markexpr") else None


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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what has a stage of its own, and give the long forms a time limit of their own; all
    others have that of pyproject.toml."""
    for item in items:
        for folder, mark in STAGES.items():
            if item.path.is_relative_to(folder):
                item.add_marker(mark)
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
