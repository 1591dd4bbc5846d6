"""The folders above a bot's own from which it imports: those up to the root of its repository."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.machinery import PathFinder
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Final, NamedTuple

OURS: Final = Path(__file__).resolve().parents[1]
"""The folder of our own packages: what a bot there imports is not the bot's."""

LEVELS: Final = 8
"""How far above the bot's folder its repository may begin."""
FILES: Final = 200
FILE_BYTES: Final = 1024 * 1024
"""How many files are searched for imports at most, and how large they are at most."""
PACKAGES: Final = ("botarena", "client_sdk", "games", "maps", "server")
"""Our own packages."""
PERHAPS_OURS: Final = frozenset({"games", "maps", "server"})
"""Those whose name a package of the bot's repository may have too."""
ALWAYS_OURS: Final = frozenset({"pyrat", "pyrat_sdk", *PACKAGES}) - PERHAPS_OURS
"""What a bot gets from us or from its environment, whatever lies above it."""


class Imports(NamedTuple):
    """What a bot's file imports from above its folder."""

    folders: tuple[Path, ...] = ()
    """Above the bot's folder, the nearest first: where imports are looked up."""
    names: tuple[Path, ...] = ()
    """The modules and packages that it imports there, or from folders beside its own."""
    first_course: bool = False
    """Whether the file has a `turn` with the nine arguments of PyRat's first course."""


def imports(file: Path) -> Imports:
    """What this file (an absolute path) imports, and what these modules import. It is found again
    when the file has changed, not when one of the others has."""
    try:
        status = file.stat()
    except OSError:
        return Imports()
    return _imports(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _imports(file: Path, _changed: int, _size: int) -> Imports:
    above = _above(file.parent)
    installed = [entry for entry in sys.path if not any(Path(entry) == folder for folder in above)]
    tree = _parsed(file)
    found: dict[Path, None] = {}
    seen = {""}  # the first part of a relative import
    todo = [tree]
    for at in range(FILES):
        if at == len(todo):
            break
        for name in sorted({name.partition(".")[0] for name in _imported(todo[at])} - seen):
            seen.add(name)
            beside = module_in(file.parent, name)
            place = beside or _place(name, above, installed)
            if place is None:
                continue
            if beside is None:
                found[place] = None
            modules = [place] if place.is_file() else place.rglob("*.py")
            todo += map(_parsed, islice(modules, FILES - len(todo)))
    last = max([0, *(above.index(place.parent) for place in found if place.parent in above)])
    folders = above if _is_repository(above) else above[: last + 1]
    return Imports(tuple(folders), (*found,), _is_first_course(tree))


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
        status = path.stat()
        if S_ISREG(status.st_mode) and status.st_size <= FILE_BYTES:
            return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        pass  # the parser has no memory for what is nested too deeply
    return ast.Module([], [])


def imported(file: Path) -> set[str]:
    """The names that a file imports, such as `a.b`; those of relative imports begin with a dot."""
    return _imported(_parsed(file))


def _imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def _place(name: str, above: list[Path], installed: list[str]) -> Path | None:
    """Where above the bot's folder this module lies; None: nowhere, or another is found first."""
    if name in ALWAYS_OURS or name in sys.stdlib_module_names:
        return None
    place = next(filter(None, (module_in(folder, name) for folder in above)), None)
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
            yield from filter(Path.is_file, sorted(folder.glob(f"*/{name}.py")))


def module_in(folder: Path, name: str) -> Path | None:
    """The module or package of this name in a folder; None: there is none."""
    file = folder / f"{name}.py"
    if file.is_file():
        return file
    return folder / name if (folder / name).is_dir() else None


def _is_first_course(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.FunctionDef) and node.name == "turn" and len(node.args.args) == 9
        for node in tree.body
    )
