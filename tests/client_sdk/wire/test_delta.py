"""The form of a delta: client_sdk/wire/delta.py."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.wire.delta import diff, patch

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, -0.0, 1.0, 2.5])
    | st.text("ab", max_size=2)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text("abc", max_size=1), inner, max_size=4)
    ),
    max_leaves=25,
)


def text(value):
    return json.dumps(value, sort_keys=True)


@given(values, values)
def test_a_patch_with_the_difference_gives_exactly_the_new_value(old, new):
    assert text(patch(old, diff(old, new))) == text(new)


@given(values, values)
def test_a_difference_can_be_sent_as_json(old, new):
    assert text(patch(old, json.loads(json.dumps(diff(old, new))))) == text(new)


@given(values, values)
def test_neither_value_is_changed(old, new):
    before = text(old), text(new)

    patch(old, diff(old, new))

    assert (text(old), text(new)) == before


@given(values)
def test_equal_values_have_an_empty_difference(value):
    assert diff(value, copy.deepcopy(value)) == []


@given(values, values)
def test_a_difference_is_hardly_longer_than_the_new_value(old, new):
    assert (
        len(json.dumps(diff(old, new), separators=(",", ":")))
        <= len(json.dumps(new, separators=(",", ":"))) + 2
    )


@given(values, values)
def test_any_delta_applies_or_is_a_value_error(old, delta):
    try:
        patch(old, delta)
    except ValueError:
        return


@pytest.mark.parametrize(
    ("old", "new", "delta"),
    [
        ({"turn": 12, "a": "unchanged text"}, {"turn": 13, "a": "unchanged text"}, {"turn": [13]}),
        ({"a": 1, "b": "unchanged text"}, {"b": "unchanged text"}, {"a": 0}),
        ({"b": "unchanged text"}, {"a": 1, "b": "unchanged text"}, {"a": [1]}),
        (
            ["first row", "second row", "third row"],
            ["first row", "changed", "third row"],
            [1, ["changed"]],
        ),
        ([[1, 4], [5, 4], [9, 4], [9, 5]], [[1, 4], [9, 4], [9, 5]], [1, 1, []]),
        (["aaaa", "bbbb"], ["aaaa", "cccc", "bbbb"], [1, 0, ["cccc"]]),
        (1, 1.0, [1.0]),
        (1, True, [True]),
        (0, False, [False]),
        (None, 0, [0]),
        ([1, 2], {"a": 1}, [{"a": 1}]),
    ],
)
def test_the_documented_forms_apply(old, new, delta):
    assert text(diff(old, new)) == text(delta)
    assert text(patch(old, delta)) == text(new)


@pytest.mark.parametrize(
    ("old", "delta"),
    [
        ({}, 5),
        ({}, None),
        ({}, True),
        ({}, "x"),
        ([], {"a": [1]}),
        ({}, {"a": 0}),
        ({"a": 1}, {"a": False}),
        ({}, {"a": {}}),
        ({}, {"a": [0, 0, []]}),
        ({}, [0, [1]]),
        ([1], [1, [2]]),
        ([1], [-1, [2]]),
        ([1], [True, [2]]),
        ([1], [0, 5]),
        ([1], [0, 2, []]),
        ([1], [2, 0, []]),
        ([1], [0, -1, []]),
        ([1], [0, 1, "x"]),
        ([1], [0, 1, [], 3, 4]),
    ],
)
def test_a_delta_that_does_not_apply_is_refused(old, delta):
    with pytest.raises(ValueError, match=r"."):
        patch(old, delta)


def test_a_delta_nested_too_deeply_is_refused():
    old, delta = [], [[]]
    for _ in range(5000):
        old, delta = [old], [0, delta]
    with pytest.raises(ValueError, match="too deep"):
        patch(old, delta)
