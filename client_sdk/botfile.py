"""Read a bot's file again for every bot: two bots in one process share none of their modules."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import sys
import traceback
from collections.abc import Container, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from client_sdk import contest_files
from client_sdk.api.adapters import ADAPTERS, FIRST_COURSE, GIVEN, LAST_RESORT, STAND_INS
from client_sdk.bot_roots import OURS, PACKAGES, Imports, imports, module_in
from client_sdk.errors import BadBot

_read = itertools.count()
_above: list[str] = []
"""What `sys.path` has of the folders above bots."""


def give(game: str | None) -> None:
    """Have the modules that this game's contest gives to bots, under the names that bots import."""
    for name, module in GIVEN.get(game or "", {}).items():
        sys.modules[name] = importlib.import_module(module)


def read(file: Path, game: str | None = None, name: str | None = None) -> ModuleType:
    """The module of this file (an absolute path), by default with a unique name. Raises BadBot.

    As with `python file.py` the modules beside it come first; those above it, up to the root of its
    repository, come last. They are the bot's own too: once the file is read they are forgotten, so
    that the next bot gets its own copy, or its own module of that name. An import that is carried
    out later finds a copy again. A bot of PyRat's first course is called `player` there; one of
    Catastrophe's contest keeps its modules (`contest_files`)."""
    number = next(_read)
    name = name or f"botarena_bot_{number}_{file.stem}"
    found = imports(file)
    spec: ModuleSpec | None
    contest = game in (None, "", "catastrophe") and contest_files.is_contest_file(file, game)
    if contest:
        spec = contest_files.Repository(f"botarena_bot_{number}", file, found).spec(file)
        name, found = spec.name, Imports()
    else:
        first_course = found.first_course and game in (None, "", "pyrat")
        spec = spec_from_file_location(FIRST_COURSE if first_course else name, file)
    if spec is None or spec.loader is None:
        raise BadBot(f"{file}: expected a Python file, named *.py")
    _prefer_standard(file)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    _look_in(file.parent, found.folders)
    instead = [str(place.parent) for place in found.names if place.stem in PACKAGES]
    sys.path[1:1] = instead  # before ours of that name
    module = module_from_spec(spec)
    before = sys.modules.copy()
    give(game)
    hidden = {} if contest else _hide_ours(file.parent, found.names)
    sys.modules[name] = module
    sys.modules.setdefault(module.__name__, module)
    try:
        spec.loader.exec_module(module)
    except SystemExit as left:
        contest_files.forget(name)
        raise BadBot(
            f"{file}: leaves the program while it is loaded; put run() under `if __name__ == "
            "'__main__'`"
        ) from left
    except KeyboardInterrupt:  # Ctrl-C
        raise
    except BaseException as fault:
        contest_files.forget(name)
        raise BadBot(format_error(file, fault)) from fault
    finally:
        for place in instead:
            with contextlib.suppress(ValueError):
                sys.path.remove(place)
        _look_in(file.parent, found.folders)
        if module.__name__ not in before and module.__name__ != name:
            sys.modules.pop(module.__name__, None)
        known = before.keys() - hidden.keys() | {name}
        places = (place.parent for place in found.names)
        for folder in dict.fromkeys((file.parent, *found.folders, *places)):
            _forget(folder, known)
        sys.modules.update(
            {given: before[given] for given in GIVEN.get(game or "", ()) if given in before}
        )
        sys.modules.update(hidden)
    return module


def _prefer_standard(file: Path) -> None:
    """Import the modules of the standard library that have the name of a file beside the bot.
    Otherwise it would be imported in their place, also by us and by other packages."""
    beside = (path.name.partition(".")[0] for path in _python_files(file.parent))
    for name in sorted(sys.stdlib_module_names.intersection(beside)):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _python_files(folder: Path) -> Iterator[Path]:
    """The modules and packages of a folder."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.suffix == ".py" or (path / "__init__.py").is_file():
                yield path


def forget(module: ModuleType) -> None:
    """The bot is gone, and its module with it."""
    for name, other in sys.modules.copy().items():
        if other is module:
            del sys.modules[name]
    contest_files.forget(module.__name__)


def _look_in(folder: Path, above: Sequence[Path]) -> None:
    """Look for imports in the bot's folder first and in those above it last. Folders above other
    bots come after them."""
    first, last = str(folder), [str(parent) for parent in above]
    others = [entry for entry in sys.path if entry not in (first, *last, *_above)]
    _above[:] = [*last, *(entry for entry in _above if entry not in (first, *last))]
    sys.path[:] = [first, *others, *_above]


def _hide_ours(folder: Path, above: Sequence[Path]) -> dict[str, ModuleType]:
    """Take our packages out of `sys.modules` if the bot has modules of the same name, so that it
    gets its own: in its folder, or among what it imports from above.

    What a bot imports from them is imported first: it needs the packages that are hidden. Returns
    what was taken out."""
    if folder == OURS:
        return {}
    imported = {path.stem for path in above}
    names = [name for name in PACKAGES if name in imported or module_in(folder, name)]
    if not names:
        return {}
    public = importlib.import_module("botarena")
    for name in public.__all__:
        getattr(public, name)
    for game in ("game", *ADAPTERS):
        importlib.import_module(f"botarena.{game}")
    taken = {
        name: module
        for name, module in sys.modules.copy().items()
        if name.partition(".")[0] in names
    }
    for name in taken:
        del sys.modules[name]
    return taken


def format_error(file: Path, fault: BaseException) -> str:
    """The fault in one line, with the line of the bot's own file where it happened."""
    if isinstance(fault, SyntaxError) and fault.filename:
        return f"{fault.filename}, line {fault.lineno}: {fault.msg}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(fault.__traceback__)
        if frame.filename == str(file)
    ]
    where = f"{file}, line {lines[-1]}" if lines else str(file)
    try:
        text = str(fault)
    except BaseException:  # noqa: BLE001  the bot's own
        text = "(its text cannot be read)"
    return f"{where}: {type(fault).__name__}: {text}"


def _forget(folder: Path, known: Container[str]) -> None:
    for (
        name,
        module,
    ) in (
        sys.modules.copy().items()
    ):  # in one go: a collection in the middle of a loop may change them
        if name not in known and (_stands_in(name, module) or _lies_in(folder, name, module)):
            del sys.modules[name]


def _stands_in(name: str, module: ModuleType) -> bool:
    return name in STAND_INS and module.__name__ == STAND_INS[name]


def _lies_in(folder: Path, name: str, module: ModuleType) -> bool:
    """Whether the module was found right in this folder, and not in an environment that happens to
    lie below it."""
    places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
    top = folder / name.partition(".")[0]
    return folder != OURS and any(
        place == top.with_suffix(".py") or place.is_relative_to(top)
        for place in map(Path, map(os.path.normpath, places))
    )


class _StandInFinder(MetaPathFinder):
    """What is installed or lies beside the bot goes before what we have in its place, if it can be
    imported. Folders without a file `__init__.py`, and what lies above the bot, do not: a clone of
    a course's repository may be called as its package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in STAND_INS:
            return None
        for finder in sys.meta_path:
            found = None if finder is self else finder.find_spec(fullname, path, target)
            if found is not None and found.loader is not None and found.origin is not None:
                top = Path(found.origin).parents[bool(found.submodule_search_locations)]
                if str(top) not in _above or fullname in LAST_RESORT:
                    found.loader = _OrStandIn(found.loader, STAND_INS[fullname])
                    return found
        return ModuleSpec(fullname, _StandIn(STAND_INS[fullname]))


class _StandIn(Loader):
    def __init__(self, module: str) -> None:
        self._module = module

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module: who imports either name gets the same classes."""
        sys.modules[module.__name__] = importlib.import_module(self._module)


class _OrStandIn(_StandIn):
    """A contest's own module; ours where it needs something that is not installed."""

    def __init__(self, loader: Loader, module: str) -> None:
        super().__init__(module)
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, or replace it."""
        try:
            self._loader.exec_module(module)
        except ModuleNotFoundError:
            super().exec_module(module)


_finder: Final = _StandInFinder()
