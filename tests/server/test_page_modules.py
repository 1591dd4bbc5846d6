"""The page's modules: their imports, their sizes, and the units that need no browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from pathlib import Path

import pytest

WEB = Path(str(files("server").joinpath("web")))
SCRIPTS = sorted(WEB.rglob("*.js"))
UNITS = sorted(Path(__file__).with_name("page").glob("*.test.js"))
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']""")
"""Static and dynamic imports, and types that a comment takes from another module."""
MAX_MODULE_LINES = 400
MAX_CLASS_LINES = 300
MAX_METHODS = 25


def imports(path: Path, text: str) -> set[Path]:
    return {(path.parent / name).resolve() for name in IMPORT.findall(text)} - {path}


def circle(graph: dict[Path, set[Path]]) -> list[Path]:
    """Modules that import each other in a circle; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[Path] = error.args[1]
        return found
    return []


def classes(text: str) -> dict[str, tuple[int, int]]:
    """The lines and the methods (with accessors and the constructor) of each class."""
    every = re.compile(r"^(?:export )?(?:default )?class (\w+)(.*?\n)}", re.MULTILINE | re.DOTALL)
    method = re.compile(r"^  (?:static |async |get |set |\*)*#?\w+\(", re.MULTILINE)
    found = every.findall(text)
    return {name: (body.count("\n") + 1, len(method.findall(body))) for name, body in found}


def test_the_modules_have_no_circular_imports():
    graph = {path: imports(path, path.read_text(encoding="utf-8")) for path in SCRIPTS}

    assert set().union(*graph.values()) <= set(SCRIPTS)
    assert sum(map(len, graph.values())) > len(SCRIPTS)
    assert circle(graph) == []


@pytest.mark.parametrize(
    "statement",
    [
        'import { go } from "./app.js";',
        'import {\n  go,\n} from "./app.js";',
        'import "./app.js";',
        'const { go } = await import("./app.js");',
        '/** @type {import("./app.js").Page} */',
    ],
)
def test_a_circular_import_is_found_from_any_module(statement):
    app, page = Path("/web/app.js"), Path("/web/page.js")

    assert imports(page, statement) == {app}
    assert set(circle({app: {page}, page: imports(page, statement)})) == {app, page}


def test_modules_and_classes_have_a_maximum_size():
    texts = {path.relative_to(WEB).as_posix(): path.read_text(encoding="utf-8") for path in SCRIPTS}
    sizes = {(path, name): size for path in texts for name, size in classes(texts[path]).items()}

    assert [path for path, text in texts.items() if text.count("\n") > MAX_MODULE_LINES] == []
    assert [one for one, (lines, _) in sizes.items() if lines > MAX_CLASS_LINES] == []
    assert [one for one, (_, methods) in sizes.items() if methods > MAX_METHODS] == []
    assert sizes["match/element.js", "ArenaMatch"] > (100, 10)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units(path: Path):
    command = ["node", "--test", "--test-reporter=tap", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "# pass 0" not in ran.stdout
