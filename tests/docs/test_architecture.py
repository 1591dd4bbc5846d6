"""The walk of a command in docs/architecture.md names files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOP = re.compile(r"^\| (\d+) \| `([^`]+\.py)` (.*?) \|", re.MULTILINE)


def test_the_path_of_a_command_to_the_journal_names_existing_functions():
    text = (ROOT / "docs" / "architecture.md").read_text()
    section = text.split("\n## One command, from the socket to the journal\n")[1].split("\n## ")[0]
    hops = HOP.findall(section)

    assert [str(number) for number in range(1, len(hops) + 1)] == [number for number, _, _ in hops]
    assert 5 <= len(hops) <= 9
    for _, file, names in hops:
        source = (ROOT / file).read_text()
        for name in re.findall(r"`([\w.]+)`", names):
            assert all(re.search(rf"(def|class) {part}\b", source) for part in name.split(".")), (
                f"{name} in {file}"
            )
