"""Run vectors: (before, commands, after) traces, and the extra kinds a game has. Holds no game's
name and no rule.

`tests.vectors.adapters.<game>` turns a vector's words into ours: it only renames, and the match it
makes is driven through the same `apply` and `advance` as the server's."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from games.core.contract import Json, Reply, Seat
from games.core.dice import Scripted
from games.core.match import Match

Vector = Mapping[str, Any]
MISSING: Final = "(nothing)"


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is not what the vector says. `step` counts from 1; None: outside the steps."""

    step: int | None
    path: str
    expected: Json
    got: Json

    def __str__(self) -> str:
        where = "" if self.step is None else f"step {self.step}, "
        return f"{where}{self.path}: expected {self.expected!r}, got {self.got!r}"


class Advance:
    """Stands in a step's commands where the game's own time passes."""


ADVANCE: Final = Advance()


@dataclass(frozen=True, slots=True)
class Adapter:
    """One game's words. The first five serve traces; `kinds` has a function per extra kind of file
    (None: it names no kind)."""

    begin: Callable[[Vector, Scripted], Match]
    """The match in the vector's initial state, drawing from this script."""
    moves: Callable[[Vector], Iterable[tuple[Seat, Json] | Advance]]
    """A step's commands in order, as raw JSON, and where to advance."""
    draws: Callable[[Vector], Iterable[tuple[str, Any]]]
    """A step's draws in order: (our purpose, value)."""
    found: Callable[[Match, Vector, Sequence[Reply]], Json]
    """After a step, everything that its `expect` may name, in the vector's words."""
    final: Callable[[Match, Vector], Json]
    """After the last step, everything that `final` may name."""
    kinds: Mapping[str | None, Callable[[Vector], Iterable[Difference]]] = field(
        default_factory=dict
    )


def differences(
    expected: Json, got: Json, path: str = "", step: int | None = None
) -> Iterator[Difference]:
    """What `got` does not have as expected: every key of an expected object must be there, lists
    must be equal in length.

    Whole numbers, fractions and booleans are different: True is not 1, though 1.0 is 1.
    """
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key, value in expected.items():
            yield from differences(
                value, got.get(key, MISSING), f"{path}.{key}" if path else key, step
            )
    elif isinstance(expected, list) and isinstance(got, list | tuple) and len(expected) == len(got):
        for index, (left, right) in enumerate(zip(expected, got, strict=True)):
            yield from differences(left, right, f"{path}[{index}]", step)
    elif isinstance(expected, bool) is not isinstance(got, bool) or expected != got:
        yield Difference(step, path, expected, got)


def exact(expected: Json, got: Json) -> Json:
    """`got`, where an object with keys that are not expected becomes a text that names them: a
    difference to the runner."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        if surplus := sorted(got.keys() - expected.keys()):
            return f"an object that also has {', '.join(surplus)}"
        return {key: exact(expected[key], value) for key, value in got.items()}
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [exact(left, right) for left, right in zip(expected, got, strict=True)]
    return got


def trace(adapter: Adapter, vector: Vector) -> Iterator[Difference]:
    """Play a vector's steps and compare after each. Every draw of the script must be used."""
    if not any(step.get("expect") for step in vector["steps"]) and not vector.get("final"):
        yield Difference(None, "steps", "something to compare", vector["steps"])
    script = Scripted()
    match = adapter.begin(vector, script)
    for number, given in enumerate(vector["steps"], start=1):
        step = {"expect": {}, **given}
        script.load(adapter.draws(step))
        replies = []
        for move in adapter.moves(step):
            if isinstance(move, Advance):
                if (
                    match.outcome is None
                ):  # as every driver: a match that is over only answers commands
                    match.advance()
            else:
                replies.append(match.apply(*move))
        script.finish()
        yield from differences(step["expect"], adapter.found(match, step, replies), step=number)
    if vector.get("final") is not None:
        yield from differences(vector["final"], adapter.final(match, vector), "final")


def run(adapter: Adapter, vector: Vector) -> list[Difference]:
    """All differences of one vector. A kind that the adapter does not know is a difference, never a
    pass."""
    try:
        kind = vector.get("kind", vector.get("schema"))
        if kind in adapter.kinds:
            return list(adapter.kinds[kind](vector))
        if "steps" in vector:
            return list(trace(adapter, vector))
    except Exception as fault:  # noqa: BLE001 - whatever goes wrong is this file's failure, and the next file still runs
        return [Difference(None, "error", "no exception", f"{type(fault).__name__}: {fault}")]
    return [Difference(None, "kind", f"one of {sorted(adapter.kinds)} or a trace", kind)]


def adapter_of(game: str) -> Adapter:
    """Raises ModuleNotFoundError for a game without vectors."""
    return importlib.import_module(f"tests.vectors.adapters.{game}").ADAPTER


def read(path: Path) -> Vector:
    return json.loads(path.read_text(encoding="utf-8"))
