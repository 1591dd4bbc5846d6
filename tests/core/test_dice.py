"""Chance: uniform, independent, and the same for ever."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.dice import Scripted, Seeded, Stream

ROOT = Path(__file__).parents[2]


def chi_square(counts: Counter, cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def words(dice: Seeded, purpose: str = "roll", count: int = 1) -> list[int]:
    return [dice.draw(purpose, lambda stream: stream.word()) for _ in range(count)]


def test_a_seed_gives_the_same_draws_for_ever() -> None:
    """Existing journals depend on these values: a change of the dice breaks every old record."""
    dice = Seeded(7).at(0)

    assert dice.draw("item", lambda stream: [stream.below(6) for _ in range(8)]) == PINNED["below"]
    assert dice.draw("item", lambda stream: stream.word()) == PINNED["word"]
    assert dice.at(3).draw("coin", lambda stream: stream.unit()) == PINNED["unit"]
    assert Seeded(2**63 - 1).at(12).draw("deal", shuffled) == PINNED["shuffle"]
    assert (
        Seeded(0).at(1).draw("é‖", lambda stream: [stream.word() for _ in range(9)][-1])
        == PINNED["ninth word"]
    )


def shuffled(stream: Stream) -> list[int]:
    cards = list(range(10))
    stream.shuffle(cards)
    return cards


PINNED = {
    "below": [3, 4, 5, 1, 2, 1, 0, 4],
    "word": 10806780913842025670,
    "unit": 0.28612922878473324,
    "shuffle": [1, 3, 9, 0, 5, 7, 8, 4, 6, 2],
    "ninth word": 2442692714244006103,
}


def test_another_process_draws_the_same() -> None:
    program = (
        "from games.core.dice import Seeded\nfor step in range(50): "
        "print(Seeded(5).at(step).draw('x', lambda s: s.word()))"
    )

    drawn = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }

    assert drawn == {"".join(f"{words(Seeded(5).at(step), 'x')[0]}\n" for step in range(50))}


@pytest.mark.parametrize("cells", [2, 3, 6, 7, 100])
def test_below_is_uniform(cells: int) -> None:
    stream = Stream(b"uniform")
    counts = Counter(stream.below(cells) for _ in range(20_000))

    assert set(counts) == set(range(cells))
    assert (
        chi_square(counts, cells) < cells - 1 + 5 * (2 * (cells - 1)) ** 0.5
    )  # mean and 5 standard deviations


def test_a_bound_that_does_not_divide_the_range_has_no_bias() -> None:
    """A bare remainder by 3 * 2**62 would hit the first third twice as often."""
    stream = Stream(b"bias")
    low = sum(stream.below(3 * 2**62) < 2**62 for _ in range(6_000))

    assert abs(low - 2_000) < 5 * (6_000 * 2 / 9) ** 0.5


@given(st.integers(1, 2**64), st.binary(max_size=8))
def test_below_is_less_than_its_bound(bound: int, key: bytes) -> None:
    assert 0 <= Stream(key).below(bound) < bound


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_an_empty_range_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match="expected a bound"):
        Stream(b"").below(bound)


def test_all_orders_of_a_shuffle_are_equally_likely() -> None:
    orders = {order: index for index, order in enumerate(permutations("abcd"))}
    stream = Stream(b"shuffle")
    counts: Counter = Counter()
    for _ in range(12_000):
        cards = list("abcd")
        stream.shuffle(cards)
        counts[orders[tuple(cards)]] += 1

    assert chi_square(counts, 24) < 23 + 5 * (2 * 23) ** 0.5


def test_units_are_evenly_distributed_from_zero_to_one() -> None:
    stream = Stream(b"unit")
    units = [stream.unit() for _ in range(10_000)]

    assert min(units) >= 0
    assert max(units) < 1
    assert chi_square(Counter(int(unit * 10) for unit in units), 10) < 9 + 5 * 18**0.5


def test_chance_is_never_true_at_0_and_always_at_1() -> None:
    stream = Stream(b"chance")

    assert not any(stream.chance(0) for _ in range(1_000))
    assert all(stream.chance(1) for _ in range(1_000))


def test_a_draw_does_not_depend_on_another() -> None:
    alone = words(Seeded(1).at(4), "b")
    after_others = Seeded(1).at(4)
    words(after_others, "a", 3)
    after_others.draw("c", lambda stream: [stream.word() for _ in range(100)])

    assert words(after_others, "b") == alone


def test_the_same_purpose_twice_in_a_step_gives_two_draws() -> None:
    first, second = words(Seeded(1).at(4), count=2)

    assert first != second


def test_a_repeated_step_draws_the_same() -> None:
    dice = Seeded(1)

    assert words(dice.at(4), count=3) == words(dice.at(4), count=3)


@given(
    st.lists(
        st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 999), st.text(max_size=5)),
        unique=True,
        min_size=2,
        max_size=20,
    )
)
def test_other_seeds_steps_and_purposes_draw_other_values(keys: list[tuple[int, int, str]]) -> None:
    drawn = {words(Seeded(seed).at(step), purpose)[0] for seed, step, purpose in keys}

    assert len(drawn) == len(keys)


def test_neighbouring_seeds_are_unrelated() -> None:
    """Half of the bits differ, as between any two random words."""
    differing = [
        (words(Seeded(seed).at(0))[0] ^ words(Seeded(seed + 1).at(0))[0]).bit_count()
        for seed in range(500)
    ]

    assert abs(sum(differing) / 500 - 32) < 5 * 4 / 500**0.5


def test_a_script_returns_its_values_in_order() -> None:
    script = Scripted([("item", "kit"), ("coin", 1)]).at(9)

    assert script.draw("item", lambda stream: "other") == "kit"
    assert script.draw("coin", lambda stream: 0) == 1
    script.finish()


@pytest.mark.parametrize(
    ("script", "says"),
    [([], "used up"), ([("coin", 1)], "the script says 'coin'; the game draws 'item'")],
    ids=["short", "wrong"],
)
def test_an_unexpected_draw_is_an_error(script: list, says: str) -> None:
    with pytest.raises(LookupError, match=says):
        Scripted(script).draw("item", lambda stream: "other")


def test_unused_draws_are_an_error() -> None:
    script = Scripted([("coin", 1)])

    with pytest.raises(LookupError, match="left over"):
        script.load([("coin", 0)])
