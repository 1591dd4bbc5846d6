"""The folders above a bot's own from which it imports: those up to the root of its repository."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final, NamedTuple

OURS: Final = Path(__file__).resolve().parents[1]
"""The folder of our own packages: what a bot there imports is not the bot's."""

LEVELS: Final = 8
"""How far above the bot's folder its repository may begin."""
FILES: Final = 200
"""How many files are searched for imports at most."""
ALWAYS_OURS: Final = frozenset({"botarena", "client_sdk", "pyrat", "pyrat_sdk"})
"""What a bot gets from us or from its environment, whatever lies above it."""
PERHAPS_OURS: Final = frozenset({"games", "maps", "server"})
"""Packages of ours that a repository of bots may have too."""


class Imports(NamedTuple):
    """What a bot's file imports from above its folder."""

    folders: tuple[Path, ...] = ()
    """Above the bot's folder, the nearest first: where imports are looked up."""
    names: tuple[Path, ...] = ()
    """The modules and packages that it imports there, or from folders beside its own."""
    repository: bool = False
    """Whether the folders end at the root of a git repository, so that all of it has one author."""
    first_course: bool = False
    """Whether the file has a `turn` with the nine arguments of PyRat's first course."""


def imports(file: Path) -> Imports:
    """What this file (an absolute path) imports. The file is read again when it has changed."""
    try:
        status = file.stat()
    except OSError:
        return Imports()
    return _imports(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _imports(file: Path, _changed: int, _size: int) -> Imports:
    above = _above(file.parent)
    installed = [entry for entry in sys.path if not any(Path(entry) == folder for folder in above)]
    found: dict[Path, Path] = {}
    todo = [file, *sorted(file.parent.glob("*.py"))]
    for path in todo:
        for name in _imported(_parsed(path)):
            place = _place(name, file.parent, above, installed)
            if place is not None and place not in found and len(todo) < FILES:
                found[place] = place.parent
                todo += [place] if place.is_file() else sorted(place.rglob("*.py"))
    repository = _is_repository(above)
    last = max([0, *(above.index(folder) for folder in found.values() if folder in above)])
    folders = above if repository else above[: last + 1]
    return Imports(tuple(folders), (*found,), repository, _is_first_course(file))


def _above(folder: Path) -> list[Path]:
    """The folders above this one that may be of its repository."""
    if (folder / ".git").exists():
        return []
    above: list[Path] = []
    ends = {OURS, *OURS.parents, _home()}
    for parent in folder.parents[:LEVELS]:
        if parent in ends or parent == parent.parent:
            break
        above.append(parent)
        if (parent / ".git").exists():
            break
    return above


def _is_repository(above: list[Path]) -> bool:
    return bool(above) and (above[-1] / ".git").exists()


def _home() -> Path | None:
    """None: the user has none, as in a container."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def _parsed(path: Path) -> ast.Module:
    """An empty module if the file cannot be parsed: who imports it reports that."""
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def _imported(tree: ast.Module) -> set[str]:
    """The first parts of the names that are imported absolutely."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def _place(name: str, own: Path, above: list[Path], installed: list[str]) -> Path | None:
    """Where above the bot's folder this module lies; None: nowhere, or another is found first."""
    if name in ALWAYS_OURS or name in sys.stdlib_module_names or _module(own, name):
        return None
    place = next(filter(None, (_module(folder, name) for folder in above)), None)
    if place is not None and name in PERHAPS_OURS:
        return place
    spec = PathFinder.find_spec(name, installed)
    if spec is not None and spec.origin is not None:
        return None
    return place or next(_beside(name, above), None)


def _beside(name: str, above: list[Path]) -> Iterator[Path]:
    """Modules in other folders of the repository, which a bot may have put on `sys.path` itself:
    `sys.path.append("../tools")`."""
    for folder in above if _is_repository(above) else above[:1]:
        with contextlib.suppress(OSError):
            yield from sorted(folder.glob(f"*/{name}.py"))


def _module(folder: Path, name: str) -> Path | None:
    file = folder / f"{name}.py"
    if file.is_file():
        return file
    return folder / name if (folder / name).is_dir() else None


def _is_first_course(file: Path) -> bool:
    return any(
        isinstance(node, ast.FunctionDef) and node.name == "turn" and len(node.args.args) == 9
        for node in _parsed(file).body
    )
