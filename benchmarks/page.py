"""What the page shows and takes in a real Chromium: frames drawn per second in a 51x51 replay of
Zooscape at 16x and live, the memory of a page that is watched for long, and how soon a viewer who
comes late to a match can go to any of its turns.

The server, its bots and the browser run here. Frames are counted per second; the median counts.
The processor's time of the page's main thread per drawn frame is valid on a busy machine too.
Memory is the heap of the page's scripts and their buffers, after a collection; the ticks of ten
minutes are watched in less time, because they are shorter. Prints lines and one of JSON.

    python -m benchmarks.page [--seconds 20] [--watch 3000] [--late 1900] [--json-file FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, sync_playwright

from tests.e2e.arena import Arena, started
from tests.web.chromium import ARGUMENTS, MISSING, found
from tests.web.matches import recorded
from tests.web.tab import Tab, opened

BOARD = {"seats": 4, "map_size": 51, "tick_ms": 200}
BOTS = ["greedy", "wanderer", "greedy", "wanderer"]
BAR_FPS = 50
SPEED_STEPS = 4
"""From 1x to 16x."""
TICKS_OF_TEN_MINUTES = 600_000 // BOARD["tick_ms"]
SHORT_TICK_MS = 50
SAMPLES = 6
WARM_UP = 400
"""Ticks until the page holds as many decoded views as it ever does."""
BAR_LATE_MS = 1_000
JOINS = 5
"""The first one and the quickest are shown: the machine may be shared."""
WHOLE = """async () => {
  const shown = () => document.querySelector("arena-match");
  const until = async (done) => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now();
  };
  const opened = await until(() => {
    const source = shown()?.source;
    return source?.end > 0 && source.turnAt(0) === 0;
  });
  const read = await until(() => shown().digest?.end === shown().source.end);
  return [opened, read];
}"""
SEEKS = """async () => {
  const match = document.querySelector("arena-match");
  const { source } = match;
  const seeks = [];
  for (let part = 0; part < 50; part += 1) {
    const begun = performance.now();
    match.seek(Math.floor(((part * 37) % 50) / 50 * source.end));
    seeks.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return [source.end, Math.max(...seeks)];
}"""
COUNT = """() => {
  const { painter } = document.querySelector("arena-match");
  const draw = painter.draw.bind(painter);
  window.drawn = 0;
  window.frames = 0;
  painter.draw = () => { window.drawn += 1; draw(); };
  const tick = () => { window.frames += 1; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}"""
RATES = """async (seconds) => {
  const rates = [];
  for (let second = 0; second < seconds; second += 1) {
    const [begun, drawn, frames] = [performance.now(), window.drawn, window.frames];
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const seconds = (performance.now() - begun) / 1000;
    rates.push([(window.drawn - drawn) / seconds, (window.frames - frames) / seconds]);
  }
  return rates;
}"""


class FrameRates(NamedTuple):
    drawn: float
    """Frames drawn in a second, the median."""
    given: float
    """Animation frames that the browser gave in a second, the median."""
    task_ms: float
    """Processor time of the main thread per drawn frame."""
    script_ms: float
    """Of that, in scripts."""


@contextmanager
def visited(browser: Browser) -> Iterator[tuple[Tab, Arena]]:
    """A tab on a server of its own: the matches of one part would take time of the next."""
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as arena:
        tab = opened(browser, arena.url)
        yield tab, arena
        tab.page.context.close()


def timed(tab: Tab) -> CDPSession:
    """The processor's time of the page's main thread is counted from now on."""
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def metrics(session: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}


def rates(tab: Tab, seconds: int) -> FrameRates:
    session = timed(tab)
    tab.page.evaluate(COUNT)
    before = metrics(session)
    drawn, given = zip(*tab.page.evaluate(RATES, seconds), strict=True)
    after, frames = metrics(session), tab.page.evaluate("window.drawn")
    task, script = (
        1000 * (after[name] - before[name]) / frames for name in ("TaskDuration", "ScriptDuration")
    )
    return FrameRates(statistics.median(drawn), statistics.median(given), task, script)


def replayed(tab: Tab, seconds: int, folder: Path) -> FrameRates:
    file = folder / "long.replay.jsonl"
    file.write_text(recorded("zooscape", **BOARD, max_ticks=2000))
    tab.go("/replay")
    tab.page.set_input_files("input[type=file]", file)
    tab.until(lambda: (now := tab.now()) and now["turn"] is not None)
    for _ in range(SPEED_STEPS):
        tab.page.keyboard.press("+")
    tab.page.keyboard.press(" ")
    return rates(tab, seconds)


def begun(arena: Arena, tick_ms: int) -> str:
    config = BOARD | {"max_ticks": 20_000, "tick_ms": tick_ms}
    return str(arena.rest.create("zooscape", config=config, bots=BOTS)["lobby"])


def watched(tab: Tab, match: str, ticks: int) -> int:
    """Watch until this tick has come; the last that has."""
    if not tab.page.url.endswith(match):
        tab.go(f"/match/{match}")
    tab.until(lambda: (now := tab.now()) and now["last"] >= ticks, within_s=ticks)
    return int(tab.now()["last"])


def shown_as(rates: FrameRates) -> str:
    return (
        f"{rates.drawn:.0f} frames a second of {rates.given:.0f} that the browser gave (bar: "
        f"{BAR_FPS}); {rates.task_ms:.1f} ms of processor a frame, {rates.script_ms:.1f} in scripts"
    )


def heap_mb(session: CDPSession) -> float:
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    return (float(usage["usedSize"]) + float(usage["backingStorageSize"])) / 1e6


class MemoryGrowth(NamedTuple):
    heaps_mb: list[float]
    growth_kb: float
    """By tick, from the first sample to the last."""

    @property
    def ten_minutes_mb(self) -> float:
        return self.growth_kb * TICKS_OF_TEN_MINUTES / 1e3


def memory(tab: Tab, arena: Arena, ticks: int) -> MemoryGrowth:
    match = begun(arena, SHORT_TICK_MS)
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("HeapProfiler.enable")
    at, heaps = [], []
    for sample in range(SAMPLES + 1):
        at.append(watched(tab, match, WARM_UP + sample * ticks // SAMPLES))
        heaps.append(heap_mb(session))
    return MemoryGrowth(heaps, 1e3 * (heaps[-1] - heaps[0]) / (at[-1] - at[0]))


class Late(NamedTuple):
    """One join, from the navigation on; nothing is in the browser's cache."""

    opened_ms: float
    """Until every turn so far can be shown."""
    read_ms: float
    """Until the events and the plot of the scores are whole."""
    task_ms: float
    """Processor time of the main thread until then."""
    turns: int
    seek_ms: float
    """The longest of fifty seeks over the whole match."""


def late(tab: Tab, browser: Browser, arena: Arena, turn: int) -> list[Late]:
    """For the first one the server plays the match again; later ones find that kept."""
    match = begun(arena, SHORT_TICK_MS)
    tab.until(lambda: arena.rest.lobby(match)["state"] == "running")
    tab.until(lambda: (arena.rest.match(match)["turn"] or 0) >= turn, within_s=turn)
    joins = []
    for _ in range(JOINS):
        one = opened(browser, arena.url)
        session = timed(one)
        one.page.goto(f"{one.url}/match/{match}", wait_until="commit")
        opened_ms, read_ms = one.page.evaluate(WHOLE)
        task_ms = 1000 * metrics(session)["TaskDuration"]
        joins.append(Late(opened_ms, read_ms, task_ms, *one.page.evaluate(SEEKS)))
        one.page.context.close()
    return joins


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=20, help="for each rate; 0: none")
    parser.add_argument(
        "--watch", type=int, default=TICKS_OF_TEN_MINUTES, help="ticks of watching; 0: none"
    )
    parser.add_argument("--late", type=int, default=1900, help="the tick to join at; 0: none")
    parser.add_argument("--json-file", type=Path)
    asked = parser.parse_args()
    path = found()
    if path is None:
        raise SystemExit(MISSING)
    fast = now = kept = None
    joined: list[Late] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        if asked.seconds:
            with visited(browser) as (tab, arena):
                fast = replayed(tab, asked.seconds, arena.data)
                print(f"replay at 16x: {shown_as(fast)}", flush=True)
                watched(tab, begun(arena, BOARD["tick_ms"]), 12)
                now = rates(tab, asked.seconds)
                print(f"live: {shown_as(now)}", flush=True)
        if asked.watch:
            with visited(browser) as (tab, arena):
                kept = memory(tab, arena, asked.watch)
            shown = ", ".join(f"{heap:.2f}" for heap in kept.heaps_mb)
            print(
                f"memory in {asked.watch} ticks of watching, MB: {shown}; {kept.growth_kb:.2f} KB "
                f"a tick, {kept.ten_minutes_mb:.2f} MB in ten minutes",
                flush=True,
            )
        if asked.late:
            with visited(browser) as (tab, arena):
                joined = late(tab, browser, arena, asked.late)
            for which, one in (("first", joined[0]), ("quickest", min(joined))):
                print(
                    f"joined at tick {asked.late}, the {which} of {JOINS}: every turn of "
                    f"{one.turns} after {one.opened_ms:.0f} ms (bar: {BAR_LATE_MS}), page "
                    f"included; all events and the whole plot after {one.read_ms:.0f} ms, of "
                    f"which the main thread worked for {one.task_ms:.0f}; a seek takes "
                    f"{one.seek_ms:.0f} ms at most",
                    flush=True,
                )
        browser.close()
    figures = {
        "benchmark": "page",
        "replay_fps": fast and fast.drawn,
        "live_fps": now and now.drawn,
        "replay_task_ms": fast and fast.task_ms,
        "live_task_ms": now and now.task_ms,
        "heap_mb": kept and kept.heaps_mb,
        "growth_kb_a_tick": kept and kept.growth_kb,
        "late_ms": [one.opened_ms for one in joined],
        "late_read_ms": [one.read_ms for one in joined],
        "late_task_ms": [one.task_ms for one in joined],
        "late_seek_ms": [one.seek_ms for one in joined],
    }
    line = json.dumps(figures)
    print(line)
    if asked.json_file is not None:
        asked.json_file.write_text(line + "\n")


if __name__ == "__main__":
    main()
