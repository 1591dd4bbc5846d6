"""One browser and one server with house bots for each worker; a tab for each test, which may not
complain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.accounts.people import person
from tests.e2e.arena import Arena, started
from tests.web.chromium import ARGUMENTS, MISSING, found
from tests.web.matches import begun
from tests.web.tab import Tab, opened

OpenTab = Callable[..., Tab]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the tests of the bars have measured."""
    figures = [
        value
        for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
        for name, value in report.user_properties
        if name == "figure" and report.when == "call"
    ]
    if figures:
        terminalreporter.section("figures of the page")
        for figure in figures:
            terminalreporter.write_line(str(figure))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = found()
    if path is None:
        pytest.fail(MISSING, pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with started(tmp_path_factory.mktemp("arena")) as running:
        yield running


@pytest.fixture(scope="session")
def running(arena: Arena) -> str:
    """A match that goes on for as long as the tests do."""
    return begun(arena, "zooscape", max_ticks=100_000, tick_ms=200)


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Arena, str]]:
    """A closed server, and its organiser's key."""
    data: Path = tmp_path_factory.mktemp("club")
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        key = aside.submit(person, data, "organiser", "Robotics club").result().key
    with started(data, BOTARENA_CLOSED="true", BOTARENA_SUBMISSIONS="true") as arena:
        yield arena, key


@pytest.fixture
def tabs(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """Opens tabs on any server. At the end of the test none of them may have complained, or asked
    another host."""
    made: list[Tab] = []

    def tab(url: str, **options: Any) -> Tab:
        made.append(opened(browser, url, **options))
        return made[-1]

    yield tab
    for one in made:
        complaints, hosts = list(one.complaints), one.hosts - {urlsplit(one.url).netloc}
        one.page.context.close()
        assert complaints == []
        assert hosts == set()


@pytest.fixture
def tab(tabs: OpenTab, arena: Arena) -> Tab:
    return tabs(arena.url)
