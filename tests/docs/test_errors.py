"""docs/errors.md has every code that is raised, with a meaning and a remedy, and no other code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args, get_type_hints

import pytest

import botarena
from client_sdk.wire.codes import CLOSES
from games import GAMES
from games.catastrophe.commands import REFUSALS
from games.cookoff.commands import _WHYS
from games.core.rerun import Verdict
from server.routes.errors import CODES

ROOT = Path(__file__).parents[2]
TAKERS = {
    "BadSetup": 0,
    "Refusal": 1,
    "Refused": 0,
    "Rejected": 0,
    "Reply": 1,
    "ServerRefused": 0,
}
"""The classes that take a code, and the position of the argument."""
COMPUTED = {
    ("client_sdk", "ServerRefused", "f'http_{response.status_code}'"): {"http_…"},
    ("games/catastrophe", "BadSetup", "f'duplicate_{name[:-1]}'"): {
        "duplicate_tile",
        "duplicate_structure",
        "duplicate_unit",
    },
    ("games/catastrophe", "BadSetup", "code"): {
        "bad_tile",
        "bad_structure",
        "bad_unit",
        "bad_food_chance",
        "bad_harvest_rate",
    },
    ("games/catastrophe", "Reply", "code"): {*REFUSALS},
    ("games/cookoff", "Reply", "code"): {*_WHYS},
    ("games/core", "Reply", "self.game.over_code"): set(),
    ("games/core", "Reply", "fate[1]"): set(),
    ("games/pyrat", "BadSetup", "f'bad_{word}'"): {"bad_wall", "bad_mud"},
    ("games/pyrat", "BadSetup", "f'duplicate_{word}'"): {"duplicate_wall", "duplicate_mud"},
    ("server/routes", "Refusal", "code"): {
        *(code for code, _ in CODES.values()),
        *("missing", "unknown_field", "bad_value"),
    },
}
"""The codes of arguments that are not literals, by folder and class. None: they come from data."""
MADE_OF_MAPS = (404, "unknown_map")
"""A BadSetup of the catalogue that two routes answer with another status."""

Rows = dict[str, tuple[str, ...]]
"""The other cells of a table, by code."""


class Raised(NamedTuple):
    path: str
    taker: str
    code: str
    status: int | None
    """Of a Refusal with a literal code."""


@cache
def tables() -> dict[tuple[str, str], Rows]:
    """By section and subsection; a section's own table has no subsection."""
    found: dict[tuple[str, str], Rows] = {}
    section = part = ""
    for line in (ROOT / "docs/errors.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section, part = line[3:], ""
        elif line.startswith("### "):
            part = line[4:]
        elif line.startswith("| `"):
            first, *others = (cell.strip() for cell in line.strip("|").split(" | "))
            rows = found.setdefault((section, part), {})
            for code in re.findall(r"`(.+?)`", first):
                assert code not in rows, f"{code} is in {section} {part} twice"
                rows[code] = tuple(others)
    return found


def table(section: str, part: str = "") -> set[str]:
    return {*tables()[section, part]}


@cache
def raised() -> frozenset[Raised]:
    return frozenset(
        one for package in ("games", "client_sdk", "server") for one in raised_in(package)
    )


def raised_in(package: str) -> Iterator[Raised]:
    trees = {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in ROOT.glob(f"{package}/**/*.py")
    }
    functions = [
        one for tree in trees.values() for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)
    ]
    makers = {one.name: one for one in functions if made_by(one) in TAKERS and "code" in names(one)}
    inside = {id(part) for maker in makers.values() for part in ast.walk(maker)}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
                defaults = [one for argument, one in pairs if argument.arg == "code" and one]
                yield from found(path, "BadSetup", defaults)
            if isinstance(node, ast.Call) and id(node) not in inside:
                name = ast.unparse(node.func).rpartition(".")[2]
                given = [one.value for one in node.keywords if one.arg == "code"]
                status = None
                if name in makers:
                    given += node.args[names(makers[name]).index("code") :][:1]
                elif name in TAKERS:
                    given += node.args[TAKERS[name] :][:1]
                    if name == "Refusal" and isinstance(node.args[0], ast.Constant):
                        status = int(str(node.args[0].value))
                taker = made_by(makers[name]) if name in makers else name
                yield from found(path, taker if taker in TAKERS else "BadSetup", given, status)


def made_by(function: ast.FunctionDef) -> str:
    """What it returns: some functions make an error from a code."""
    return "" if function.returns is None else ast.unparse(function.returns)


def names(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in function.args.args]


def found(
    path: str, taker: str, given: list[ast.expr], status: int | None = None
) -> Iterator[Raised]:
    """Raises KeyError for an argument that COMPUTED does not have."""
    folder = "/".join(path.split("/")[:-1][:2])
    for argument in given:
        match argument:
            case ast.Constant(value=str(code)):
                if code not in ("", "ok"):
                    yield Raised(path, taker, code, status)
            case ast.Attribute(attr="code") | ast.Subscript(slice=ast.Constant(value="code")):
                pass  # of an error that was raised elsewhere
            case _:
                for code in COMPUTED[folder, taker, ast.unparse(argument)]:
                    yield Raised(path, taker, code, None)


def by(*takers: str, within: str = "") -> set[str]:
    return {one.code for one in raised() if one.taker in takers and one.path.startswith(within)}


def test_every_code_has_a_meaning_and_a_remedy() -> None:
    assert len(tables()) > 25
    for place, rows in tables().items():
        for code, cells in rows.items():
            assert len(cells) == (3 if place[0] == "Websocket" else 2), (place, code)
            assert all(cells), (place, code)
            assert cells[-1].endswith("."), (place, code)


def test_the_codes_of_rest_are_those_of_the_server_by_status() -> None:
    listed = {
        (int(part.removeprefix("Status ")), code)
        for (section, part), rows in tables().items()
        if section == "REST"
        for code in rows
    }
    literal = {(one.status, one.code) for one in raised() if one.status}
    framework = {(status, code) for status, (code, _) in CODES.items()}

    assert listed - {MADE_OF_MAPS} >= literal | framework
    assert {code for _, code in listed - {MADE_OF_MAPS}} == by("Refusal")


def test_the_codes_of_the_websocket_are_those_that_close_it() -> None:
    listed = {code: int(cells[0]) for code, cells in tables()["Websocket", ""].items()}

    assert listed == {close.code: status for status, close in CLOSES.items()}


def test_the_codes_that_the_server_adds_to_commands_are_listed_for_all_games() -> None:
    assert table("Commands", "All games") == by("Reply", within="server/matches/")


@pytest.mark.parametrize("name", GAMES)
def test_the_codes_of_a_games_commands_are_those_that_it_raises(name: str) -> None:
    found = by("Rejected", "Reply", within=f"games/{name}/") | {GAMES[name].over_code}

    assert table("Commands", GAMES[name].title) == found


def test_the_codes_of_a_set_up_are_those_that_are_raised() -> None:
    common = table("Set-up of a match", "All games")
    found = {name: by("BadSetup", within=f"games/{name}/") for name in GAMES}
    own = {
        name: tables().get(("Set-up of a match", game.title), {}).keys()
        for name, game in GAMES.items()
    }

    assert {name: codes - common for name, codes in found.items()} == own
    assert common <= by("BadSetup") | {"unknown_game", "wrong_seats"}  # those of `botarena.play`
    assert by("BadSetup") <= common.union(*own.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_code_that_a_game_declares_is_listed(name: str) -> None:
    title = GAMES[name].title
    own = tables().get(("Set-up of a match", title), {}).keys()

    assert {*GAMES[name].config_errors} - own - table("Set-up of a match", "All games") == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_code_of_a_game_is_in_its_rules(name: str) -> None:
    rules = (ROOT / "games" / name / "RULES.md").read_text(encoding="utf-8")
    found = by("Rejected", "Reply", "BadSetup", within=f"games/{name}/")
    codes = found | {*GAMES[name].config_errors, GAMES[name].over_code}

    assert {code for code in codes if f"`{code}`" not in rules} == set()


def test_the_codes_of_tournaments_are_those_that_its_verbs_raise() -> None:
    assert table("Tournaments") == by("Refused")


def test_the_codes_and_exceptions_of_the_package_are_listed() -> None:
    public = {
        name
        for name in botarena.__all__
        if isinstance(value := getattr(botarena, name), type)
        and issubclass(value, botarena.BotarenaError)
    }

    assert table("Python") == (public - {"BotarenaError"}) | by("ServerRefused")


def test_the_kinds_of_verdicts_are_listed() -> None:
    assert table("Records") == {*get_args(get_type_hints(Verdict)["kind"])}
