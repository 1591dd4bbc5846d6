"""The page's reader of deltas, against the writer of the server."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st

from client_sdk import replay
from client_sdk.wire.delta import diff, patch
from games import GAMES
from tests.web.matches import recorded
from tests.web.tab import Tab

APPLY = """async (vectors) => {
  const { patch } = await import("/web/lib/delta.js");
  return vectors.map(([old, delta]) => JSON.stringify(patch(JSON.parse(old), JSON.parse(delta))));
}"""
REFUSED = """async (vectors) => {
  const { patch, BadDelta } = await import("/web/lib/delta.js");
  return vectors.map(([old, delta]) => {
    try { patch(old, delta); return "took it"; }
    catch (fault) { return fault instanceof BadDelta ? "" : String(fault); }
  });
}"""

keys = st.sampled_from(["a", "b", "c", "__proto__", "constructor", ""])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-2, 2) | st.text("xyz", max_size=2),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def vectors(wanted: int) -> list[tuple[Any, Any]]:
    """Pairs of values, many of them alike."""
    made: list[tuple[Any, Any]] = []

    def enough(pair: tuple[Any, Any]) -> bool:
        made.append(pair)
        return len(made) >= wanted

    find(
        st.tuples(json_values, json_values),
        enough,
        settings=settings(max_examples=wanted * 2, database=None, derandomize=True),
    )
    return made


def same(page: str, ours: Any) -> bool:
    """The page has one kind of number, so compare what JSON means and not its text."""
    return bool(json.loads(page) == json.loads(json.dumps(ours)))


def test_a_delta_gives_the_servers_view(tab: Tab):
    tab.go("/standings")
    pairs = vectors(400)
    given = [(json.dumps(old), json.dumps(diff(old, new))) for old, new in pairs]

    got = tab.page.evaluate(APPLY, given)

    assert len(pairs) >= 400
    assert all(same(text, new) for text, (_, new) in zip(got, pairs, strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_the_deltas_of_a_whole_match_give_every_view(tab: Tab, game):
    tab.go("/standings")
    record = replay.read(recorded(game))
    views = [record.view(index) for index in range(len(record.frames))]
    given = [
        (json.dumps(old), json.dumps(diff(old, new))) for old, new in itertools.pairwise(views)
    ]

    got = tab.page.evaluate(APPLY, given)

    assert all(same(text, new) for text, new in zip(got, views[1:], strict=True))


def test_a_delta_that_does_not_apply_is_refused_in_both_languages(tab: Tab):
    tab.go("/standings")
    bad: list[tuple[Any, Any]] = [
        *[
            ({}, delta)
            for delta in ({"a": 0}, {"a": []}, {"a": [1, 2, 3]}, [0, 0, []], 5, "x", None)
        ],
        *[
            ([1], delta)
            for delta in (
                {"a": [1]},
                [1, [2]],
                [-1, [2]],
                ["0", [2]],
                [0, 2, []],
                [-1, 0, []],
                [0, 0, 5],
            )
        ],
        (1, {"a": [1]}),
        ([1, 2], [0, [], 1, [], 2]),
        ({"a": 1}, {"a": True}),
    ]
    for old, delta in bad:
        with pytest.raises(ValueError, match=r"."):
            patch(old, delta)

    assert tab.page.evaluate(REFUSED, bad) == [""] * len(bad)


def test_a_long_match_of_changes_keeps_few_views_decoded(tab: Tab):
    """A live match sends one whole view, then changes: the views of long ago are let go."""
    tab.go("/replay")
    kept, shown = tab.page.evaluate(
        """async (turns) => {
          const { Replay } = await import("/web/lib/replay.js");
          const record = new Replay();
          record.add(0, true, { n: 0, same: [1, 2] });
          let kept = 0;
          for (let turn = 1; turn < turns; turn += 1) {
            record.view(turn - 1);
            record.add(turn, false, { n: [turn] });
            const views = [...record.chunks.values()].map((chunk) => chunk.length);
            kept = Math.max(kept, views.reduce((sum, length) => sum + length, 0));
          }
          record.takeBack(turns - 1);
          record.add(turns - 1, false, { n: [turns - 1] });
          return [kept, record.turns.map((_, index) => record.view(index))];
        }""",
        1_000,
    )

    assert kept <= 300
    assert shown == [{"n": turn, "same": [1, 2]} for turn in range(1_000)]


def test_a_packed_text_is_unpacked_as_it_was(tab: Tab):
    many = random.Random(3)
    texts = [
        "",
        "a",
        "abcd",
        "abcd" * 100,
        "x" * 200_000,
        "Zoë 🦓 " * 1_000,
        "".join(chr(many.randrange(32, 1_000)) for _ in range(100_000)),
        "".join(many.choice(["0101", "212", ",", "[5,"]) for _ in range(100_000)),
    ]
    tab.go("/replay")
    unpacked, sizes = tab.page.evaluate(
        """async (texts) => {
          const { pack, unpack } = await import("/web/lib/packed.js");
          const packed = texts.map(pack);
          return [packed.map(unpack), packed.map((one) => one.length)];
        }""",
        texts,
    )

    assert unpacked == texts
    assert sizes[3] < 20
    assert sizes[4] < 200_000 / 40


def test_frames_can_be_taken_back_from_packed_chunks(tab: Tab):
    tab.go("/replay")
    lengths, shown = tab.page.evaluate(
        """async () => {
          const { Replay } = await import("/web/lib/replay.js");
          const record = new Replay();
          const add = (turn) => record.add(turn, turn === 0, turn === 0 ? { n: 0 } : { n: [turn] });
          for (let turn = 0; turn < 220; turn += 1) add(turn);
          const lengths = [];
          const shown = [];
          for (const turn of [215, 201, 200, 199, 101, 100, 51, 50, 1]) {
            record.takeBack(turn);
            lengths.push(record.length);
            add(turn);
            shown.push([record.view(turn).n, record.view(turn - 1).n, record.view(0).n]);
          }
          return [lengths, shown];
        }""",
    )

    turns = [215, 201, 200, 199, 101, 100, 51, 50, 1]
    assert lengths == turns
    assert shown == [[turn, turn - 1, 0] for turn in turns]
