"""The reference that `make docs` builds: without a warning, without a network, and with everything
that is public."""

from __future__ import annotations

import fcntl
import importlib
import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import griffe
import pytest

from client_sdk.wire.documents import asyncapi
from tests.conformance import DOCUMENT

ROOT = Path(__file__).parents[2]
MODULES = [
    "botarena",
    "botarena.env",
    *(f"botarena.{path.stem}" for path in ROOT.glob("botarena/[a-z]*.py")),
]
LOADED = {"href": ("link",), "src": ("embed", "iframe", "img", "script", "source", "video")}
"""The attributes whose addresses a browser loads by itself, and the elements that have them."""

pytestmark = pytest.mark.documents


class Page(HTMLParser):
    """The ids of a page, its text and the addresses that a browser loads with it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.text = ""
        self.loaded: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))
        self.text = " ".join(self.text.split())

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if value and tag in LOADED.get(name, ()) and dict(attrs).get("rel") != "canonical":
                self.loaded.add(value)


@cache
def sources() -> griffe.ModulesCollection:
    """The modules as the reference reads them, without importing them."""
    loader = griffe.GriffeLoader(search_paths=[ROOT])
    for package in ("botarena", "client_sdk", "games"):
        loader.load(package)
    loader.resolve_aliases(implicit=True)
    return loader.modules_collection


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make docs` builds it, once for all processes that run these tests."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "reference"
    with (shared / "reference.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if lock.tell() == 0:
            built = subprocess.run(
                [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)],
                cwd=ROOT,
                env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
                capture_output=True,
                text=True,
            )
            assert (built.returncode, "WARNING" in built.stderr) == (0, False), built.stderr
            lock.write("built")
    return folder


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.split()


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def test_no_page_loads_anything_from_another_server(site: Path, pages: dict[str, Page]) -> None:
    external = re.compile(r"(?i)\b(?:https?:)?//")
    styles = re.compile(r"""(?i)(?:@import|url\()\s*["']?((?:https?:)?//[^"')]+)""")

    loaded = {name: {*filter(external.match, page.loaded)} for name, page in pages.items()}
    styled = {
        path.name: found
        for path in site.rglob("*")
        if path.suffix in (".css", ".html")
        and (found := styles.findall(path.read_text(encoding="utf-8")))
    }

    assert len(pages) > 20
    assert {name: found for name, found in loaded.items() if found} == {}
    assert styled == {}


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_on_a_page_with_its_docstring(
    name: str, pages: dict[str, Page]
) -> None:
    page = pages[f"docs/reference/{name.removeprefix('botarena.')}.html"]
    public = importlib.import_module(name).__all__
    summaries = {one: summary(sources()[name][one]) for one in public}

    assert public
    assert [one for one in public if f"{name}.{one}" not in page.ids] == []
    assert [one for one, text in summaries.items() if not text] == []
    assert [one for one, text in summaries.items() if text not in page.text] == []


def summary(named: griffe.Object | griffe.Alias) -> str:
    """The first paragraph of its docstring, as a page shows it."""
    text = "" if named.docstring is None else named.docstring.value
    return " ".join(text.partition("\n\n")[0].replace("`", "").split())


def test_every_rest_operation_and_object_is_on_a_page(pages: dict[str, Page]) -> None:
    operations = {
        one["operationId"] for path in DOCUMENT["paths"].values() for one in path.values()
    }

    assert operations
    assert operations - pages["docs/reference/rest.html"].ids == set()
    assert (
        DOCUMENT["components"]["schemas"].keys() - pages["docs/reference/objects.html"].ids == set()
    )


def test_every_message_is_on_a_page(pages: dict[str, Page]) -> None:
    components = asyncapi()["components"]
    page = pages["docs/reference/websocket.html"]

    assert components["messages"]
    assert {*components["messages"], *components["schemas"]} - page.ids == set()


def test_no_list_or_table_is_shown_as_text(site: Path) -> None:
    """Python-Markdown wants an empty line before a list, and four spaces before a nested item."""
    marks = re.compile(r"<p>[^<]*(?:<(?!/p>)[^<]*)*?\n\s*(?:-|\d+\.|\|) ")
    nested = re.compile(r"^ {1,3}(?:-|\d+\.) ", re.MULTILINE)

    shown = [
        path.name
        for path in site.rglob("*.html")
        if marks.search(path.read_text(encoding="utf-8").partition("<article")[2])
    ]
    flat = [path for path in tracked() if nested.search((ROOT / path).read_text(encoding="utf-8"))]

    assert shown == []
    assert flat == []


def test_every_document_is_a_page(pages: dict[str, Page]) -> None:
    names = {name.replace("README.md", "index.md").replace(".md", ".html") for name in tracked()}

    assert names
    assert names - pages.keys() == set()
