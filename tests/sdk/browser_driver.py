"""The driver of the TypeScript SDK in Chromium, for `tests.sdk.registry`."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from playwright.async_api import Page, Route, async_playwright

from tests.sdk.typescript import BUILD, SDK
from tests.web.chromium import ARGUMENTS, found

REPORT: Final = """async (line) => {
  const { url, case: given } = JSON.parse(line);
  return JSON.stringify(await report(url, given));
}"""
"""Texts in and out: Playwright leaves out fields called `__proto__`."""
ORIGIN: Final = "http://127.0.0.1:9"
"""Nothing listens there: every request is answered here."""
TRUSTED: Final = "--disable-features=LocalNetworkAccessChecks"
"""A page that no server sent may open websockets to this machine."""
CONFORMANCE_PAGE: Final = """<!doctype html>
<script type="importmap">{"imports": {"botarena": "/dist/index.js"}}</script>
<script type="module">
  import { report } from "/build/sdk/typescript/test/driven.js";
  window.report = report;
</script>"""


async def answer(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN).lstrip("/")
    if path:
        script = (SDK / path).read_text(encoding="utf-8")
        await route.fulfill(body=script, content_type="text/javascript")
    else:
        await route.fulfill(body=CONFORMANCE_PAGE, content_type="text/html")


async def play(page: Page, line: str) -> None:
    sys.stdout.write(await page.evaluate(REPORT, line) + "\n")
    sys.stdout.flush()


async def main() -> None:
    assert BUILD.is_dir()
    reader = asyncio.StreamReader(limit=2**24)
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found(), args=[*ARGUMENTS, TRUSTED]
        )
        page = await browser.new_page()
        await page.route(f"{ORIGIN}/**", answer)
        await page.goto(f"{ORIGIN}/")
        await page.wait_for_function("Boolean(window.report)")
        async with asyncio.TaskGroup() as playing:
            async for line in reader:
                playing.create_task(play(page, line.decode()))


if __name__ == "__main__":
    asyncio.run(main())
