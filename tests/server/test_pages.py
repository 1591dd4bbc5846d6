"""The page as it is served: one document, files of ours alone, a policy that lets nothing else
in."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from client_sdk.wire.messages import Outgoing
from games import GAMES
from server.routes.pages import ADDRESSES, TYPES
from tests.server.live_server import LiveServer

WEB = Path(str(files("server").joinpath("web")))
SOURCES = sorted(path for path in WEB.rglob("*") if path.is_file())
SCRIPTS = [path for path in SOURCES if path.suffix == ".js"]

every_script = pytest.mark.parametrize(
    "path", SCRIPTS, ids=lambda path: path.relative_to(WEB).as_posix()
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_address_is_one_document_with_a_strict_policy(live_server: LiveServer, address):
    response = live_server.http.get(re.sub(r"\{\w+\}", "abc", address))

    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert "script-src 'self';" in response.headers["Content-Security-Policy"]
    assert 'src="/web/app.js"' in response.text


def test_the_pages_router_and_the_server_know_the_same_addresses():
    script = (WEB / "app.js").read_text(encoding="utf-8")
    patterns = [
        re.compile(pattern.replace(r"\/", "/"))
        for pattern in re.findall(r"^  \[/(\^.*?\$)/, ", script, re.MULTILINE)
    ]

    assert len(patterns) == len(ADDRESSES)
    for address in ADDRESSES:
        assert any(pattern.match(re.sub(r"\{\w+\}", "abc", address)) for pattern in patterns), (
            address
        )


def test_a_browser_gets_the_page_for_an_address_that_is_not_there_and_a_program_the_error(
    live_server: LiveServer,
):
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    typed = live_server.http.get("/tournamnts", headers=browser)
    program = live_server.http.get("/tournamnts")
    api = live_server.http.get("/api/v1/nothing", headers=browser)

    assert typed.status_code == program.status_code == api.status_code == 404
    assert 'src="/web/app.js"' in typed.text
    assert "default-src 'none'" in typed.headers["Content-Security-Policy"]
    assert program.json()["code"] == api.json()["code"] == "not_found"


def test_a_match_names_its_modules_in_the_document_for_the_browser_to_load_at_once(
    live_server: LiveServer,
):
    named = re.compile(r'<link rel="modulepreload" href="/web/([^"]+)"')
    match = named.findall(live_server.http.get("/match/abc").text)
    static = re.compile(r"""^(?:import|export) .*?from ["'](.+?)["'];$""", re.MULTILINE | re.DOTALL)
    imported = {
        (WEB / name).parent.joinpath(other).resolve().relative_to(WEB.resolve()).as_posix()
        for name in match
        for other in static.findall((WEB / name).read_text(encoding="utf-8"))
    }

    assert match[0] == "pages/match.js"
    assert imported == {*match[1:]}
    assert len(match) == len({*match}) > 40
    assert named.findall(live_server.http.get("/").text) == []


def test_a_matchs_former_address_redirects(live_server: LiveServer):
    response = live_server.http.get("/watch/abc")

    assert response.status_code == 307
    assert response.headers["Location"] == "/match/abc"


def test_the_page_can_be_framed_only_on_request(live_server: LiveServer):
    assert (
        "frame-ancestors 'self'"
        in live_server.http.get("/match/abc").headers["Content-Security-Policy"]
    )
    assert (
        "frame-ancestors *"
        in live_server.http.get("/match/abc?embed=1").headers["Content-Security-Policy"]
    )


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(WEB).as_posix())
def test_every_file_has_its_type_and_is_cached_by_version(live_server: LiveServer, path):
    address = f"/web/{path.relative_to(WEB).as_posix()}"
    response = live_server.http.get(address)

    assert response.status_code == 200
    assert response.content == path.read_bytes()
    assert response.headers["Content-Type"] == TYPES[path.suffix]
    assert (
        live_server.http.get(
            address, headers={"If-None-Match": response.headers["ETag"]}
        ).status_code
        == 304
    )


@pytest.mark.parametrize(
    "path",
    [
        "../cli.py",
        "..%2fcli.py",
        "lib/../../cli.py",
        "%2e%2e/cli.py",
        "/etc/passwd",
        "lib",
        "nothing.js",
    ],
)
def test_no_other_file_is_served(live_server: LiveServer, path):
    assert live_server.http.get(f"/web/{path}").status_code == 404


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if path.suffix != ".png"],
    ids=lambda path: path.relative_to(WEB).as_posix(),
)
def test_the_page_loads_nothing_from_another_host(path):
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")

    assert not re.search(r"https?://[a-z]", text)


@every_script
def test_scripts_do_not_build_markup_from_text(path):
    text = path.read_text(encoding="utf-8")

    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)


def test_every_message_that_the_page_reads_exists():
    text = (WEB / "sources/live.js").read_text(encoding="utf-8")
    read = set(re.findall(r'^      case "(\w+)":', text, re.MULTILINE))

    assert {"start", "view", "delta", "end", "error"} <= read
    assert read <= {kind.__struct_config__.tag for kind in Outgoing.__args__}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_renderer_a_picture_and_its_rules(live_server: LiveServer, game):
    registry = (WEB / "lib/renderers.js").read_text(encoding="utf-8")

    assert f'{game}: () => import("../games/{game}.js"),' in registry
    assert (WEB / f"games/{game}.js").is_file()
    assert (WEB / f"pictures/{game}.svg").is_file()
    assert live_server.get(f"/games/{game}/rules").text.startswith("# ")


def test_a_game_without_written_rules_says_so(live_server: LiveServer):
    response = live_server.get("/games/duel/rules")

    assert response.status_code == 404
    assert response.json()["code"] == "no_rules"


PARSE = """
import { readFileSync } from "node:fs";
import { SourceTextModule } from "node:vm";
for (const path of process.argv.slice(1))
  new SourceTextModule(readFileSync(path, "utf8"), { identifier: path });
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_scripts_are_well_formed():
    command = [
        "node",
        "--experimental-vm-modules",
        "--input-type=module",
        "-e",
        PARSE,
        *map(str, SCRIPTS),
    ]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert checked.returncode == 0, checked.stderr
