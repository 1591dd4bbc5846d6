"""A page in the browser, and what it did: its state, its console, its traffic."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, WebSocket

from tests.waiting import PATIENCE_S

T = TypeVar("T")
EVENT_S = 180.0
"""For a whole tournament, of many steps."""

Theme = Literal["light", "dark"]
Size = Literal["desktop", "laptop", "phone"]
SIZES: dict[Size, tuple[int, int]] = {
    "desktop": (1920, 1080),
    "laptop": (1280, 800),
    "phone": (390, 844),
}
"""A projector shows what a desktop does."""
LOOKS: tuple[tuple[Theme, Size], ...] = (
    ("light", "desktop"),
    ("dark", "desktop"),
    ("light", "laptop"),
    ("dark", "laptop"),
    ("light", "phone"),
    ("dark", "phone"),
)
SHOTS = Path(__file__).parent / "screenshots"
STATE = "document.querySelector('arena-match')?.state ?? null"
NOW = f"(() => {{ const s = {STATE}; return s && {{...s, view: undefined}}; }})()"
"""The state without the view, which may be large."""
DRAWN = """async () => {
  for (let frame = 0; frame < 2; frame += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  const running = () => document.getAnimations().filter(({ playState }) => playState === "running");
  while (running().length) await Promise.allSettled(running().map(({ finished }) => finished));
}"""
"""What has a new size asks for a frame of its own. An animation that another one replaces is
cancelled, and never finished."""


@dataclass
class Tab:
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    """Errors and warnings of the console, what was thrown, and windows that the browser opened to
    ask."""
    hosts: set[str] = field(default_factory=set)
    """Whom the page asked for anything."""
    frames: list[dict[str, Any]] = field(default_factory=list)
    """Every message that came over its sockets."""
    sent: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """The addresses that it fetched."""
    waiting: set[Request] = field(default_factory=set)
    """What it has asked for and not got yet."""

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def state(self) -> dict[str, Any]:
        """What the match on the page shows, with the view."""
        return self.page.evaluate(STATE)

    def now(self) -> dict[str, Any] | None:
        return self.page.evaluate(NOW)

    def until(self, found: Callable[[], T | None], within_s: float = PATIENCE_S) -> T:
        """Ask until there is an answer. The page's policy forbids to ask inside of it."""
        end = time.monotonic() + within_s
        while not (answer := found()):
            assert time.monotonic() < end, (
                f"what the test waits for did not happen; the page says {self.complaints}, "
                f"{self.now()}"
            )
            self.page.wait_for_timeout(40)
        return answer

    def shows(self, **fields: Any) -> dict[str, Any]:
        """Wait until the match on the page is in this state."""

        def right() -> dict[str, Any] | None:
            now = self.now()
            return now if now and all(now[key] == value for key, value in fields.items()) else None

        return self.until(right)

    def match_call(self, call: str, *given: Any) -> Any:
        """Call a method of the match on the page."""
        return self.page.evaluate(
            f"(given) => document.querySelector('arena-match').{call}(...given)", list(given)
        )

    def look(self, theme: Theme, size: Size) -> None:
        """The same page on another screen."""
        width, height = SIZES[size]
        self.page.emulate_media(color_scheme=theme)
        self.page.set_viewport_size({"width": width, "height": height})
        self.drawn()

    def drawn(self) -> None:
        """Wait until the page is drawn as it is now."""
        self.page.evaluate(DRAWN)

    def shot(self, name: str) -> None:
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")


def opened(
    browser: Browser, url: str, theme: Theme = "light", size: Size = "desktop", **options: Any
) -> Tab:
    """A tab in a profile of its own. Its console, its traffic and its faults are kept."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        accept_downloads=True,
        has_touch=size == "phone",
        **options,
    )
    context.set_default_timeout(PATIENCE_S * 1000)
    page = context.new_page()
    tab = Tab(page, url)

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            tab.complaints.append(f"{message.type}: {message.text}")

    def on_websocket(socket: WebSocket) -> None:
        tab.hosts.add(urlsplit(socket.url).netloc)
        socket.on("framereceived", lambda frame: tab.frames.append(json.loads(frame)))
        socket.on("framesent", lambda frame: tab.sent.append(json.loads(frame)))

    def asks(request: Request) -> None:
        address = request.url
        tab.asked.append(address)
        tab.waiting.add(request)
        if not address.startswith(("data:", "blob:")):
            tab.hosts.add(urlsplit(address).netloc)

    def answered(request: Request) -> None:
        tab.waiting.discard(request)

    def interrupts(dialog: Dialog) -> None:
        tab.complaints.append(f"a window of the browser: {dialog.message}")
        dialog.dismiss()

    page.on("console", on_console)
    page.on("dialog", interrupts)
    page.on("pageerror", lambda fault: tab.complaints.append(f"thrown: {fault}"))
    page.on("request", asks)
    page.on("requestfinished", answered)
    page.on("requestfailed", answered)
    page.on("websocket", on_websocket)
    return tab
