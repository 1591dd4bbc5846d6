"""What a turn costs the server: Botarena beside its twins, rounds interleaved."""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.load.servers import ROOT, ServerUsage, botarena, twin
from benchmarks.load.twins import recorded
from benchmarks.seats import SEED
from client_sdk.load.levels import Generator
from client_sdk.load.target import Load, Target
from games import GAMES

CONFIGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "pyrat": {},
    "zooscape": {"max_ticks": 50},
    "botstack": {},
    "catastrophe": {"max_turns": 200},
    "cookoff": {"total_turns": 100},
}
"""Of games whose matches would take minutes otherwise."""
OURS: Final = "botarena"
CLUSTER: Final = "workers"
"""Botarena as two processes, which is no twin: what a turn costs there."""
BUSY: Final = 0.9
"""A process that runs, or waits for its core, in more than this share of the time is the limit."""

PeerServers = dict[str, tuple[ServerUsage, Target]]


def absent(kind: str) -> str | None:
    """Why this twin cannot be measured here."""
    if kind != "node":
        return None
    if shutil.which("node") is None:
        return "there is no node on this machine"
    if not (ROOT / "node_modules" / "ws").is_dir():
        return "ws is not installed (npm ci)"
    return None


def twin_command(kind: str, load: Load, folder: str) -> list[str]:
    """What starts a twin."""
    if kind == "node":
        frames = Path(folder, "frames.json")
        match = recorded(GAMES[load.game], dict(load.config), SEED)
        frames.write_text(json.dumps(match), encoding="utf-8")
        return ["node", str(Path(__file__).with_name("twin.mjs")), str(frames)]
    command = [sys.executable, "-m", "benchmarks.load.twins", kind, "--game", load.game]
    return [*command, "--config", json.dumps(dict(load.config))]


@contextmanager
def peers_for(load: Load, kinds: Sequence[str]) -> Iterator[PeerServers]:
    """Botarena and these twins, each freshly started."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        peers: PeerServers = {OURS: stack.enter_context(botarena(folder))}
        for kind in kinds:
            if kind == CLUSTER:
                own = stack.enter_context(tempfile.TemporaryDirectory())
                peers[kind] = stack.enter_context(botarena(own, workers=2))
                continue
            peers[kind] = stack.enter_context(twin(folder, twin_command(kind, load, folder)))
        yield peers


def measured(usage: ServerUsage, target: Target, load: Load, matches: int) -> dict[str, Any]:
    """The figures of one number of matches, and what it has cost the server."""
    cpu: dict[str, float] = {}
    begun_s = usage.tree_cpu_s()
    waited: dict[str, float] = {}
    memory = {"begun": usage.memory_kb()}

    def passed(phase: str) -> None:
        cpu[phase], waited[phase] = usage.cpu_s(), usage.waited_s()
        memory[phase] = usage.memory_kb()

    with Generator(target, load) as generator:
        row: dict[str, Any] = generator.level(matches, passed)
    turns, seconds = max(row["turns"], 1), row["seconds"] or float("nan")
    in_all_s = usage.tree_cpu_s() - begun_s
    play_s = cpu["played"] - cpu["connected"]
    share = play_s / seconds
    waiting = (waited["played"] - waited["connected"]) / seconds
    row["server"] = {
        "us_per_turn": round(play_s / turns * 1e6, 1),
        "us_per_turn_in_all": round(in_all_s / turns * 1e6, 1),
        "share": round(share, 3),
        "waiting": round(waiting, 3),
        "kb_per_match": round((memory["played"] - memory["begun"]) / matches, 1),
    }
    row["saturated"] = [
        *(["server"] if share + waiting > BUSY else []),
        *(["generator"] if row["generator"]["limit"] else []),
    ]
    return row


def compare(
    load: Load, counts: Sequence[int], rounds: int, kinds: Sequence[str], say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """A row for each number of matches, peer and round. Servers are started again for each number,
    so that the memory of the first round is that of as many matches."""
    rows = []
    for matches in counts:
        with peers_for(load, kinds) as peers:
            for usage, target in peers.values():
                if load.game != "zooscape":
                    measured(usage, target, load, 1)  # warm-up
            for number in range(rounds):
                for peer, (usage, target) in peers.items():
                    row = measured(usage, target, load, matches)
                    rows.append({"game": load.game, "peer": peer, "round": number, **row})
                    say(
                        f"{load.game} {matches} {peer}: {row['server']['us_per_turn']} µs a turn, "
                        f"{row['turns_per_second']:.0f} turns/s {row['failures'] or ''}"
                    )
    return rows


def summary(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Medians over the rounds, and the median of the rounds' ratios to Botarena's processor time.
    Memory is that of the first round."""
    found = []
    keys = dict.fromkeys((row["game"], row["matches"], row["peer"]) for row in rows)
    for game, matches, peer in keys:
        runs = [r for r in rows if (r["game"], r["matches"], r["peer"]) == (game, matches, peer)]
        ours = [r for r in rows if (r["game"], r["matches"], r["peer"]) == (game, matches, OURS)]
        spreads = [run["late_ms"] or run["turn_ms"] for run in runs]
        ratio = statistics.median(
            our["server"]["us_per_turn"] / run["server"]["us_per_turn"]
            for our, run in zip(ours, runs, strict=True)
        )
        found.append(
            {
                "game": game,
                "matches": matches,
                "peer": peer,
                "ratio": round(ratio, 2),
                **{
                    name: statistics.median(run["server"][name] for run in runs)
                    for name in ("us_per_turn", "us_per_turn_in_all", "share", "waiting")
                },
                "kb_per_match": runs[0]["server"]["kb_per_match"],
                "turns_per_second": statistics.median(run["turns_per_second"] for run in runs),
                "p50_ms": statistics.median(spread["p50"] for spread in spreads),
                "p99_ms": statistics.median(spread["p99"] for spread in spreads),
                "generator_share": statistics.median(run["generator"]["share"] for run in runs),
                "saturated": sorted({name for run in runs for name in run["saturated"]}),
                "failed": sum(run["failed"] for run in runs),
            }
        )
    return found


def table(lines: Sequence[Mapping[str, Any]]) -> str:
    """The summary as Markdown."""
    head = (
        "| game | matches | server | µs a turn | ours beside it | in all | KB a match | turns/s "
        "| p50 ms | p99 ms | limit |"
    )
    rows = [head, "|---" * head.count(" | ") + "|---|"]
    rows += [
        f"| {line['game']} | {line['matches']} | {line['peer']} | {line['us_per_turn']:.0f} "
        f"| {line['ratio']:.2f}x | {line['us_per_turn_in_all']:.0f} | {line['kb_per_match']:.0f} "
        f"| {line['turns_per_second']:.0f} | {line['p50_ms']:.2f} | {line['p99_ms']:.2f} "
        f"| {', '.join(line['saturated']) or 'none'} |"
        for line in lines
    ]
    return "\n".join(rows)
