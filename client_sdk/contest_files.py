"""Files of Catastrophe's contest as modules of their own repository, in which they are
`games.catastrophe.*` beside the client's package `joueur`.

Our package has the name `games` too. So a bot's modules get other names, below a package that is
made for this bot alone, and an `import` statement in them finds modules there first: those that the
contest's client gives, which are ours whatever lies beside the bot, then those of the bot."""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from client_sdk.bot_roots import Imports, imported, module_in

GIVEN: Final = "client_sdk.api.catastrophe_contest"
"""The module with what the client gives."""
OBJECTS: Final = ("game", "game_object", "job", "player", "structure", "tile", "unit")
CLIENT: Final = ("base_ai", "base_game", "base_game_object", "delta_mergeable")
PACKAGE: Final = "games.catastrophe"


def is_contest_file(file: Path, game: str | None) -> bool:
    """Whether the file imports what only its repository has: the client's modules, or others of
    its folder as of a package."""
    for name in imported(file):
        first, *rest = name.split(".")
        if name.startswith(f"{PACKAGE}."):
            if rest[1] in ("ai", *OBJECTS) or module_in(file.parent, rest[1]):
                return True
        elif first == "joueur" or (not first and game == "catastrophe"):
            return True
    return False


class Repository:
    """The modules of one bot, below the package `name`."""

    def __init__(self, name: str, file: Path, found: Imports) -> None:
        """`found`: what the bot imports from above its folder."""
        self._name = name
        self._folder = file.parent
        self._above = {place.stem for place in found.names}
        self._builtins = vars(builtins) | {"__import__": self._import}
        given = importlib.import_module(GIVEN)
        above = found.folders
        self._add("", {}, above)
        self._add("joueur", dict.fromkeys(CLIENT, given), [path / "joueur" for path in above])
        self._add("games", {}, [path / "games" for path in above])
        theirs = [path / "games" / "catastrophe" for path in above]
        self._add(PACKAGE, dict.fromkeys(OBJECTS, given), [self._folder, *theirs])
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
        _repositories[name] = self

    def spec(self, file: Path) -> ModuleSpec:
        """How the bot's file is read."""
        name = self._inner(f"{PACKAGE}.{file.stem}")
        spec = ModuleSpec(name, self.loader(name, str(file)), origin=str(file))
        spec.has_location = True
        return spec

    def loader(self, name: str, path: str) -> SourceFileLoader:
        """Reads one of the bot's modules."""
        return _Loader(name, path, self._builtins)

    def _inner(self, name: str) -> str:
        return f"{self._name}.{name}".rstrip(".")

    def _add(self, name: str, given: Mapping[str, ModuleType], folders: Sequence[Path]) -> None:
        """Add a package with these modules, and what lies in these folders."""
        package = ModuleType(self._inner(name))
        package.__path__ = [str(folder) for folder in folders]
        modules = {package.__name__: package}
        modules |= {f"{package.__name__}.{inner}": module for inner, module in given.items()}
        sys.modules.update(modules)
        for full, module in modules.items():
            above, _, own = full.rpartition(".")
            if above:
                setattr(sys.modules[above], own, module)

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002  the names of `__import__`
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        """What an `import` statement of the bot calls."""
        place = None if level else self._place(name.partition(".")[0])
        try:
            if place is None:
                return builtins.__import__(name, globals, locals, fromlist or (), level)
            inner = self._inner(f"{place}{name}")
            module = builtins.__import__(inner, globals, locals, fromlist or ("__name__",))
        except ModuleNotFoundError as fault:
            prefix = f"{self._name}."
            text, missing = str(fault).replace(prefix, ""), (fault.name or "").replace(prefix, "")
            raise ModuleNotFoundError(text, name=missing) from None
        return module if fromlist else sys.modules[self._inner(place + name.partition(".")[0])]

    def _place(self, top: str) -> str | None:
        """Below which package the bot has a module of this name; None: it has none."""
        if top in ("games", "joueur"):
            return ""
        if top in sys.stdlib_module_names:
            return None
        if module_in(self._folder, top):
            return f"{PACKAGE}."
        return "" if top in self._above else None


def forget(name: str) -> None:
    """Forget the module of a bot, and those of its repository if it has one."""
    sys.modules.pop(name, None)
    top = name.partition(".")[0]
    if _repositories.pop(top, None) is not None:
        for module in sys.modules.copy():
            if module.partition(".")[0] == top:
                del sys.modules[module]


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, builtin: dict[str, Any]) -> None:
        super().__init__(name, path)
        self._builtins = builtin

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with the repository's `import`."""
        vars(module)["__builtins__"] = self._builtins
        super().exec_module(module)


class _Finder(MetaPathFinder):
    """Finds the other modules of repositories."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        repository = _repositories.get(fullname.partition(".")[0])
        if repository is None:
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = repository.loader(fullname, spec.loader.path)
        return spec


_finder: Final = _Finder()
_repositories: Final[dict[str, Repository]] = {}
