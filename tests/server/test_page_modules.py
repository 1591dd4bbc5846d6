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
SOURCES = [*SCRIPTS, *sorted(WEB.rglob("*.css")), WEB / "index.html"]
UNITS = sorted(Path(__file__).with_name("page").glob("*.test.js"))
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']""")
"""Static and dynamic imports, and types that a comment takes from another module."""
MAX_LINES = 400
MAX_COLUMNS = 100
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


def test_a_change_of_ink_or_ground_is_not_gradual():
    """Halfway one could not be read on the other."""
    styles = "".join(path.read_text(encoding="utf-8") for path in WEB.rglob("*.css"))
    moved = re.findall(r"(?<=transition:)[^;]+", styles)

    assert {one.split()[0] for moves in moved for one in moves.split(",")} == {"border-color"}


def test_modules_and_classes_have_a_maximum_size():
    texts = {path.relative_to(WEB).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES}
    sizes = {(path, name): size for path in texts for name, size in classes(texts[path]).items()}

    assert {path.suffix for path in SOURCES} == {".js", ".css", ".html"}
    assert [path for path, text in texts.items() if text.count("\n") > MAX_LINES] == []
    assert [one for one, (lines, _) in sizes.items() if lines > MAX_CLASS_LINES] == []
    assert [one for one, (_, methods) in sizes.items() if methods > MAX_METHODS] == []
    assert sizes["match/element.js", "ArenaMatch"] > (100, 10)


def too_wide(text: str) -> list[int]:
    """The numbers of the lines that have too many columns."""
    return [number for number, line in enumerate(text.split("\n"), 1) if len(line) > MAX_COLUMNS]


def test_no_line_has_more_than_100_columns():
    """Prettier, which `make web-check` runs, wraps neither comments nor strings."""
    found = {path.relative_to(WEB): too_wide(path.read_text(encoding="utf-8")) for path in SOURCES}

    assert {path: lines for path, lines in found.items() if lines} == {}
    assert too_wide(f"{'x' * 100}\n{'x' * 101}\n") == [2]


def test_the_document_links_every_style_sheet_once():
    document = (WEB / "index.html").read_text(encoding="utf-8")
    linked = re.findall(r'<link rel="stylesheet" href="/web/(.+?)"', document)

    assert sorted(linked) == [
        path.relative_to(WEB).as_posix() for path in SOURCES if path.suffix == ".css"
    ]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units(path: Path):
    command = ["node", "--test", "--test-reporter=tap", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "# pass 0" not in ran.stdout
