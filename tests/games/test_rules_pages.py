"""The tables of each RULES.md are those of the code: the parameters with their defaults, and the
rule sets. What the numbers have to be is in the tests of each game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import games
from games import GAMES
from games.core.parameters import configure, schema

ROOT = Path(games.__file__).parent
OURS = ("botstack", "catastrophe", "cookoff", "pyrat", "zooscape")
every_game = pytest.mark.parametrize("name", OURS)


def rows(name: str, first: str, second: str) -> list[list[str]]:
    """The rows of the table of the game's RULES.md whose head begins with these two cells."""
    text = (ROOT / name / "RULES.md").read_text(encoding="utf-8")
    head = re.search(
        rf"^\| {first} \| {re.escape(second)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.M
    )
    assert head is not None
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in head[1].splitlines()
    ]


def value(text: str) -> Any:
    """A cell of a table: JSON, or a word."""
    try:
        return json.loads(text.strip("`"))
    except ValueError:
        return text.strip("`")


@every_game
def test_every_parameter_is_in_the_rules_with_its_default(name: str) -> None:
    defaults = {
        key: list(default.values()) if key.endswith("_interval") else default
        for key, field in schema(GAMES[name])["properties"].items()
        for default in [field.get("default")]
    }
    shown: dict[str, Any] = {}
    for names, default, *_ in rows(name, "name", "default"):
        keys = re.findall(r"`([^`]+)`", names)
        values = value(f"[{default}]") if default[0].isdigit() else [value(default)]
        if len(keys) == 1 and len(values) > 1:
            values = [values]
        shown.update(zip(keys, values * (len(keys) // len(values)), strict=True))

    assert shown == defaults


@pytest.mark.parametrize("name", [name for name in OURS if name != "pyrat"])
def test_every_parameter_has_the_limits_that_the_rules_say(name: str) -> None:
    fields = schema(GAMES[name])["properties"]
    compared = 0
    for names, _, allowed, *_ in rows(name, "name", "default"):
        ranges = re.findall(r"(?<!\w)(-?\d+)(?:-| to )(\d+)", allowed)
        least = re.match(r"(\d+) or more", allowed)
        for at, key in enumerate(re.findall(r"`([^`]+)`", names)):
            field = fields[key].get("anyOf", [fields[key]])[0]
            if "minimum" in field:
                compared += 1
                low, high = ranges[min(at, len(ranges) - 1)] if ranges else (least[1], None)
                assert (key, field["minimum"]) == (key, 0 if "0, " in allowed else int(low))
                assert high is None or (key, field["maximum"]) == (key, int(high))
            elif "enum" in field and allowed:
                assert (key, field["enum"]) == (key, re.findall(r"`([^`]+)`", allowed))
            assert ("null" in allowed) is ("anyOf" in fields[key]) or key == "map"
    assert compared >= 10


@pytest.mark.parametrize("name", [name for name in OURS if name != "pyrat"])
def test_the_rule_sets_differ_in_exactly_what_the_rules_say(name: str) -> None:
    sets = GAMES[name].bundles["rules"]
    default = schema(GAMES[name])["properties"]["rules"]["default"]
    text = (ROOT / name / "RULES.md").read_text(encoding="utf-8")
    columns = re.findall(r"`([^`]+)`", re.search(r"^\| parameter \|.*", text, re.M)[0])
    table = {key.strip("`"): values for key, *values in rows(name, "parameter", f"`{default}`")}

    assert {*table} == {key for values in sets.values() for key in values}
    for column, chosen in enumerate(columns):
        rules = configure(GAMES[name], {"rules": chosen})
        assert {key: getattr(rules, key) for key in table} == {
            key: value(values[column]) for key, values in table.items()
        }


def test_in_pyrat_the_rule_sets_are_the_same() -> None:
    assert {name: dict(values) for name, values in GAMES["pyrat"].bundles["rules"].items()} == {
        "contest": {},
        "document": {},
    }


@every_game
def test_every_named_bundle_of_parameters_is_in_the_rules(name: str) -> None:
    text = (ROOT / name / "RULES.md").read_text(encoding="utf-8")

    assert [
        chosen
        for bundle in GAMES[name].bundles.values()
        for chosen in bundle
        if f"`{chosen}`" not in text
    ] == []
