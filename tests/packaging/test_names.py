"""A class has a name of its own: one word for one thing, one thing for one word (CONTRIBUTING)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from games.every import OURS

ROOT = Path(__file__).parents[2]
PACKAGES = ("benchmarks", "botarena", "client_sdk", "games", "server")

OF_A_GAME = re.compile(
    r"(games|botarena|client_sdk/bots|client_sdk/api(/terminal|/scaffold)?)"
    rf"/({'|'.join(OURS)})"
)
"""Each game has the words of its contest, and the same modules as the other games."""
OF_REST = re.compile(r"server/routes/")
"""A model of REST has the name of what it describes: OpenAPI shows it."""
TWICE = {"Json"}
"""The messages stand alone: they import no other package."""


def named(source: str) -> Iterator[str]:
    """The public classes and types of a module."""
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                found = name
            case ast.Assign(targets=[ast.Name(id=name)]):
                found = name
            case _:
                continue
        if re.fullmatch(r"[A-Z]\w*[a-z]\w*", found):
            yield found


def shared_names(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """Names that several modules define, with these modules."""
    places: dict[str, list[str]] = {}
    for path, source in sources.items():
        for name in named(source):
            places.setdefault(name, []).append(path)
    return {
        name: paths
        for name, paths in places.items()
        if len(paths) > 1
        and not (len(paths) == 2 and sum(map(bool, map(OF_REST.match, paths))) == 1)
    }


def test_no_two_modules_define_a_class_of_the_same_name():
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    common = {path: source for path, source in sources.items() if not OF_A_GAME.match(path)}

    assert shared_names(common).keys() == TWICE


def test_a_name_with_two_meanings_is_found():
    assert shared_names(
        {
            "server/a.py": "class Lobby: ...\nSeat = int\nLIMIT = 1",
            "server/b.py": "Seat: TypeAlias = int\nLIMIT = 2",
            "server/routes/models/c.py": "class Lobby(Model): ...",
            "server/routes/d.py": "class Body: ...",
            "server/routes/e.py": "class Body: ...",
        }
    ) == {
        "Seat": ["server/a.py", "server/b.py"],
        "Body": ["server/routes/d.py", "server/routes/e.py"],
    }
