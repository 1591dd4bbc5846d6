"""The page's reader of deltas, against the writer of the server."""

from __future__ import annotations

import itertools
import json
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
