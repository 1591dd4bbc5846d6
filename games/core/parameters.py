"""A game's parameters: the fields of its Rules, with what JSON and its schema need to know.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Rules:
        width: int = whole(21, "board width, cells", low=2, high=64, code="bad_dimensions")

A fault names the field, the game's code and the allowed values. Faults of single parameters are
reported in the order of `Game.config_errors`; `check_rules` has the rules that concern several."""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from games.core.contract import AnyGame, BadSetup, Json

MAX_SEED = 2**63 - 1

SEED: dict[str, Json] = {"type": "integer", "minimum": 0, "maximum": MAX_SEED}
"""What a match's seed may be, as JSON Schema."""

MAX_MS = 2**53 - 1
"""The longest time that can be asked for: what every reader of JSON holds exactly."""

KEY = "parameter"
LONGEST_GUESS = 64
"""Characters of an unknown name for which a similar parameter is looked for: comparing takes time
that grows with its length."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """How one field is checked and described. `schema` is JSON Schema; `code` is the error code of
    a wrong value."""

    about: str
    code: str
    schema: dict[str, Json]
    nullable: bool = False
    instead_of: str | None = None
    """While this one is given, the bundles and the default say nothing of that one: it is null,
    unless given too."""


def whole(
    default: int | None, about: str, *, low: int, high: int | None = None, code: str = "bad_number"
) -> Any:
    """A whole number, low..high inclusive. A default of None makes null legal."""
    limits = {"minimum": low} | ({} if high is None else {"maximum": high})
    return _field(
        default, Parameter(about, code, {"type": "integer"} | limits, nullable=default is None)
    )


def number(default: float, about: str, *, low: float, high: float, code: str = "bad_number") -> Any:
    """A number, low..high inclusive."""
    return _field(
        default, Parameter(about, code, {"type": "number", "minimum": low, "maximum": high})
    )


def flag(default: bool | None, about: str, *, code: str = "bad_flag") -> Any:
    """true or false. A default of None makes null legal."""
    return _field(default, Parameter(about, code, {"type": "boolean"}, nullable=default is None))


def choice(
    default: str | None, about: str, options: Sequence[str], *, code: str = "bad_choice"
) -> Any:
    """One of a few words. A default of None makes null legal."""
    return _field(
        default, Parameter(about, code, {"enum": list(options)}, nullable=default is None)
    )


def rule_set(default: str, sets: Mapping[str, Mapping[str, Json]], about: str) -> Any:
    """The name of a rule set: a bundle of parameters, which keys beside it override. Every game has
    `contest`, the rules that the contest's own program plays, and `document`, the letter of the
    contest's document."""
    return choice(default, f"the rule set; single parameters override it. {about}", tuple(sets))


def seed_part(about: str) -> Any:
    """A seed of one part, 0..2**63-1; null: derived from the match's seed."""
    return whole(None, about, low=0, high=MAX_SEED, code="bad_seed")


def milliseconds(default: int, about: str) -> Any:
    """A time in ms, 0..MAX_MS."""
    return whole(default, about, low=0, high=MAX_MS, code="bad_time")


def free(
    default: Any, about: str, schema: dict[str, Json], *, instead_of: str | None = None
) -> Any:
    """A parameter whose values the game's own `check` judges; `schema` describes them."""
    return _field(
        default, Parameter(about, "", schema, nullable=default is None, instead_of=instead_of)
    )


def parameters(rules: type[Any]) -> dict[str, Parameter]:
    """The declared parameters by name, in the order of declaration."""
    return {f.name: f.metadata[KEY] for f in dataclasses.fields(rules) if KEY in f.metadata}


def configure(game: AnyGame, config: Json, seed: Json = 0) -> Any:
    """The Rules of a configuration: bundles first, then the keys beside them; null is absent.

    The match's seed is no parameter, but its fault has a place among theirs. Raises BadSetup with
    the first fault in the game's order."""
    if not isinstance(config, Mapping):
        raise BadSetup("bad_config", f"expected an object of parameters, got {config!r}")
    given = {key: value for key, value in config.items() if value is not None}
    known = parameters(game.rules)
    faults = [*faults_in(config, known, game.setting_names), *_seed_faults(seed)]
    if faults:
        order = {code: rank for rank, code in enumerate(game.config_errors)}
        raise min(faults, key=lambda fault: order.get(fault.code, len(order)))
    values: dict[str, Json] = {}
    for key, named in game.bundles.items():
        chosen = given.get(key, values.get(key, known[key].schema.get("default")))
        if chosen is not None:
            values |= named[chosen]
    values |= {other: None for key in given if (other := known[key].instead_of) is not None}
    rules = game.rules(**{key: frozen(value) for key, value in (values | given).items()})
    game.check_rules(rules)
    return rules


def faults_in(
    config: Mapping[str, Json],
    known: Mapping[str, Parameter],
    other_names: Mapping[str, str] = MappingProxyType({}),
) -> list[BadSetup]:
    """What is wrong with single parameters, each by itself; null is absent. `other_names`: what
    others call a parameter."""
    given = {key: value for key, value in config.items() if value is not None}
    return [*_unknown(config, known, other_names), *_faults(given, known)]


def _close(key: str, allowed: Sequence[str], other_names: Mapping[str, str]) -> str:
    """What was meant, if that can be guessed. It may be written in another way: maxTurns."""
    if len(key) > LONGEST_GUESS:
        return ""
    written = {_plain(name): name for name in allowed}
    written |= {_plain(other): name for other, name in other_names.items()}
    written |= dict.fromkeys(("seed", "randomseed"), "the seed, which is no parameter of the game")
    close = difflib.get_close_matches(_plain(key), written, n=1)
    return f". Did you mean {written[close[0]]}?" if close else ""


def _plain(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


def _unknown(
    config: Mapping[str, Json], known: Mapping[str, Parameter], other_names: Mapping[str, str]
) -> list[BadSetup]:
    """The first unknown name only: just one is reported, and there may be a hundred thousand."""
    key = next((key for key in config if key not in known), None)
    if key is None:
        return []
    allowed = sorted(known)
    why = f"no parameter is called {key!r}{_close(key, allowed, other_names)}"
    return [BadSetup("unknown_option", why, field=key, allowed=allowed)]


def _faults(given: Mapping[str, Json], known: Mapping[str, Parameter]) -> list[BadSetup]:
    faults = []
    for key, value in given.items():
        if key in known and known[key].code and not _fits(value, known[key].schema):
            allowed = known[key].schema
            why = f"{key}: expected {_spoken(allowed)}, got {value!r}"
            faults.append(
                BadSetup(known[key].code, why, field=key, allowed=allowed.get("enum", allowed))
            )
    return faults


def _seed_faults(seed: Json) -> list[BadSetup]:
    if _fits(seed, SEED):
        return []
    return [
        BadSetup(
            "bad_seed", f"seed: expected {_spoken(SEED)}, got {seed!r}", field="seed", allowed=SEED
        )
    ]


def _fits(value: Json, schema: Mapping[str, Json]) -> bool:
    if "enum" in schema:
        return isinstance(value, str) and value in schema["enum"]
    if schema["type"] == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(
        value, int if schema["type"] == "integer" else (int, float)
    ):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


def _spoken(schema: Mapping[str, Json]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    words = {"boolean": "true or false", "integer": "a whole number", "number": "a number"}[
        schema["type"]
    ]
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None:
        return words
    return f"{words}, {low} or more" if high is None else f"{words}, {low} to {high}"


class Fixed(dict[str, Any]):
    """An object among the parameters: hashable, because it does not change once it is read."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def frozen(value: Json) -> Json:
    """The value made immutable and hashable."""
    if isinstance(value, Mapping):
        return Fixed({key: frozen(item) for key, item in value.items()})
    return tuple(frozen(item) for item in value) if isinstance(value, list | tuple) else value


def described(rules: Any) -> dict[str, Json]:
    """The effective parameters as plain JSON, with the values they have now."""
    return {name: _thawed(getattr(rules, name)) for name in parameters(type(rules))}


def _thawed(value: Any) -> Json:
    if isinstance(value, Mapping):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def schema(game: AnyGame) -> dict[str, Json]:
    """JSON Schema of the game's configuration object, with defaults and one sentence each."""
    return schema_of(game.rules, game.title)


def schema_of(rules: type, title: str) -> dict[str, Json]:
    """The same of any such class."""
    properties: dict[str, Json] = {}
    for name, parameter in parameters(rules).items():
        shape = dict(parameter.schema)
        default = shape.pop("default")
        if parameter.nullable:
            shape = {"anyOf": [shape, {"type": "null"}]}
        properties[name] = shape | {"default": default, "description": parameter.about}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _field(default: Any, parameter: Parameter) -> Any:
    parameter = dataclasses.replace(
        parameter, schema=parameter.schema | {"default": _thawed(default)}
    )
    return dataclasses.field(default=frozen(default), metadata={KEY: parameter})
