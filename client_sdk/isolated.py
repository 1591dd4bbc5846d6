"""A bot's file in a process of its own, beside the program that plays the match.

The process has a private folder to work in, with a copy of the bot's files and a `tmp`, so that
what it writes is not seen by others. What it prints goes to a log. It is asked over a socket that
it inherits, one JSON line a call. A bot that lets the time run out is silent, and once it hangs it
is ended with everything that it has started."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from client_sdk.bounds import LONGEST_MS, Bounds
from client_sdk.errors import BadBot
from client_sdk.isolated_child import Answer, Call
from client_sdk.isolated_process import LOADING_S, Gone, IsolatedProcess
from client_sdk.output import LogFile
from client_sdk.remote import RemoteBot, WhySilent
from client_sdk.running import running_s
from client_sdk.start import Start
from games.core.contract import AnyGame, Json, Reply

LISTENING_S: Final = 10.0
"""How long a bot may leave unread what it need not answer."""

log = logging.getLogger("botarena")


class Isolated(RemoteBot):
    """Plays what the process says. Leaving it ends the process."""

    def __init__(
        self,
        file: str | Path,
        game: AnyGame,
        log_file: LogFile | None = None,
        *,
        limit_s: float | None = None,
        bounds: Bounds | None = None,
        own: Collection[Path] | None = None,
    ) -> None:
        """Starts the process and waits until it has read the file.

        `log_file`: for its output, which is not kept otherwise. `bounds`: what it may use; without
        a limit a call may take a minute then. `own`: the files and folders that are the bot's, by
        default its folder. Raises BadBot, NoSandbox."""
        given = Path(file)
        if not given.is_file():
            raise BadBot(f"{file}: there is no such file")
        super().__init__(game, limit_s, None if bounds is None else LOADING_S)
        self._number = 0
        self._unanswered: set[int] = set()
        self._child = IsolatedProcess(given.resolve(), game.name, log_file, bounds, own)
        loaded = self._child.loaded
        self.game = loaded.game  # type: ignore[misc]  # of this bot, as of a class
        self.name = self._child.own_words(loaded.name)
        self._hooks = frozenset(loaded.hooks)

    @property
    def pid(self) -> int:
        """The process that is above all of the bot's."""
        return self._child.pid

    def settle(self) -> None:
        self._child.settle()

    def close(self) -> None:
        """End the process, after its last hook if it is well. Doing it twice is no fault."""
        if self._silence is None and not self._missed:
            self._silence = "disconnect"
            self._child.leave()
        self._child.close()

    # --- the bot ----------------------------------------------------------------------------------

    def on_start(self, start: Start) -> None:
        super().on_start(start)
        if "on_start" in self._hooks:
            within = None if start.within_ms is None else start.within_ms / 1000
            self._ask("on_start", start, within or LOADING_S, "not ready", "not_ready")

    def decide(self, view: Json) -> Iterable[Json]:
        turn = view.get("turn", view.get("tick"))
        late = f"turn {turn}: no answer"
        within_s, begun = self._within_s(), running_s()
        answer = self._ask("decide", view, within_s, late, "timeout")
        self._took(running_s() - begun)
        if answer is None:
            return [] if self._silence is None else self._silent(self._silence)
        return answer.commands or ()

    def on_view(self, view: Json) -> None:
        self._tell("on_view", view)

    def on_results(self, results: Sequence[Reply]) -> None:
        if not self._missed:  # else they are of what was said in its place
            self._tell("on_results", list(results))

    def on_event(self, event: dict[str, Json]) -> None:
        self._tell("on_event", event)

    def on_end(self, outcome: dict[str, Json]) -> None:
        self._tell("on_end", outcome)

    # --- messages ---------------------------------------------------------------------------------

    def _tell(self, hook: str, about: Json) -> None:
        """A call that is not answered."""
        if hook in self._hooks and self._silence is None:
            with contextlib.suppress(Gone):  # the next question tells
                if not self._child.send(Call(hook, about), running_s() + LISTENING_S):
                    log.error("%s: the bot does not listen%s", hook, self._child.stack())
                    self._end("timeout")

    def _ask(
        self, hook: str, about: Json, within_s: float | None, late: str, reason: WhySilent
    ) -> Answer | None:
        """The answer to a call; None: none came in time, or none comes any more."""
        if self._silence is not None:
            return None
        if within_s is not None:
            within_s = min(within_s, LONGEST_MS / 1000)
        until = None if within_s is None else running_s() + within_s
        self._number += 1
        self._unanswered.add(self._number)
        try:
            if self._child.send(Call(hook, about, self._number, within_s), until):
                while (answer := self._answer(until)) is not None:
                    for fault in answer.faults:
                        # What a bot raised has a traceback; an answer that is not valid has none.
                        log.log(logging.ERROR if "\n" in fault else logging.WARNING, "%s", fault)
                    if answer.number == self._number:
                        self._missed = 0
                        return answer
        except Gone as gone:
            log.error("%s", f"{late}, for the process {gone}\n{self._child.last_words()}".rstrip())
            self._end(reason if reason == "not_ready" else "disconnect")
            return None
        assert within_s is not None
        stack = self._child.stack()
        log.error("%s within %.0f ms%s", late, within_s * 1000, stack, extra={"late": True})
        if self._hangs() or reason == "not_ready":
            self._end(reason)
            return None
        return Answer(self._number, self._silent(reason))

    def _answer(self, until: float | None) -> Answer | None:
        """The next answer, to this question or to one that was given up. Raises Gone."""
        answer = self._child.receive(until)
        if answer is not None:
            if answer.number not in self._unanswered:
                self._child.end()
                raise Gone("answered a question that was not asked")
            self._unanswered.remove(answer.number)
        return answer

    def _end(self, reason: WhySilent) -> None:
        """Nothing is to be heard of the bot any more, for this reason."""
        self._child.end()
        self._silence = reason
