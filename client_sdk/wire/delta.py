"""The difference between two JSON values: `patch(old, diff(old, new))` is `new`. A delta is plain
JSON, and simple to apply in any language.

A delta is an object or an array.

- An **object** changes an object, key by key:
  `{"turn": [13], "rat": {"score": [1.5]}, "stop": 0}`. The value of a key is the delta of its
  present value, `[value]` for a new key, or `0` to remove the key. Other keys stay as they are.
- An **array** changes any value, depending on its length:
  - `[]`: nothing changed.
  - `[value]`: the whole new value.
  - `[at, removed, items]`: in a list, the `removed` items from position `at` on are replaced by
    the list `items`.
  - an even length, `[i, delta, j, delta …]`: in a list of the same length, the items at these
    rising positions changed.

Positions count from 0. Values are equal if their JSON text is: `1`, `1.0` and `true` are three
values; the order of keys has no meaning. A language with one type of number reads `1` and `1.0` as
one value, which does no harm."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from client_sdk.wire.messages import Json

DeltaJson: TypeAlias = dict[str, Any] | list[Any]

REMOVED = 0

_encode = msgspec.json.Encoder().encode


def diff(old: Json, new: Json) -> DeltaJson:
    """The change from `old` to `new`: in parts, or the new value if that is shorter as text."""
    if type(old) is dict and type(new) is dict:
        parts: DeltaJson = _members(old, new)
    elif type(old) is list and type(new) is list:
        parts = _items(old, new) if len(old) == len(new) else _splice(old, new)
    else:
        return [] if _same(old, new) else [new]
    if not parts:
        return []
    return parts if len(_encode(parts)) <= len(_encode(new)) + 2 else [new]


def patch(old: Json, delta: Json) -> Json:
    """The new value. `old` stays as it is; what did not change is shared with it. Raises ValueError
    for a delta that fits not."""
    try:
        return _patched(old, delta)
    except RecursionError:
        raise ValueError("a delta nested too deep") from None


def _members(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for key, value in new.items():
        if key not in old:
            changed[key] = [value]
        elif old[key] is not value and (delta := diff(old[key], value)):
            changed[key] = delta
    for key in old:
        if key not in new:
            changed[key] = REMOVED
    return changed


def _items(old: list[Json], new: list[Json]) -> list[Any]:
    changed: list[Any] = []
    for position, (before, after) in enumerate(zip(old, new, strict=True)):
        if before is not after and (delta := diff(before, after)):
            changed += (position, delta)
    return changed


def _splice(old: list[Json], new: list[Json]) -> list[Any]:
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and _same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < shorter - head and _same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    return [head, len(old) - head - tail, new[head : len(new) - tail]]


def _same(one: Json, other: Json) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return one.keys() == other.keys() and all(
            _same(value, other[key]) for key, value in one.items()
        )
    if type(one) is list:
        return len(one) == len(other) and all(map(_same, one, other))
    if type(one) is float:
        return repr(one) == repr(other)  # 0.0 and -0.0 are two texts
    return bool(one == other)


def _patched(old: Json, delta: Json) -> Json:
    if type(delta) is dict:
        return _with_members(old, delta)
    if type(delta) is not list:
        raise ValueError(f"expected a delta, an object or an array, got {delta!r}")
    if not delta:
        return old
    if len(delta) == 1:
        return delta[0]
    if type(old) is not list:
        raise ValueError(f"this delta changes a list, and here is {type(old).__name__}")
    if len(delta) == 3:
        return _spliced(old, *delta)
    if len(delta) % 2:
        raise ValueError(f"an array of {len(delta)} is no delta")
    new = old.copy()
    for position, change in zip(delta[::2], delta[1::2], strict=True):
        if type(position) is not int or not 0 <= position < len(new):
            raise ValueError(f"expected a position in a list of {len(new)}, got {position!r}")
        new[position] = _patched(new[position], change)
    return new


def _with_members(old: Json, delta: dict[str, Any]) -> dict[str, Json]:
    if type(old) is not dict:
        raise ValueError(f"this delta changes an object, and here is {type(old).__name__}")
    new = old.copy()
    for key, change in delta.items():
        if type(change) is int and change == REMOVED:
            if key not in new:
                raise ValueError(f"nothing is called {key!r} that could be removed")
            del new[key]
        elif key in new:
            new[key] = _patched(new[key], change)
        elif type(change) is list and len(change) == 1:
            new[key] = change[0]
        else:
            raise ValueError(f"nothing is called {key!r} that could be changed")
    return new


def _spliced(old: list[Json], at: Json, removed: Json, items: Json) -> list[Json]:
    if type(at) is not int or type(removed) is not int or type(items) is not list:
        raise ValueError(f"expected [at, removed, items], got {[at, removed, items]!r}")
    if not 0 <= at <= at + removed <= len(old):
        raise ValueError(f"positions {at} to {at + removed} of a list of {len(old)}")
    return old[:at] + items + old[at + removed :]
