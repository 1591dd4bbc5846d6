"""Every vector of the project, through the runner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.core.contract import Json, Seat
from games.core.dice import Scripted
from games.core.match import Match
from tests.games.boards import BOARDS
from tests.vectors.followed import Step, follow
from tests.vectors.runner import adapter_of, read, run

FILES = sorted(Path(__file__).parent.glob("*/*.json"))

BESIDE = Path(__file__).parents[3] / "shared" / "reference"
"""Traces on boards that we may not redistribute: run where they lie beside the project."""

OTHERS = [path for path in sorted(BESIDE.glob("*/*.json")) if path.parent.name in GAMES]
NONE = pytest.param(
    None, marks=pytest.mark.skip(reason="no reference traces lie beside the project"), id="none"
)


@pytest.fixture(autouse=True)
def followed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every step of a vector is played on the game's board to search on too, from the state before
    it and with the same draws, and must lead to the same state."""
    steps: list[Step] = []
    drawn: list[tuple[str, Any]] = []
    apply, advance, draw = Match.apply, Match.advance, Scripted.draw

    def noted_draw(self: Scripted, purpose: str, sample: Any) -> Any:
        value = draw(self, purpose, sample)
        drawn.append((purpose, value))
        return value

    def noted_apply(self: Match, seat: Seat, raw: Json, stamps: Json = None) -> Any:
        before = self.state
        drawn.clear()
        reply = apply(self, seat, raw, stamps)
        code = None if reply.ok else reply.code
        if self.game.name in BOARDS:
            steps.append(Step(self.game, before, self.state, seat, raw, code, [*drawn]))
        return reply

    def noted_advance(self: Match, stamps: Json = None) -> None:
        before = self.state
        drawn.clear()
        advance(self, stamps)
        if self.game.name in BOARDS:
            steps.append(Step(self.game, before, self.state, None, None, None, [*drawn]))

    monkeypatch.setattr(Match, "apply", noted_apply)
    monkeypatch.setattr(Match, "advance", noted_advance)
    monkeypatch.setattr(Scripted, "draw", noted_draw)
    yield
    monkeypatch.undo()
    assert sum(map(follow, steps)) or not steps


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_engine_matches_the_measured_values(path: Path) -> None:
    differing = run(adapter_of(path.parent.name), read(path))

    assert not differing, "\n".join(map(str, differing[:20]))


@pytest.mark.parametrize("path", [pytest.param(path, id=named(path)) for path in OTHERS] or [NONE])
def test_the_engine_matches_the_values_measured_on_the_contests_boards(path: Path) -> None:
    differing = run(adapter_of(path.parent.name), read(path))

    assert not differing, "\n".join(map(str, differing[:20]))
