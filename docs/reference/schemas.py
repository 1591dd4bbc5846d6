"""JSON Schema in words, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Schema = Mapping[str, Any]
LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "maxItems": "at most {} items",
}


def type_of(schema: Schema, link: Callable[[str], str]) -> str:
    """What a value may be. `link` makes a link to a named schema."""
    if "$ref" in schema:
        return link(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(type_of(one, link) for one in schema["anyOf"])
    if "const" in schema:
        return code(schema["const"])
    if "enum" in schema:
        return " or ".join(map(code, schema["enum"]))
    limits = [text.format(f"{schema[key]:.15g}") for key, text in LIMITS.items() if key in schema]
    return _kind(schema, link) + (f" ({', '.join(limits)})" if limits else "")


def _kind(schema: Schema, link: Callable[[str], str]) -> str:
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            items = ", ".join(type_of(one, link) for one in schema["prefixItems"])
            return f"array of {items}"
        case "array":
            return f"array of {type_of(schema.get('items', {}), link)}"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            return f"object of {type_of(schema['additionalProperties'], link)}"
        case str(name):
            return name
    return "any JSON"


def fields(schema: Schema, link: Callable[[str], str]) -> str:
    """The fields of an object as a table; an empty text if it has none."""
    required = schema.get("required", ())
    rows = []
    for name, field in schema.get("properties", {}).items():
        default = code(field["default"]) if "default" in field else "optional"
        rows.append(
            (
                code(name, quotes=False),
                type_of(field, link),
                "required" if name in required else default,
                field.get("description", ""),
            )
        )
    return table(("field", "type", "default", "meaning"), rows) if rows else ""


def table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table, with an empty line after it."""
    titles = [*titles]
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines) + "\n"


def code(value: Any, *, quotes: bool = True) -> str:
    """A JSON value as code; a text without its quotes if they are not wanted."""
    return f"`{json.dumps(value) if quotes else value}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
