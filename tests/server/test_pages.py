"""The page: small, ours alone, and true to the messages it reads."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files

import pytest

from client_sdk.wire.messages import Outgoing
from tests.server.house import House

SCRIPT = files("server").joinpath("web", "app.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["/", "/watch/abc"])
def test_the_page_is_served_with_a_policy_that_lets_nothing_else_in(house: House, path):
    response = house.http.get(path)

    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert 'src="/web/app.js"' in response.text


def test_the_page_takes_nothing_from_another_host(house: House):
    for text in (house.http.get("/").text, house.http.get("/web/app.js").text):
        assert not re.search(r"https?://[a-z]", text)


def test_the_script_makes_no_markup_of_what_others_wrote():
    assert "innerHTML" not in SCRIPT
    assert "insertAdjacentHTML" not in SCRIPT


def test_every_message_that_the_script_reads_exists():
    handlers = re.search(r"const hears = \{(.*?)\n  \};", SCRIPT, re.DOTALL)
    assert handlers is not None
    read = set(re.findall(r"^    (\w+): \(message\)", handlers[1], re.MULTILINE))

    assert {"start", "view", "end", "error"} <= read
    assert read <= {kind.__struct_config__.tag for kind in Outgoing.__args__}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_is_well_formed(tmp_path):
    module = tmp_path / "app.mjs"
    module.write_text(SCRIPT)
    checked = subprocess.run(["node", "--check", str(module)], capture_output=True, text=True, timeout=60)

    assert checked.returncode == 0, checked.stderr
