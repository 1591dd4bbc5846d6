"""The lock files, by which the image is installed: `make lock` renews them when pyproject.toml
changes."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
AGAIN = "run `make lock`"


@dataclass(frozen=True)
class Locked:
    version: str
    hashes: int
    via: frozenset[str]
    """The packages that need it."""


def lock(name: str) -> dict[str, Locked]:
    text = (ROOT / f"deploy/{name}.lock").read_text(encoding="utf-8")
    found = {}
    for entry in re.split(r"\n(?=[a-z0-9])", text):
        head = re.match(r"([a-z0-9-]+)==(\S+)", entry)
        assert head is not None, entry
        via = frozenset(re.findall(r"# {1,3}(?:via )?([a-z0-9-]+)", entry.replace("# via\n", "")))
        found[head[1]] = Locked(
            head[2], len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)), via
        )
    return found


def wanted(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for, with what these extras name of it in turn."""
    project = PROJECT["project"]
    given = [
        *project["dependencies"],
        *(one for extra in extras for one in project["optional-dependencies"][extra]),
    ]
    own = [found for one in given if (found := Requirement(one)).name == project["name"]]
    others = [found for one in given if (found := Requirement(one)).name != project["name"]]
    return others + [one for own_ in own for one in wanted(*own_.extras)]


@pytest.mark.parametrize("name", ["requirements", "build"])
def test_every_package_is_pinned_with_hashes_and_without_a_registry(name: str) -> None:
    text = (ROOT / f"deploy/{name}.lock").read_text(encoding="utf-8")

    assert all(locked.hashes for locked in lock(name).values())
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


@pytest.mark.parametrize(
    ("name", "roots"),
    [
        ("requirements", wanted("postgres")),
        ("build", [*map(Requirement, PROJECT["build-system"]["requires"])]),
    ],
)
def test_a_lock_has_the_projects_requirements_and_their_dependencies(
    name: str, roots: list[Requirement]
) -> None:
    locked = lock(name)
    names = {canonicalize_name(root.name) for root in roots}

    for root in roots:
        found = locked.get(canonicalize_name(root.name))
        assert found is not None, f"{root} is not locked: {AGAIN}"
        assert root.specifier.contains(found.version, prereleases=True), (
            f"{root}, locked: {found.version}: {AGAIN}"
        )
    asked = {
        one for one, of in locked.items() if not of.via or PROJECT["project"]["name"] in of.via
    }
    assert asked == names, AGAIN
    for one, of in locked.items():
        assert one in asked or of.via <= locked.keys(), f"nothing needs {one}: {AGAIN}"
