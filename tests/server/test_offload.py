"""CPU work in a child process."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server import offload
from server.errors import Refusal
from server.offload import ChildDied, Offload


def run(work: Callable[[Offload], Awaitable[object]]) -> object:
    async def opened() -> object:
        child = Offload()
        try:
            return await work(child)
        finally:
            await child.close()

    return asyncio.run(opened())


def refuse() -> None:
    raise Refusal(422, "bad_board", "no board", field="map")


def die_once(path: Path) -> str:
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_call_runs_in_another_process_at_low_priority():
    async def work(child: Offload) -> object:
        return await child.run(os.getpid), await child.run(os.getpid), await child.run(os.nice, 0)

    first, second, niceness = run(work)

    assert first == second != os.getpid()
    assert niceness == min(os.nice(0) + 5, 19)


def test_a_call_that_takes_too_long_is_ended_and_the_next_one_runs():
    async def work(_: Offload) -> None:
        child = Offload(most_s=5.0)
        try:
            with pytest.raises(Refusal) as caught:
                await child.answer(time.sleep, 600)
            assert caught.value.code == "too_much_work"
            assert await child.answer(abs, -1) == 1
        finally:
            await child.close()

    run(work)


def test_an_exception_in_a_call_is_raised():
    with pytest.raises(Refusal) as caught:
        run(lambda child: child.run(refuse))

    assert (caught.value.code, caught.value.field) == ("bad_board", "map")


def test_an_exception_has_its_original_traceback():
    with pytest.raises(ZeroDivisionError) as caught:
        run(lambda child: child.run(divmod, 1, 0))

    assert "offload_child.py" in caught.value.__notes__[0]


def test_a_result_that_cannot_be_pickled_is_an_error_of_the_call():
    async def work(child: Offload) -> object:
        with pytest.raises(Exception, match="pickle"):
            await child.run(open, os.devnull)
        return await child.run(abs, -3)

    assert run(work) == 3


def test_a_child_that_dies_is_restarted(tmp_path: Path):
    async def work(child: Offload) -> object:
        with pytest.raises(Refusal, match="overloaded"):
            await child.answer(die_once, tmp_path / "one")
        return await child.answer(die_once, tmp_path / "one"), await child.run(
            die_once, tmp_path / "two"
        )

    assert run(work) == ("done", "done")


def test_a_call_that_kills_the_child_each_time_fails():
    with pytest.raises(ChildDied):
        run(lambda child: child.run(die))


def test_clients_are_refused_when_too_many_calls_wait(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(offload, "QUEUE", 2)

    async def work(child: Offload) -> object:
        waiting = [asyncio.create_task(child.answer(abs, -1)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="overloaded"):
            await child.answer(abs, -1)
        return await asyncio.gather(*waiting, child.run(abs, -1))

    assert run(work) == [1, 1, 1]


@pytest.mark.parametrize("started", [True, False])
def test_closing_ends_all_calls_at_once(started: bool):
    async def work(child: Offload) -> object:
        if started:
            await child.run(abs, -1)
        sleeping = [asyncio.create_task(child.run(time.sleep, 60)) for _ in range(2)]
        await asyncio.sleep(0.1 if started else 0)
        begun = time.monotonic()
        await child.close()
        for call in sleeping:
            with pytest.raises(ChildDied):
                await call
        return time.monotonic() - begun

    assert run(work) < 30
