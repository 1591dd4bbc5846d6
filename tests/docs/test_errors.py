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
    "BadSetup": ("", 0),
    "Refusal": ("server", 1),
    "Refused": ("games/contest", 0),
    "Rejected": ("games", 0),
    "Reply": ("games", 1),
    "ServerRefused": ("client_sdk", 0),
    "_fault": ("games", 0),
    "_no": ("server/matches", 0),
    "_ordered": ("games", 0),
    "refused": ("games", 0),
}
"""What takes a code: where, and the position of the argument."""
COMPUTED = {
    ("client_sdk/rest.py", "f'http_{response.status_code}'"): {"http_…"},
    ("games/catastrophe/board.py", "f'duplicate_{name[:-1]}'"): {
        "duplicate_tile",
        "duplicate_structure",
        "duplicate_unit",
    },
    ("games/catastrophe/board.py", "code"): {"bad_tile", "bad_structure", "bad_unit"},
    ("games/catastrophe/commands.py", "code"): {*REFUSALS},
    ("games/catastrophe/rules.py", "code"): set(),
    ("games/cookoff/commands.py", "code"): {*_WHYS},
    ("games/core/contract.py", "code"): set(),
    ("games/core/match.py", "self.game.over"): set(),
    ("games/core/rerun.py", "fate[1]"): set(),
    ("games/pyrat/board.py", "f'bad_{word}'"): {"bad_wall", "bad_mud"},
    ("games/pyrat/board.py", "f'duplicate_{word}'"): {"duplicate_wall", "duplicate_mud"},
    ("games/zooscape/board.py", "code"): set(),
    ("server/routes/errors.py", "code"): {
        *(code for code, _ in CODES.values()),
        *("missing", "unknown_field", "bad_value"),
    },
}
"""The codes of arguments that are not literals. None: they come from other calls or from data that
is read."""
MADE_OF_MAPS = (404, "unknown_map")
"""A BadSetup of the catalogue that two routes answer with another status."""

Rows = dict[str, tuple[str, ...]]
"""The other cells of a table, by code."""


class Raised(NamedTuple):
    path: str
    taker: str
    code: str
    status: int | None


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
    paths = [
        path for name in ("games", "client_sdk", "server") for path in ROOT.glob(f"{name}/**/*.py")
    ]
    return frozenset(
        one
        for path in paths
        for one in calls(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8")))
    )


def calls(path: str, tree: ast.Module) -> Iterator[Raised]:
    """What each call gives as a code, and what a function takes if nothing is given."""
    for node in ast.walk(tree):
        given: list[ast.expr] = []
        taker, status = "", None
        if isinstance(node, ast.FunctionDef):
            taker = node.name
            pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            given = [default for one, default in pairs if one.arg == "code" and default]
        elif isinstance(node, ast.Call):
            taker = ast.unparse(node.func).rpartition(".")[2]
            given = [one.value for one in node.keywords if one.arg == "code"]
            place, position = TAKERS.get(taker, ("", len(node.args)))
            if path.startswith(place):
                given += node.args[position:][:1]
            if taker == "Refusal" and isinstance(node.args[0], ast.Constant):
                status = int(str(node.args[0].value))
        for argument in given:
            literal = isinstance(argument, ast.Constant)
            for code in codes(path, argument):
                yield Raised(path, taker, code, status if literal else None)


def codes(path: str, argument: ast.expr) -> set[str]:
    """Raises KeyError for an argument that COMPUTED does not have."""
    match argument:
        case ast.Constant(value=str(code)):
            return {code} - {"", "ok"}
        case ast.Attribute(attr="code") | ast.Subscript(slice=ast.Constant(value="code")):
            return set()  # of an error that was raised elsewhere
    return COMPUTED[path, ast.unparse(argument)]


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
    literal = {(one.status, one.code) for one in raised() if one.taker == "Refusal" and one.status}
    framework = {(status, code) for status, (code, _) in CODES.items()}

    assert listed - {MADE_OF_MAPS} >= literal | framework
    assert {code for _, code in listed - {MADE_OF_MAPS}} == by("Refusal")


def test_the_codes_of_the_websocket_are_those_that_close_it() -> None:
    listed = {code: int(cells[0]) for code, cells in tables()["Websocket", ""].items()}

    assert listed == {close.code: status for status, close in CLOSES.items()}


def test_the_codes_that_the_server_adds_to_commands_are_listed_for_all_games() -> None:
    assert table("Commands", "All games") == by("_no")


@pytest.mark.parametrize("name", GAMES)
def test_the_codes_of_a_games_commands_are_those_that_it_raises(name: str) -> None:
    found = by("Rejected", "refused", "Reply", within=f"games/{name}/") | {GAMES[name].over}

    assert table("Commands", GAMES[name].title) == found


def test_the_codes_of_a_set_up_are_those_that_are_raised() -> None:
    common = table("Set-up of a match", "All games")
    takers = ("BadSetup", "_fault", "_ordered", *{one.taker for one in raised()} - TAKERS.keys())
    found = {name: by(*takers, within=f"games/{name}/") for name in GAMES}
    own = {
        name: tables().get(("Set-up of a match", game.title), {}).keys()
        for name, game in GAMES.items()
    }

    assert {name: codes - common for name, codes in found.items()} == own
    assert common <= by(*takers) | {"unknown_game", "wrong_seats"}  # those of `botarena.play`
    assert by(*takers) <= common.union(*own.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_code_that_a_game_declares_is_listed(name: str) -> None:
    title = GAMES[name].title
    own = tables().get(("Set-up of a match", title), {}).keys()

    assert {*GAMES[name].faults} - own - table("Set-up of a match", "All games") == set()


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
