"""Write the types of the messages and of the games, from their JSON Schemas.

`make schemas` runs it. It knows the forms of schemas that this project has, and fails for any
other."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = Path(__file__).parent / "src"
HEAD: Final = "// Generated from the JSON Schemas by generate.py. Do not edit.\n"
RENAMED: Final = {"Error": "ErrorMessage"}
"""A type must not hide a global of JavaScript."""
SCALARS: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}

Schema = dict[str, Any]


def sources() -> dict[str, str]:
    """The text of each generated file, by name."""
    from client_sdk.wire.documents import json_schema
    from games import GAMES
    from games.core.json_schema import definitions

    messages = json_schema()["$defs"]
    received = {ref["$ref"].rpartition("/")[2] for ref in messages["ServerMessage"]["anyOf"]}
    received |= {"SeatInfo", "Clock", "CommandResult"}
    text = HEAD + "\n".join(
        declared(name, schema, filled=name in received) for name, schema in messages.items()
    )
    text += (
        "\n/** What the messages are checked against, without the texts. */\n"
        f"export const schemas: Record<string, any> = {json.dumps(without_texts(messages))};\n"
    )
    games = {name: definitions(game) for name, game in sorted(GAMES.items())}
    types = [declared(name, schema) for defs in games.values() for name, schema in defs.items()]
    pairs = "".join(
        f"  {name}: {{ view: {named(f'{name}.View')}; command: {named(f'{name}.Command')} }};\n"
        for name in games
    )
    each = f"/** The views and commands of each game. */\nexport interface Games {{\n{pairs}}}\n"
    return {"messages.ts": text, "games.ts": HEAD + "\n".join([*types, each])}


def declared(name: str, schema: Schema, *, filled: bool = False) -> str:
    """One exported type. `filled`: a field with a default is always there once the message is
    read."""
    comment = _comment(schema.get("description"), "")
    if schema.get("type") != "object":
        return f"{comment}export type {named(name)} = {typed(schema)};\n"
    return f"{comment}export interface {named(name)} {_members(schema, filled)}\n"


def named(name: str) -> str:
    """`pyrat.View` is `PyratView`."""
    joined = "".join(part[0].upper() + part[1:] for part in name.split("."))
    return RENAMED.get(joined, joined)


def typed(schema: Schema) -> str:
    """The type of one value. Raises ValueError for a schema of another form."""
    if "$ref" in schema:
        return named(schema["$ref"].removeprefix("#/$defs/"))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(typed, schema["anyOf"])))
    match schema.get("type"):
        case None:
            return "any"
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(map(typed, schema['prefixItems']))}]"
        case "array":
            item = typed(schema.get("items", {}))
            return f"({item})[]" if " " in item else f"{item}[]"
        case "object" if "properties" in schema:
            return _members(schema, filled=False)
        case "object":
            values = schema.get("additionalProperties", {})
            return f"Record<string, {typed({} if values is True else values)}>"
        case str(kind) if kind in SCALARS:
            return SCALARS[kind]
    raise ValueError(f"no type of TypeScript for {schema!r}")


def without_texts(schema: Any) -> Any:
    """A schema with what a message is checked for, and no more."""
    if isinstance(schema, list):
        return [without_texts(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_texts(one) for name, one in value.items()}
        if key == "properties"
        else without_texts(value)
        for key, value in schema.items()
        if key not in ("description", "title")
    }


def _members(schema: Schema, filled: bool) -> str:
    required = set(schema.get("required", ()))
    lines = [
        _comment(one.get("description"), "  ")
        + f"  {name}{'' if name in required or (filled and 'default' in one) else '?'}: "
        + f"{typed(one)};\n"
        for name, one in schema["properties"].items()
    ]
    return "{\n" + "".join(lines) + "}"


def _comment(text: str | None, indent: str) -> str:
    return f"{indent}/** {text.replace('*/', '* /')} */\n" if text else ""


def main() -> None:
    for name, text in sources().items():
        SOURCES.joinpath(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
