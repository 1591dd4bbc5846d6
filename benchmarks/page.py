"""What the page shows and takes in a real Chromium: frames drawn per second in a 51x51 replay of
Zooscape at 16x and live, the memory of a page that is watched for long, and how soon a viewer who
comes late to a match can go to any of its turns.

The server, its bots and the browser run here. Frames are counted per second; the median counts.
The processor's time of the page's main thread per drawn frame is valid on a busy machine too.
Memory is the heap of the page's scripts and their buffers, after a collection; the ticks of ten
minutes are watched in less time, because they are shorter. Prints lines and one of JSON.

    python -m benchmarks.page [--seconds 20] [--watch 3000] [--late 1900] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import CDPSession, sync_playwright

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
LATE = """async () => {
  const match = document.querySelector("arena-match");
  const { source } = match;
  const whole = () => source.end > 0 && source.turnAt(0) === 0;
  if (!whole()) await new Promise((resolve) => source.addEventListener("history", resolve));
  const opened = performance.now();
  const seeks = [];
  for (let part = 0; part < 50; part += 1) {
    const begun = performance.now();
    match.seek(Math.floor(((part * 37) % 50) / 50 * source.end));
    seeks.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return [opened, source.end, whole(), Math.max(...seeks)];
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


def rates(tab: Tab, seconds: int) -> FrameRates:
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def metrics() -> dict[str, float]:
        return {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}

    tab.page.evaluate(COUNT)
    before = metrics()
    drawn, given = zip(*tab.page.evaluate(RATES, seconds), strict=True)
    after, frames = metrics(), tab.page.evaluate("window.drawn")
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
    opened_ms: float
    """From the navigation until every turn so far can be shown."""
    turns: int
    seek_ms: float
    """The longest of fifty seeks over the whole match."""


def late(tab: Tab, arena: Arena, turn: int) -> Late:
    match = begun(arena, SHORT_TICK_MS)
    tab.until(lambda: (arena.rest.match(match)["turn"] or 0) >= turn, within_s=turn)
    tab.go(f"/match/{match}")
    tab.until(lambda: (now := tab.now()) and now["turn"] is not None)
    opened_ms, turns, whole, seek_ms = tab.page.evaluate(LATE)
    assert whole
    return Late(opened_ms, turns, seek_ms)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=20, help="for each rate")
    parser.add_argument(
        "--watch", type=int, default=TICKS_OF_TEN_MINUTES, help="ticks of watching; 0: none"
    )
    parser.add_argument("--late", type=int, default=1900, help="the tick to join at; 0: none")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    path = found()
    if path is None:
        raise SystemExit(MISSING)
    with (
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder)) as arena,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        tab = opened(browser, arena.url)
        fast = replayed(tab, asked.seconds, Path(folder))
        print(f"replay at 16x: {shown_as(fast)}", flush=True)
        watched(tab, begun(arena, BOARD["tick_ms"]), 12)
        now = rates(tab, asked.seconds)
        print(f"live: {shown_as(now)}", flush=True)
        kept = memory(tab, arena, asked.watch) if asked.watch else None
        if kept:
            shown = ", ".join(f"{heap:.2f}" for heap in kept.heaps_mb)
            print(
                f"memory in {asked.watch} ticks of watching, MB: {shown}; {kept.growth_kb:.2f} KB "
                f"a tick, {kept.ten_minutes_mb:.2f} MB in ten minutes",
                flush=True,
            )
        joined = late(tab, arena, asked.late) if asked.late else None
        if joined:
            print(
                f"joined at tick {asked.late}: every turn of {joined.turns} after "
                f"{joined.opened_ms:.0f} ms (bar: {BAR_LATE_MS}), page included; then a seek takes "
                f"{joined.seek_ms:.0f} ms at most",
                flush=True,
            )
        browser.close()
    figures = {
        "benchmark": "page",
        "replay_fps": fast.drawn,
        "live_fps": now.drawn,
        "replay_task_ms": fast.task_ms,
        "live_task_ms": now.task_ms,
        "heap_mb": kept and kept.heaps_mb,
        "growth_kb_a_tick": kept and kept.growth_kb,
        "late_ms": joined and joined.opened_ms,
        "late_seek_ms": joined and joined.seek_ms,
    }
    line = json.dumps(figures)
    print(line)
    if asked.json is not None:
        asked.json.write_text(line + "\n")


if __name__ == "__main__":
    main()
