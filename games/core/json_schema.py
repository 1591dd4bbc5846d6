"""JSON Schema of types: TypedDict, Literal, unions, lists, tuples, dicts and scalars."""

from __future__ import annotations

import types
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from games.core.contract import AnyGame, Json

SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def definitions(game: AnyGame) -> dict[str, Json]:
    """The schemas of a game's views and commands and of all that stands in them, by name:
    `pyrat.View`, `pyrat.Command`. They refer to each other as `#/$defs/<name>`. Raises TypeError
    for a type that is none of JSON."""
    found: dict[str, Json] = {}
    for name, type_ in (("View", game.view_type), ("Command", game.command_type)):
        schema = _schema(type_, game.name, found)
        found.setdefault(f"{game.name}.{name}", schema)
    return found


def _schema(type_: Any, prefix: str, found: dict[str, Json]) -> Json:
    origin, inner = get_origin(type_), get_args(type_)
    if type_ is Any:
        return {}
    if type_ in SCALARS:
        return {"type": SCALARS[type_]}
    if is_typeddict(type_):
        return _object(type_, prefix, found)
    if origin is Literal:
        return {"enum": [*inner]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(one, prefix, found) for one in inner]}
    if origin is list:
        return {"type": "array", "items": _schema(inner[0], prefix, found)}
    if origin is tuple:
        items = [_schema(one, prefix, found) for one in inner]
        return {
            "type": "array",
            "prefixItems": items,
            "minItems": len(items),
            "maxItems": len(items),
        }
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inner[1], prefix, found)}
    raise TypeError(f"{type_} describes no JSON that this knows")


def _object(type_: Any, prefix: str, found: dict[str, Json]) -> Json:
    name = f"{prefix}.{type_.__name__}"
    if name not in found:
        found[name] = {"type": "object", "description": " ".join((type_.__doc__ or "").split())}
        hints = get_type_hints(type_, include_extras=True)
        optional = {field for field, hint in hints.items() if get_origin(hint) is NotRequired}
        found[name]["properties"] = {
            field: _schema(get_args(hint)[0] if field in optional else hint, prefix, found)
            for field, hint in hints.items()
        }
        found[name]["required"] = [field for field in hints if field not in optional]
    return {"$ref": f"#/$defs/{name}"}
