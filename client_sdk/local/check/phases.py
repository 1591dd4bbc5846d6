"""The phases of a match, and the grade of a bot in each."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

from client_sdk.console import amount
from client_sdk.lines import NEVER_READY, NOT_READY
from client_sdk.local.check.match import EXIT_S, TURNS, ObservedMatch
from client_sdk.local.players import LINES_HINT

Grade = Literal["pass", "warn", "fail", "skip"]

SLOW: Final = 0.5
"""Share of the turn's time from which on an answer is called slow."""
SHOWN_LINES: Final = 10
"""Of the bot's output, where a phase ends the check."""
LOGGED: Final = "botarena: "
"""How a line of the SDK's log begins."""
TRACE: Final = "Traceback (most recent call last)"


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    grade: Grade
    why: str


@dataclass(slots=True)
class Report:
    """The phases so far, with a method per grade. Each returns whether the check can go on."""

    phases: list[Phase] = field(default_factory=list)

    def passes(self, name: str, why: str) -> bool:
        return self._add(name, "pass", why)

    def warns(self, name: str, why: str) -> bool:
        return self._add(name, "warn", why)

    def skips(self, name: str, why: str) -> bool:
        return self._add(name, "skip", why)

    def fails(self, name: str, why: str) -> bool:
        return self._add(name, "fail", why)

    def _add(self, name: str, grade: Grade, why: str) -> bool:
        self.phases.append(Phase(name, grade, why))
        return grade != "fail"


def judge(seen: ObservedMatch, report: Report) -> None:
    """Every phase in order; the first one that cannot be passed ends the report."""
    for phase in PHASES:
        if not phase(seen, report):
            if output := seen.output.strip().splitlines()[-SHOWN_LINES:]:
                report.skips("", "\n".join(["it said:", *output]))
            return


def _launch(seen: ObservedMatch, report: Report) -> bool:
    if seen.passed.connected is None:
        status = "it still runs" if seen.status is None else f"it ended with status {seen.status}"
        hint = f"; {LINES_HINT}" if seen.status == 0 else ""
        return report.fails("launch", f"never connected to BOTARENA_URL; {status}{hint}")
    return report.passes("launch", f"connected after {seen.passed.connected - seen.launched:.1f} s")


def _hello(seen: ObservedMatch, report: Report) -> bool:
    first = seen.passed.from_bot[0][1] if seen.passed.from_bot else None
    if first is None or first.get("type") != "hello":
        return report.fails("hello", f"the first frame has to be a hello, got {first}")
    if not seen.received("hello"):
        answers = [message["text"] for _, message in seen.received("error")] or ["no answer"]
        return report.fails("hello", f"the server does not take it: {answers[-1]}")
    client = first.get("client") or "without a name"
    return report.passes("hello", f"protocol {first.get('protocol')}, client {client}")


def _start(seen: ObservedMatch, report: Report) -> bool:
    if not seen.received("start"):
        return report.fails("start", "gone before the match started")
    return report.passes("start", "was there when the match started")


def _ready(seen: ObservedMatch, report: Report) -> bool:
    at, start = seen.received("start")[0]
    limit_ms, ready = start.get("within_ms"), seen.sent("ready")
    if limit_ms is None:
        return report.skips("ready", "no preprocessing in this game")
    if not ready:
        return report.warns("ready", f"never said ready: the first turn waited {limit_ms} ms")
    for line in seen.output.splitlines():  # of a program that speaks lines: ready is not its word
        if line.startswith(LOGGED + NOT_READY):
            return report.fails("ready", line.removeprefix(LOGGED))
        if line.startswith(LOGGED + NEVER_READY):
            return report.warns("ready", line.removeprefix(LOGGED))
    took_ms = (ready[0][0] - at) * 1000
    grade = report.warns if took_ms > limit_ms else report.passes
    return grade("ready", f"after {took_ms:.0f} ms, of {limit_ms} ms")


def _turns(seen: ObservedMatch, report: Report) -> bool:
    took = seen.answered()
    order = sorted(seen.asked())[:TURNS]
    if not order:
        return report.fails("first turn", "was never asked: gone before its first turn")
    if seen.realtime():
        if not took:
            return report.fails("first turn", "did not answer once")
        first = f"in turn {seen.turn_text(min(took))}, after {took[min(took)] * 1000:.1f} ms"
        return report.passes("first turn", f"answered for the first time {first}")
    if order[0] not in took:
        return report.fails("first turn", "was asked and did not answer")
    report.passes("first turn", f"answered after {took[order[0]] * 1000:.1f} ms")
    if silent := [turn for turn in order if turn not in took]:
        what = f"no answer to {len(silent)} of the first {len(order)}"
        return report.fails("ten turns", f"{what}, first to turn {seen.turn_text(silent[0])}")
    return report.passes("ten turns", f"all of the first {len(order)} answered")


def _time(seen: ObservedMatch, report: Report) -> bool:
    times_ms = [took * 1000 for took in seen.answered().values()]
    limit_ms = min((limit for _, limit in seen.asked().values() if limit), default=None)
    refused = seen.refused()
    late = [
        event["turn"]
        for _, event in seen.received("event")
        if event["event"] == "timeout" and event.get("seat") == seen.seat
        if event["turn"] not in refused
    ]
    median, longest = f"{statistics.median(times_ms):.1f} ms", f"{max(times_ms):.1f} ms"
    summary = f"median {median}, longest {longest}, limit {limit_ms or 'none'}"
    if late and seen.realtime():
        passed = amount(len(late), "tick")
        report.warns(
            "answer time", f"{summary}; {passed} without a command, on purpose or too slow"
        )
    elif late:
        first = seen.turn_text(late[0])
        what = f"{amount(len(late), 'turn')} ran out of time, first turn {first}"
        report.fails("answer time", f"{summary}; {what}")
    elif limit_ms is not None and max(times_ms) > SLOW * limit_ms:
        report.warns("answer time", f"{summary}: little is left for a slow network")
    else:
        report.passes("answer time", summary)
    return True


def _messages(seen: ObservedMatch, report: Report) -> bool:
    """Whether what it sends is understood and done."""
    errors = [message["text"] for _, message in seen.received("error")]
    results = [result for _, message in seen.received("results") for result in message["results"]]
    codes = Counter(result["code"] for result in results if result["code"] != "ok")
    counts = ", ".join(f"{count} {code}" for code, count in sorted(codes.items()))
    if errors:
        were = amount(len(errors), "frame was", "frames were")
        report.fails("messages", f"{were} no message of the protocol: {errors[0]}")
    elif codes and codes.total() == len(results):
        report.fails("messages", f"not one command was carried out: {counts}")
    elif codes:
        report.warns("messages", f"not carried out: {counts}")
    else:
        report.passes("messages", "all understood, all commands carried out")
    return True


def _unknown_fields(seen: ObservedMatch, report: Report) -> bool:
    since = seen.passed.strange_since
    if since is None:
        return report.skips("unknown fields", "the match was over too soon")
    asked = [turn for turn, (at, _) in seen.asked().items() if at >= since]
    took = seen.answered()
    silent = [turn for turn in asked if turn not in took]
    if seen.realtime() and any(at >= since for at, _ in seen.passed.from_bot):
        silent = []  # a bot may let turns pass
    if silent or not (asked or seen.received("end")):
        when = f"silent from turn {seen.turn_text(silent[0])} on" if silent else "gone"
        why = f"{when}, where messages have a field that it does not know"
        return report.fails("unknown fields", why)
    return report.passes("unknown fields", f"ignored, in {amount(len(asked), 'turn')}")


def _end(seen: ObservedMatch, report: Report) -> bool:
    outcome = seen.outcome
    if seen.cut_s is not None:
        return report.skips("end", f"the match was ended after {seen.cut_s:.0f} s (--max-time)")
    if not seen.received("end") or outcome is None:
        return report.fails("end", "gone before the match was over")
    if outcome["outcome"] == "forfeit" and outcome["winner"] != seen.seat:
        report.fails("end", f"lost by forfeit: {outcome['reason']}")
    else:
        report.passes("end", f"{outcome['seats'][seen.seat]['outcome']} ({outcome['reason']})")
    return True


def _exit(seen: ObservedMatch, report: Report) -> bool:
    if seen.status is None:
        return report.fails("exit", f"still runs {EXIT_S:.0f} s after the end")
    status = f"status {seen.status} after {seen.exit_s:.1f} s"
    if seen.status:
        report.warns("exit", f"{status}; 0 says that all is well")
        return False
    return report.passes("exit", status)


def _own_errors(seen: ObservedMatch, report: Report) -> bool:
    """A Python bot that raises, or whose answers its API replaces, plays on, in silence or with a
    harmless answer: only its output shows it."""
    lines = seen.output.splitlines()
    traces = [at for at, line in enumerate(lines) if line.startswith(TRACE)]
    logged = sum(lines[at - 1].startswith(LOGGED) for at in traces)
    replaced = [line for line in lines if line.startswith(LOGGED) and ": expected " in line]
    last = next((line for line in lines[traces[-1] + 1 :] if line[:1] != " "), "") if traces else ""
    always = logged + len(replaced) >= len(seen.asked())
    turns = ", one for every turn" if always else ""
    grade = report.fails if always else report.warns
    if traces:
        what = amount(len(traces), "traceback")
        grade("own errors", f"{what} in its output{turns}; the last one: {last}")
    elif replaced:
        what = amount(len(replaced), "answer that is not valid", "answers that are not valid")
        grade("own errors", f"{what}{turns}; the last one: {replaced[-1].removeprefix(LOGGED)}")
    return True


PHASES: Final = (
    _launch,
    _hello,
    _start,
    _ready,
    _turns,
    _time,
    _messages,
    _unknown_fields,
    _end,
    _exit,
    _own_errors,
)
