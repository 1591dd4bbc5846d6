"""What of a game is kept beside what its players have written: the record of a game to which a bot
did not come, and what a bot has printed, by turn."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from itertools import pairwise

from client_sdk.local.disk import write
from client_sdk.local.games import Task, TaskResult, log_of
from client_sdk.replay import JOURNAL_SUFFIX
from games import GAMES
from games.core.journal import Journal
from games.core.match import Match


def no_show(task: Task, absent: Sequence[int]) -> None:
    """Write the record of a match that these seats did not come to, as a server does."""
    assert task.games is not None
    written: list[str] = []
    journal, game = Journal(written.append), GAMES[task.game]
    journal.header(
        game,
        match=task.record,
        config=task.config,
        seed=task.seed,
        map_text=task.map_text,
        seats=[{"name": player.label, "kind": "bot"} for player in task.players],
    )
    match = Match.begin(game, task.config, task.seed, task.map_text)
    match.journal = journal
    for seat in absent:
        journal.event(match.turn, seat, "missing")
    match.abort("no_show")
    write(task.games / f"{task.record}{JOURNAL_SUFFIX}", "".join(written).encode())


def packed(task: Task, submitted: Sequence[int], done: TaskResult) -> dict[str, bytes]:
    """The records of a game by kind, gzipped: its journal, and the logs of these seats."""
    assert task.games is not None
    files = {"journal": (task.games / f"{task.record}{JOURNAL_SUFFIX}").read_bytes()}
    files |= {f"log-{seat}": turn_log(task, seat, done) for seat in submitted}
    return {kind: gzip.compress(text, mtime=0) for kind, text in files.items() if text}


def turn_log(task: Task, seat: int, done: TaskResult) -> bytes:
    """What the bot at this seat has printed, and what it did wrong: JSON lines with `turn`, a text
    (empty: before the first one, or unknown; `end`: after the last one), and either `text` or
    `fault`. Empty: nothing."""
    file = log_of(task, seat)
    content = file.read_bytes() if file.exists() else b""
    marks = [(turn, sizes[seat]) for turn, sizes in done.written]
    ends = [0, *(size for _, size in marks), len(content)]
    turns = [*(turn for turn, _ in marks), "end" if marks else ""]
    lines = [
        {"turn": turn, "text": content[begin:end].decode(errors="replace")}
        for turn, (begin, end) in zip(turns, pairwise(ends), strict=True)
        if end > begin
    ]
    lines += [{"turn": one.turn, "fault": one.text} for one in done.faults if one.seat == seat]
    if seat in done.absent:
        lines.append({"turn": "", "fault": done.why})
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()
