"""The match as a Catastrophe bot holds it: the game's own state and verbs on this side of the wire.

A command is carried out here at once, travels to the server later, together with others, and what
the server says of it is compared with what happened here. Nothing in this game is hidden and no
dice fall within a turn, so the two are equal; where they are not, the server is right."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

from client_sdk.link import Link
from games.catastrophe.commands import END_TURN, apply, parse
from games.catastrophe.rules import SHELTER, Rules
from games.catastrophe.state import Cell, State
from games.catastrophe.view import CONSTANT_FIELDS, loaded
from games.core.contract import Json, Rejected, Reply
from games.core.dice import Seeded

FRESH_S: Final = 0.02
"""Commands that have waited longer than this are sent with the next: at most 50 frames a second."""
FULL: Final = 500
"""Number of waiting commands that are sent at once, however fast they came."""

_NO_DICE: Final = Seeded(0).at(0)
"""Only the end of a turn rolls any, and that is the server's."""

log = logging.getLogger("botarena")


class Mirror:
    """One match from one seat."""

    def __init__(self, rules: Rules, seat: int, view: Json) -> None:
        self.rules = rules
        self.seat = seat
        self.open = False
        """A turn of this seat is open: commands count."""
        self.calls = 0
        """Commands that were asked for in this turn, those that do not work among them."""
        self._state: State | None = None
        self._constants = {name: view[name] for name in CONSTANT_FIELDS}
        self._view: Json = view
        self._link: Link | None = None
        self._waiting: list[tuple[Json, Json]] = []
        """Carried out here and not sent yet: command, change."""
        self._sent: deque[tuple[Json, Json]] = deque()
        """Sent, and without a word of the server. The end of the turn has no change here."""
        self._sent_at = 0.0
        self._blocked_of: tuple[object, object] | None = None
        self._blocked: set[Cell] = set()

    @property
    def state(self) -> State:
        """The present moment. A view is read on first access."""
        state = self._state
        if state is None:
            state = self._state = loaded(self.rules, self._view)
        return state

    def show(self, view: Json) -> None:
        """The moment that the server shows."""
        self._view, self._state = self._constants | view, None

    def begin(self, view: Json, link: Link) -> None:
        """The seat's turn is open, at this moment."""
        self.show(view)
        self._link = link
        self._waiting.clear()
        self._sent.clear()
        self._sent_at = time.monotonic()
        self.calls = 0
        self.open = True

    def end(self) -> list[Json]:
        """The seat's turn ends. What is still to be sent, the end of the turn among it."""
        if not self.open:
            return []
        self.open = False
        commands = [command for command, _ in self._waiting] + [END_TURN]
        self._sent += self._waiting
        self._sent.append((END_TURN, None))
        self._waiting.clear()
        return commands

    def run(self, command: Json) -> str | None:
        """Carry a command out, here and now. Returns why it does not work, None if it does.

        What does not work here would not work there: it is not sent.
        """
        if not self.open:
            return "not_your_turn: expected a call in run_turn, while the turn is open"
        self.calls += 1
        fault = self._carried_out(command)
        self.keep_pace()
        return fault

    def keep_pace(self) -> None:
        """From time to time: send what waits, if the link takes it now, and listen to what the
        server has said meanwhile."""
        link = self._link
        due = time.monotonic() - self._sent_at > FRESH_S or len(self._waiting) >= FULL
        if not due or link is None or not self.open:
            return
        if self._waiting and link.send_early([command for command, _ in self._waiting]):
            self._sent += self._waiting
            self._waiting.clear()
        self._sent_at = time.monotonic()
        for results in link.pending_results():
            if not self.check(results):
                self._look_again(link)
                return

    def check(self, results: Sequence[Reply]) -> bool:
        """Whether the server's results of the oldest commands match those here. A difference is
        logged as an error."""
        for reply in results:
            if not self._sent:
                return True  # of a turn that is over
            command, changes = self._sent.popleft()
            if reply.ok and (changes is None or reply.changes is None or reply.changes == changes):
                continue
            got = reply.changes if reply.ok else f"{reply.code} {reply.why}".rstrip()
            log.error(
                "the server and this bot's mirror differ about %s: expected %s, got %s",
                command,
                changes or "ok",
                got,
            )
            self._sent.clear()
            return False
        return True

    def path(self, start: Cell, goals: Collection[Cell]) -> list[Cell]:
        """The shortest way over free tiles to the nearest of these cells, without the start; empty
        if there is none.

        A goal itself need not be free. Ties go north, east, south, west.
        """
        near, blocked = self.state.ground.near, self.blocked
        came: dict[Cell, Cell] = {start: start}
        ends = deque((start,))
        while ends:
            here = ends.popleft()
            for cell in near[here]:
                if cell in came:
                    continue
                if cell in goals:
                    way = [cell]
                    while here != start:
                        way.append(here)
                        here = came[here]
                    way.reverse()
                    return way
                if cell not in blocked:
                    came[cell] = here
                    ends.append(cell)
        return []

    @property
    def blocked(self) -> set[Cell]:
        """The cells that no unit can step on now."""
        state = self.state
        if (
            self._blocked_of is None
            or self._blocked_of[0] is not state.at
            or self._blocked_of[1] is not state.structures
        ):
            self._blocked_of = state.at, state.structures
            self._blocked = {
                *state.at,
                *(one.cell for one in state.structures.values() if one.type != SHELTER),
            }
        return self._blocked

    def _carried_out(self, command: Json) -> str | None:
        try:
            state, reply = apply(self.state, self.seat, parse(command), _NO_DICE)
        except Rejected as fault:
            return f"{fault.code}: {fault.why}"
        if not reply.ok:
            return f"{reply.code}: {reply.why}"
        self._state = state
        self._waiting.append((command, reply.changes))
        return None

    def _look_again(self, link: Link) -> None:
        """Take over the board of the server, and carry out on it what was not sent yet."""
        view = link.fresh_view()
        if view is None:
            self.open = False
            log.error("this turn is over, and no view came; its last commands are lost")
            return
        waiting = [command for command, _ in self._waiting]
        self._waiting.clear()
        self.show(view)
        for command in waiting:
            fault = self._carried_out(command)
            if fault is not None:
                log.error("on the board as the server has it, %s does not work: %s", command, fault)
