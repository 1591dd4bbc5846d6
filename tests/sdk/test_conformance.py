"""Every SDK passes the cases of sdk/conformance."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from copy import deepcopy
from itertools import chain
from pathlib import Path
from typing import Any

from client_sdk.wire.messages import read_outgoing
from tests.sdk import typescript
from tests.sdk.cases import files
from tests.sdk.registry import REGISTRY, cases, lines, run

ROOT = Path(__file__).parents[2]
PYTHON = [sys.executable, "-m", "tests.sdk.python_driver"]
SILENT = [
    sys.executable,
    "-c",
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    name = json.loads(line)['case']['name']\n"
    "    print(json.dumps({'name': name, 'calls': [], 'exit': 3}), flush=True)",
]
"""The driver of an SDK that never connects."""


def test_the_python_sdk_conforms() -> None:
    faults = asyncio.run(run(PYTHON, cases()))

    assert not faults, "\n".join(lines(faults))


def test_the_typescript_sdk_conforms() -> None:
    program = typescript.node()
    faults = asyncio.run(run([program, str(typescript.DRIVER)], cases(), typescript.lacks()))

    assert not faults, "\n".join(lines(faults))


def test_a_client_that_does_nothing_passes_no_case() -> None:
    faults = asyncio.run(run(SILENT, cases(), settle_s=0.1))

    assert faults.keys() == {case["name"] for case in cases()}


def test_a_difference_is_found() -> None:
    """A right client fails a case that expects something else."""
    right = next(one for one in cases() if one["name"].startswith("an answer names its turn"))

    def wrong(name: str) -> dict[str, Any]:
        case = deepcopy(right) | {"name": name}
        match name:
            case "another frame":
                case["server"][3]["expect"]["turn"] = 9
            case "another call":
                case["calls"][1] = ["decide", {"n": 9}]
            case "another exit code":
                case["exit"] = 3
            case "fewer calls":
                case["calls"].pop()
            case "one frame less":
                del case["server"][6:8]
        return case

    names = ["another frame", "another call", "another exit code", "fewer calls", "one frame less"]
    faults = asyncio.run(run(PYTHON, [right, *map(wrong, names)], settle_s=1.0))

    assert [*faults] == names


def test_the_registry_is_written_from_its_tables() -> None:
    written = {path.name: path.read_text() for path in REGISTRY.glob("*.jsonl")}

    assert written == files(), "run: python -m tests.sdk.cases"


def test_cases_have_names_of_their_own_and_name_a_heading_of_the_protocol() -> None:
    protocol = (ROOT / "client_sdk" / "PROTOCOL.md").read_text()
    headings = set(re.findall(r"^#+ (?:\d+\. )?(.*)$", protocol, re.MULTILINE))
    names = Counter(case["name"] for case in cases())

    assert len(names) >= 120
    assert {name for name, count in names.items() if count > 1} == set()
    assert {case["see"] for case in cases()} <= headings


def test_the_readme_describes_every_step_and_every_order() -> None:
    text = (REGISTRY / "README.md").read_text()
    steps = {next(iter(step)) for case in cases() for step in case["server"]}
    orders = {
        order[0]
        for case in cases()
        for hook, given in case.get("bot", {}).items()
        for order in (chain(*given) if hook == "decide" else given)
    }
    calls = {call[0] for case in cases() for call in case["calls"]}

    assert {name for name in steps | orders | calls if f"`{name}`" not in text} == set()


def test_the_frames_of_a_case_are_messages_of_a_server_unless_it_is_about_invalid_ones() -> None:
    for case in cases():
        if "ignored" in case["name"] or "invalid frame" in case["name"]:
            continue
        for step in case["server"]:
            for frame in step.get("send", ()):
                read_outgoing(frame if isinstance(frame, str) else json.dumps(frame))
